//! A letter as programs, pages and addresses spell it, or as one of other alphabets that look the same → the letter.
//!
//! Apart from what is not seen at all because a letter comes out here, and the many notations have one place.

/// What such a spelling begins with.
pub(crate) const SIGNS: &[&[u8]] = &[
    br"\u",
    br"\x",
    br"\0",
    br"\1",
    b"&",
    b"%",
    b"\xEF\xBC",
    b"\xEF\xBD",
    b"\xF0\x9D",
    br"\_",
    br"\-",
    br"\.",
];

const ENTITIES: &[(&str, char)] = &[
    ("amp", '&'),
    ("lt", '<'),
    ("gt", '>'),
    ("quot", '"'),
    ("apos", '\''),
    ("nbsp", ' '),
    ("lowbar", '_'),
    ("hyphen", '-'),
    ("dash", '-'),
    ("equals", '='),
    ("colon", ':'),
    ("period", '.'),
    ("sol", '/'),
    ("plus", '+'),
    ("num", '#'),
    ("dollar", '$'),
    ("percnt", '%'),
    ("commat", '@'),
    ("excl", '!'),
    ("ast", '*'),
];

/// The letter that is spelled at the beginning, and how long its spelling is.
pub(crate) fn letter(rest: &str) -> Option<(char, usize)> {
    match rest.as_bytes() {
        [b'\\', sign @ (b'_' | b'-' | b'.'), ..] => Some((char::from(*sign), 2)),
        [b'\\', b'u', b'{', ..] => {
            let length = rest.get(3..)?.find('}').filter(|length| (1..=6).contains(length))?;
            shown(u32::from_str_radix(rest.get(3..3 + length)?, 16).ok()?, 4 + length)
        }
        [b'\\', b'u', ..] => number(rest, 2..6, 16),
        [b'\\', b'U', ..] => number(rest, 2..10, 16),
        [b'\\', b'x' | b'X', ..] => number(rest, 2..4, 16).filter(is_plain),
        [b'\\', b'0' | b'1', ..] => number(rest, 1..4, 8).filter(is_plain),
        [b'%', ..] => number(rest, 1..3, 16).filter(is_plain),
        [b'&', ..] => entity(rest),
        _ => look_alike(rest.chars().next()?),
    }
}

fn number(rest: &str, digits: std::ops::Range<usize>, radix: u32) -> Option<(char, usize)> {
    let own = rest.get(digits.clone()).filter(|own| own.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
    shown(u32::from_str_radix(own, radix).ok()?, digits.end)
}

fn shown(code: u32, length: usize) -> Option<(char, usize)> {
    let letter = char::from_u32(code).filter(|letter| !letter.is_control() || *letter == '\n')?;
    Some((letter, length))
}

/// Of what has two digits: others are halves of letters.
fn is_plain(spelled: &(char, usize)) -> bool {
    spelled.0.is_ascii()
}

/// `&#103;`, `&#x67;`, `&lowbar;`
fn entity(rest: &str) -> Option<(char, usize)> {
    let end = rest.bytes().take(12).position(|byte| byte == b';')?;
    let name = rest.get(1..end)?;
    if let Some(digits) = name.strip_prefix("#x").or(name.strip_prefix("#X")) {
        return shown(u32::from_str_radix(digits, 16).ok()?, end + 1);
    }
    if let Some(digits) = name.strip_prefix('#') {
        return shown(digits.parse().ok()?, end + 1);
    }
    let (_, letter) = ENTITIES.iter().find(|(own, _)| *own == name)?;
    Some((*letter, end + 1))
}

/// Of full width, and of mathematics: thirteen alphabets of fifty-two letters, then digits.
fn look_alike(letter: char) -> Option<(char, usize)> {
    let code = u32::from(letter);
    let plain = match code {
        0xFF01..=0xFF5E => code - 0xFEE0,
        0x1D400..=0x1D6A3 => match (code - 0x1D400) % 52 {
            capital @ 0..26 => capital + 0x41,
            small => small - 26 + 0x61,
        },
        0x1D7CE..=0x1D7FF => (code - 0x1D7CE) % 10 + 0x30,
        _ => return None,
    };
    char::from_u32(plain).map(|plain| (plain, letter.len_utf8()))
}

#[cfg(test)]
mod tests {
    use super::letter;

    #[test]
    fn letters_are_read_in_every_spelling() {
        for spelled in
            [r"\u0067", r"\u{67}", r"\U00000067", r"\x67", r"\147", "%67", "&#103;", "&#x67;", "ｇ", "𝚐", "𝗴"]
        {
            assert_eq!(letter(&format!("{spelled}hp")), Some(('g', spelled.len())), "{spelled}");
        }
        for other in [r"\u12", r"\xZZ", "%zz", "&nothing;", "&#;", r"\users", "%C3", "＀"] {
            assert_eq!(letter(other), None, "{other}");
        }
    }
}
