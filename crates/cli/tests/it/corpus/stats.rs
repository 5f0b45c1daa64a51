//! `stats` of real transcripts against a count that knows nothing of our crates: each by itself, and all at once.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use steno_testkit::{App, Home};

use super::{Counted, each, is_history, objects};

#[test]
fn stats_of_each_transcript_agree_with_an_independent_count() {
    each(|app, file| {
        let home = Home::new();
        put(&home, "-project", file);
        let mut books = Books::default();
        books.count(file);
        let total = total(app, &home);
        let expected = books.tokens();
        if total == expected {
            Vec::new()
        } else {
            vec![format!("{}: {total} but counted {expected}", file.display())]
        }
    });
}

#[test]
fn stats_of_all_transcripts_count_each_message_once() {
    let Some(mut files) = steno_testkit::real_transcripts() else { return };
    files.retain(|file| !is_history(file));
    let (home, mut books) = (Home::new(), Books::default());
    for (number, file) in files.iter().enumerate() {
        put(&home, &format!("-project-{number}"), file);
        books.count(file);
    }
    let app = App::new(env!("CARGO_BIN_EXE_steno"));
    assert_eq!(total(&app, &home), books.tokens());
}

pub(super) fn put(home: &Home, project: &str, file: &Path) {
    let name = file.file_name().unwrap().to_str().unwrap();
    home.file(&format!("projects/{project}/{name}"), fs::read(file).unwrap());
}

fn total(app: &App, home: &Home) -> Value {
    let directory = home.path();
    let output =
        app.output(&["stats".as_ref(), "--json".as_ref(), "--claude-dir".as_ref(), directory.as_os_str()]);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    json!({"messages": report["total"]["messages"], "tokens": report["total"]["tokens"]})
}

/// Files, each message once.
#[derive(Default)]
struct Books(Counted);

impl Books {
    fn count(&mut self, file: &Path) {
        let mut alone: BTreeMap<String, u64> = BTreeMap::new();
        for mut record in fs::read(file).unwrap().split(|byte| *byte == b'\n').flat_map(objects) {
            if record["type"] != "assistant" || record["message"]["model"] == "<synthetic>" {
                continue;
            }
            // The second of those that are alike in a file is the second one in every file.
            let likeness = likeness(&record).filter(|_| record["message"]["id"].as_str().is_none());
            if let Some(likeness) = likeness {
                let number = alone.entry(likeness.clone()).or_default();
                *number += 1;
                record["requestId"] = Value::Null;
                if !record["message"].is_object() {
                    record["message"] = json!({});
                }
                record["message"]["id"] = json!(format!("{likeness} {number}"));
            }
            self.0.count_message(&record);
        }
    }

    fn tokens(&self) -> Value {
        json!({"messages": self.0.messages.len(), "tokens": self.0.tokens()})
    }
}

/// Without an id, a record is known by its time, its model and what it used: a clone has another uuid.
fn likeness(record: &Value) -> Option<String> {
    let (time, message) = (&record["timestamp"], &record["message"]);
    match time {
        Value::Null => record["uuid"].as_str().map(str::to_owned),
        _ => Some(format!("{time} {} {}", message["model"], message["usage"])),
    }
}
