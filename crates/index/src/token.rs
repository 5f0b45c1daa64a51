//! Text → the words of the index: also parts of names, and pairs of characters in scripts without spaces.
//!
//! Parts are numbered apart from words, so that a phrase of words need not know how a name in it is written.
//! Texts and queries are split by the same code, so that both are cut and folded alike.

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

/// The first character of every part of a name, and of no word: `getUserName` is a word, and has the part `user`.
pub(crate) const PART: char = '\u{1}';

/// A word or a part of one, as it is indexed, and its place in the text.
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
    /// Whether it is a part of the word before it.
    pub fn is_part(&self) -> bool {
        self.word.starts_with(PART)
    }
}

/// Calls `each` with every word of a text, and then with the parts of that word if it has several.
pub fn tokens(text: &str, mut each: impl FnMut(Token<'_>)) {
    let mut walker = Walker::new(text);
    while let Some(token) = walker.advance() {
        each(token);
    }
}
