//! Warnings: what is strange is said, with its place, and everything else still works.

use steno_testkit::Session;

use crate::passes::explaining::explain;
use crate::passes::words::{outline, warned};

#[test]
fn defects_of_lines_are_warnings_and_the_rest_is_read() {
    let session = Session::numbered(1)
        .user("go")
        .garbage()
        .blank_line()
        .bad_utf8()
        .mode("normal")
        .glue()
        .mode("plan")
        .mode("normal")
        .crlf()
        .spaced(&serde_json::json!({"type": "mode", "mode": "normal"}))
        .assistant(|message| message.text("done"));
    let shown = explain(&session);
    assert_eq!(outline(&shown.chunks), ["user: go", "ai: text done"]);
    let mut kinds = warned(&shown);
    kinds.sort_unstable();
    kinds.dedup();
    assert_eq!(
        kinds,
        ["bad-utf8", "blank-line", "carriage-return", "glued-objects", "not-json", "spaced-json"]
    );
    let garbage = shown.warnings.iter().find(|warning| warning.kind == "not-json").unwrap();
    assert_eq!((garbage.line, garbage.file.ends_with(".jsonl")), (Some(2), true));
    assert_eq!(shown.record_types["mode"], 4);
}

#[test]
fn a_torn_last_line_is_not_yet_a_record() {
    let session = Session::numbered(1).user("go").assistant(|message| message.text("done")).torn();
    let shown = explain(&session);
    assert_eq!(outline(&shown.chunks), ["user: go"]);
    assert_eq!(warned(&shown), ["torn-line"]);
}

#[test]
fn glued_records_are_both_read_and_told_apart() {
    let session = Session::numbered(1).user("one").glue().user("two");
    let shown = explain(&session);
    assert_eq!(outline(&shown.chunks), ["user: one", "user: two"]);
    let lines: Vec<u64> = shown.chunks.iter().map(|chunk| chunk.records[0].line).collect();
    assert_eq!(lines, [1, 1]);
}

#[test]
fn fields_of_odd_types_lose_themselves_and_not_the_record() {
    let record = serde_json::json!({
        "type": "user", "uuid": 7, "parentUuid": ["x"], "timestamp": {"a": 1}, "isMeta": "no", "cwd": 5,
        "sessionId": null, "message": {"role": "user", "content": "still here"},
    });
    let shown = explain(&Session::numbered(1).record(&record));
    assert_eq!(outline(&shown.chunks), ["user: still here"]);
    assert!(warned(&shown).contains(&"odd-field"), "{:?}", warned(&shown));
}

#[test]
fn many_of_a_kind_do_not_drown_the_others() {
    let session = (0..50).fold(Session::numbered(1).user("go"), |session, _| session.garbage());
    let session = session.tool_result("toolu_gone", "x");
    let kinds: Vec<String> = explain(&session).warnings.into_iter().map(|warning| warning.kind).collect();
    assert!(kinds.len() < 25, "{}", kinds.len());
    assert!(kinds.contains(&"result-without-tool".to_owned()));
}

#[test]
fn an_empty_file_is_an_empty_conversation() {
    let shown = explain(&Session::numbered(1));
    assert!(shown.chunks.is_empty() && shown.warnings.is_empty() && shown.branches.is_empty());
    assert_eq!((shown.profile.messages, shown.profile.title), (0, None));
}

#[test]
fn several_sessions_in_one_file_are_aliases() {
    let session = Session::new("file-stem")
        .user("one")
        .as_session("other-1")
        .user("two")
        .as_session("other-2")
        .user("three")
        .as_session("other-1")
        .user("four");
    let transcript = crate::passes::explaining::transcript("file-stem", session.bytes());
    let aliases: Vec<&str> = transcript.profile().aliases.iter().map(|alias| alias.as_str()).collect();
    assert_eq!(aliases, ["other-1", "other-2"]);
    let strange = crate::passes::explaining::transcript("full", session.bytes());
    assert_eq!(strange.profile().aliases.len(), 3, "the stem names none of them");
}

#[test]
fn a_predecessors_snake_case_id_is_no_alias() {
    let record = serde_json::json!({
        "type": "user", "uuid": "u", "sessionId": "s", "session_id": "predecessor",
        "message": {"role": "user", "content": "x"},
    });
    let session = Session::numbered(1).record(&record);
    assert!(crate::passes::explaining::transcript("s", session.bytes()).profile().aliases.is_empty());
}

#[test]
fn the_profile_says_where_when_and_with_what() {
    let session = Session::numbered(1)
        .cwd("/home/dev/one")
        .git_branch("main")
        .at("2026-03-01T10:00:00.000Z")
        .user("one")
        .cwd("/home/dev/two")
        .git_branch("side")
        .version("2.1.326")
        .model("other-model")
        .at("2026-03-01T09:00:00.000Z")
        .assistant(|message| message.text("done"));
    let profile = explain(&session).profile;
    assert_eq!(profile.cwd.as_deref(), Some("/home/dev/one"), "where it started");
    assert_eq!(profile.git_branch.as_deref(), Some("side"), "where it is now");
    assert_eq!(profile.started_at.unwrap().to_string(), "2026-03-01T09:00:00Z");
    assert_eq!(profile.ended_at.unwrap().to_string(), "2026-03-01T10:00:00Z");
    assert_eq!(profile.versions, ["2.1.325", "2.1.326"]);
    assert_eq!(profile.models, ["other-model"]);
}

#[test]
fn times_are_read_with_and_without_fractions_and_as_milliseconds() {
    let record = |time: serde_json::Value| serde_json::json!({"type": "user", "uuid": "u", "timestamp": time, "message": {"role": "user", "content": "x"}});
    for time in [
        serde_json::json!("2026-03-01T10:00:00Z"),
        serde_json::json!("2026-03-01T10:00:00.000Z"),
        serde_json::json!("2026-03-01T10:00:00.000000Z"),
        serde_json::json!("2026-03-01T12:00:00+02:00"),
        serde_json::json!(1_772_359_200_000_u64),
    ] {
        let shown = explain(&Session::numbered(1).record(&record(time.clone())));
        assert_eq!(shown.profile.started_at.unwrap().to_string(), "2026-03-01T10:00:00Z", "{time}");
    }
    let shown = explain(&Session::numbered(1).record(&record(serde_json::json!("yesterday"))));
    assert_eq!(shown.profile.started_at, None);
}
