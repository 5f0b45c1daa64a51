//! The promises of a move, for any record: nothing else changes, thinking does not, and the way back leads back.

use proptest::prelude::*;
use serde_json::{Value, json};
use steno_edit::rewrite::PathRewriter;

use super::{patched, path, replacing, rewrite};

/// Where paths may change, told once more and by other means: the whole value, from the top.
mod oracle {
    use super::*;

    const OPEN: [&str; 4] = ["toolUseResult", "shape", "planContent", "userFeedback"];

    pub(super) fn moved(record: &Value, change: &dyn Fn(&str) -> String) -> Value {
        let mut record = record.clone();
        for (key, value) in record.as_object_mut().unwrap() {
            match key.as_str() {
                "content" => content(value, change),
                "message" | "rendered" => message(value, change),
                "attachment" => fields(value, change, &["type", "id", "uuid", "displayPath"]),
                key if OPEN.contains(&key) => open(value, change),
                _ => {}
            }
        }
        record
    }

    fn message(value: &mut Value, change: &dyn Fn(&str) -> String) {
        let is_sealed = is_sealed(value);
        match value {
            Value::String(text) => *text = change(text),
            Value::Array(list) => list.iter_mut().for_each(|value| message(value, change)),
            Value::Object(fields) if !is_sealed => {
                fields.get_mut("content").into_iter().for_each(|value| content(value, change));
                fields.get_mut("message").into_iter().for_each(|value| message(value, change));
                fields.get_mut("toolUseResult").into_iter().for_each(|value| open(value, change));
            }
            _ => {}
        }
    }

    fn content(value: &mut Value, change: &dyn Fn(&str) -> String) {
        match value {
            Value::String(_) => open(value, change),
            Value::Array(blocks) => blocks.iter_mut().for_each(|block| content(block, change)),
            _ => fields(value, change, &["type", "id", "name", "tool_use_id"]),
        }
    }

    fn fields(value: &mut Value, change: &dyn Fn(&str) -> String, closed: &[&str]) {
        if is_sealed(value) {
            return;
        }
        for (key, value) in value.as_object_mut().into_iter().flatten() {
            match key.as_str() {
                "prompt" if closed.contains(&"displayPath") => content(value, change),
                "content" if closed.contains(&"tool_use_id") => content(value, change),
                "thinking" | "signature" | "base64" => {}
                key if closed.contains(&key) => {}
                _ => open(value, change),
            }
        }
    }

    fn open(value: &mut Value, change: &dyn Fn(&str) -> String) {
        match value {
            Value::String(text) => *text = change(text),
            Value::Array(list) => list.iter_mut().for_each(|value| open(value, change)),
            _ => fields(value, change, &[]),
        }
    }

    fn is_sealed(value: &Value) -> bool {
        ["thinking", "redacted_thinking", "base64"].iter().any(|kind| value.get("type") == Some(&json!(kind)))
    }
}

const OLD: &str = "/home/a/proj";
const NEW: &str = "/srv/\"new\" é";

/// Words between spaces, so that what a whole path is, is plain: the table above has the rest.
fn text() -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec![
        OLD,
        "/home/a/proj/src",
        "/home/a/project",
        "/home/a",
        "x",
        "\u{1b}",
        "\"",
        "\\",
        "é😀",
        "thinking",
        "\n",
    ]);
    prop::collection::vec(word, 0..5).prop_map(|words| words.join(" "))
}

fn change(text: &str) -> String {
    let word = |word: &str| match word.strip_prefix(OLD) {
        Some(rest) if rest.is_empty() || rest.starts_with('/') => format!("{NEW}{rest}"),
        _ => word.to_owned(),
    };
    text.split(' ').map(word).collect::<Vec<_>>().join(" ")
}

const KEYS: &str = "type type message content content text thinking signature input id name toolUseResult attachment prompt rendered displayPath base64 shape summary uuid cwd";

fn value() -> impl Strategy<Value = Value> {
    let kind = prop::sample::select(vec!["thinking", "redacted_thinking", "text", "tool_result", "base64"]);
    let leaf = prop_oneof![
        4 => text().prop_map(Value::from),
        1 => kind.prop_map(Value::from),
        1 => any::<i32>().prop_map(Value::from),
        1 => Just(Value::Null),
    ];
    leaf.prop_recursive(5, 60, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            object(inner).prop_map(Value::Object),
        ]
    })
}

fn object(inner: impl Strategy<Value = Value>) -> impl Strategy<Value = serde_json::Map<String, Value>> {
    let key = prop::sample::select(KEYS.split(' ').collect::<Vec<_>>()).prop_map(str::to_owned);
    prop::collection::vec((key, inner), 0..6).prop_map(|fields| fields.into_iter().collect())
}

fn record() -> impl Strategy<Value = Value> {
    object(value()).prop_map(Value::Object)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn without_a_change_any_bytes_stay(bytes in prop::collection::vec(any::<u8>(), 0..500)) {
        let mut written = Vec::new();
        PathRewriter::new(None, &[]).copy(bytes.as_slice(), &mut written).unwrap();
        prop_assert_eq!(&written, &bytes);
        written.clear();
        let absent = rewrite("/\u{1}/absent", "/x");
        PathRewriter::new(Some(&path("/\u{1}/absent", "/x")), std::slice::from_ref(&absent)).copy(bytes.as_slice(), &mut written).unwrap();
        prop_assert_eq!(written, bytes);
    }

    #[test]
    fn only_what_may_change_changes(record in record()) {
        let line = record.to_string();
        let answer = replacing(OLD, NEW).line(line.as_bytes());
        let parsed: Value = serde_json::from_slice(&answer.bytes).unwrap();
        prop_assert_eq!(&parsed, &oracle::moved(&record, &change));
        prop_assert_eq!(answer.changes > 0, parsed != record);
    }

    #[test]
    fn there_and_back_is_where_it_was(record in record()) {
        let line = record.to_string();
        let there = patched(&replacing(OLD, NEW), &line);
        prop_assert_eq!(patched(&replacing(NEW, OLD), &there), line);
    }
}
