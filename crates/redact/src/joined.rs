//! A token in pieces → the text without what stands between them: signs that add strings, the edge of a terminal, tags
//! of a page, blanks between all letters.
//!
//! What stands between is seen, and only a token that goes across it makes it nothing: finds that touch no gap are
//! left to the scan of the text as it stands.

use std::ops::Range;

use crate::entropy::{is_jumbled, is_random};
use crate::find::{Find, Rank};
use crate::pattern::Pattern;
use crate::plain::Plain;

/// Terminals are not narrower.
const NARROWEST: usize = 20;
const WIDEST: usize = 1024;
/// How far the word is that joins a list.
const LONGEST_LIST: usize = 200;
/// Tokens are shorter, and what gives them away is near.
const FAR: usize = 1024;
/// Of the two parts that a line's end makes of a token.
const SHORTEST_PART: usize = 3;
/// A token across the edge has as many letters.
const SHORTEST: usize = 16;
const LONGEST_RUN: usize = 400;

pub(crate) struct Joined {
    plain: Plain,
    gaps: Vec<Gap>,
}

struct Gap {
    range: Range<usize>,
    /// Whether the two sides cannot be two words.
    is_sure: bool,
    /// Whether only a token's own form joins the sides: they may be words, or whole lines as in a certificate.
    is_doubtful: bool,
}

impl Gap {
    fn sure(range: Range<usize>) -> Self {
        Self { range, is_sure: true, is_doubtful: false }
    }
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
        let is_doubtful = find.rank == Rank::Random && inside.iter().any(|gap| gap.is_doubtful);
        (!inside.is_empty() && !is_doubtful).then_some((there, is_sure))
    }
}

pub(crate) fn is_letter(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'+' | b'/' | b'=' | b'%')
}

/// Whether letters of tokens stand on both sides.
fn is_between(text: &[u8], range: &Range<usize>) -> bool {
    let before = range.start.checked_sub(1).and_then(|at| text.get(at));
    before.is_some_and(|byte| is_letter(*byte)) && text.get(range.end).is_some_and(|byte| is_letter(*byte))
}

/// `"abc" + "def"`, and whatever other languages add strings with; nothing but blanks will do, too.
fn between_strings(text: &[u8], gaps: &mut Vec<Gap>) {
    static ADDED: Pattern =
        Pattern::new(r#"["'`]\s{0,40}(?:\+|\.\.?|&|\|\||<>|\+\+|~|\^|\\|(,))?\s{0,40}["'`]"#);
    static JOINS: Pattern = Pattern::new("join|concat");
    let mut joins = None;
    for added in ADDED.find_iter(text) {
        if !is_between(text, &added.range()) {
            continue;
        }
        // With a comma they are elements of a list.
        let is_list = added.as_bytes().contains(&b',');
        let near = added.start().saturating_sub(LONGEST_LIST)..text.len().min(added.end() + LONGEST_LIST);
        let is_joined = || JOINS.is_match(text.get(near).unwrap_or_default());
        if !is_list || *joins.get_or_insert_with(|| JOINS.is_match(text)) && is_joined() {
            gaps.push(Gap::sure(added.range()));
        }
    }
}

/// A line that ends in the midst of a token, as it goes on in the next one.
fn between_lines(text: &[u8], gaps: &mut Vec<Gap>) {
    let mut start = 0;
    for newline in memchr::memchr_iter(b'\n', text) {
        let line = text.get(start..newline).unwrap_or_default();
        start = newline + 1;
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let (line, is_continued) = line.strip_suffix(b"\\").map_or((line, false), |line| (line, true));
        let is_wide = (NARROWEST..WIDEST).contains(&line.len()) || is_continued;
        if !is_wide || !line.last().is_some_and(|byte| is_letter(*byte)) {
            continue;
        }
        let end = start + margin(text.get(start..).unwrap_or_default());
        let rest = text.get(end..).unwrap_or_default();
        let tail = line.get(line.len() - run(line.iter().rev())..).unwrap_or_default();
        let head = rest.get(..run(rest.iter())).unwrap_or_default();
        if tail.len().min(head.len()) < SHORTEST_PART || tail.len() + head.len() < SHORTEST {
            continue;
        }
        if is_continued || is_rest(head) && is_token(&[tail, head].concat()) {
            let is_end = rest.get(head.len()).is_none_or(|byte| b"\r\n".contains(byte));
            let is_block = tail.len() == line.len() && is_end;
            let range = newline
                - text
                    .get(..newline)
                    .unwrap_or_default()
                    .iter()
                    .rev()
                    .take_while(|byte| b"\r\\".contains(byte))
                    .count()..end;
            let is_sure = is_continued || is_jumbled(head) && is_random(head);
            gaps.push(Gap { range, is_sure, is_doubtful: is_block || !is_rest(tail) });
        }
    }
}

/// Blanks, the frame of a box, the sign of a quotation or a comment.
fn margin(line: &[u8]) -> usize {
    let is_blank =
        |byte: &u8| matches!(byte, b' ' | b'\t' | b'>' | b'|' | b'#' | b'*' | 0xE2 | 0x94 | 0x82 | 0x83);
    line.iter().take(40).take_while(|byte| is_blank(byte)).count()
}

/// Letters and digits in turn, or nothing but capitals and digits.
fn is_token(whole: &[u8]) -> bool {
    let has_digit = whole.iter().any(u8::is_ascii_digit);
    let is_capital = whole.iter().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit());
    is_jumbled(whole) && is_random(whole) || is_capital && has_digit
}

/// No word that a line may begin with.
pub(crate) fn is_rest(head: &[u8]) -> bool {
    let has = |class: fn(&u8) -> bool| head.iter().skip(1).any(class);
    head.iter().any(u8::is_ascii_digit) || has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase)
}

fn run<'a>(letters: impl Iterator<Item = &'a u8>) -> usize {
    letters.take(LONGEST_RUN).take_while(|byte| is_letter(**byte)).count()
}

/// `abc<wbr>def`, `abc</b><b>def`, `abc**def`
fn in_tags(text: &[u8], gaps: &mut Vec<Gap>) {
    static TAGS: Pattern = Pattern::new(r"(?:</?[A-Za-z][^>\n]{0,60}>){1,3}|\*\*");
    let tags = TAGS.find_iter(text).map(|tags| tags.range());
    gaps.extend(tags.filter(|range| is_between(text, range)).map(Gap::sure));
}

/// `g h p _ a b c`: as many letters with blanks between, one by one, are no words.
fn between_letters(text: &[u8], gaps: &mut Vec<Gap>) {
    static SPACED: Pattern = Pattern::new(r"(?:[\w.+/=%-] ){12,}");
    // As long a run covers one of these chunks, which are looked at much faster.
    let is_spaced = |chunk: &[u8]| {
        matches!(chunk, [b' ', _, b' ', _, b' ', _, b' ', _] | [_, b' ', _, b' ', _, b' ', _, b' '])
    };
    if !text.chunks_exact(8).any(is_spaced) {
        return;
    }
    for spaced in SPACED.find_iter(text) {
        let blanks = (spaced.start() + 1..spaced.end()).step_by(2).map(|at| at..at + 1);
        gaps.extend(blanks.filter(|range| is_between(text, range)).map(Gap::sure));
    }
}
