//! A text → what is to be seen of it: without colours, overwriting and letters that have no width, with the letters that
//! escapes, entities and look-alikes stand for; and the way back to the places of the text.

use std::ops::Range;

use crate::pattern::{Parts, Pattern};

/// Of JSON, and what they stand for.
const ESCAPES: &[(&str, &str)] =
    &[(r"\n", "\n"), (r"\r", "\r"), (r"\t", "\t"), ("\\\"", "\""), (r"\/", "/"), (r"\\", r"\")];

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

const PARTS: Parts = &[
    // Escapes of a terminal, also as programs spell them: colours, titles, links (the address of one stays).
    (
        "TERMINAL",
        r"(?:\x1b|\\u001[bB]|\\x1[bB]|\\033|\\[eE])\[[ -?]{0,32}[@-~]|\xC2\x9B[ -?]{0,32}[@-~]|\x1b\]8;;|\x1b\][^\x07\x1b\n]{0,256}\x07?|\x1b[()][A-Za-z0-9]|\x1b[\\78=>M]?",
    ),
    // What goes back in the line, and letters without a width.
    (
        "UNSEEN",
        r"\r\n|\r|\x08|\xE2\x80[\x8B-\x8F\xAA-\xAE]|\xE2\x81[\xA0-\xA9]|\xE1\xA0\x8E|\xCD\x8F|\xEF\xB8\x8F|\xEF\xBB\xBF|\xC2\xAD",
    ),
    (
        "SPELLED",
        r"\\u\{[[:xdigit:]]{1,6}\}|\\u[[:xdigit:]]{4}|\\U[[:xdigit:]]{8}|\\[xX][[:xdigit:]]{2}|\\[01][0-7]{2}|\\[_.-]|%[[:xdigit:]]{2}|&#[0-9]{1,7};|&#[xX][[:xdigit:]]{1,6};|&[a-z]{2,8};",
    ),
    // Letters of full width, and of mathematics.
    ("WIDE", r"\xEF[\xBC\xBD][\x80-\xBF]|\xF0\x9D[\x90-\x9F][\x80-\xBF]"),
];

static SIGNS: Pattern = Pattern::with_parts("TERMINAL|UNSEEN|SPELLED|WIDE", PARTS, true);
static SIGNS_AND_ESCAPES: Pattern =
    Pattern::with_parts(r#"TERMINAL|UNSEEN|SPELLED|WIDE|\\[nrt"/\\]"#, PARTS, true);

/// The title of a terminal, and what ends it.
const LONGEST_SIGN: usize = 260;

pub(crate) struct Plain {
    pub(crate) text: String,
    /// From left to right.
    parts: Vec<Part>,
}

/// Where something that is seen begins here, and what of the text it is; an escape is longer there.
struct Part {
    here: usize,
    there: Range<usize>,
    is_escape: bool,
}

impl Plain {
    /// Nothing where the text is seen as it stands.
    pub(crate) fn of(text: &str) -> Option<Self> {
        let mut plain = Self { text: String::new(), parts: Vec::new() };
        let mut end = 0;
        let mut next = next_sign(text.as_bytes(), 0)?;
        let signs = if has_escapes(text.as_bytes()) { &SIGNS_AND_ESCAPES } else { &SIGNS };
        while let Some(at) = next_sign(text.as_bytes(), next) {
            next = at + 1;
            let near = text.as_bytes().get(at..text.len().min(at + LONGEST_SIGN)).unwrap_or_default();
            let Some(sign) = signs.find(near).map(|sign| at..at + sign.end()) else { continue };
            let Some(meaning) = text.get(sign.clone()).and_then(meaning) else { continue };
            plain.keep(text, end..at);
            end = sign.end;
            next = end;
            match meaning {
                Meaning::Nothing => {}
                Meaning::Back => plain.take_back(),
                Meaning::Text(meant) => plain.put(meant, sign),
                Meaning::Letter(letter) => plain.put(letter.encode_utf8(&mut [0; 4]), sign),
            }
        }
        if end == 0 {
            return None;
        }
        plain.keep(text, end..text.len());
        Some(plain)
    }

    /// The text without these stretches of it, which are in their order.
    pub(crate) fn without(text: &str, gaps: impl Iterator<Item = Range<usize>>) -> Self {
        let mut plain = Self { text: String::with_capacity(text.len()), parts: Vec::new() };
        let mut end = 0;
        for gap in gaps {
            plain.keep(text, end..gap.start);
            end = gap.end;
        }
        plain.keep(text, end..text.len());
        plain
    }

    fn put(&mut self, meant: &str, there: Range<usize>) {
        self.parts.push(Part { here: self.text.len(), there, is_escape: true });
        self.text.push_str(meant);
    }

    fn keep(&mut self, text: &str, there: Range<usize>) {
        let part = text.get(there.clone()).unwrap_or_default();
        if !part.is_empty() {
            self.parts.push(Part { here: self.text.len(), there, is_escape: false });
            self.text.push_str(part);
        }
    }

    /// The letter before is written over.
    fn take_back(&mut self) {
        if self.text.ends_with(|letter| letter != '\n') {
            self.text.pop();
            while self.parts.last().is_some_and(|part| part.here >= self.text.len()) {
                self.parts.pop();
            }
        }
    }

    /// The range of the text that is this range here, with what is not seen inside of it.
    pub(crate) fn origin(&self, range: &Range<usize>) -> Range<usize> {
        let last = range.end.saturating_sub(1).max(range.start);
        let end = match self.part(last) {
            Some(part) if part.is_escape => part.there.end,
            Some(part) => part.there.start + (range.end - part.here),
            None => range.end,
        };
        let start = match self.part(range.start) {
            Some(part) if part.is_escape => part.there.start,
            Some(part) => part.there.start + (range.start - part.here),
            None => range.start,
        };
        start..end
    }

    fn part(&self, at: usize) -> Option<&Part> {
        let passed = self.parts.partition_point(|part| part.here <= at);
        passed.checked_sub(1).and_then(|last| self.parts.get(last))
    }
}

/// Where the next sign may begin; most texts have few such places.
fn next_sign(text: &[u8], from: usize) -> Option<usize> {
    let mut start = from;
    // By the chunk, which the compiler turns into vector instructions.
    for chunk in text.get(from..)?.chunks(64) {
        if chunk.iter().fold(false, |any, byte| any | may_begin(*byte)) {
            let found = (start..start + chunk.len()).find(|at| begins_sign(text, *at));
            if found.is_some() {
                return found;
            }
        }
        start += chunk.len();
    }
    None
}

fn may_begin(byte: u8) -> bool {
    (byte == b'\\')
        | (byte == b'&')
        | (byte == b'%')
        | (byte == b'\r')
        | (byte == 0x08)
        | (byte == 0x1b)
        | (byte >= 0xC2)
}

fn begins_sign(text: &[u8], at: usize) -> bool {
    match text.get(at) {
        Some(b'\\' | b'&' | b'%' | b'\r' | 0x08 | 0x1b | 0xC2 | 0xCD | 0xE1 | 0xEF | 0xF0) => true,
        // Arrows and the frames of boxes begin alike.
        Some(0xE2) => matches!(text.get(at + 1), Some(0x80 | 0x81)),
        _ => false,
    }
}

/// Whether this is JSON with text in it, or text of JSON: the escapes of programs are left alone.
fn has_escapes(text: &[u8]) -> bool {
    let holds = |part: &str| memchr::memmem::find(text, part.as_bytes()).is_some();
    holds("\\\"") || holds(r"\\u00") || (holds(r"\n") && holds("\":"))
}

/// The meaning of a sign.
enum Meaning {
    Nothing,
    /// The letter before is written over.
    Back,
    Text(&'static str),
    Letter(char),
}

/// What a sign means; nothing where it is none after all.
fn meaning(sign: &str) -> Option<Meaning> {
    if let Some((_, meant)) = ESCAPES.iter().find(|(escape, _)| *escape == sign) {
        return Some(Meaning::Text(meant));
    }
    match sign.as_bytes() {
        b"\r\n" => None,
        [0x08] => Some(Meaning::Back),
        [b'\\', .., b'@'..=b'~'] if sign.contains('[') => Some(Meaning::Nothing),
        [b'\\', letter @ (b'_' | b'-' | b'.')] => Some(Meaning::Letter(char::from(*letter))),
        [b'\\' | b'%' | b'&', ..] => spelled(sign).map(Meaning::Letter),
        [0xEF, 0xBC | 0xBD, _] | [0xF0, ..] => sign.chars().next().and_then(look_alike).map(Meaning::Letter),
        _ => Some(Meaning::Nothing),
    }
}

/// `\u0067`, `\u{67}`, `\x67`, `\147`, `%67`, `&#103;`, `&#x67;`, `&lowbar;`
fn spelled(sign: &str) -> Option<char> {
    let (digits, radix) = match sign.as_bytes() {
        [b'&', b'#', b'x' | b'X', ..] => (sign.get(3..sign.len() - 1)?, 16),
        [b'&', b'#', ..] => (sign.get(2..sign.len() - 1)?, 10),
        [b'&', ..] => {
            let name = sign.get(1..sign.len() - 1)?;
            return ENTITIES.iter().find(|(own, _)| *own == name).map(|(_, letter)| *letter);
        }
        [b'\\', b'0' | b'1', ..] => (sign.get(1..)?, 8),
        [b'%', ..] => (sign.get(1..)?, 16),
        _ => (sign.get(2..)?.trim_matches(['{', '}']), 16),
    };
    let letter = char::from_u32(u32::from_str_radix(digits, radix).ok()?)?;
    // Two digits beyond ASCII are half of a letter.
    let is_half = digits.len() == 2 && !letter.is_ascii();
    (!is_half && (!letter.is_control() || letter == '\n')).then_some(letter)
}

/// Of full width, and of mathematics: thirteen alphabets of fifty-two letters, then digits.
fn look_alike(letter: char) -> Option<char> {
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
    char::from_u32(plain)
}

#[cfg(test)]
mod tests {
    use super::Plain;

    #[test]
    fn what_is_not_seen_is_taken_out_and_found_again() {
        let cases = [
            ("a\x1b[31mb\x1b[0mc", "abc", "b\x1b[0mc"),
            ("p\x08pa\x08as", "pas", "a\x08as"),
            ("x=\rbc", "x=bc", "bc"),
            ("a\u{200b}bc", "abc", "bc"),
            ("a\x1b]0;title\x07bc", "abc", "bc"),
            (r"a\u001b[1mbc", "abc", "bc"),
        ];
        for (text, seen, tail) in cases {
            let plain = Plain::of(text).unwrap();
            assert_eq!(plain.text, seen);
            let range = plain.origin(&(seen.len() - 2..seen.len()));
            assert_eq!(text.get(range).unwrap().chars().last(), tail.chars().last(), "{text:?}");
        }
        for text in ["plain", "lines\r\nof windows\r\n", r"C:\users\033"] {
            assert!(Plain::of(text).is_none(), "{text}");
        }
    }

    #[test]
    fn letters_are_read_in_every_spelling() {
        for spelled in
            [r"\u0067", r"\u{67}", r"\U00000067", r"\x67", r"\147", "%67", "&#103;", "&#x67;", "ｇ", "𝚐", "𝗴"]
        {
            assert_eq!(Plain::of(&format!("{spelled}hp")).unwrap().text, "ghp", "{spelled}");
        }
        for other in [r"\u12", r"\xZZ", "%zz", "&nothing;", "&#;", r"\users", "%C3"] {
            assert!(Plain::of(other).is_none(), "{other}");
        }
    }
}
