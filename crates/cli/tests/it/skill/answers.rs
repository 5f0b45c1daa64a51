//! Real answers: every command line of the skill is run, and every key and piece of JSON in it must have been printed.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use steno_testkit::{App, Session};

use crate::skill::page::{Page, filled};
use crate::standin;

/// These change nothing that others of them see, so that they can share a home.
const READERS: [&str; 10] =
    ["status", "restore --", "peek", "verify", "list", "show", "doctor", "help", "sync", "export-config"];

/// Somebody else's.
const PUBLIC_KEY: &str = "age1xaqpzffsm30uu4s2ch53qynxva423ydlde54e30lcpym7mz5c3uqkqf78l";

pub(crate) fn of_lines() -> Vec<Value> {
    let shared = prepared("");
    let answer = |line: &String| {
        let is_reader = READERS.iter().any(|command| line.starts_with(&format!("steno {command}")));
        if is_reader { run(&shared, line, 0) } else { run(&prepared(line), line, 0) }
    };
    Page::read().lines.iter().map(answer).collect()
}

/// A home in which the line can do what it is for.
pub(crate) fn prepared(line: &str) -> App {
    let is = |command: &str| line.starts_with(&format!("steno {command}"));
    let app = if is("init") { standin::app(&["crontab"]) } else { standin::kept() };
    app.home().settings(&json!({"model": "opus"}));
    if is("export-config") || line.is_empty() {
        run(&app, "steno sync --config-only --json", 0);
    }
    if is("key") {
        encrypt(&app, line);
    }
    if is("init --remote") || is("remote") {
        send_to(&standin::bare(&app), &app);
    } else if is("restore") || is("purge") {
        // What is still there is not put back, and remains where it is purged.
        fs::remove_dir_all(app.home().path().join("projects")).unwrap();
    } else if is("import-config") {
        run(&app, "steno export-config FILE --json", 0);
        fs::remove_file(app.home().path().join("settings.json")).unwrap();
    }
    app
}

/// A vault that is encrypted, and beside it what a line about its key names.
fn encrypt(app: &App, line: &str) {
    run(app, "steno init --encrypt --no-schedule --json", 0);
    if line.contains("import") {
        run(app, "steno key export WHAT --json", 0);
    } else if line.contains("add") || line.contains("remove") {
        fs::write(app.home().root().join("key.txt"), PUBLIC_KEY).unwrap();
    }
    if line.contains("remove") {
        run(app, "steno key add WHAT --json", 0);
    }
}

/// The repository that `gh` knows.
fn send_to(remote: &Path, app: &App) {
    let known = json!({"url": remote, "isPrivate": true, "visibility": "PRIVATE"});
    let script = format!("#!/bin/sh\ncase \"$1 $2\" in\n'repo view') echo '{known}';;\nesac\n");
    steno_testkit::executable(&app.home().root().join("bin/gh"), &script);
}

pub(crate) fn of_trouble() -> Vec<Value> {
    let kept = standin::kept();
    let damaged = standin::kept();
    let segment = standin::segments(&damaged, 1).remove(0);
    fs::write(segment, "damaged").unwrap();
    let held = prepared("steno init --remote");
    let token = ["ghp", "_", "16C7e42F292c6912E7710c838347Ae178B4a"].concat();
    held.write(&Session::numbered(1).user(format!("my token is {token}")));
    run(&held, "steno init --remote URL --no-schedule --json", 3);
    let locked = prepared("steno key");
    fs::remove_file(locked.home().root().join(".config/steno/identity.txt")).unwrap();
    let grown = standin::kept();
    grown.home().append(&standin::session(1), b"{\"type\":\"mode\"}\n");
    vec![
        run(&locked, "steno peek ID --json", 1),
        run(&kept, "steno peek ffffffff --json", 1),
        run(&kept, "steno peek 0000 --json", 1),
        run(&grown, "steno restore ID --json", 1),
        run(&standin::app(&[]), "steno status --json", 1),
        run(&standin::app(&[]), "steno init --local --json", 0),
        run(&damaged, "steno verify --json", 2),
        run(&held, "steno sync --json", 3),
    ]
}

/// The one object: on stdout, or on stderr where there is no answer.
pub(crate) fn run(app: &App, line: &str, code: i32) -> Value {
    let output = app.output(&filled(line)[1..]);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "`{line}`: {stderr}");
    let printed = if output.stdout.is_empty() { &output.stderr } else { &output.stdout };
    serde_json::from_slice(printed)
        .unwrap_or_else(|error| panic!("`{line}` printed no JSON: {error}\n{stderr}"))
}

/// The keys of an object as the skill writes them, `retention.atRisk`; lists leave no trace.
fn keys(value: &Value, place: &str, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(object) => {
            for (key, inside) in object {
                let place = if place.is_empty() { key.clone() } else { format!("{place}.{key}") };
                keys(inside, &place, found);
                found.insert(place);
            }
        }
        Value::Array(list) => list.iter().for_each(|inside| keys(inside, place, found)),
        _ => {}
    }
}

/// Whether it, or something in it, has all that the piece has; an ellipsis stands for any text.
fn has(value: &Value, piece: &Value) -> bool {
    let inside = || match value {
        Value::Object(object) => object.values().any(|inside| has(inside, piece)),
        Value::Array(list) => list.iter().any(|inside| has(inside, piece)),
        _ => false,
    };
    matches(value, piece) || inside()
}

fn matches(value: &Value, piece: &Value) -> bool {
    match (value, piece) {
        (Value::Object(value), Value::Object(piece)) => {
            piece.iter().all(|(key, inside)| value.get(key).is_some_and(|value| matches(value, inside)))
        }
        (Value::Array(value), Value::Array(piece)) => {
            piece.iter().all(|inside| value.iter().any(|value| matches(value, inside)))
        }
        (Value::String(_), Value::String(any)) if any == "…" => true,
        _ => value == piece,
    }
}

#[test]
fn what_the_skill_says_of_answers_is_true_of_real_ones() {
    let answers = [of_lines(), of_trouble()].concat();
    let mut printed = BTreeSet::new();
    answers.iter().for_each(|answer| keys(answer, "", &mut printed));
    let page = Page::read();
    for key in page.keys {
        assert!(
            printed.contains(&key),
            "SKILL.md names the key `{key}`, which no answer has. A key is never renamed or removed \
             (docs/contract.md): give it back, or correct the skill"
        );
    }
    for piece in page.pieces {
        assert!(
            answers.iter().any(|answer| has(answer, &piece)),
            "SKILL.md shows {piece}, which no answer and no error has; correct the skill, or give back what it \
             tells of"
        );
    }
}
