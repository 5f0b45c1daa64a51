//! Code → tokens, by the grammar of its language.

use super::grammar::{Escape, Grammar, Keywords, Quote};
use super::{Class, Token};

pub(super) fn tokens<'a>(text: &'a str, grammar: &Grammar, emit: &mut impl FnMut(Token<'a>)) {
    let mut lexer = Lexer { text, bytes: text.as_bytes(), at: 0, grammar, keywords: grammar.keywords() };
    let mut plain_from = 0;
    while lexer.at < text.len() {
        let from = lexer.at;
        let class = lexer.next();
        if class.is_some() {
            emit_some(None, text.get(plain_from..from), emit);
            emit_some(class, text.get(from..lexer.at), emit);
            plain_from = lexer.at;
        }
    }
    emit_some(None, text.get(plain_from..), emit);
}

fn emit_some<'a>(class: Option<Class>, text: Option<&'a str>, emit: &mut impl FnMut(Token<'a>)) {
    if let Some(text) = text.filter(|text| !text.is_empty()) {
        emit((class, text));
    }
}

/// Reads from left to right. Every token begins and ends beside an ASCII character, so that none is cut.
struct Lexer<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    grammar: &'a Grammar,
    keywords: Keywords,
}

impl Lexer<'_> {
    /// Goes past the next token and tells what it is.
    fn next(&mut self) -> Option<Class> {
        let byte = self.byte(0)?;
        if self.is_section() {
            self.skip_line();
            return Some(Class::Name);
        }
        if self.comment() {
            return Some(Class::Comment);
        }
        if byte == b'\'' && self.grammar.has_lifetimes {
            return self.character_or_lifetime();
        }
        if let Some(quote) = self.grammar.quotes.iter().find(|quote| self.starts_with(quote.open)) {
            self.quoted(quote);
            return Some(if self.is_key() { Class::Key } else { Class::Text });
        }
        match byte {
            b'0'..=b'9' => Some(self.number()),
            b'#' if self.grammar.has_colours && self.byte(1).is_some_and(|byte| byte.is_ascii_hexdigit()) => {
                Some(self.number())
            }
            b'@' | b'$' if self.byte(1).is_some_and(is_word) => self.marked(byte),
            _ if is_word(byte) => self.word(),
            _ => {
                self.at += 1;
                None
            }
        }
    }

    fn byte(&self, ahead: usize) -> Option<u8> {
        self.bytes.get(self.at + ahead).copied()
    }

    fn rest(&self) -> &[u8] {
        self.bytes.get(self.at..).unwrap_or_default()
    }

    fn starts_with(&self, start: &str) -> bool {
        self.rest().starts_with(start.as_bytes())
    }

    fn is_at_line_start(&self) -> bool {
        self.at == 0 || self.bytes.get(self.at - 1) == Some(&b'\n')
    }

    fn is_section(&self) -> bool {
        self.grammar.has_sections && self.byte(0) == Some(b'[') && self.is_at_line_start()
    }

    fn skip_line(&mut self) {
        let rest = self.rest();
        self.at += rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
    }

    /// Goes past what ends with `close`, or to the end of the text.
    fn past(&mut self, close: &str) {
        let rest = self.text.get(self.at..).unwrap_or_default();
        self.at = rest.find(close).map_or(self.text.len(), |place| self.at + place + close.len());
    }

    fn comment(&mut self) -> bool {
        if let Some((open, close)) =
            self.grammar.block_comments.iter().find(|(open, _)| self.starts_with(open))
        {
            self.at += open.len();
            self.past(close);
            return true;
        }
        let before = self.at.checked_sub(1).and_then(|at| self.bytes.get(at));
        let has_gap = before.is_none_or(u8::is_ascii_whitespace) || !self.grammar.comments_need_a_gap;
        let is_comment = has_gap && self.grammar.line_comments.iter().any(|open| self.starts_with(open));
        if is_comment {
            self.skip_line();
        }
        is_comment
    }

    fn quoted(&mut self, quote: &Quote) {
        self.at += quote.open.len();
        let stop = quote.close.as_bytes().first().copied().unwrap_or(b'"');
        while let Some(byte) = self.byte(0) {
            if byte == b'\\' && quote.escape == Escape::Backslash {
                self.at += 2;
            } else if byte == b'\n' && !quote.spans_lines {
                return;
            } else if byte == stop && self.starts_with(quote.close) {
                self.at += quote.close.len();
                return;
            } else {
                self.at += 1;
            }
        }
        self.at = self.text.len();
    }

    /// `'a'` and `'\''` are characters, `'a` is none.
    fn character_or_lifetime(&mut self) -> Option<Class> {
        if self.byte(1) == Some(b'\\') {
            self.quoted(&Quote { open: "'", close: "'", escape: Escape::Backslash, spans_lines: false });
            return Some(Class::Text);
        }
        let mut ahead = self.text.get(self.at + 1..).unwrap_or_default().chars();
        let length = ahead.next().map_or(0, char::len_utf8);
        if length > 0 && ahead.next() == Some('\'') {
            self.at += length + 2;
            return Some(Class::Text);
        }
        self.at += 1;
        self.skip_word();
        None
    }

    fn number(&mut self) -> Class {
        self.at += 1;
        while let Some(byte) = self.byte(0) {
            let is_point = byte == b'.' && self.byte(1).is_some_and(|byte| byte.is_ascii_digit());
            if !(byte.is_ascii_alphanumeric() || byte == b'_' || is_point) {
                break;
            }
            self.at += 1;
        }
        Class::Number
    }

    /// `@word` and `$word`.
    fn marked(&mut self, mark: u8) -> Option<Class> {
        self.at += 1;
        self.skip_word();
        match mark {
            b'@' => self.grammar.at_sign,
            _ => self.grammar.has_variables.then_some(Class::Name),
        }
    }

    fn skip_word(&mut self) {
        let joins = |byte: u8| is_word(byte) || byte.is_ascii_digit() || self.grammar.joins.contains(&byte);
        let rest = self.rest();
        self.at += rest.iter().position(|byte| !joins(*byte)).unwrap_or(rest.len());
    }

    fn word(&mut self) -> Option<Class> {
        let from = self.at;
        self.skip_word();
        let word = self.text.get(from..self.at).unwrap_or_default();
        if matches!(word, "r" | "br" | "cr") && self.grammar.has_lifetimes && self.raw_text() {
            return Some(Class::Text);
        }
        if self.is_key() {
            return Some(Class::Key);
        }
        if self.keywords.has(word) {
            return Some(Class::Keyword);
        }
        let is_name =
            self.grammar.has_capital_names && word.starts_with(|first: char| first.is_ascii_uppercase());
        is_name.then_some(Class::Name)
    }

    /// `#"…"#` after an `r`.
    fn raw_text(&mut self) -> bool {
        let marks = self.rest().iter().take_while(|byte| **byte == b'#').count();
        if self.byte(marks) != Some(b'"') {
            return false;
        }
        self.at += marks + 1;
        self.past(&format!("\"{}", "#".repeat(marks)));
        true
    }

    /// Whether what was just read precedes the sign that parts keys and values.
    fn is_key(&self) -> bool {
        let Some(sign) = self.grammar.key_sign else { return false };
        let mut rest = self.rest().iter().skip_while(|byte| matches!(byte, b' ' | b'\t'));
        rest.next() == Some(&sign) && !(sign == b':' && rest.next() == Some(&b':'))
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_' || byte >= 0x80
}
