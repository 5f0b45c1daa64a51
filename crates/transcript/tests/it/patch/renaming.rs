//! Names that change: which strings are names, and which were said.

use std::borrow::Cow;

use proptest::prelude::*;
use serde_json::Value;
use steno_transcript::patch::{Name, Renaming, Role};

fn renaming() -> Renaming {
    Renaming::new(&["old".to_owned()], "new")
}

/// Says of every name what it was taken for.
fn rename(name: Name<'_>) -> Option<String> {
    let role = match name.role {
        Role::Session => "session",
        Role::Record => "record",
        Role::Prompt => "prompt",
        Role::Unknown if name.text == "x" => "name",
        Role::Unknown => return None,
    };
    Some(format!("{role} {}", name.text))
}

fn renamed(json: &str) -> String {
    String::from_utf8(renaming().value(json.as_bytes(), &mut rename).into_owned()).unwrap()
}

#[test]
fn a_name_is_known_by_the_keys_that_lead_to_it() {
    for (json, expected) in [
        (
            r#"{"sessionId":"a","b":{"sessionId":"x"}}"#,
            r#"{"sessionId":"session a","b":{"sessionId":"name x"}}"#,
        ),
        (
            r#"{"sessionId": 12 ,"b":{"sessionId":12},"uuid":3}"#,
            r#"{"sessionId": "session 12" ,"b":{"sessionId":12},"uuid":3}"#,
        ),
        (r#"{"uuid":"x","parentUuid":null}"#, r#"{"uuid":"record x","parentUuid":null}"#),
        (r#"{ "u\u0075id" : "a" }"#, r#"{ "u\u0075id" : "record a" }"#),
        (
            r#"{"p":{"preservedMessages":{"uuids":["a","b"]}}}"#,
            r#"{"p":{"preservedMessages":{"uuids":["record a","record b"]}}}"#,
        ),
        (r#"{"promptId":"a"}"#, r#"{"promptId":"prompt a"}"#),
        (
            r#"{"headers":{"Session-Id":"x","other":"y"}}"#,
            r#"{"headers":{"Session-Id":"name x","other":"y"}}"#,
        ),
        (r#"{"a":["x",["\u0078"]]}"#, r#"{"a":["name x",["name x"]]}"#),
        (
            r#"{"data":{"message":{"uuid":"a","message":{"content":"x"}}}}"#,
            r#"{"data":{"message":{"uuid":"record a","message":{"content":"x"}}}}"#,
        ),
    ] {
        assert_eq!(renamed(json), expected);
    }
}

#[test]
fn what_was_said_names_nothing() {
    for json in [
        r#"{"message":{"id":"x","content":"x"}}"#,
        r#"{"message":{"content":[{"type":"tool_use","input":{"uuid":"x","sessionId":"x"}}]}}"#,
        r#"{"message":"x","content":"x","toolUseResult":{"uuid":"x","promptId":"x"}}"#,
        r#"{"attachment":{"uuid":"x"},"rendered":[{"content":"x"}],"shape":{"system":[{"text":"x"}]}}"#,
        r#"{"data":{"prompt":"x","message":{"message":{"id":"x","content":["x"]}}}}"#,
        r#"{"x":1}"#,
    ] {
        assert!(matches!(renaming().value(json.as_bytes(), &mut rename), Cow::Borrowed(_)), "{json}");
    }
}

#[test]
fn paths_to_what_the_session_keeps_follow_wherever_they_were_said() {
    let json = r#"{"message":{"content":[{"type":"tool_result","content":"see /p/old/tool-results/a \u00e9"},
        {"type":"thinking","thinking":"/p/old/tool-results/a","signature":"s"}]},"toolUseResult":{"p":"\/p\/old\/subagents\/b"}}"#;
    let expected = json.replacen("see /p/old/", "see /p/new/", 1).replacen(r"\/old\/", r"\/new\/", 1);
    assert_eq!(renamed(json), expected);
    assert_eq!(
        renamed(r#"{"message":{"content":"the session old"}}"#),
        r#"{"message":{"content":"the session old"}}"#
    );
}

#[test]
fn bad_bytes_stay_and_so_does_what_is_no_json() {
    let line = b"\xef\xbb\xbf {\"uuid\":\"a\",\"content\":\"\xff\"}{\"uuid\":\"b\"}\r\n";
    let expected = b"\xef\xbb\xbf {\"uuid\":\"record a\",\"content\":\"\xff\"}{\"uuid\":\"record b\"}\r\n";
    assert_eq!(renaming().line(line, true, &mut rename).as_ref(), expected);
    for text in ["{\"uuid\":\"a\"", "no json", "", "[\"x\"", "{\"uuid\":\"a\"} and more"] {
        assert_eq!(renaming().document(text.as_bytes(), &mut rename).as_ref(), text.as_bytes());
    }
    let document = b"\n[\n  { \"uuid\": \"a\" },\n \"x\" ]\n";
    let expected = b"\n[\n  { \"uuid\": \"record a\" },\n \"name x\" ]\n";
    assert_eq!(renaming().document(document, &mut rename).as_ref(), expected);
}

fn json() -> impl Strategy<Value = Value> {
    let text =
        prop_oneof!["[a-z\"\\\\/é\n]{0,6}", Just("x".to_owned()), Just("/p/old/subagents/a".to_owned())];
    let leaf = prop_oneof![text.prop_map(Value::from), any::<i32>().prop_map(Value::from), Just(Value::Null)];
    leaf.prop_recursive(5, 40, 5, |inner| {
        let key = prop_oneof!["uuid|sessionId|message|content|data|promptId|uuids|id", "[a-z\"\\\\]{0,3}"];
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            proptest::collection::btree_map(key, inner, 0..5)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

/// The same with every string alike, and with what a session is called by.
fn shape(value: &Value) -> Value {
    let named = |key: &str, value: &Value| {
        if key == "sessionId" && value.is_number() { Value::from("…") } else { shape(value) }
    };
    match value {
        Value::String(_) => Value::from("…"),
        Value::Array(list) => list.iter().map(shape).collect(),
        Value::Object(fields) => fields.iter().map(|(key, value)| (key.clone(), named(key, value))).collect(),
        other => other.clone(),
    }
}

proptest! {
    #[test]
    fn whatever_is_renamed_has_the_shape_that_it_had(value in json(), is_spaced: bool) {
        let text = if is_spaced { serde_json::to_string_pretty(&value) } else { serde_json::to_string(&value) }.unwrap();
        let new: Value = serde_json::from_slice(&renaming().value(text.as_bytes(), &mut rename)).unwrap();
        prop_assert_eq!(shape(&new), shape(&value));
        let same = renaming().value(text.as_bytes(), &mut |name| Some(name.text.to_owned())).into_owned();
        prop_assert_eq!(same, renaming().value(text.as_bytes(), &mut |_| None).into_owned());
    }

    #[test]
    fn nothing_breaks_on_any_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..60), text in "[\\[\\]{}\",:a\\\\ ]{0,30}") {
        let _ = renaming().value(&bytes, &mut rename);
        let _ = renaming().value(text.as_bytes(), &mut rename);
        let _ = renaming().line(&bytes, true, &mut rename);
    }
}
