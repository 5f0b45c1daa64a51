//! Tells lines that surely say nothing from the others without parsing them: more than half of a transcript may be
//! progress.

use memchr::{memchr, memmem};
use steno_transcript::is_one_object;

/// The types of records that have passages.
const SPEAKING: [&str; 7] =
    ["user", "assistant", "system", "attachment", "summary", "custom-title", "ai-title"];
const TYPE: &[u8] = b"\"type\":\"";

/// Whether the line is one record, and of a type that has no passages.
///
/// A type before any nested object is the record's own. Its quotes cannot stand inside a string, where they would be
/// escaped; what a writer puts spaces into does not look like one and is not silent.
pub(super) fn is_silent(line: &[u8]) -> bool {
    let Some(inside) = line.strip_prefix(b"{") else { return false };
    let (flat, nested) = inside.split_at(memchr(b'{', inside).unwrap_or(inside.len()));
    let Some(at) = memmem::find(flat, TYPE) else { return false };
    let name = flat.get(at + TYPE.len()..).unwrap_or_default();
    let Some(name) = memchr(b'"', name).and_then(|end| name.get(..end)) else { return false };
    !SPEAKING.iter().any(|speaking| speaking.as_bytes() == name) && is_one_object(line, nested)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_surely_says_nothing_is_silent() {
        let silent = [
            r#"{"uuid":"a","type":"progress","data":{"type":"agent_progress","message":{"type":"user"}}}"#,
            r#"{"type":"file-history-snapshot","snapshot":{}}"#,
            r#"{"type":"progress","data":{"output":"fn a() {","more":"}{ } {"},"sessionId":"s"}"#,
        ];
        let speaking = [
            r#"{"type":"user"}"#,
            r#"{"data":{"type":"progress"},"type":"user"}"#,
            r#"{"type": "progress"}"#,
            r#"{"type":"progress","data":{}}{"type":"user"}"#,
            r#"{"type":"progress","data":{}} {"type":"user"}"#,
            "{\"type\":\"progress\",\"data\":{}} \t {\"type\":\"user\"}",
            r#"{"type":"progress","data":{"output":"lots {"type":"user","uuid":"u"}"#,
            r#"{"type":"progress","data":{"parentUuid":null,"type":"user","uuid":"u"}"#,
            r#"{"text":"\"type\":\"progress\""}"#,
            "garbage",
            "",
        ];
        assert!(silent.iter().all(|line| is_silent(line.as_bytes())));
        for line in speaking {
            assert!(!is_silent(line.as_bytes()), "{line}");
        }
    }
}
