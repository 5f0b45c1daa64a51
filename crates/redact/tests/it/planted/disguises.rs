//! A token → the same token as escapes, entities, other letters, pieces and lines spell it.

pub(crate) struct Disguise {
    pub(crate) name: &'static str,
    pub(crate) put: fn(&str) -> String,
}

fn each(token: &str, spell: impl Fn(char) -> String) -> String {
    token.chars().map(spell).collect()
}

fn pieces(token: &str) -> (&str, &str) {
    token.split_at(token.len() / 2)
}

fn joined(token: &str, between: &str) -> String {
    let (first, second) = pieces(token);
    format!("{first}{between}{second}")
}

/// The line of a terminal that ends in the midst of the token.
fn wrapped(token: &str, margin: &str) -> String {
    let (first, second) = pieces(token);
    let filling = "0:12 and so it is set to ".repeat(4);
    format!("{} {first}\n{margin}{second} from now on", &filling[..79 - first.len().min(60)])
}

fn base64(token: &str) -> String {
    const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let letter = |bits: usize| char::from(LETTERS[bits & 63]);
    let groups = token.as_bytes().chunks(3).map(|group| {
        let bits =
            group.iter().fold(0, |bits, byte| bits << 8 | usize::from(*byte)) << (8 * (3 - group.len()));
        let all = [18, 12, 6, 0].map(|shift| letter(bits >> shift));
        all[..=group.len()].iter().chain(&['='; 2][..3 - group.len()]).collect::<String>()
    });
    groups.collect()
}

pub(crate) const DISGUISES: &[Disguise] = &[
    Disguise {
        name: "unicode escapes",
        put: |token| each(token, |letter| format!("\\u{:04x}", letter as u32)),
    },
    Disguise {
        name: "one escape",
        put: |token| token.replacen(&token[4..5], &format!("\\u{:04X}", token.as_bytes()[4]), 1),
    },
    Disguise {
        name: "braced escapes",
        put: |token| each(token, |letter| format!("\\u{{{:x}}}", letter as u32)),
    },
    Disguise {
        name: "hexadecimal escapes",
        put: |token| each(token, |letter| format!("\\x{:02x}", letter as u32)),
    },
    Disguise { name: "octal escapes", put: |token| each(token, |letter| format!("\\{:03o}", letter as u32)) },
    Disguise { name: "decimal entities", put: |token| each(token, |letter| format!("&#{};", letter as u32)) },
    Disguise {
        name: "hexadecimal entities",
        put: |token| each(token, |letter| format!("&#x{:X};", letter as u32)),
    },
    Disguise { name: "percents", put: |token| each(token, |letter| format!("%{:02X}", letter as u32)) },
    Disguise {
        name: "full width",
        put: |token| each(token, |letter| char::from_u32(letter as u32 + 0xFEE0).unwrap().to_string()),
    },
    Disguise {
        name: "letters of mathematics",
        put: |token| {
            each(token, |letter| match letter {
                'A'..='Z' => char::from_u32(0x1D670 + letter as u32 - 65).unwrap().to_string(),
                'a'..='z' => char::from_u32(0x1D68A + letter as u32 - 97).unwrap().to_string(),
                '0'..='9' => char::from_u32(0x1D7F6 + letter as u32 - 48).unwrap().to_string(),
                other => other.to_string(),
            })
        },
    },
    Disguise { name: "no width", put: |token| each(token, |letter| format!("{letter}\u{200b}")) },
    Disguise { name: "soft hyphen", put: |token| joined(token, "\u{ad}") },
    Disguise { name: "colours", put: |token| joined(token, "\x1b[0m\x1b[33m") },
    Disguise {
        name: "backslashes",
        put: |token| {
            each(token, |letter| {
                if matches!(letter, '_' | '-' | '.') { format!("\\{letter}") } else { letter.to_string() }
            })
        },
    },
    Disguise { name: "added", put: |token| format!("key = \"{}\";", joined(token, "\" + \"")) },
    Disguise { name: "added over lines", put: |token| format!("key = '{}'", joined(token, "' +\n      '")) },
    Disguise { name: "side by side", put: |token| format!("key = (\"{}\")", joined(token, "\"\n       \"")) },
    Disguise { name: "dots between", put: |token| format!("$key = '{}';", joined(token, "' . '")) },
    Disguise { name: "joined", put: |token| format!("[\"{}\"].join(\"\")", joined(token, "\", \"")) },
    Disguise { name: "continued", put: |token| format!("KEY=\"{}\"", joined(token, "\\\n")) },
    Disguise { name: "wrapped", put: |token| wrapped(token, "") },
    Disguise { name: "wrapped further in", put: |token| wrapped(token, "    ") },
    Disguise { name: "wrapped in a box", put: |token| wrapped(token, "│ ") },
    Disguise { name: "tags", put: |token| format!("<p>{}</p>", joined(token, "<wbr>")) },
    Disguise { name: "marked up", put: |token| joined(token, "</span><span class=\"k\">") },
    Disguise { name: "base64", put: |token| format!("echo {} | base64 -d", base64(token)) },
    Disguise { name: "hexadecimal", put: |token| each(token, |letter| format!("{:02x}", letter as u32)) },
    Disguise { name: "glued before", put: |token| format!("mytokenis{token}") },
    Disguise { name: "glued behind a line", put: |token| format!("done\\n{token}\\nmore") },
    Disguise { name: "spaced", put: |token| each(token, |letter| format!("{letter} ")) },
];
