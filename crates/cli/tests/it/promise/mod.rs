//! Each answer as users of `claude-backup` were promised it, written down by hand: its keys and their types, with what
//! was added since.

use serde_json::{Value, json};

pub(crate) fn sync() -> Value {
    json!({
        "ok": true, "config": {"filesSynced": 3}, "sessions": {"added": 2, "updated": 0, "removed": 0},
        "pushed": true, "kept": 0, "bytesRead": 0, "bytesWritten": 0, "warnings": [],
    })
}

pub(crate) fn sync_of_config() -> Value {
    json!({"ok": true, "config": {"filesSynced": 3}, "sessions": null, "pushed": true})
}

pub(crate) fn status() -> Value {
    json!({
        "version": "3.0.0", "mode": "local", "repo": null, "lastBackup": "2026-02-27T03:00:00Z",
        "backupSize": "42M", "config": {"files": 12, "size": "48K"},
        "sessions": {"files": 247, "projects": 15, "size": "380M"}, "scheduler": "active",
        "index": {"sessions": 247},
        "retention": {"cleanupPeriodDays": 30, "source": "default", "atRisk": 4, "notKept": 2, "nextDeletion": "…"},
        "lastError": null,
    })
}

pub(crate) fn sessions() -> Value {
    json!({"sessions": [{
        "uuid": "abc-def", "projectHash": "-Users-foo-myapp", "sizeBytes": 1234, "backedUpAt": "2026-02-27T01:00:00Z",
        "title": null, "cwd": null, "machine": "…", "live": false, "lastActivity": "…", "generations": 1,
    }]})
}

pub(crate) fn restored() -> Value {
    json!({"ok": true, "restored": {"from": "/path/to/file", "to": "/path/to/file.jsonl", "files": 1}})
}

pub(crate) fn peek() -> Value {
    json!({
        "uuid": "abc-def", "projectHash": "-Users-foo-myapp", "backedUpAt": "2026-02-27T01:00:00Z",
        "sizeBytes": 12000, "uncompressedBytes": 48000, "messageCount": 47,
        "firstMessages": [{"role": "user", "preview": "Help me debug..."}],
        "lastMessages": [{"role": "assistant", "preview": "The fix is deployed..."}],
    })
}

pub(crate) fn exported() -> Value {
    json!({"ok": true, "exported": {"path": "…", "size": "47K", "files": 12}})
}

pub(crate) fn imported() -> Value {
    json!({"ok": true, "imported": {"files": 8}})
}

pub(crate) fn version() -> Value {
    json!({"version": "3.1.0"})
}

pub(crate) fn error() -> Value {
    json!({"error": "…", "kind": "…", "code": 1, "hints": ["…"]})
}

/// Everything that `example` has, `answer` has too, of the same type. An empty list in the example says nothing of
/// its elements; a null says that the answer may be anything.
pub(crate) fn assert_shape(answer: &Value, example: &Value, place: &str) {
    match (example, answer) {
        (Value::Null, _) => {}
        (Value::Object(example), Value::Object(answer)) => {
            for (key, value) in example {
                let inside =
                    answer.get(key).unwrap_or_else(|| panic!("{place}.{key} is missing in {answer:?}"));
                assert_shape(inside, value, &format!("{place}.{key}"));
            }
        }
        (Value::Array(example), Value::Array(answer)) => {
            for (number, inside) in answer.iter().enumerate() {
                if let Some(first) = example.first() {
                    assert_shape(inside, first, &format!("{place}[{number}]"));
                }
            }
        }
        (example, answer) => assert_eq!(kind(answer), kind(example), "{place} in {answer}"),
    }
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}
