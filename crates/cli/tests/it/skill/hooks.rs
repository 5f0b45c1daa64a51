//! `hooks/hooks.json`, which the client reads and nothing else does: it runs `steno hook` at every event at which that
//! keeps something, and disturbs nobody.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::process::Stdio;

use serde_json::{Value, json};
use steno_testkit::App;

use crate::skill::page::repository;

/// Says nothing, and ends well where there is no `steno`.
const SILENCE: &str = " >/dev/null 2>&1 || true";
/// Seconds. Without a limit of its own the client kills what runs at the end of a session after about three.
const LEAST: u64 = 5;
/// Of the client; those in the file are tried in any case.
const EVENTS: [&str; 9] = [
    "SessionStart",
    "UserPromptSubmit",
    "PreToolUse",
    "PostToolUse",
    "Notification",
    "SubagentStop",
    "Stop",
    "PreCompact",
    "SessionEnd",
];

/// Each event with what runs then.
fn hooks() -> Vec<(String, Value)> {
    let text = fs::read_to_string(repository().join("hooks/hooks.json")).unwrap();
    let page: Value = serde_json::from_str(&text).unwrap_or_else(|error| panic!("hooks/hooks.json: {error}"));
    let events = page["hooks"].as_object().expect("hooks/hooks.json has hooks");
    let of_event = |(event, groups): (&String, &Value)| {
        let groups = groups.as_array().unwrap().iter();
        let hooks: Vec<Value> = groups.flat_map(|group| group["hooks"].as_array().unwrap().clone()).collect();
        hooks.into_iter().map(|hook| (event.clone(), hook)).collect::<Vec<_>>()
    };
    events.iter().flat_map(of_event).collect()
}

/// Whether `steno hook` would keep something then, if there were a vault.
fn is_kept(event: &str) -> bool {
    let app = App::new(env!("CARGO_BIN_EXE_steno"));
    let mut command = app.command();
    command.args(["hook", "--json"]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let payload = json!({"hook_event_name": event, "session_id": "s"});
    child.stdin.take().unwrap().write_all(payload.to_string().as_bytes()).unwrap();
    let answer: Value = serde_json::from_slice(&child.wait_with_output().unwrap().stdout).unwrap();
    answer["reason"] != "other-event"
}

#[test]
fn a_hook_runs_at_every_event_that_is_kept_and_at_no_other() {
    let hooked: Vec<String> = hooks().into_iter().map(|(event, _)| event).collect();
    let events: BTreeSet<&str> = hooked.iter().map(String::as_str).chain(EVENTS).collect();
    for event in events {
        let count = hooked.iter().filter(|hooked| *hooked == event).count();
        assert_eq!(
            count,
            usize::from(is_kept(event)),
            "hooks/hooks.json, and what `steno hook` keeps: {event}"
        );
    }
}

#[test]
fn every_hook_is_a_command_line_with_a_limit() {
    for (event, hook) in hooks() {
        let command = hook["command"].as_str().unwrap();
        assert_eq!(hook["type"], "command", "{event}");
        let line = command.strip_suffix(SILENCE);
        let line = line.unwrap_or_else(|| panic!("`{command}` of {event} does not end in `{SILENCE}`"));
        let parsed = steno_cli::tree().try_get_matches_from(line.split_whitespace());
        let parsed = parsed.unwrap_or_else(|error| panic!("`{command}` of {event} does not work: {error}"));
        assert!(line.starts_with("steno "), "`{command}` of {event} is found by another name");
        assert_eq!(parsed.subcommand_name(), Some("hook"), "{event}");
        let seconds = hook["timeout"].as_u64().unwrap_or_default();
        assert!(seconds >= LEAST, "{event} has {seconds} seconds, and the client ends it before it is done");
    }
}
