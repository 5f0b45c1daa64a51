//! A line → whether it surely is one object, mostly without parsing it: a torn or glued line may hide another record.
//!
//! In compact JSON an object begins behind a colon, a comma or a list's bracket. Where a line was torn and the next
//! record written behind it, that record nearly always begins behind something else; where it does not, it looks
//! nested, and what looks like a record is parsed.

use std::sync::LazyLock;

use memchr::memchr_iter;
use memchr::memmem::Finder;
use serde::de::IgnoredAny;

/// What records begin with or hold, and what is nested in them does not. In a string its quotes would be escaped.
static RECORD: [LazyLock<Finder<'static>>; 2] =
    [LazyLock::new(|| Finder::new(b"{\"parentUuid\":")), LazyLock::new(|| Finder::new(b"\"sessionId\":"))];

/// False where another record may hide in a line, or in what is nested in it, that looks like one object. `suspect` is
/// the part of the line in which it would stand.
pub fn is_one_object(json: &[u8], suspect: &[u8]) -> bool {
    let may_nest_record = || RECORD.iter().any(|mark| mark.find(suspect).is_some());
    !has_seam(json) && (!may_nest_record() || serde_json::from_slice::<IgnoredAny>(json).is_ok())
}

/// Whether an object begins where none can begin in compact JSON. A string may end in a bracket; then no key follows.
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
