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

    /// False only when the line surely holds none of them.
    pub fn may_match(&self, line: &[u8]) -> bool {
        !looks_compact(line) || self.needles.iter().any(|needle| needle.find(line).is_some())
    }
}

/// Whether the first key is followed by a colon and no space, as the client writes it.
fn looks_compact(line: &[u8]) -> bool {
    let Some(inside) = line.strip_prefix(b"{\"") else {
        return false;
    };
    let Some(quote) = memchr::memchr(b'"', inside) else {
        return false;
    };
    matches!(inside.get(quote + 1..quote + 3), Some([b':', value]) if !value.is_ascii_whitespace())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_surely_is_something_else_is_left_out() {
        let filter = Prefilter::for_types(&["assistant"]);
        assert!(filter.may_match(br#"{"parentUuid":null,"type":"assistant"}"#));
        assert!(!filter.may_match(br#"{"type":"progress","data":"\"type\":\"assistant\""}"#));
        assert!(filter.may_match(br#"{"type": "assistant"}"#), "spaced");
        assert!(filter.may_match(br#"{"uuid":"u","type" : "assistant"}"#), "spaced in the middle");
        assert!(filter.may_match(br#"{"uuid":"u","t\u0079pe":"assistant"}"#), "a key with an escape");
        assert!(filter.may_match(b"\xef\xbb\xbf{\"type\":\"user\"}"), "not at the start");
        assert!(filter.may_match(b"garbage"));
    }
}
