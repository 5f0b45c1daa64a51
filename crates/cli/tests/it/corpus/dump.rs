//! Real transcripts as documents: no format fails, nothing that was said is lost, and the JSON is what its schema says.

use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;
use std::fs;
use std::path::Path;

use jsonschema::Validator;
use serde_json::Value;
use steno_testkit::App;

use crate::corpus::{each, schema, ways};

const RUNS: &[&str] = &[
    "dump --format text",
    "dump --format html --agents --thinking --system-events",
    "dump --format jsonl --all",
    "dump --format markdown --redact --tail 5 --rewrite strip",
    "share --format html -o -",
    "share --format markdown --agents -o -",
    "share --format json --all -o -",
];

#[test]
fn every_transcript_is_a_document_in_every_format() {
    let validator = schema("portable");
    each(|app, file| {
        let mut wrong = ways(RUNS, file).filter_map(|(_, line)| failure(app, line, file)).collect::<Vec<_>>();
        wrong.extend(differing(app, file));
        wrong.extend(lost(app, file));
        wrong.extend(invalid(app, file, &validator));
        wrong
    });
}

fn run(app: &App, line: &str, file: &Path) -> Result<String, String> {
    let mut words: Vec<&OsStr> = line.split(' ').map(OsStr::new).collect();
    words.push(file.as_os_str());
    let output = app.output(&words);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    match String::from_utf8(output.stdout) {
        // A file without a message has no lines.
        Ok(text) if output.status.success() && (!text.is_empty() || line.contains("jsonl")) => Ok(text),
        text => Err(format!("{}: `{line}` gives {}: {said} {text:.60?}", file.display(), output.status)),
    }
}

fn failure(app: &App, line: &str, file: &Path) -> Option<String> {
    run(app, line, file).err()
}

fn differing(app: &App, file: &Path) -> Option<String> {
    let [first, second] = [(), ()].map(|()| run(app, "dump", file));
    (first != second).then(|| format!("{}: two runs differ", file.display()))
}

fn lost(app: &App, file: &Path) -> Vec<String> {
    let document = match run(app, "dump --full-results --all --agents", file) {
        Ok(document) => document,
        Err(failure) => return vec![failure],
    };
    let texts = texts_of_the_line(&fs::read(file).unwrap());
    // What would be HTML is escaped.
    let plain = |text: &str| text.replace('\\', "");
    let document = plain(&document);
    let is_missing = |text: &str| !text.trim().is_empty() && !document.contains(&plain(text));
    let missing = texts.into_iter().filter(|(_, text)| is_missing(text));
    missing.map(|(line, text)| format!("{}:{line}: lost {text:.80?}", file.display())).collect()
}

fn invalid(app: &App, file: &Path, validator: &Validator) -> Option<String> {
    let text = match run(app, "dump --format json --agents --thinking", file) {
        Ok(text) => text,
        Err(failure) => return Some(failure),
    };
    let conversation: Value = serde_json::from_str(&text).unwrap();
    let error = validator.iter_errors(&conversation).next()?;
    Some(format!("{}: {error} at {}", file.display(), error.instance_path()))
}

/// The text blocks from the last message back to its root, with their lines, by nothing but the parents.
fn texts_of_the_line(bytes: &[u8]) -> Vec<(usize, String)> {
    let lines = bytes.split(|byte| *byte == b'\n').enumerate();
    let records: Vec<(usize, Value)> =
        lines.filter_map(|(line, bytes)| Some((line + 1, serde_json::from_slice(bytes).ok()?))).collect();
    let text = |record: &Value, key: &str| record[key].as_str().map(str::to_owned);
    let is_message = |record: &Value| matches!(record["type"].as_str(), Some("user" | "assistant"));
    let by_uuid: HashMap<String, &(usize, Value)> =
        records.iter().filter_map(|record| Some((text(&record.1, "uuid")?, record))).collect();
    let is_own = |record: &Value| is_message(record) && record["isSidechain"] != Value::Bool(true);
    let mut next = records.iter().rev().find(|(_, record)| is_own(record));
    let (mut seen, mut texts) = (HashSet::new(), Vec::new());
    while let Some((line, record)) = next {
        if !seen.insert(*line) {
            break;
        }
        if is_message(record) {
            texts.extend(blocks(&record["message"]["content"]).map(|text| (*line, text)));
        }
        let parent = text(record, "parentUuid").or_else(|| text(record, "logicalParentUuid"));
        next = parent.and_then(|parent| by_uuid.get(&parent).copied());
    }
    texts
}

fn blocks(content: &Value) -> impl Iterator<Item = String> {
    let list = content.as_array().cloned().unwrap_or_default();
    let texts = list.into_iter().filter(|block| block["type"] == "text");
    let texts = texts.filter_map(|block| block["text"].as_str().map(str::to_owned));
    content.as_str().map(str::to_owned).into_iter().chain(texts)
}
