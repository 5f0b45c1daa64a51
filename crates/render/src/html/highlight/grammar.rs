//! The forms that the languages are described with.

use super::Class;

/// The forms of a language that is lexed word by word.
pub(super) struct Grammar {
    pub(super) line_comments: &'static [&'static str],
    pub(super) block_comments: &'static [(&'static str, &'static str)],
    /// A comment begins a line or follows a blank.
    pub(super) comments_need_a_gap: bool,
    /// Longer ones first.
    pub(super) quotes: &'static [Quote],
    /// Sorted; in small letters where the case does not matter.
    pub(super) keywords: &'static str,
    pub(super) ignores_case: bool,
    /// What parts a key from its value.
    pub(super) key_sign: Option<u8>,
    /// What belongs to words besides letters, digits and `_`.
    pub(super) joins: &'static [u8],
    /// What `@word` is.
    pub(super) at_sign: Option<Class>,
    /// `$word` is a name.
    pub(super) has_variables: bool,
    /// Types begin with a capital letter.
    pub(super) has_capital_names: bool,
    /// A quote may precede a lifetime, an `r` before a raw text.
    pub(super) has_lifetimes: bool,
    /// `[section]` has a line of its own.
    pub(super) has_sections: bool,
    /// `#fff` is a number.
    pub(super) has_colours: bool,
}

pub(super) struct Quote {
    pub(super) open: &'static str,
    pub(super) close: &'static str,
    pub(super) escape: Escape,
    pub(super) spans_lines: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Escape {
    Backslash,
    Nothing,
}

/// The words of a language, to look them up.
pub(super) struct Keywords {
    pub(super) words: Vec<&'static str>,
    longest: usize,
    ignores_case: bool,
}

impl Keywords {
    pub(super) fn has(&self, word: &str) -> bool {
        if word.len() > self.longest {
            return false;
        }
        let small = self.ignores_case.then(|| word.to_ascii_lowercase());
        self.words.binary_search(&small.as_deref().unwrap_or(word)).is_ok()
    }
}

impl Grammar {
    pub(super) fn keywords(&self) -> Keywords {
        let words: Vec<_> = self.keywords.split_whitespace().collect();
        let longest = words.iter().map(|word| word.len()).max().unwrap_or_default();
        Keywords { words, longest, ignores_case: self.ignores_case }
    }
}

const fn quote(sign: &'static str, escape: Escape, spans_lines: bool) -> Quote {
    Quote { open: sign, close: sign, escape, spans_lines }
}

pub(super) const fn triple(sign: &'static str) -> Quote {
    quote(sign, Escape::Backslash, true)
}

pub(super) const DOUBLE: Quote = quote("\"", Escape::Backslash, false);
pub(super) const SINGLE: Quote = quote("'", Escape::Backslash, false);
pub(super) const BACKTICK: Quote = quote("`", Escape::Backslash, true);
pub(super) const DOUBLE_LINES: Quote = quote("\"", Escape::Backslash, true);
pub(super) const SINGLE_LINES: Quote = quote("'", Escape::Backslash, true);
pub(super) const RAW_DOUBLE: Quote = quote("\"", Escape::Nothing, false);
pub(super) const RAW_SINGLE: Quote = quote("'", Escape::Nothing, true);
pub(super) const RAW_BACKTICK: Quote = quote("`", Escape::Nothing, true);

/// Words and nothing else.
pub(super) const NOTHING: Grammar = Grammar {
    line_comments: &[],
    block_comments: &[],
    comments_need_a_gap: false,
    quotes: &[],
    keywords: "",
    ignores_case: false,
    key_sign: None,
    joins: &[],
    at_sign: None,
    has_variables: false,
    has_capital_names: false,
    has_lifetimes: false,
    has_sections: false,
    has_colours: false,
};

/// Languages that look like C.
pub(super) const BRACES: Grammar = Grammar {
    line_comments: &["//"],
    block_comments: &[("/*", "*/")],
    quotes: &[DOUBLE, SINGLE],
    has_capital_names: true,
    ..NOTHING
};

/// Languages whose comments begin with `#`.
pub(super) const HASHES: Grammar = Grammar { line_comments: &["#"], quotes: &[DOUBLE, SINGLE], ..NOTHING };
