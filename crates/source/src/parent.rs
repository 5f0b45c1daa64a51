//! The head of an old-layout subagent file → the session it belongs to.
//!
//! Only the first records are looked at, and of those only the top level: a tool's answer may quote a
//! `sessionId` of its own.

use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use memchr::memchr;
use serde::de::{Deserializer, IgnoredAny, MapAccess, Visitor};
use steno_transcript::SessionId;

/// Clients of that layout wrote the envelope before the message, so the first read nearly always suffices.
const FIRST_READ: u64 = 4 << 10;
const LIMIT: u64 = 64 << 10;

pub(crate) fn parent_of(path: &Path) -> io::Result<Option<SessionId>> {
    let mut file = File::open(path)?;
    let mut head = Vec::with_capacity(FIRST_READ as usize);
    for limit in [FIRST_READ, LIMIT - FIRST_READ] {
        let read = file.by_ref().take(limit).read_to_end(&mut head)?;
        let found = session_in(&head);
        if found.is_some() || (read as u64) < limit {
            return Ok(found);
        }
    }
    Ok(None)
}

fn session_in(head: &[u8]) -> Option<SessionId> {
    let mut rest = head;
    while !rest.is_empty() {
        let end = memchr(b'\n', rest).unwrap_or(rest.len());
        let (line, more) = rest.split_at(end);
        let record = memchr(b'{', line).and_then(|start| line.get(start..));
        if let Some(session) = record.and_then(session_of_record) {
            return Some(session);
        }
        rest = more.get(1..).unwrap_or_default();
    }
    None
}

/// Works on a record that is cut off, too, as long as the id comes before the cut.
fn session_of_record(record: &[u8]) -> Option<SessionId> {
    let mut found = Found(None);
    // The outcome does not matter: leaving the record early is an error to the parser, and so is the cut.
    let _ = serde_json::Deserializer::from_slice(record).deserialize_map(&mut found);
    found.0.filter(|id| !id.is_empty()).map(SessionId::new)
}

struct Found(Option<String>);

impl<'de> Visitor<'de> for &mut Found {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a record")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<(), A::Error> {
        while let Some(key) = fields.next_key::<String>()? {
            if key == "sessionId" {
                self.0 = Some(fields.next_value()?);
                return Ok(());
            }
            fields.next_value::<IgnoredAny>()?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn session(head: &str) -> Option<String> {
        session_in(head.as_bytes()).map(|id| id.to_string())
    }

    #[test]
    fn the_first_record_with_an_id_names_the_parent() {
        assert_eq!(session("{\"type\":\"summary\"}\nnot json\n{\"sessionId\":\"s1\"}\n"), Some("s1".into()));
        assert_eq!(session("\u{feff}{\"a\":1,\"sessionId\":\"s1\",\"b\":2}"), Some("s1".into()));
    }

    #[test]
    fn a_record_cut_off_after_its_id_is_enough() {
        assert_eq!(session("{\"sessionId\":\"s1\",\"message\":{\"text\":\"and th"), Some("s1".into()));
        assert_eq!(session("{\"message\":{\"text\":\"and th"), None);
    }

    #[test]
    fn quoted_ids_are_not_taken_for_the_record_s_own() {
        assert_eq!(
            session("{\"toolUseResult\":{\"sessionId\":\"other\"},\"text\":\"\\\"sessionId\\\":\\\"x\\\"\"}"),
            None
        );
        assert_eq!(session("{\"sessionId\":7}\n{\"sessionId\":\"\"}\n"), None);
    }

    #[test]
    fn a_long_first_record_is_read_up_to_the_limit() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("agent-1.jsonl");
        let record =
            |padding: usize| format!("{{\"text\":\"{}\",\"sessionId\":\"s1\"}}\n", "x".repeat(padding));
        std::fs::write(&path, record(50_000)).unwrap();
        assert_eq!(parent_of(&path).unwrap(), Some("s1".into()));
        std::fs::write(&path, record(100_000)).unwrap();
        assert_eq!(parent_of(&path).unwrap(), None);
    }
}
