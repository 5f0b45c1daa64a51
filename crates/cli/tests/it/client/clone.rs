//! What `clone` and `move` make, resumed: the client sends the messages that their plan, or `check`, told.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use steno_testkit::client::{Client, Stage, sent_before};

use super::{ID, set};

/// It names a script that says one thing, so that what was said before is not done again.
const PROMPT: &str = "go on mock:slow=0";

/// A session with calls at once, a result in a file of its own, and two subagents, one of them in the background.
fn converse(stage: &Stage, project: &Path) {
    stage.prompt(project, &["--session-id", ID, "Two at once mock:many"]);
    stage.prompt(project, &["--resume", ID, "Count mock:run=seq+1+9000"]);
    stage.prompt(project, &["--resume", ID, "Ask mock:agent=inside"]);
    stage.prompt(project, &["--resume", ID, "Do not wait mock:background=inside"]);
    let written = fs::read_to_string(stage.transcript(project, ID)).unwrap();
    for word in ["<persisted-output>", "<task-notification>"] {
        assert!(written.contains(word), "the client wrote no {word}");
    }
}

/// None where `check` speaks for another client.
fn stage() -> Option<Stage> {
    if Client::version().is_some() { None } else { set() }
}

#[test]
fn a_clone_is_resumed_as_it_was_told() {
    let Some(stage) = stage() else { return };
    let (project, elsewhere) = (stage.project("a"), stage.project("b"));
    converse(&stage, &project);
    let at = first_answer(&stage.transcript(&project, ID));
    let away = elsewhere.to_str().unwrap();
    let wishes: [(&[&str], &Path); 9] = [
        (&[], &project),
        (&["--strip", "tools"], &project),
        (&["--strip", "tools", "--truncate", "2"], &project),
        (&["--strip", "thinking"], &project),
        (&["--preset", "heavy"], &project),
        (&["--turns", "1"], &project),
        (&["--at", &at], &project),
        (&["--compress-before", "1"], &project),
        (&["--cwd", away], &elsewhere),
    ];
    for (wish, project) in wishes {
        let dry = stage.steno(&[&["clone", ID, "--dry-run", "--messages", "--json"], wish].concat());
        let report = stage.steno(&[&["clone", ID, "--messages", "--json"], wish].concat());
        let id = report["cloned"]["uuid"].as_str().unwrap();
        assert_eq!(report["warnings"], json!([]), "{wish:?}");
        assert_eq!(stage.steno(&["check", id, "--json"])["resumable"], true, "{wish:?}");
        let told = report["messages"].as_array().unwrap();
        assert_sent(&stage, project, id, told, wish);
        // Ids are made anew with every clone; so only their number is compared.
        assert_eq!(dry["messages"].as_array().unwrap().len(), told.len(), "{wish:?}");
    }
}

#[test]
fn a_session_that_was_moved_is_resumed_as_it_was_told() {
    let Some(stage) = stage() else { return };
    let (project, elsewhere) = (stage.project("a"), stage.project("b"));
    converse(&stage, &project);
    let report = stage.steno(&["move", project.to_str().unwrap(), elsewhere.to_str().unwrap(), "--json"]);
    assert_eq!(report["moved"].as_array().unwrap().len(), 1, "{report:#}");
    let transcript = stage.transcript(&elsewhere, ID);
    assert!(transcript.exists());
    let told = stage.steno(&["check", transcript.to_str().unwrap(), "--messages", "--json"]);
    assert_sent(&stage, &elsewhere, ID, told["messages"].as_array().unwrap(), &["move"]);
}

/// The uuid of the first record of the model: a part of its message, with two calls behind it.
fn first_answer(transcript: &Path) -> String {
    let text = fs::read_to_string(transcript).unwrap();
    let mut records = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let answer = records.find(|record| record["type"] == "assistant").unwrap();
    answer["uuid"].as_str().unwrap().to_owned()
}

fn assert_sent(stage: &Stage, project: &Path, id: &str, told: &[Value], wish: &[&str]) {
    let known = stage.api.requests().len();
    stage.prompt(project, &["--resume", id, PROMPT]);
    let requests = stage.api.requests();
    let names_prompt = |request: &&Value| request["messages"].to_string().contains(PROMPT);
    let request = requests[known..].iter().find(names_prompt).unwrap();
    assert_eq!(sent_before(request, PROMPT, told), told, "{wish:?}");
    assert!(!told.is_empty());
}
