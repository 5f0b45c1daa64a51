//! A regular expression of ours: bytes, not Unicode, and made when it is needed for the first time.

use std::ops::{Deref, Range};
use std::sync::OnceLock;

use regex::bytes::{Regex, RegexBuilder};

#[derive(Debug)]
pub(crate) struct Pattern {
    source: &'static str,
    parts: Parts,
    /// Whether it matches at the beginning only.
    is_anchored: bool,
    regex: OnceLock<Regex>,
}

/// Words in capitals, and their expansions in a pattern.
pub(crate) type Parts = &'static [(&'static str, &'static str)];

impl Pattern {
    pub(crate) const fn new(source: &'static str) -> Self {
        Self::with_parts(source, &[], false)
    }

    pub(crate) const fn with_parts(source: &'static str, parts: Parts, is_anchored: bool) -> Self {
        Self { source, parts, is_anchored, regex: OnceLock::new() }
    }

    /// The first group that takes part in a match in this stretch.
    pub(crate) fn value(&self, text: &[u8], near: Range<usize>) -> Option<Range<usize>> {
        let rest = text.get(near.start..near.end.min(text.len()))?;
        let groups = self.captures(rest)?;
        let value = groups.iter().skip(1).flatten().next()?;
        Some(near.start + value.start()..near.start + value.end())
    }
}

impl Deref for Pattern {
    type Target = Regex;

    #[expect(clippy::expect_used, reason = "patterns are fixed, and tests compile the tables of them")]
    fn deref(&self) -> &Regex {
        self.regex.get_or_init(|| {
            let expand = |source: String, (name, part): &(&str, &str)| source.replace(name, part);
            let anchor = if self.is_anchored { r"\A" } else { "" };
            let source = self.parts.iter().fold(format!("{anchor}(?:{})", self.source), expand);
            RegexBuilder::new(&source).unicode(false).build().expect("a pattern of ours")
        })
    }
}
