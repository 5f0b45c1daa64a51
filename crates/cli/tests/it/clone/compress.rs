//! Older turns become a summary: ours, one that somebody wrote, or that of a command.

use std::fs;

use serde_json::Value;
use steno_testkit::Session;

use crate::clone::desk::{Desk, NEW, session};

fn summary(desk: &Desk) -> String {
    let records = desk.records();
    assert_eq!(records[0]["subtype"], "compact_boundary");
    assert_eq!(records[1]["isCompactSummary"], true);
    assert_eq!(records[1]["parentUuid"], records[0]["uuid"]);
    assert_eq!(desk.json(&format!("check {NEW}"))["findings"], serde_json::json!([]));
    records[1]["message"]["content"].to_string()
}

#[test]
fn a_digest_says_what_was_asked() {
    let desk = Desk::with(&[session()]);
    let report = desk.json("clone last --compress-before 2");
    assert_eq!(report["turns"], serde_json::json!({"before": 5, "after": 2}));
    assert_eq!(report["summary"]["source"], "digest");
    let summary = summary(&desk);
    assert!(summary.contains("List the files") && !summary.contains("Anything else?"), "{summary}");
}

#[test]
fn a_file_is_taken_as_it_is() {
    let desk = Desk::with(&[session()]);
    let file = desk.app.home().root().join("notes.md");
    fs::write(&file, "We listed files.").unwrap();
    let report = desk.json(&format!("clone last --compress-before 2 --summary {}", file.display()));
    assert_eq!(report["summary"]["source"], "file");
    assert!(summary(&desk).contains("We listed files."));
}

#[test]
fn a_command_reads_what_goes() {
    let desk = Desk::with(&[session()]);
    let arguments =
        ["clone", "last", "--compress-before", "2", "--summarize", "grep -c 'List the files'; echo told"];
    let output = desk.app.output(&arguments);
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && told.contains("summary from the --summarize command"), "{told}");
    let summary = summary(&desk);
    assert!(summary.contains("told") && !summary.contains("\"0"), "{summary}");
}

#[test]
fn a_compaction_of_the_client_is_quoted_and_named() {
    let compacted = Session::numbered(1).turns(2).compact("auto", 10, 5, "What happened first.").turns(2);
    let desk = Desk::with(&[compacted]);
    let report = desk.json("clone last --compress-before 1");
    assert_eq!(report["summary"]["source"], "compaction");
    let is_quoted =
        |record: &Value| record["message"]["content"].to_string().contains("What happened first.");
    assert!(desk.records().iter().any(|record| record["isCompactSummary"] == true && is_quoted(record)));
}

#[test]
fn a_command_that_fails_or_says_nothing_leaves_nothing() {
    let desk = Desk::with(&[session()]);
    let before = desk.state();
    for command in ["echo no >&2; exit 3", "true", "exec nowhere-at-all"] {
        let output =
            desk.app.output(&["clone", "last", "--compress-before", "2", "--summarize", command, "--json"]);
        let error: Value = serde_json::from_slice(&output.stderr).unwrap();
        assert_eq!((output.status.code(), &error["kind"]), (Some(2), &"outside".into()), "{error}");
    }
    assert_eq!(desk.new_files(&before), [""; 0]);
}

#[test]
fn a_digest_names_files_as_the_clone_has_them() {
    let id = session().id().to_string();
    let asked = |home: &str| {
        let result = format!("{home}/projects/-home-dev-project/{id}/tool-results/b1.txt");
        Session::numbered(1)
            .user(format!("Look at {result}"))
            .assistant(|message| message.text("Done."))
            .user("Thank you")
            .assistant(|message| message.text("You are welcome."))
    };
    let desk = Desk::with(&[]);
    desk.app.write(&asked(&desk.live("").display().to_string()));
    desk.app.home().file(&format!("projects/-home-dev-project/{id}/tool-results/b1.txt"), "long");
    let report = desk.json("clone last --compress-before 1 --dry-run");
    desk.run("clone last --compress-before 1");
    let own = format!("{NEW}/tool-results/b1.txt");
    for summary in [summary(&desk), report["plan"]["summary"].to_string()] {
        assert!(summary.contains(&own) && !summary.contains(&id), "{summary}");
    }
    assert!(desk.live(&format!("projects/-home-dev-project/{own}")).exists());
}

/// It may cost money.
#[test]
fn no_command_runs_for_a_clone_that_has_no_place() {
    let id = session().id().to_string();
    for taken in ["tasks/{}/1.json", "todos/{}-agent-{}.json", "projects/-home-dev-project/{}.jsonl"] {
        let desk = Desk::with(&[session()]);
        desk.app.home().file(&taken.replace("{}", NEW), "{}");
        let mark = desk.app.home().root().join("ran");
        let command = format!("touch {}; echo told", mark.display());
        let output = desk.app.output(&["clone", &id, "--compress-before", "2", "--summarize", &command]);
        assert_eq!(output.status.code(), Some(1), "{taken}: {output:?}");
        assert!(!mark.exists(), "{taken}");
    }
}

#[test]
fn a_file_that_is_not_there_is_the_users_mistake() {
    let desk = Desk::with(&[session()]);
    let before = desk.state();
    for (path, kind) in [("/nowhere/at-all.md", "not-found"), ("/", "invalid")] {
        let output =
            desk.app.output(&["clone", "last", "--compress-before", "2", "--summary", path, "--json"]);
        let error: Value = serde_json::from_slice(&output.stderr).unwrap();
        assert_eq!((output.status.code(), &error["kind"]), (Some(1), &kind.into()), "{error}");
    }
    assert_eq!(desk.new_files(&before), [""; 0]);
}

#[test]
fn too_few_turns_are_counted() {
    let desk = Desk::with(&[Session::numbered(1).turns(1)]);
    let shown = desk.run("clone last --compress-before 1");
    assert!(
        shown.starts_with("exit: 1") && shown.contains("has 1 turn") && !shown.contains("1 turns"),
        "{shown}"
    );
}
