//! Bytes of records → which of the files beside the transcript they speak of.

use std::collections::BTreeSet;

use regex::bytes::{Regex, RegexBuilder};

/// Thousands of names are still few megabytes.
const LARGEST_PATTERN: usize = 256 << 20;

/// Names that are looked for.
#[derive(Debug)]
pub(super) struct Names {
    pattern: Option<Regex>,
    /// Too many to look for: all count as mentioned.
    is_unknown: bool,
}

/// Those that were found.
#[derive(Debug, Default)]
pub(super) struct Mentions {
    found: BTreeSet<Vec<u8>>,
    has_all: bool,
}

impl Names {
    pub(super) fn new(names: BTreeSet<String>) -> Self {
        let mut names: Vec<String> = names.into_iter().filter(|name| !name.is_empty()).collect();
        // Of a name that begins another one, the longer is tried first.
        names.sort_by_key(|name| std::cmp::Reverse(name.len()));
        let names: Vec<String> = names.iter().map(|name| regex::escape(name)).collect();
        if names.is_empty() {
            return Self { pattern: None, is_unknown: false };
        }
        let pattern = RegexBuilder::new(&names.join("|")).unicode(false).size_limit(LARGEST_PATTERN).build();
        Self { is_unknown: pattern.is_err(), pattern: pattern.ok() }
    }

    pub(super) fn look(&self, bytes: &[u8], mentions: &mut Mentions) {
        mentions.has_all |= self.is_unknown;
        let Some(pattern) = &self.pattern else { return };
        for found in pattern.find_iter(bytes) {
            if !mentions.found.contains(found.as_bytes()) {
                mentions.found.insert(found.as_bytes().to_vec());
            }
        }
    }
}

impl Mentions {
    pub(super) fn has(&self, name: &str) -> bool {
        self.has_all || self.found.contains(name.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_as_they_are() {
        let names = Names::new(["a1", "a12", "x.txt", ""].map(str::to_owned).into());
        let mut mentions = Mentions::default();
        names.look(b"..a12..x_txt..", &mut mentions);
        assert!(mentions.has("a12") && !mentions.has("a1") && !mentions.has("x.txt"));
        names.look(b"a1/x.txt\xff", &mut mentions);
        assert!(mentions.has("a1") && mentions.has("x.txt"));
    }

    #[test]
    fn nothing_is_found_where_nothing_is_looked_for() {
        let mut mentions = Mentions::default();
        Names::new(BTreeSet::new()).look(b"anything", &mut mentions);
        assert!(!mentions.has("anything"));
    }
}
