//! A text → what is to be seen of it: without colours, overwriting and letters that have no width, with the letters that
//! escapes spell, and the way back.
//!
//! Apart from the readers because any of them may meet such a thing in the midst of a name, a sign or a value; a text
//! that has none costs a search or two.

use std::ops::Range;
use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind, Anchored, Input, MatchKind, StartKind};

use super::spelled;

/// Escapes of a terminal, also as programs spell them, what moves its cursor back, and letters without a width.
const SIGNS: &[&str] = &[
    "\x1b", "\u{9b}", r"\u001b", r"\x1b", r"\033", r"\e[", "\r", "\x08", "\u{200b}", "\u{200c}", "\u{200d}",
    "\u{200e}", "\u{200f}", "\u{202a}", "\u{202c}", "\u{202d}", "\u{202e}", "\u{2060}", "\u{2061}",
    "\u{2062}", "\u{2063}", "\u{2064}", "\u{2066}", "\u{2069}", "\u{180e}", "\u{34f}", "\u{fe0f}",
    "\u{feff}", "\u{ad}",
];
/// Of JSON, and what they stand for.
const ESCAPES: &[(&str, &str)] =
    &[(r"\n", "\n"), (r"\r", "\r"), (r"\t", "\t"), ("\\\"", "\""), (r"\/", "/"), (r"\\", r"\")];

/// Of the signs and escapes above.
const LONGEST_SIGN: usize = 6;
/// What a hyperlink or a title may be long.
const LONGEST: usize = 2048;

static UNSEEN: LazyLock<AhoCorasick> = LazyLock::new(|| searcher(signs()));
static ESCAPED: LazyLock<AhoCorasick> =
    LazyLock::new(|| searcher(signs().chain(ESCAPES.iter().map(|(escape, _)| escape.as_bytes()))));

fn signs() -> impl Iterator<Item = &'static [u8]> {
    SIGNS.iter().map(|sign| sign.as_bytes()).chain(spelled::SIGNS.iter().copied())
}

#[expect(clippy::expect_used, reason = "a few dozen short signs never reach the automaton's limits")]
fn searcher(signs: impl Iterator<Item = &'static [u8]>) -> AhoCorasick {
    let mut builder = AhoCorasick::builder();
    builder.ascii_case_insensitive(true).match_kind(MatchKind::LeftmostFirst);
    builder.kind(Some(AhoCorasickKind::DFA)).start_kind(StartKind::Anchored);
    builder.build(signs).expect("a small automaton")
}

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
    /// Nothing where all of it is seen.
    pub(crate) fn of(text: &str) -> Option<Self> {
        let mut at = next_sign(text.as_bytes(), 0)?;
        let mut plain = Self { text: String::new(), parts: Vec::new() };
        let mut end = 0;
        let searcher = if has_escapes(text.as_bytes()) { &ESCAPED } else { &UNSEEN };
        while let Some(sign) = next_sign(text.as_bytes(), at) {
            at = sign + 1;
            let here =
                Input::new(text).range(sign..text.len().min(sign + LONGEST_SIGN)).anchored(Anchored::Yes);
            let Some(found) = searcher.find(here) else { continue };
            let number = found.pattern().as_usize();
            let Some((meaning, there)) = meaning(text, number, found.range()) else { continue };
            plain.keep(text, end..there.start);
            match meaning {
                Meaning::Nothing => {}
                Meaning::Back => plain.take_back(),
                Meaning::Text(meant) => plain.put(meant, there.clone()),
                Meaning::Letter(letter) => plain.put(letter.encode_utf8(&mut [0; 4]), there.clone()),
            }
            end = there.end;
            at = at.max(end);
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
    // By the chunk, for that the compiler makes quick work of.
    for chunk in text.get(from..)?.chunks(64) {
        if chunk.iter().fold(false, |any, byte| any | is_rare(*byte)) {
            let found = (start..start + chunk.len()).find(|at| begins_sign(text, *at));
            if found.is_some() {
                return found;
            }
        }
        start += chunk.len();
    }
    None
}

fn is_rare(byte: u8) -> bool {
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

/// What a sign stands for.
enum Meaning {
    Nothing,
    /// The letter before is written over.
    Back,
    Text(&'static str),
    Letter(char),
}

/// What the sign with this number means where it stands, and how far it reaches; nothing where it is none after all.
fn meaning(text: &str, number: usize, sign: Range<usize>) -> Option<(Meaning, Range<usize>)> {
    let Some(number) = number.checked_sub(SIGNS.len()) else {
        let meaning = if text.get(sign.clone()) == Some("\x08") { Meaning::Back } else { Meaning::Nothing };
        return unseen(text, sign).map(|there| (meaning, there));
    };
    if let Some(number) = number.checked_sub(spelled::SIGNS.len()) {
        return ESCAPES.get(number).map(|(_, meant)| (Meaning::Text(meant), sign));
    }
    let (letter, length) = spelled::letter(text.get(sign.start..)?)?;
    Some((Meaning::Letter(letter), sign.start..sign.start + length))
}

/// Whether this is JSON with text in it, or text of JSON: the escapes of programs are left alone.
fn has_escapes(text: &[u8]) -> bool {
    let holds = |part: &str| memchr::memmem::find(text, part.as_bytes()).is_some();
    holds("\\\"") || holds(r"\\u00") || (holds(r"\n") && holds("\":"))
}

/// What a sign makes disappear; nothing where it is none after all.
fn unseen(text: &str, sign: Range<usize>) -> Option<Range<usize>> {
    let own = text.get(sign.clone())?;
    let rest = text.get(sign.end..)?;
    let is_sequence = own == "\x1b" || own.starts_with('\\');
    let length = match own {
        "\r" if rest.starts_with('\n') => return None,
        r"\e[" | r"\E[" | "\u{9b}" => parameters(rest)?,
        _ if is_sequence => sequence(rest, own.starts_with('\\'))?,
        _ => 0,
    };
    Some(sign.start..sign.end + length)
}

/// How long what follows an escape is: `[1;31m`, `]8;;https://…` with its end, one letter.
fn sequence(rest: &str, is_spelled: bool) -> Option<usize> {
    match rest.as_bytes() {
        [b'[', ..] => parameters(rest.get(1..)?).map(|length| length + 1),
        _ if is_spelled => None,
        // The address in a link is seen by nobody, and read by those who follow it: only its frame disappears.
        [b']', b'8', b';', b';', ..] => Some(4),
        [b']', ..] => {
            let near = rest.get(..rest.floor_char_boundary(LONGEST))?;
            let end = near.find(['\x07', '\x1b', '\n'])?;
            Some(end + usize::from(near.as_bytes().get(end) == Some(&b'\x07')))
        }
        [b'(' | b')', set, ..] if set.is_ascii_alphanumeric() => Some(2),
        [b'\\' | b'7' | b'8' | b'=' | b'>' | b'M', ..] => Some(1),
        _ => Some(0),
    }
}

fn parameters(rest: &str) -> Option<usize> {
    let length = rest.bytes().take(32).take_while(|byte| (0x20..0x40).contains(byte)).count();
    rest.as_bytes().get(length).filter(|byte| (0x40..0x7f).contains(*byte)).map(|_| length + 1)
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
}
