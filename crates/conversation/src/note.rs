//! The text of a system record or an attachment, for commands that show everything: a sentence if it has one, else its
//! fields.

use serde_json::value::RawValue;
use steno_transcript::wire::Fields;
use steno_transcript::{Kind, Record, understood};

use crate::scope::Scope;

/// Fields that any record may have, and that tell nothing of what happened.
const ENVELOPE: &[&str] = &[
    "agentId",
    "cwd",
    "entrypoint",
    "forkedFrom",
    "gitBranch",
    "isMeta",
    "isSidechain",
    "level",
    "logicalParentUuid",
    "parentUuid",
    "promptId",
    "requestId",
    "sessionId",
    "session_id",
    "slug",
    "subtype",
    "timestamp",
    "type",
    "userType",
    "uuid",
    "version",
];

/// The text, if the scope wants it. The content of a system record is not repeated here.
pub(crate) fn of(kind: &Kind, record: &Record<'_>, scope: Scope) -> Option<String> {
    match kind {
        Kind::Attachment if scope.hidden => attachment(record.envelope.attachment?),
        Kind::System if scope.has_system_events() && record.envelope.content.is_none() => {
            let fields = record.fields()?;
            sentence(record.envelope.subtype.as_deref(), &fields).or_else(|| Some(compact(&fields)))
        }
        _ => None,
    }
}

fn sentence(subtype: Option<&str>, fields: &Fields<'_>) -> Option<String> {
    match subtype? {
        "turn_duration" => {
            let milliseconds: u64 = field(fields, "durationMs")?;
            let (seconds, tenths) = (milliseconds / 1000, milliseconds % 1000 / 100);
            Some(format!("The turn took {seconds}.{tenths} s."))
        }
        "stop_hook_summary" => {
            let hooks: u64 = field(fields, "hookCount")?;
            let many = if hooks == 1 { "" } else { "s" };
            Some(format!("{hooks} hook{many} ran when the agent stopped."))
        }
        _ => None,
    }
}

fn field<T: serde::de::DeserializeOwned>(fields: &Fields<'_>, key: &str) -> Option<T> {
    fields.get(key).and_then(understood)
}

/// An attachment of any kind: its type and its content, else all of it.
fn attachment(raw: &RawValue) -> Option<String> {
    let whole = || Some(raw.get().to_owned());
    let Ok(fields) = serde_json::from_str::<Fields>(raw.get()) else { return whole() };
    let (Some(kind), Some(said)) = (field::<String>(&fields, "type"), field::<String>(&fields, "content"))
    else {
        return whole();
    };
    if said.trim().is_empty() { whole() } else { Some(format!("{kind}: {said}")) }
}

/// The other fields, as JSON.
fn compact(fields: &Fields<'_>) -> String {
    let telling = fields.iter().filter(|(name, _)| ENVELOPE.binary_search(name).is_err());
    let written = telling.map(|(name, raw)| format!("{}:{}", serde_json::Value::from(name), raw.get()));
    format!("{{{}}}", written.collect::<Vec<_>>().join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(json: &str) -> Fields<'_> {
        serde_json::from_str(json).unwrap()
    }

    #[test]
    fn the_table_is_sorted() {
        assert!(ENVELOPE.is_sorted());
    }

    #[test]
    fn a_record_without_words_is_its_fields() {
        let json = r#"{"type":"system","subtype":"odd","uuid":"u","count":[1, 2],"a\"b":"\ud83d"}"#;
        assert_eq!(compact(&fields(json)), r#"{"count":[1, 2],"a\"b":"\ud83d"}"#);
    }

    #[test]
    fn what_is_known_is_a_sentence() {
        let said = sentence(Some("turn_duration"), &fields(r#"{"durationMs":61450}"#));
        assert_eq!(said.as_deref(), Some("The turn took 61.4 s."));
        let said = sentence(Some("stop_hook_summary"), &fields(r#"{"hookCount":1}"#));
        assert_eq!(said.as_deref(), Some("1 hook ran when the agent stopped."));
        assert_eq!(sentence(Some("turn_duration"), &fields("{}")), None);
    }

    #[test]
    fn an_attachment_says_its_content_or_all_of_itself() {
        let note = |json: &str| attachment(&RawValue::from_string(json.to_owned()).unwrap()).unwrap();
        assert_eq!(note(r#"{"type":"hook_success","content":"fine"}"#), "hook_success: fine");
        assert_eq!(note(r#"{"type":"file","content":{"a":1}}"#), r#"{"type":"file","content":{"a":1}}"#);
        assert_eq!(note(r#""words""#), r#""words""#);
    }
}
