//! A page of a listing → the same without keys that no vault has.
//!
//! The library that reads pages gives up on all of them for one key with a control character, an empty part or such as
//! leads elsewhere. Anyone with write access to a bucket can put such a key there.

use std::borrow::Cow;
use std::collections::BTreeSet;

use memchr::memmem;
use object_store::path::Path;

const OPEN: &[u8] = b"<Key>";
const CLOSE: &[u8] = b"</Key>";
/// Stands in place of another key: no name of a vault has it.
const NOBODYS: &[u8] = b"%";

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
            plain.extend_from_slice(NOBODYS);
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
    let text = std::str::from_utf8(key).ok().and_then(unescaped);
    text.is_some_and(|text| Path::parse(text).is_ok())
}

fn shown(key: &[u8]) -> String {
    let text = String::from_utf8_lossy(key);
    let text = unescaped(&text).unwrap_or(Cow::Borrowed(&text)).into_owned();
    text.escape_debug().to_string()
}

/// `None` if it is no XML.
fn unescaped(text: &str) -> Option<Cow<'_, str>> {
    if !text.contains('&') {
        return Some(Cow::Borrowed(text));
    }
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, reference)) = rest.split_once('&') {
        let (name, after) = reference.split_once(';')?;
        plain.push_str(before);
        plain.push(character(name)?);
        rest = after;
    }
    plain.push_str(rest);
    Some(Cow::Owned(plain))
}

fn character(name: &str) -> Option<char> {
    match name {
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        _ => {
            let number = name.strip_prefix('#')?;
            let parsed = match number.strip_prefix(['x', 'X']) {
                Some(digits) => u32::from_str_radix(digits, 16),
                None => number.parse(),
            };
            char::from_u32(parsed.ok()?)
        }
    }
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
