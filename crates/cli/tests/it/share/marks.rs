//! One secret has one mark wherever it is shown, and the report says exactly what was where.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use steno_testkit::secrets::{Planted, planted};
use steno_testkit::{App, Session, ToolResult};

use crate::share::outputs::{FORMATS, WHOLE};

fn app(session: &Session) -> App {
    let app = App::new(env!("CARGO_BIN_EXE_steno"));
    app.write(session);
    app
}

fn shown(app: &App, line: &str) -> String {
    let output = app.output(&line.split_whitespace().collect::<Vec<_>>());
    assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// The texts between two words.
fn between(text: &str, before: &str, after: &str) -> BTreeSet<String> {
    let rest = text.split(before).skip(1).filter_map(|rest| rest.split_once(after));
    rest.map(|(between, _)| between.to_owned()).collect()
}

#[test]
fn the_same_secret_has_the_same_mark_in_all_formats() {
    let secrets: Vec<Planted> =
        planted().into_iter().filter(|planted| planted.text == planted.secret).collect();
    let mut session = Session::numbered(1);
    for (number, planted) in secrets.iter().enumerate() {
        let text = format!("Item {number}: {} of it", planted.text);
        session = session.user(text.clone()).assistant(|message| {
            message.text(text.clone()).tool_use("Bash", json!({"command": text})).answered(text)
        });
    }
    let app = app(&session);
    let outputs: Vec<String> = FORMATS
        .iter()
        .map(|format| shown(&app, &format!("share last --format {format} -o - {WHOLE}")))
        .collect();
    let mut marks = BTreeSet::new();
    for (number, planted) in secrets.iter().enumerate() {
        let mark = outputs.iter().flat_map(|text| between(text, &format!("Item {number}: "), " of it"));
        // A heading of markdown has it between backslashes.
        let mark: BTreeSet<String> = mark.map(|mark| mark.replace('\\', "")).collect();
        assert_eq!(mark.len(), 1, "{}: {mark:?}", planted.name);
        let mark = mark.into_iter().next().unwrap();
        assert!(mark.starts_with('[') && mark.ends_with(']'), "{}: {mark}", planted.name);
        assert!(marks.insert(mark.clone()), "{mark} stands for two");
    }
    assert!(marks.len() > 50);
}

/// The first form of this name.
fn token(name: &str) -> String {
    planted().into_iter().find(|planted| planted.name == name).unwrap().secret
}

fn kind<'a>(report: &'a Value, kind: &str) -> &'a Value {
    let kinds = report["redacted"]["kinds"].as_array().unwrap();
    kinds.iter().find(|one| one["kind"] == kind).unwrap()
}

#[test]
fn the_report_says_exactly_what_was_where() {
    let (github, stripe) = (token("github-token"), token("stripe-key"));
    let session = Session::numbered(1)
        .cwd("/srv/app")
        .user(format!("Push with {github}"))
        .assistant(|message| {
            let result = ToolResult::text(format!("{github} and {github}")).without_structured();
            let input = json!({"command": format!("PGPASSWORD=Winter-2026 psql; echo {stripe}")});
            message.text("I try.").tool_use("Bash", input).answered_with(result)
        })
        .user("does Winter-2026 still work?");
    let id = session.id().to_string();
    let app = app(&session);
    let report = app.json("share last --dry-run --json");
    let place = |line: u64| json!({"file": format!("{id}.jsonl"), "line": line});
    assert_eq!((&report["redacted"]["total"], &report["redacted"]["distinct"]), (&json!(6), &json!(3)));
    assert_eq!(
        kind(&report, "github-token"),
        &json!({"kind": "github-token", "count": 3, "distinct": 1, "places": [place(1), place(4)]})
    );
    assert_eq!(
        kind(&report, "stripe-key"),
        &json!({"kind": "stripe-key", "count": 1, "distinct": 1, "places": [place(3)]})
    );
    assert_eq!(
        kind(&report, "password"),
        &json!({"kind": "password", "count": 2, "distinct": 1, "places": [place(3), place(5)]})
    );
    for format in FORMATS {
        let again = app.json(&format!("dump last --redact --format {format} --json {WHOLE}"));
        assert_eq!(again["redacted"], report["redacted"], "{format}");
    }
}

#[test]
fn a_password_is_masked_also_before_the_line_that_gives_it_away() {
    let session = Session::numbered(1)
        .user("does Winter-2026-Sale still work?")
        .assistant(|message| message.text("I try Winter-2026-Sale."))
        .agent(|agent| agent.prompt("Find out where Autumn-2025-Sale is used"))
        .agent(|agent| agent.answer("It was in .env: DB_PASSWORD=Winter-2026-Sale"))
        .user("and the other ones, Autumn-2025-Sale and Spring-2027-Sale?")
        .assistant(|message| {
            message.tool_use("Bash", json!({"command": "PGPASSWORD=Autumn-2025-Sale psql"})).answered("ok")
        })
        .assistant(|message| {
            let long = format!("{}DB_PASSWORD=Spring-2027-Sale\n", "a line of output\n".repeat(3000));
            let result = ToolResult::persisted(long);
            message.tool_use("Bash", json!({"command": "cat log"})).answered_with(result)
        });
    let app = app(&session);
    for format in FORMATS {
        for detail in ["", WHOLE] {
            let text = shown(&app, &format!("share last --format {format} -o - {detail}"));
            assert!(!text.contains("2026-Sale") && !text.contains("2025-Sale"), "{format}: {text}");
            // Only a file told, which is read where it is shown.
            assert!(detail.is_empty() || !text.contains("2027-Sale"), "{format}");
        }
    }
    let text = shown(&app, "dump last --redact");
    assert!(text.contains("does [password-1] still work?"), "{text}");
    assert!(
        text.contains("I try [password-1].") && text.contains("the other ones, [password-2] and"),
        "{text}"
    );
}
