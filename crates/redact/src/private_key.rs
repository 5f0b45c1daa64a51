//! The lines of a private key, even where its beginning or its end was cut off, or a log wrote something before each line.

use std::ops::Range;

use crate::find::{Find, Rank};

pub(crate) const KEYWORDS: &str = "PRIVATE KEY|Private-Lines:";

/// Lines of a key are longer, but for the last.
const LINE: usize = 40;
const LONGEST: usize = 16 * 1024;
/// Of what stands before the lines in a log.
const LONGEST_WORD: usize = 20;
const MOST_WORDS: usize = 4;
/// How far the dashes are from the words between them.
const NEAR: usize = 64;

pub(crate) fn read(text: &[u8], at: usize, finds: &mut Vec<Find>) {
    let putty = text.get(at..).and_then(|rest| rest.strip_prefix(b"Private-Lines:"));
    let before = text.get(at.saturating_sub(40)..at).unwrap_or_default();
    let begins = memchr::memmem::rfind(before, b"BEGIN ").is_some();
    let ends = memchr::memmem::rfind(before, b"END ").is_some();
    let range = if putty.is_some() {
        key_lines(text, at + "Private-Lines:".len())
    } else if begins {
        below(text, at)
    } else if ends {
        above(text, at)
    } else {
        None
    };
    finds.extend(range.map(|range| Find { range, kind: "private-key", rank: Rank::Context }));
}

fn below(text: &[u8], at: usize) -> Option<Range<usize>> {
    let start = at + memchr::memmem::find(text.get(at..text.len().min(at + NEAR))?, b"-----")? + 5;
    key_lines(text, start)
}

/// The lines of base64 from here on, whatever precedes each of them.
fn key_lines(text: &[u8], start: usize) -> Option<Range<usize>> {
    let rest = text.get(start..text.len().min(start + LONGEST))?;
    // A key ends where the dashes of the next begin.
    let rest = memchr::memmem::find(rest, b"-----").and_then(|dashes| rest.get(..dashes)).unwrap_or(rest);
    let (mut key, mut passed): (Option<Range<usize>>, usize) = (None, 0);
    for run in Runs::new(rest) {
        let letters = rest.get(run.clone())?;
        let is_line = run.len() >= LINE;
        let is_last = key.is_some() && !is_line && is_tail(letters);
        if is_line || is_last {
            let first = key.map_or(run.start, |key| key.start);
            (key, passed) = (Some(first..run.end), 0);
        } else if run.len() > 1 && !letters.iter().all(u8::is_ascii_digit) {
            // The name of a service, a time, a word or two before each line.
            passed += 1;
        }
        if is_last || passed > MOST_WORDS || (passed > 0 && !is_line && run.len() > LONGEST_WORD) {
            break;
        }
    }
    key.map(|key| start + key.start..start + key.end)
}

fn above(text: &[u8], at: usize) -> Option<Range<usize>> {
    let near = at.saturating_sub(NEAR);
    let end = near + memchr::memmem::rfind(text.get(near..at)?, b"-----")?;
    let from = end.saturating_sub(LONGEST);
    // What is above other dashes is no part of it.
    let from = from + memchr::memmem::rfind(text.get(from..end)?, b"-----").map_or(0, |dashes| dashes + 5);
    let lines = text.get(from..end)?;
    let runs: Vec<_> = Runs::new(lines).filter(|run| !run.is_empty()).collect();
    let is_key = |run: &&Range<usize>| run.len() >= LINE;
    let mut back = runs.iter().rev();
    let last =
        back.next().filter(|run| is_key(run) || is_tail(lines.get((*run).clone()).unwrap_or_default()))?;
    let key = back.take_while(|run| is_key(run) || run.len() < 6).filter(is_key).last();
    let is_one = key.is_some() || last.len() >= LINE;
    is_one.then(|| from + key.unwrap_or(last).start..from + last.end)
}

fn is_tail(run: &[u8]) -> bool {
    let has = |class: fn(&u8) -> bool| run.iter().any(class);
    run.ends_with(b"=")
        || (has(u8::is_ascii_digit) && has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase))
}

fn is_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=')
}

/// The runs of base64, without the letters of escapes between.
struct Runs<'a> {
    text: &'a [u8],
    at: usize,
}

impl<'a> Runs<'a> {
    fn new(text: &'a [u8]) -> Self {
        Self { text, at: 0 }
    }
}

impl Iterator for Runs<'_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        let rest = self.text.get(self.at..)?;
        let mut start = self.at + rest.iter().position(|byte| is_base64(*byte))?;
        let escapes = start.checked_sub(1).and_then(|at| self.text.get(at)) == Some(&b'\\');
        start += usize::from(escapes && self.text.get(start).is_some_and(|byte| b"nrt".contains(byte)));
        let run = self.text.get(start..)?;
        self.at = start + run.iter().position(|byte| !is_base64(*byte)).unwrap_or(run.len());
        Some(start..self.at.max(start))
    }
}
