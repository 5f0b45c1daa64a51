//! A line → whether it surely is one object, mostly without parsing it.
//!
//! When a crash tears a line, the client writes the next record behind it, on the same line. In compact JSON an object
//! begins behind a colon, a comma or the bracket of a list. The record behind a torn line nearly always begins behind
//! another byte: that place is the seam. Otherwise it looks nested; then the line is parsed to be sure.

use std::sync::LazyLock;

use memchr::memchr_iter;
use memchr::memmem::Finder;
use serde::de::IgnoredAny;

/// Keys that records have and nested objects do not. Inside a string, their quotes would be escaped.
static RECORD: [LazyLock<Finder<'static>>; 2] =
    [LazyLock::new(|| Finder::new(b"{\"parentUuid\":")), LazyLock::new(|| Finder::new(b"\"sessionId\":"))];

/// False if a line that looks like one object may hold another record. `suspect` is the part of the line in which that
/// record would be.
pub fn is_one_object(json: &[u8], suspect: &[u8]) -> bool {
    let may_nest_record = || RECORD.iter().any(|mark| mark.find(suspect).is_some());
    !has_seam(json) && (!may_nest_record() || serde_json::from_slice::<IgnoredAny>(json).is_ok())
}

/// Whether an object begins where none can begin in compact JSON. A string may end in `{`; then no key follows.
fn has_seam(json: &[u8]) -> bool {
    memchr_iter(b'{', json).any(|at| match json.get(at + 1) {
        Some(b'"') => {
            let before = at.checked_sub(1).and_then(|before| json.get(before));
            let is_begin = matches!(before, None | Some(b':' | b',' | b'['));
            !is_begin && !matches!(json.get(at + 2), Some(b',' | b'}' | b']' | b':'))
        }
        Some(blank) if blank.is_ascii_whitespace() => {
            let after = json.get(at + 1..).unwrap_or_default().trim_ascii_start();
            at > 0 && after.first() == Some(&b'"')
        }
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sound_objects_have_no_seam() {
        let sound = [
            r#"{"a":{"b":[{"c":"{"},{"d":["{"]}],"{":{}},"e":"}{ } {"}"#,
            r#"{"a":"{","b":"\"{\"","c":"{ x","d":{"e":"f"}}"#,
            r#"{"type":"progress","data":{"message":{"uuid":"u"}},"sessionId":"s"}"#,
            r#"{"a":[{"parentUuid":null,"sessionId":"s"}]}"#,
            "{\"a\":{\"sessionId\":\"s\"}}\r\n",
        ];
        for json in sound {
            assert!(is_one_object(json.as_bytes(), json.as_bytes()), "{json}");
        }
    }

    #[test]
    fn a_second_object_is_seen_wherever_it_begins() {
        for between in ["", " ", "  ", "\t", " \t ", "\0", "\0\0 ", "\r", "x", "\\", "{", "\"", "}", "\u{e9}"]
        {
            for second in [r#"{"type":"user"}"#, r#"{ "type": "user" }"#, "{\t\"type\":\"user\"}"] {
                let json = format!(r#"{{"a":{{"b":1}}}}{between}{second}"#);
                assert!(!is_one_object(json.as_bytes(), b""), "{json}");
            }
        }
    }

    #[test]
    fn a_record_that_looks_nested_is_seen() {
        let record = r#"{"type":"user","message":{"content":"a \"b"},"sessionId":"s"}"#;
        for torn in [r#"{"a":"#, r#"{"a":[{"b":1},"#, r#"{"a":["#, r#"{"a":"note:"#, r#"{"a":{"b":"x,"#] {
            assert!(!is_one_object(format!("{torn}{record}").as_bytes(), record.as_bytes()), "{torn}");
        }
    }
}
