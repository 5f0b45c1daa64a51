//! A place in a text, and the small steps from it that every reader of a notation takes.
//!
//! Apart from the readers because all of them meet the same escapes: a quote may have backslashes before it, once or
//! several times, when JSON lies in JSON.

use std::ops::Range;

#[derive(Debug, Clone, Copy)]
pub(crate) struct Cursor<'a> {
    pub(crate) text: &'a [u8],
    pub(crate) at: usize,
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(text: &'a [u8], at: usize) -> Self {
        Self { text, at }
    }

    pub(crate) fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    pub(crate) fn rest(&self) -> &'a [u8] {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// The byte before.
    pub(crate) fn last(&self) -> Option<u8> {
        self.text.get(self.at.checked_sub(1)?).copied()
    }

    pub(crate) fn skip(&mut self, wanted: impl Fn(u8) -> bool, most: usize) -> usize {
        let skipped = self.rest().iter().take(most).take_while(|byte| wanted(**byte)).count();
        self.at += skipped;
        skipped
    }

    pub(crate) fn skip_blanks(&mut self) -> usize {
        self.skip(|byte| matches!(byte, b' ' | b'\t'), 16)
    }

    /// Blanks and new lines, also where they are escaped.
    pub(crate) fn skip_gap(&mut self) -> usize {
        let start = self.at;
        while self.at < start + 48 {
            let backslashes = self.rest().iter().take(8).take_while(|byte| **byte == b'\\').count();
            let is_escape = self.rest().get(backslashes).is_some_and(|byte| b"nrt".contains(byte));
            if backslashes > 0 && is_escape {
                self.at += backslashes + 1;
            } else if self.skip(|byte| byte.is_ascii_whitespace(), 40) == 0 {
                break;
            }
        }
        self.at - start
    }

    pub(crate) fn eat(&mut self, text: &[u8]) -> bool {
        let fits = self.rest().get(..text.len()).is_some_and(|start| start.eq_ignore_ascii_case(text));
        self.at += if fits { text.len() } else { 0 };
        fits
    }

    /// A quote with the backslashes before it.
    pub(crate) fn eat_quote(&mut self) -> Option<Quote> {
        let backslashes = self.rest().iter().take(16).take_while(|byte| **byte == b'\\').count();
        let sign = self.text.get(self.at + backslashes).copied().filter(|byte| b"\"'`".contains(byte))?;
        self.at += backslashes + 1;
        Some(Quote { sign, backslashes })
    }

    /// What stands from here to the quote that closes; nothing where it does not close soon, or only on another line.
    pub(crate) fn quoted(&self, quote: Quote) -> Option<Range<usize>> {
        let mut backslashes = 0;
        for (offset, &byte) in self.rest().iter().take(LONGEST).enumerate() {
            match byte {
                b'\\' => backslashes += 1,
                b'\n' => return None,
                _ if byte == quote.sign && backslashes <= quote.backslashes => {
                    return Some(self.at..self.at + offset - backslashes);
                }
                _ => backslashes = 0,
            }
        }
        None
    }

    /// The same for what may be as long as a file.
    pub(crate) fn long_quoted(&self, quote: Quote) -> Option<Range<usize>> {
        let length = memchr::memchr(quote.sign, self.rest())?;
        let inner = self.rest().get(..length)?;
        let backslashes = inner.iter().rev().take_while(|byte| **byte == b'\\').count();
        (!inner.contains(&b'\n')).then(|| self.at..self.at + length - backslashes)
    }

    /// What stands from here to a blank, a quote, an escape or a sign that ends values.
    pub(crate) fn bare(&self, ends: &[u8]) -> Range<usize> {
        let stops = |(offset, byte): (usize, &u8)| {
            let escapes = || {
                *byte == b'\\'
                    && self.rest().get(offset + 1).is_none_or(|next| b"nrt\"'`\\ \n".contains(next))
            };
            !byte.is_ascii_alphanumeric()
                && (byte.is_ascii_whitespace() || byte.is_ascii_control() || escapes() || ends.contains(byte))
        };
        let rest = self.rest();
        let near = rest.get(..rest.len().min(LONGEST_WORD)).unwrap_or_default();
        // What is longer is a token, or nothing that anybody would take for a value.
        let is_token = |byte: &u8| byte.is_ascii_alphanumeric() || b"+/_-.~%".contains(byte);
        let most = if near.iter().all(is_token) { LONGEST } else { LONGEST_WORD };
        let length = rest.iter().take(most).enumerate().position(stops).unwrap_or(rest.len().min(most));
        self.at..self.at + length
    }
}

const LONGEST: usize = 4096;
/// Passwords are shorter.
const LONGEST_WORD: usize = 320;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Quote {
    sign: u8,
    backslashes: usize,
}

/// Blanks, the sign of a list or a change, a line's number and what stands between it and the line: `12→`, `12:`, `12 |`.
pub(crate) fn is_margin(byte: u8) -> bool {
    byte.is_ascii_digit() || b" \t-+>|:".contains(&byte) || "→".as_bytes().contains(&byte)
}
