//! Small sessions and what the clients make of them; each was seen in the real one.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that fails should say where")]

mod notification;

use std::ops::ControlFlow;

use serde_json::{Value, json};

use super::*;

/// A session of these messages, each hanging on the one before it.
fn session(said: &[(&str, Value)]) -> Vec<Value> {
    let record = |(place, (kind, message)): (usize, &(&str, Value))| {
        let parent = place.checked_sub(1).map(|above| format!("u{above}"));
        let mut record = json!({
            "type": kind, "uuid": format!("u{place}"), "parentUuid": parent,
            "timestamp": format!("2026-01-01T00:{:02}:{:02}.000Z", place / 60, place % 60),
        });
        let name = if *kind == "attachment" { "attachment" } else { "message" };
        record[name] = message.clone();
        record
    };
    said.iter().enumerate().map(record).collect()
}

fn user(content: impl Into<Value>) -> (&'static str, Value) {
    ("user", json!({ "role": "user", "content": content.into() }))
}

fn assistant(id: &str, content: Value) -> (&'static str, Value) {
    ("assistant", json!({ "id": id, "role": "assistant", "model": "claude-opus-5-5", "content": content }))
}

fn call(id: &str) -> Value {
    json!({ "type": "tool_use", "id": id, "name": "Bash", "input": {} })
}

fn result(id: &str) -> Value {
    json!({ "type": "tool_result", "tool_use_id": id, "content": format!("of {id}") })
}

fn text(text: &str) -> Value {
    block::text(text)
}

fn thought() -> Value {
    json!({ "type": "thinking", "thinking": "hm", "signature": "c2VhbGVk" })
}

fn predicted(text: &str, client: Client) -> Prediction {
    let mut predictor = Predictor::default();
    observe(text, |piece| predictor.observe(piece));
    predictor.messages(client)
}

fn observe(text: &str, mut each: impl FnMut(&Piece<'_>)) {
    let visit = |piece: Piece<'_>| {
        each(&piece);
        ControlFlow::Continue(())
    };
    steno_transcript::read(text.as_bytes(), visit).unwrap();
}

fn lines(records: &[Value]) -> String {
    records.iter().map(|record| format!("{record}\n")).collect()
}

/// Role and blocks of each message; what is uncertain is none of these tests' business but its own.
fn sent(records: &[Value], client: Client) -> Vec<(String, Value)> {
    let messages = predicted(&lines(records), client).messages;
    messages
        .into_iter()
        .map(|message| (message["role"].as_str().unwrap().to_owned(), message["content"].clone()))
        .collect()
}

fn as_user(content: Value) -> (String, Value) {
    ("user".to_owned(), content)
}

fn as_assistant(content: Value) -> (String, Value) {
    ("assistant".to_owned(), content)
}

const ALL: [Client; 3] = [Client::V2_0, Client::V2_1, Client::Newest];

#[test]
fn an_answered_session_is_sent_as_it_stands() {
    let records = session(&[
        user("hello"),
        assistant("m1", json!([thought()])),
        assistant("m1", json!([text("I look.")])),
        assistant("m1", json!([call("t1")])),
        user(json!([result("t1")])),
        assistant("m2", json!([text("Done.")])),
    ]);
    let expected = [
        as_user(json!([text("hello")])),
        as_assistant(json!([thought(), text("I look."), call("t1")])),
        as_user(json!([result("t1")])),
        as_assistant(json!([text("Done.")])),
    ];
    ALL.iter().for_each(|client| assert_eq!(sent(&records, *client), expected, "{client:?}"));
}

#[test]
fn parallel_calls_are_recovered_by_the_newest_only() {
    let mut records = session(&[
        user("hello"),
        assistant("m1", json!([call("t1")])),
        assistant("m1", json!([call("t2")])),
        user(json!([result("t1")])),
        user(json!([result("t2")])),
        assistant("m2", json!([text("Done.")])),
    ]);
    records[3]["parentUuid"] = json!("u1");
    records[4]["parentUuid"] = json!("u2");
    let whole = sent(&records, Client::Newest);
    assert_eq!(whole[1], as_assistant(json!([call("t1"), call("t2")])));
    assert_eq!(whole[2], as_user(json!([result("t1"), result("t2")])));
    assert_eq!(sent(&records, Client::V2_1)[1], as_assistant(json!([call("t2")])));
}

#[test]
fn a_session_that_ends_with_the_user_is_answered_for_the_model() {
    let records = session(&[user("hello"), assistant("m1", json!([text("Hello.")])), user("and now?")]);
    for client in ALL {
        assert_eq!(
            sent(&records, client)[3],
            as_assistant(json!([text("No response requested.")])),
            "{client:?}"
        );
    }
}

#[test]
fn an_open_call_is_dropped_or_answered() {
    let records = session(&[user("hello"), assistant("m1", json!([call("t1")]))]);
    assert_eq!(sent(&records, Client::V2_1).len(), 2);
    let newest = sent(&records, Client::Newest);
    assert_eq!(newest[1], as_assistant(json!([call("t1")])));
    assert_eq!((&newest[2].1[0]["tool_use_id"], &newest[2].1[0]["is_error"]), (&json!("t1"), &json!(true)));
}

#[test]
fn the_newest_sends_each_call_once() {
    let records = session(&[
        user("hello"),
        assistant("m1", json!([call("t1")])),
        user(json!([result("t1")])),
        assistant("m2", json!([call("t1")])),
        user(json!([result("t1")])),
        assistant("m3", json!([call("t3"), call("t3")])),
        user(json!([result("t3"), result("t3")])),
        assistant("m4", json!([text("Done."), call("t1"), call("t4")])),
        user(json!([result("t1"), result("t4")])),
    ]);
    let newest = sent(&records, Client::Newest);
    let interrupted = json!([{ "type": "text", "text": "[Tool use interrupted]", "citations": [] }]);
    assert_eq!(newest[3], as_assistant(interrupted));
    assert_eq!(newest[4], as_user(json!([text("(no content)")])));
    assert_eq!((&newest[5].1, &newest[6].1), (&json!([call("t3")]), &json!([result("t3")])));
    assert_eq!(newest[7], as_assistant(json!([text("Done."), call("t4")])));
    assert_eq!(newest[8], as_user(json!([result("t4")])));
    assert_eq!(sent(&records, Client::V2_1)[3], as_assistant(json!([call("t1")])));
}

#[test]
fn what_stands_before_a_compaction_is_not_sent() {
    let mut records = session(&[
        user("old"),
        assistant("m1", json!([text("Old.")])),
        ("system", Value::Null),
        user("summary"),
        user("new"),
        assistant("m2", json!([text("New.")])),
    ]);
    (records[2]["subtype"], records[2]["parentUuid"]) = (json!("compact_boundary"), Value::Null);
    let joined = as_user(json!([text("summary\n"), text("new")]));
    assert_eq!(sent(&records, Client::Newest), [joined, as_assistant(json!([text("New.")]))]);
    assert_eq!(sent(&records, Client::V2_0)[0], as_user(json!([text("summary"), text("new")])));
    records[2]["compactMetadata"] = json!({ "preservedMessages": { "anchorUuid": "u3", "uuids": ["u1"] } });
    let preserved = sent(&records, Client::Newest);
    assert_eq!(preserved[1], as_assistant(json!([text("Old.")])));
    assert_eq!(preserved[2], as_user(json!([text("new")])));
}

#[test]
fn the_newest_goes_on_where_the_user_went_back_to() {
    let mut records = session(&[
        user("hello"),
        assistant("m1", json!([text("Hello.")])),
        user("wrong"),
        assistant("m2", json!([text("Wrong.")])),
    ]);
    records.push(json!({ "type": "last-prompt", "leafUuid": "u1", "explicit": true }));
    assert_eq!(sent(&records, Client::Newest).len(), 2);
    assert_eq!(sent(&records, Client::V2_1).len(), 4);
}

#[test]
fn an_attachment_says_what_was_noted_or_is_uncertain() {
    let said =
        [user("hello"), ("attachment", json!({ "type": "date" })), assistant("m1", json!([text("Hello.")]))];
    let mut records = session(&said);
    let unnoted = predicted(&lines(&records), Client::Newest);
    assert_eq!((unnoted.uncertain[0].place.line, unnoted.uncertain[0].what.as_str()), (2, "attachment date"));
    records[1]["rendered"] = json!([{ "content": "<system-reminder>\nMonday.\n</system-reminder>" }]);
    records[1]["renderedRole"] = json!("system");
    let noted = predicted(&lines(&records), Client::Newest);
    assert_eq!(noted.uncertain, []);
    assert_eq!(noted.messages[1], json!({ "role": "system", "content": [text("Monday.")] }));
    assert_eq!(sent(&records, Client::V2_1).len(), 2);
}

#[test]
fn what_hooks_said_is_known_without_a_note() {
    let hook = |kind: &str, more: Value| {
        let mut attachment =
            json!({ "type": kind, "hookName": "SessionStart:x", "hookEvent": "SessionStart" });
        attachment.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let said = [user("hello"), ("attachment", attachment), assistant("m1", json!([text("Hello.")]))];
        let prediction = predicted(&lines(&session(&said)), Client::Newest);
        assert_eq!(prediction.uncertain, [], "{kind}");
        let system = prediction.messages.iter().find(|message| message["role"] == "system");
        system.map(|system| system["content"][0]["text"].as_str().unwrap().to_owned())
    };
    let said = |text: &str| Some(format!("SessionStart:x hook {text}"));
    assert_eq!(hook("hook_success", json!({ "content": "Well." })), said("success: Well."));
    assert_eq!(hook("hook_success", json!({ "content": "Well.", "hookEvent": "Stop" })), None);
    assert_eq!(hook("hook_success", json!({ "content": "" })), None);
    let context = json!({ "content": ["One.", "Two."] });
    assert_eq!(hook("hook_additional_context", context), said("additional context: One.\nTwo."));
    let error = json!({ "blockingError": { "command": "lint", "blockingError": "No." } });
    assert_eq!(hook("hook_blocking_error", error), said("blocking error from command: \"lint\": No."));
    assert_eq!(hook("hook_additional_context", json!({ "content": [] })), None);
    assert_eq!(hook("hook_system_message", json!({ "content": "Shown." })), None);
}

#[test]
fn thinking_of_another_model_is_not_sent() {
    let mut records = session(&[
        user("hello"),
        assistant("m1", json!([thought(), text("Hello.")])),
        user("and now?"),
        assistant("m2", json!([thought(), text("Now.")])),
    ]);
    records[1]["message"]["model"] = json!("claude-opus-4-8");
    let newest = sent(&records, Client::Newest);
    assert_eq!((&newest[1].1, &newest[3].1), (&json!([text("Hello.")]), &json!([thought(), text("Now.")])));
}

#[test]
fn a_line_that_is_not_json_as_a_whole_is_not_read() {
    let records = session(&[user("hello"), assistant("m1", json!([text("Hello.")]))]);
    let glued = format!("{}{}\n", records[0], records[1]);
    assert_eq!(predicted(&glued, Client::Newest), Prediction::default());
    let broken = format!("{{\"type\":{}\n{}", records[0], lines(&records));
    assert_eq!(predicted(&broken, Client::Newest).messages.len(), 2);
}

/// Circles, records that are their own parents, gaps everywhere: neither endless nor slow.
#[test]
fn hostile_parents_end() {
    let said: Vec<_> = (0..5_000).map(|_| user("x")).collect();
    for parent in [|_: usize| "u3".to_owned(), |place| format!("u{place}"), |place| format!("gone{place}")] {
        let mut records = session(&said);
        records
            .iter_mut()
            .enumerate()
            .for_each(|(place, record)| record["parentUuid"] = json!(parent(place)));
        let text = lines(&records);
        ALL.iter().for_each(|client| assert!(!predicted(&text, *client).messages.is_empty()));
    }
}

#[test]
fn a_message_of_many_records_takes_no_longer_than_they_do() {
    let part = |number: usize| match number % 3 {
        0 => assistant("m", json!([thought(), text(" "), thought()])),
        1 => assistant("m", json!([text(" ")])),
        _ => ("attachment", json!({"type": "file"})),
    };
    let mut said = vec![user("hello"), assistant("n", json!([call("t")]))];
    said.push(user(json!([{"type": "tool_result", "tool_use_id": "t", "content": [text("x")]}])));
    said.extend((0..15_000).map(|_| ("attachment", json!({"type": "file"}))));
    said.extend((0..30_000).map(part));
    let mut records = session(&said);
    for record in records.iter_mut().filter(|record| record["type"] == "attachment") {
        record["rendered"] = json!([{"content": "a note"}]);
        record["renderedRole"] = json!("user");
        record["timestamp"] = json!("2026-01-01T00:00:00Z");
    }
    let messages = predicted(&lines(&records), Client::Newest).messages;
    assert!(messages.iter().any(|message| message["content"].as_array().unwrap().len() > 10_000));
}
