//! Real transcripts, cloned in every way: nothing in a clone points to where nothing is, and nothing counts twice.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use steno_testkit::{App, Home};

use super::{each, list, objects, ways};

const WAYS: [&str; 9] = [
    "",
    "--strip tools",
    "--strip thinking",
    "--preset default",
    "--preset aggressive",
    "--preset heavy",
    "--preset extreme",
    "--turns 1",
    "--compress-before 1",
];

#[test]
fn every_clone_of_a_real_transcript_is_sound() {
    each(|app, file| {
        let mut wrong = Vec::new();
        for (number, way) in ways(&WAYS, file) {
            let home = Home::new();
            super::stats::put(&home, "-project", file);
            let found = examine(app, &home, file, (number, way)).unwrap_or_default();
            wrong.extend(found.into_iter().map(|wrong| format!("{} {way}: {wrong}", file.display())));
        }
        wrong
    });
}

/// Nothing where there is nothing to clone.
fn examine(app: &App, home: &Home, file: &Path, (number, way): (usize, &str)) -> Option<Vec<String>> {
    let name = file.file_name().unwrap().to_str().unwrap();
    let original = home.path().join("projects/-project").join(name);
    let (before, books) = (fs::read(&original).unwrap(), total(app, home));
    let id = format!("0c10ed00-0000-4000-8000-{number:012}");
    let mut command = app.command();
    command
        .env("STENO_NEW_ID", &id)
        .arg("clone")
        .arg(&original)
        .args(way.split(' ').filter(|word| !word.is_empty()));
    let output = command.args(["--json", "--claude-dir"]).arg(home.path()).output().unwrap();
    if !output.status.success() {
        let error: Value = serde_json::from_slice(&output.stderr).unwrap();
        return (error["kind"] != "invalid").then(|| vec![error["error"].to_string()]);
    }
    let clone = original.with_file_name(format!("{id}.jsonl"));
    let mut wrong = compare(&before, &fs::read(&clone).unwrap(), &id);
    let check = app.output(&["check".as_ref(), clone.as_os_str(), "--json".as_ref()]);
    let check: Value = serde_json::from_slice(&check.stdout).unwrap();
    let bad = list(&check["findings"]).filter(|finding| finding["severity"] != "info");
    wrong.extend(bad.map(ToString::to_string));
    if total(app, home) != books {
        wrong.push(format!("stats count {} instead of {books}", total(app, home)));
    }
    if fs::read(&original).unwrap() != before {
        wrong.push("the original changed".to_owned());
    }
    Some(wrong)
}

fn compare(before: &[u8], after: &[u8], id: &str) -> Vec<String> {
    let records =
        |bytes: &[u8]| -> Vec<Value> { bytes.split(|byte| *byte == b'\n').flat_map(objects).collect() };
    let (old, new) = (records(before), records(after));
    let uuids = |records: &[Value]| -> BTreeSet<String> {
        records.iter().filter_map(|record| record["uuid"].as_str().map(str::to_owned)).collect()
    };
    let (old, uuids) = (uuids(&old), uuids(&new));
    let mut wrong: Vec<String> =
        old.intersection(&uuids).map(|uuid| format!("{uuid} stands in both")).collect();
    for record in &new {
        for key in ["parentUuid", "logicalParentUuid", "leafUuid", "messageId", "sourceToolAssistantUUID"] {
            if let Some(to) = record[key].as_str().filter(|to| !uuids.contains(*to)) {
                wrong.push(format!("{key} {to} of {} leads nowhere", record["uuid"]));
            }
        }
        if record["sessionId"].as_str().is_some_and(|session| session != id) {
            wrong.push(format!("{} is of another session", record["uuid"]));
        }
    }
    wrong.extend(orphans(&new));
    wrong
}

/// Calls without result, and results without call.
fn orphans(records: &[Value]) -> Vec<String> {
    let blocks = || records.iter().flat_map(|record| list(&record["message"]["content"]));
    let ids = |kind: &'static str, key: &'static str| -> BTreeSet<String> {
        let meant = blocks().filter(move |block| block["type"] == kind);
        meant.filter_map(|block| block[key].as_str().map(str::to_owned)).collect()
    };
    let (calls, results) = (ids("tool_use", "id"), ids("tool_result", "tool_use_id"));
    calls.symmetric_difference(&results).map(|id| format!("{id} is half a pair")).collect()
}

fn total(app: &App, home: &Home) -> Value {
    let output =
        app.output(&["stats".as_ref(), "--json".as_ref(), "--claude-dir".as_ref(), home.path().as_os_str()]);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    json!({"messages": report["total"]["messages"], "tokens": report["total"]["tokens"]})
}
