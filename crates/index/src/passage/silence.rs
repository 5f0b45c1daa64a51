//! Tells lines that surely say nothing from the others without parsing them: more than half of a transcript may be
//! progress.

use memchr::{memchr, memmem};

/// The types of records that have passages.
const SPEAKING: [&str; 7] =
    ["user", "assistant", "system", "attachment", "summary", "custom-title", "ai-title"];
const TYPE: &[u8] = b"\"type\":\"";
/// How two objects on one line may meet.
const SEAMS: [&[u8]; 3] = [b"}{", b"} {", b"}\0"];

/// Whether the line is one record, and of a type that has no passages.
///
/// A type before any nested object is the record's own. Its quotes cannot stand inside a string, where they would be
/// escaped; what a writer puts spaces into does not look like one and is not silent.
pub(super) fn is_silent(line: &[u8]) -> bool {
    let Some(inside) = line.strip_prefix(b"{") else { return false };
    let flat = inside.get(..memchr(b'{', inside).unwrap_or(inside.len())).unwrap_or_default();
    let Some(at) = memmem::find(flat, TYPE) else { return false };
    let name = flat.get(at + TYPE.len()..).unwrap_or_default();
    let Some(name) = memchr(b'"', name).and_then(|end| name.get(..end)) else { return false };
    !SPEAKING.iter().any(|speaking| speaking.as_bytes() == name)
        && !SEAMS.iter().any(|seam| memmem::find(line, seam).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_surely_says_nothing_is_silent() {
        let silent = [
            r#"{"uuid":"a","type":"progress","data":{"type":"agent_progress","message":{"type":"user"}}}"#,
            r#"{"type":"file-history-snapshot","snapshot":{}}"#,
        ];
        let speaking = [
            r#"{"type":"user"}"#,
            r#"{"data":{"type":"progress"},"type":"user"}"#,
            r#"{"type": "progress"}"#,
            r#"{"type":"progress","data":{}}{"type":"user"}"#,
            r#"{"type":"progress","data":{}} {"type":"user"}"#,
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
