//! A text → what is to be seen of it: without colours, overwriting, letters that have no width and the escapes of JSON,
//! and the way back.
//!
//! Apart from the readers because any of them may meet such a thing in the midst of a name, a sign or a value; a text
//! that has none costs a search or two.

use std::ops::Range;
use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, MatchKind};

/// Escapes of a terminal, also as programs spell them, what moves its cursor back, and letters without a width.
const SIGNS: &[&str] = &[
    "\x1b", "\u{9b}", r"\u001b", r"\x1b", r"\033", r"\e[", "\r", "\x08", "\u{200b}", "\u{200c}", "\u{200d}",
    "\u{2060}", "\u{feff}", "\u{ad}",
];
/// Of JSON, and what they stand for.
const ESCAPES: &[(&str, &str)] = &[
    (r"\n", "\n"),
    (r"\r", "\r"),
    (r"\t", "\t"),
    ("\\\"", "\""),
    (r"\/", "/"),
    (r"\\", r"\"),
    (r"\u0026", "&"),
    (r"\u003c", "<"),
    (r"\u003d", "="),
    (r"\u003e", ">"),
    (r"\u0027", "'"),
];

/// What a hyperlink or a title may be long.
const LONGEST: usize = 2048;

static UNSEEN: LazyLock<AhoCorasick> = LazyLock::new(|| searcher(SIGNS.iter().copied()));
static ESCAPED: LazyLock<AhoCorasick> =
    LazyLock::new(|| searcher(SIGNS.iter().copied().chain(ESCAPES.iter().map(|(escape, _)| *escape))));

#[expect(clippy::expect_used, reason = "a few dozen short signs never reach the automaton's limits")]
fn searcher(signs: impl Iterator<Item = &'static str>) -> AhoCorasick {
    let mut builder = AhoCorasick::builder();
    builder.ascii_case_insensitive(true).match_kind(MatchKind::LeftmostFirst);
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
        let mut plain = Self { text: String::new(), parts: Vec::new() };
        let mut end = 0;
        let searcher = if has_escapes(text.as_bytes()) { &ESCAPED } else { &UNSEEN };
        for found in searcher.find_iter(text) {
            let meant =
                found.pattern().as_usize().checked_sub(SIGNS.len()).and_then(|place| ESCAPES.get(place));
            let unseen = if meant.is_some() { Some(found.range()) } else { unseen(text, found.range()) };
            let Some(unseen) = unseen.filter(|unseen| unseen.start >= end) else { continue };
            plain.keep(text, end..unseen.start);
            if text.get(found.range()) == Some("\x08") {
                plain.take_back();
            }
            if let Some((_, meant)) = meant {
                plain.parts.push(Part { here: plain.text.len(), there: unseen.clone(), is_escape: true });
                plain.text.push_str(meant);
            }
            end = unseen.end;
        }
        if end == 0 {
            return None;
        }
        plain.keep(text, end..text.len());
        Some(plain)
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
