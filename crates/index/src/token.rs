//! Text → words that can be looked up: also parts of names, and pairs of characters where a script has no spaces.
//!
//! Parts are numbered apart from words, so that a phrase of words need not know how a name in it is written.
//! Texts and queries go through the same words; whatever is cut or folded in one is cut or folded in the other.

mod character;
mod escape;
mod part;
mod tantivy;
#[cfg(test)]
pub(crate) mod tests;
mod walker;

use std::ops::Range;

pub(crate) use character::is_dense;
pub(crate) use escape::escape_end;
pub(crate) use tantivy::Words;
pub(crate) use walker::{LONGEST_WORD, Walker, character_end};

/// What a part of a name begins with, and no word: `getUserName` is a word, and has the part `user`.
pub(crate) const PART: char = '\u{1}';

/// A word or a part of one, as it is looked up, and where it stands in the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token<'a> {
    /// A part begins with U+0001, which is in no word.
    pub word: &'a str,
    /// Words have following numbers; and so have the parts of a word, in a count of their own that leaves one out
    /// between two words.
    pub position: usize,
    /// The bytes of the text.
    pub place: Range<usize>,
}

impl Token<'_> {
    /// Whether it is a part of the word that came last.
    pub fn is_part(&self) -> bool {
        self.word.starts_with(PART)
    }
}

/// Hands every word of a text to `each`, and behind a word of several parts these.
pub fn tokens(text: &str, mut each: impl FnMut(Token<'_>)) {
    let mut walker = Walker::new(text);
    while let Some(token) = walker.advance() {
        each(token);
    }
}
