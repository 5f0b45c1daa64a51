//! Code → stretches of text with a class each, in one pass over the bytes and without a library; see ADR 11.
//!
//! The lexer knows comments, strings, numbers, words and keys, which is what a reader's eye looks for. It never
//! fails: what it does not understand is plain. The stretches, one after the other, are the code.

mod grammar;
mod language;
mod lexer;
mod markup;

use std::cell::Cell;

use maud::Render;

pub(super) use language::Language;

use super::text::escape;

/// The longest text that is highlighted.
pub(super) const LONGEST: usize = 64 * 1024;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    Keyword,
    Text,
    Comment,
    Number,
    Name,
    Key,
    Added,
    Removed,
}

impl Class {
    fn tag(self) -> &'static str {
        match self {
            Self::Keyword => "<span class=\"k\">",
            Self::Text => "<span class=\"s\">",
            Self::Comment => "<span class=\"c\">",
            Self::Number => "<span class=\"n\">",
            Self::Name => "<span class=\"t\">",
            Self::Key => "<span class=\"a\">",
            Self::Added => "<span class=\"add\">",
            Self::Removed => "<span class=\"del\">",
        }
    }
}

/// A stretch of code; without a class, plain.
type Token<'a> = (Option<Class>, &'a str);

/// How much code of one page is highlighted. Every span costs the browser more than the text in it: ten megabytes
/// of code, all highlighted, open in more than three seconds, and in one without.
const LONGEST_OF_A_PAGE: usize = 2 * 1024 * 1024;

/// Highlights the code of a page until it has done enough.
#[derive(Debug)]
pub(super) struct Highlighter {
    left: Cell<usize>,
}

impl Highlighter {
    pub(super) fn new() -> Self {
        Self { left: Cell::new(LONGEST_OF_A_PAGE) }
    }

    /// Clean text as code of a language; plain where that is not known, or where there is too much.
    pub(super) fn code<'a>(&self, text: &'a str, language: Option<&'static Language>) -> Code<'a> {
        let left = self.left.get().checked_sub(text.len()).filter(|_| text.len() <= LONGEST);
        let language = language.filter(|_| left.is_some());
        if let Some(left) = left.filter(|_| language.is_some()) {
            self.left.set(left);
        }
        Code { text, language }
    }
}

pub(super) struct Code<'a> {
    text: &'a str,
    language: Option<&'static Language>,
}

impl Render for Code<'_> {
    fn render_to(&self, buffer: &mut String) {
        let Some(language) = self.language else { return escape(self.text, buffer) };
        tokens(self.text, language, &mut |(class, text)| match class {
            Some(class) => {
                buffer.push_str(class.tag());
                escape(text, buffer);
                buffer.push_str("</span>");
            }
            None => escape(text, buffer),
        });
    }
}

fn tokens<'a>(text: &'a str, language: &'static Language, emit: &mut impl FnMut(Token<'a>)) {
    match &language.syntax {
        language::Syntax::Code(grammar) => lexer::tokens(text, grammar, emit),
        language::Syntax::Markup => markup::tokens(text, emit),
        language::Syntax::Diff => diff(text, emit),
    }
}

fn diff<'a>(text: &'a str, emit: &mut impl FnMut(Token<'a>)) {
    for line in text.split_inclusive('\n') {
        let class = match line.as_bytes().first() {
            Some(b'+') => Some(Class::Added),
            Some(b'-') => Some(Class::Removed),
            Some(b'@') => Some(Class::Comment),
            _ => None,
        };
        emit((class, line));
    }
}

#[cfg(test)]
mod tests;
