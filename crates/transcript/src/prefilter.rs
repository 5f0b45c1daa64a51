//! Skips lines that cannot hold a record of the wanted types, without parsing them.
//!
//! A JSON string cannot contain `"assistant"`, because its quotes would be escaped. The word may be in a nested object,
//! or be the value of another key, so a hit only means maybe. The key before it is not looked for: a writer may put
//! spaces or an escape into it. A line that is not compact as the client writes it is never skipped.

use memchr::memchr;
use memchr::memmem::Finder;

use crate::line::Line;

/// Finds the lines that may hold a record of the wanted types.
#[derive(Debug)]
pub struct Prefilter {
    needles: Vec<Finder<'static>>,
}

impl Prefilter {
    pub fn for_types(types: &[&str]) -> Self {
        let needle = |name: &&str| Finder::new(format!("\"{name}\"").as_bytes()).into_owned();
        Self { needles: types.iter().map(needle).collect() }
    }

    /// Whether the line may hold such a record.
    pub(crate) fn may_match(&self, line: &Line<'_>) -> bool {
        let has_type = || self.needles.iter().any(|needle| needle.find(line.bytes).is_some());
        line.is_part() || !looks_compact(line.bytes) || has_type()
    }
}

/// Whether the first key is followed by a colon and no space, as the client writes it.
fn looks_compact(line: &[u8]) -> bool {
    let Some(inside) = line.strip_prefix(b"{\"") else {
        return false;
    };
    let value = memchr(b'"', inside).and_then(|quote| inside.get(quote + 1..)?.strip_prefix(b":"));
    value.and_then(<[u8]>::first).is_some_and(|byte| !byte.is_ascii_whitespace())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::line::Extent;

    #[test]
    fn only_what_surely_is_something_else_is_left_out() {
        let filter = Prefilter::for_types(&["assistant"]);
        let may_match =
            |bytes: &[u8]| filter.may_match(&Line { number: 1, offset: 0, bytes, extent: Extent::Whole });
        assert!(may_match(br#"{"parentUuid":null,"type":"assistant"}"#));
        assert!(!may_match(br#"{"type":"progress","data":"\"type\":\"assistant\""}"#));
        assert!(may_match(br#"{"type": "assistant"}"#), "spaced");
        assert!(may_match(br#"{"uuid":"u","type" : "assistant"}"#), "spaced in the middle");
        assert!(may_match(br#"{"uuid":"u","t\u0079pe":"assistant"}"#), "a key with an escape");
        assert!(may_match(b"\xef\xbb\xbf{\"type\":\"user\"}"), "not at the start");
        assert!(may_match(b"garbage"));
    }
}
