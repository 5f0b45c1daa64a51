//! A page of a listing → the same without keys that no vault has.
//!
//! The library that reads pages gives up on all of them for one key with a control character, an empty part or such as
//! leads elsewhere. Anyone with write access to a bucket can put such a key there.

use std::borrow::Cow;
use std::collections::BTreeSet;

use memchr::memmem;
use object_store::path::Path;
use quick_xml::escape::unescape;

const OPEN: &[u8] = b"<Key>";
const CLOSE: &[u8] = b"</Key>";
/// Replaces a key that was passed over: no name of a vault has it.
const NOT_A_NAME: &[u8] = b"%";

/// Whether the answer to a request is a page.
pub(super) fn is_asked_for(method: &http::Method, query: Option<&str>) -> bool {
    *method == http::Method::GET && query.is_some_and(|query| query.contains("list-type=2"))
}

/// Adds the keys that were passed over, as far as they can be shown.
pub(super) fn without_strange(page: Vec<u8>, strange: &mut BTreeSet<String>) -> Vec<u8> {
    let mut plain = Vec::new();
    let mut rest = page.as_slice();
    while let Some(open) = memmem::find(rest, OPEN) {
        let (before, inside) = rest.split_at(open + OPEN.len());
        let Some(close) = memmem::find(inside, CLOSE) else { break };
        let (key, after) = inside.split_at(close);
        plain.extend_from_slice(before);
        if is_readable(key) {
            plain.extend_from_slice(key);
        } else {
            strange.insert(shown(key));
            plain.extend_from_slice(NOT_A_NAME);
        }
        rest = after;
    }
    if plain.is_empty() {
        return page;
    }
    plain.extend_from_slice(rest);
    plain
}

fn is_readable(key: &[u8]) -> bool {
    let text = std::str::from_utf8(key).ok().and_then(|key| unescape(key).ok());
    text.is_some_and(|text| Path::parse(text).is_ok())
}

fn shown(key: &[u8]) -> String {
    let text = String::from_utf8_lossy(key);
    let text = unescape(&text).unwrap_or(Cow::Borrowed(&text));
    text.escape_debug().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(keys: &[&str]) -> Vec<u8> {
        let keys: String = keys.iter().map(|key| format!("<Contents><Key>{key}</Key></Contents>")).collect();
        format!("<?xml version=\"1.0\"?><ListBucketResult>{keys}<Name>b</Name></ListBucketResult>")
            .into_bytes()
    }

    #[test]
    fn strange_keys_are_passed_over_and_named() {
        let mut strange = BTreeSet::new();
        let keys = ["a/b.zst", "x&#1;y", "x\u{7}y", "line&#xA;break", "a//b", "a/../b", "&bad;", "&#xD800;"];
        let left = without_strange(page(&keys), &mut strange);
        assert_eq!(left, page(&["a/b.zst", "%", "%", "%", "%", "%", "%", "%"]));
        assert_eq!(strange.len(), 7);
        assert!(strange.contains("x\\u{1}y") && strange.contains("line\\nbreak"), "{strange:?}");
    }

    #[test]
    fn other_pages_stay_as_they_are() {
        for page in [page(&[]), page(&["a &amp; b", "&lt;&gt;&quot;", "ä", "a/", "/a"]), b"<Key>cut".to_vec()]
        {
            let mut strange = BTreeSet::new();
            assert_eq!(without_strange(page.clone(), &mut strange), page);
            assert!(strange.is_empty(), "{strange:?}");
        }
    }
}
