//! `search` of real transcripts: words that a program picks from each are found in it, and literals are counted as an
//! independent count does.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::Value;
use steno_testkit::App;

use super::{each, objects};

/// Of each transcript.
const WORDS: usize = 4;

#[test]
fn words_of_each_transcript_are_found_in_it() {
    each(|_, file| {
        let bytes = fs::read(file).unwrap();
        let app = home(file, &bytes);
        let mut wrong = Vec::new();
        for word in words(&bytes) {
            let report = search(&app, &[&word]);
            let is_found = report["totalSessions"] == 1 && report["hits"][0]["snippet"].is_string();
            if !is_found {
                wrong.push(format!("{}: '{word}' is not found", file.display()));
            }
            let hit = &report["hits"][0];
            let opens = hit["at"].as_str().is_some_and(|at| {
                // A subagent alone is opened by its path.
                let session = &report["sessions"][0];
                let session = session["path"].as_str().or(session["id"].as_str()).unwrap();
                app.output(&["show", session, "--at", at, "--json"]).status.success()
            });
            if is_found && !opens {
                wrong.push(format!("{}: '{word}' does not open at {}", file.display(), hit["at"]));
            }
        }
        wrong
    });
}

#[test]
fn literals_are_counted_by_lines() {
    each(|_, file| {
        let bytes = fs::read(file).unwrap();
        let app = home(file, &bytes);
        let mut needles = words(&bytes);
        needles.extend(["assistant", "the", "nowhere at all"].map(str::to_owned));
        let mut wrong = Vec::new();
        for needle in needles.iter().filter(|needle| needle.is_ascii()) {
            let lines =
                bytes.split(|byte| *byte == b'\n').filter(|line| has(line, needle.as_bytes())).count();
            let total = &search(&app, &["--literal", needle])["total"];
            if *total != lines {
                wrong.push(format!("{}: '{needle}' in {total} lines, but {lines}", file.display()));
            }
        }
        wrong
    });
}

fn has(line: &[u8], needle: &[u8]) -> bool {
    line.windows(needle.len()).any(|window| window == needle)
}

fn home(file: &Path, bytes: &[u8]) -> App {
    let app = App::new(env!("CARGO_BIN_EXE_steno"));
    let name = file.file_name().unwrap().to_str().unwrap();
    app.home().file(&format!("projects/-project/{name}"), bytes);
    app
}

fn search(app: &App, arguments: &[&str]) -> Value {
    let line: Vec<&str> = ["search", "--json"].iter().chain(arguments).copied().collect();
    let output = app.output(&line);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Long words that users and assistants say, the rarest first.
fn words(bytes: &[u8]) -> Vec<String> {
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    for record in bytes.split(|byte| *byte == b'\n').flat_map(objects) {
        if !matches!(record["type"].as_str(), Some("user" | "assistant")) || record["isMeta"] == true {
            continue;
        }
        let content = &record["message"]["content"];
        let texts = content.as_array().map_or_else(
            || content.as_str().into_iter().collect(),
            |blocks| {
                let texts = blocks.iter().filter(|block| block["type"] == "text");
                texts.filter_map(|block| block["text"].as_str()).collect::<Vec<_>>()
            },
        );
        // What is in marks is the client's, and not said.
        let said = texts.iter().filter(|text| !text.trim_start().starts_with(['<', '[']));
        for word in said.flat_map(|text| text.split(|letter: char| !letter.is_alphanumeric())) {
            if word.chars().count() >= 6 && word.chars().all(|letter| letter.is_ascii_lowercase()) {
                *counts.entry(word.to_owned()).or_default() += 1;
            }
        }
    }
    let mut words: Vec<(u64, String)> = counts.into_iter().map(|(word, count)| (count, word)).collect();
    words.sort();
    words.into_iter().take(WORDS).map(|(_, word)| word).collect()
}
