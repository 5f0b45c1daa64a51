//! Tells the lines that may hold a record of some types from those that cannot, without parsing either.
//!
//! `"assistant"` cannot stand inside a JSON string, where its quotes would be escaped. It may stand in a nested object,
//! or say something else, so a hit is a maybe. The key before it is not asked for: one with spaces or an escape in it is
//! as good. A line that does not look as the client writes it is one, too.

use memchr::memmem::Finder;

/// Passes lines that may hold a record of the wanted types.
#[derive(Debug)]
pub struct Prefilter {
    needles: Vec<Finder<'static>>,
}

impl Prefilter {
    pub fn for_types(types: &[&str]) -> Self {
        let needle = |name: &&str| Finder::new(format!("\"{name}\"").as_bytes()).into_owned();
        Self { needles: types.iter().map(needle).collect() }
    }

    /// Where the first of them may be in some lines.
    pub(crate) fn find(&self, lines: &[u8]) -> Option<usize> {
        self.needles.iter().filter_map(|needle| needle.find(lines)).min()
    }
}

/// Whether the first key is followed by a colon and no space, as the client writes it.
pub(crate) fn looks_compact(line: &[u8]) -> bool {
    // Most begin with this one.
    if let Some(value) = line.strip_prefix(b"{\"parentUuid\":") {
        return is_compact(value);
    }
    let Some(inside) = line.strip_prefix(b"{\"") else {
        return false;
    };
    let after = memchr::memchr(b'"', inside).and_then(|quote| inside.get(quote + 1..));
    after.and_then(|after| after.strip_prefix(b":")).is_some_and(is_compact)
}

fn is_compact(value: &[u8]) -> bool {
    value.first().is_some_and(|byte| !byte.is_ascii_whitespace())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_surely_is_something_else_is_left_out() {
        let filter = Prefilter::for_types(&["assistant"]);
        let may_match = |line: &[u8]| !looks_compact(line) || filter.find(line).is_some();
        assert!(may_match(br#"{"parentUuid":null,"type":"assistant"}"#));
        assert!(!may_match(br#"{"type":"progress","data":"\"type\":\"assistant\""}"#));
        assert!(may_match(br#"{"type": "assistant"}"#), "spaced");
        assert!(may_match(br#"{"uuid":"u","type" : "assistant"}"#), "spaced in the middle");
        assert!(may_match(br#"{"uuid":"u","t\u0079pe":"assistant"}"#), "a key with an escape");
        assert!(may_match(b"\xef\xbb\xbf{\"type\":\"user\"}"), "not at the start");
        assert!(may_match(b"garbage"));
    }
}
