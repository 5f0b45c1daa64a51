//! A token in pieces → the text without what stands between them: the signs that add strings, the edge of a terminal,
//! tags of a page, blanks between all letters.
//!
//! Apart from what is not seen because here something is seen, and only a token that goes across it makes it nothing.

use std::ops::Range;

use super::find::{Find, Rank};
use super::plain::Plain;
use super::value::{is_drawn, is_jumbled};

/// Terminals are not narrower.
const NARROWEST: usize = 40;
const WIDEST: usize = 1024;
/// Between two strings.
const LONGEST_GAP: usize = 80;
/// How far the word is that joins a list.
const LONGEST_LIST: usize = 200;
const LONGEST_TAG: usize = 120;
/// Tokens are shorter, and what gives them away is near.
const FAR: usize = 1024;
const SHORTEST_TAIL: usize = 3;
const SHORTEST_HEAD: usize = 3;
/// A token across the edge has as many letters.
const SHORTEST: usize = 16;
const LONGEST_RUN: usize = 400;
/// What the sign between two strings begins with, or the second of them.
const SIGNS: &[u8] = b"+.&|<~^\\,\"'`";
/// As many letters with blanks between, one by one, are no words.
const SPACED: usize = 12;

pub(crate) struct Joined {
    plain: Plain,
    gaps: Vec<Gap>,
}

struct Gap {
    range: Range<usize>,
    /// Whether nobody would take both sides for two words.
    is_sure: bool,
    /// Whether nothing but a token's own form joins the sides: they are words, or whole lines as in a certificate.
    is_doubtful: bool,
}

impl Joined {
    pub(crate) fn of(text: &str) -> Option<Self> {
        if text.len() < SHORTEST {
            return None;
        }
        let mut gaps = Vec::new();
        between_strings(text.as_bytes(), &mut gaps);
        between_lines(text.as_bytes(), &mut gaps);
        in_tags(text.as_bytes(), &mut gaps);
        between_letters(text.as_bytes(), &mut gaps);
        if gaps.is_empty() {
            return None;
        }
        gaps.sort_by_key(|gap| gap.range.start);
        gaps.dedup_by(|later, earlier| later.range.start < earlier.range.end);
        Some(Self { plain: Plain::without(text, gaps.iter().map(|gap| gap.range.clone())), gaps })
    }

    /// The stretches around the gaps, and where they begin: nothing else can reach across one.
    pub(crate) fn near_gaps(&self) -> Vec<(usize, &str)> {
        let text = &self.plain.text;
        let mut windows: Vec<Range<usize>> = Vec::new();
        let mut taken = 0;
        for gap in &self.gaps {
            let here = gap.range.start - taken;
            taken += gap.range.len();
            let start = text.floor_char_boundary(here.saturating_sub(FAR));
            let end = text.ceil_char_boundary((here + FAR).min(text.len()));
            match windows.last_mut().filter(|last| last.end >= start) {
                Some(last) => last.end = end,
                None => windows.push(start..end),
            }
        }
        windows.into_iter().map(|window| (window.start, text.get(window).unwrap_or_default())).collect()
    }

    /// Where a find stands in the text, and whether it is one whatever else was found there; nothing where it does not
    /// reach across a gap.
    pub(crate) fn origin(&self, find: &Find) -> Option<(Range<usize>, bool)> {
        let there = self.plain.origin(&find.range);
        let first = self.gaps.partition_point(|gap| gap.range.end <= there.start);
        let gaps = self.gaps.get(first..)?;
        let inside = gaps.get(..gaps.partition_point(|gap| gap.range.end <= there.end))?;
        let is_sure = inside.iter().all(|gap| gap.is_sure);
        let is_doubtful = find.rank == Rank::Drawn && inside.iter().any(|gap| gap.is_doubtful);
        (!inside.is_empty() && !is_doubtful).then_some((there, is_sure))
    }
}

pub(crate) fn is_letter(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'+' | b'/' | b'=' | b'%')
}

fn is_quote(byte: u8) -> bool {
    matches!(byte, b'"' | b'\'' | b'`')
}

/// `"abc" + "def"`, and whatever other languages add strings with; nothing but blanks will do, too.
fn between_strings(text: &[u8], gaps: &mut Vec<Gap>) {
    let mut has_joins = None;
    let mut end = 0;
    for at in memchr::memchr3_iter(b'"', b'\'', b'`', text) {
        let is_behind =
            at >= end && at.checked_sub(1).and_then(|at| text.get(at)).is_some_and(|byte| is_letter(*byte));
        if !is_behind {
            continue;
        }
        let near = text.get(at + 1..text.len().min(at + LONGEST_GAP)).unwrap_or_default();
        let sign = near.iter().find(|byte| !byte.is_ascii_whitespace());
        if !sign.is_some_and(|sign| SIGNS.contains(sign)) {
            continue;
        }
        let Some(next) = near.iter().position(|byte| is_quote(*byte)) else { continue };
        let sign = near.get(..next).unwrap_or_default();
        let begins = near.get(next + 1).is_some_and(|byte| is_letter(*byte));
        // Otherwise they are elements of a list.
        let is_list = begins
            && is_sign_of(sign, b",")
            && *has_joins.get_or_insert_with(|| joins(text))
            && joins(
                text.get(at.saturating_sub(LONGEST_LIST)..text.len().min(at + LONGEST_LIST))
                    .unwrap_or_default(),
            );
        if begins && (adds(sign) || is_list) {
            end = at + 1 + next + 1;
            gaps.push(Gap { range: at..end, is_sure: true, is_doubtful: false });
        }
    }
}

fn adds(sign: &[u8]) -> bool {
    [&b""[..], b"+", b".", b"..", b"&", b"||", b"<>", b"++", b"~", b"^", b"\\"]
        .iter()
        .any(|one| is_sign_of(sign, one))
}

fn is_sign_of(between: &[u8], sign: &[u8]) -> bool {
    between.trim_ascii() == sign
}

fn joins(text: &[u8]) -> bool {
    ["join", "concat"].iter().any(|word| memchr::memmem::find(text, word.as_bytes()).is_some())
}

/// A line that ends in the midst of a token, as it goes on in the next one.
fn between_lines(text: &[u8], gaps: &mut Vec<Gap>) {
    let mut start = 0;
    for newline in memchr::memchr_iter(b'\n', text) {
        let line = text.get(start..newline).unwrap_or_default();
        start = newline + 1;
        let (line, is_continued) = match line.strip_suffix(b"\r").unwrap_or(line) {
            [line @ .., b'\\'] => (line, true),
            line => (line, false),
        };
        let is_wide = (NARROWEST..WIDEST).contains(&line.len()) || is_continued;
        if !is_wide || !line.last().is_some_and(|byte| is_letter(*byte)) {
            continue;
        }
        let margin = margin(text.get(newline + 1..).unwrap_or_default());
        let rest = text.get(newline + 1 + margin..).unwrap_or_default();
        let tail = run(line.iter().rev());
        let head = run(rest.iter());
        if tail < SHORTEST_TAIL || head < SHORTEST_HEAD || tail + head < SHORTEST {
            continue;
        }
        let head = rest.get(..head).unwrap_or_default();
        let whole = [line.get(line.len() - tail..).unwrap_or_default(), head].concat();
        if is_continued || is_rest(head) && is_token(&whole) {
            let at = newline - usize::from(text.get(..newline).is_some_and(|line| line.ends_with(b"\r")));
            let range = at - usize::from(is_continued)..newline + 1 + margin;
            let is_sure = is_continued || is_jumbled(head) && is_drawn(head);
            let is_block = tail == line.len() && is_end(rest.get(head.len()));
            let is_doubtful = is_block || !line.get(line.len() - tail..).is_some_and(is_rest);
            gaps.push(Gap { range, is_sure, is_doubtful });
        }
    }
}

/// Letters and digits in turn, or nothing but capitals and digits.
fn is_token(whole: &[u8]) -> bool {
    let has_digit = whole.iter().any(u8::is_ascii_digit);
    let is_capital = whole.iter().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit());
    is_jumbled(whole) && is_drawn(whole) || is_capital && has_digit
}

/// No word that a line may begin with.
pub(crate) fn is_rest(head: &[u8]) -> bool {
    let has = |class: fn(&u8) -> bool| head.iter().skip(1).any(class);
    head.iter().any(u8::is_ascii_digit) || has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase)
}

fn is_end(byte: Option<&u8>) -> bool {
    byte.is_none_or(|byte| matches!(byte, b'\n' | b'\r'))
}

fn run<'a>(letters: impl Iterator<Item = &'a u8>) -> usize {
    letters.take(LONGEST_RUN).take_while(|byte| is_letter(**byte)).count()
}

/// Blanks, the frame of a box, the sign of a quotation or a comment.
fn margin(line: &[u8]) -> usize {
    let is_blank =
        |byte: &u8| matches!(byte, b' ' | b'\t' | b'>' | b'|' | b'#' | b'*' | 0xE2 | 0x94 | 0x82 | 0x83);
    line.iter().take(40).take_while(|byte| is_blank(byte)).count()
}

/// `abc<wbr>def`, `abc</b><b>def`, `abc**def`
fn in_tags(text: &[u8], gaps: &mut Vec<Gap>) {
    let mut end = 0;
    for at in memchr::memchr2_iter(b'<', b'*', text) {
        let before = at.checked_sub(1).and_then(|at| text.get(at));
        if at < end || !before.is_some_and(|byte| is_letter(*byte)) {
            continue;
        }
        let rest = text.get(at..text.len().min(at + LONGEST_TAG)).unwrap_or_default();
        let length = if rest.starts_with(b"**") { 2 } else { tags(rest) };
        if length > 0 && rest.get(length).is_some_and(|byte| is_letter(*byte)) {
            end = at + length;
            gaps.push(Gap { range: at..end, is_sure: true, is_doubtful: false });
        }
    }
}

fn tags(rest: &[u8]) -> usize {
    let mut length = 0;
    while let Some([b'<', b'/' | b'a'..=b'z' | b'A'..=b'Z', ..]) = rest.get(length..) {
        let tag = rest.get(length..).unwrap_or_default();
        let Some(end) = memchr::memchr2(b'>', b'\n', tag).filter(|end| tag.get(*end) == Some(&b'>')) else {
            return 0;
        };
        length += end + 1;
    }
    length
}

/// `g h p _ a b c`
fn between_letters(text: &[u8], gaps: &mut Vec<Gap>) {
    let is_pair =
        |at: usize| text.get(at).is_some_and(|byte| is_letter(*byte)) && text.get(at + 1) == Some(&b' ');
    let mut at = 0;
    while at + 2 * SPACED < text.len() {
        // One of two neighbours begins such a pair, where there are many.
        let Some(first) = [at, at + 1].into_iter().find(|at| is_pair(*at) && is_pair(*at + 2)) else {
            at += SPACED;
            continue;
        };
        let mut start = first;
        while start >= 2 && is_pair(start - 2) {
            start -= 2;
        }
        let mut end = first;
        while is_pair(end) {
            end += 2;
        }
        if (end - start) / 2 >= SPACED {
            let last = if text.get(end).is_some_and(|byte| is_letter(*byte)) { end } else { end - 2 };
            gaps.extend((start..last).step_by(2).map(|letter| Gap {
                range: letter + 1..letter + 2,
                is_sure: true,
                is_doubtful: false,
            }));
        }
        at = end.max(at + SPACED);
    }
}
