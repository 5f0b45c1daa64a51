//! Real transcripts, when `STENO_CORPUS` names folders with some (separated as in PATH): `show --json` of each is
//! held against a count that knows nothing of our crates.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use jsonschema::Validator;
use serde_json::{Value, json};
use steno_testkit::App;

mod ccusage;
mod clone;
mod days;
mod dump;
mod search;
mod stats;

#[test]
fn show_agrees_with_an_independent_count() {
    each(examine);
}

/// Every transcript, on all cores; what is wrong with any of them fails.
fn each(examine: impl Fn(&App, &Path) -> Vec<String> + Sync) {
    let Some(mut files) = steno_testkit::real_transcripts() else {
        return;
    };
    files.retain(|file| !is_history(file));
    let count = files.len();
    let left = Mutex::new(files);
    let wrong = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                let app = App::new(env!("CARGO_BIN_EXE_steno"));
                while let Some(file) = next(&left) {
                    let found = examine(&app, &file);
                    wrong.lock().unwrap().extend(found);
                }
            });
        }
    });
    let wrong = wrong.into_inner().unwrap();
    assert!(wrong.is_empty(), "{} disagreements in {count} transcripts:\n{}", wrong.len(), wrong.join("\n"));
    println!("{count} transcripts are as they should be");
}

/// The ways to try on a file: all with `STENO_CORPUS_ALL`, else two, picked by its name, so that all of them are tried on
/// many files.
fn ways<'w, T>(all: &'w [T], file: &Path) -> impl Iterator<Item = (usize, &'w T)> {
    let is_every_one = std::env::var_os("STENO_CORPUS_ALL").is_some();
    let name = file.as_os_str().as_encoded_bytes().iter().map(|byte| usize::from(*byte)).sum::<usize>();
    let picked = [name, name + 1 + name / all.len() % (all.len() - 1)].map(|number| number % all.len());
    all.iter().enumerate().filter(move |(number, _)| is_every_one || picked.contains(number))
}

/// What the answers of a command have to look like.
fn schema(name: &str) -> Validator {
    let (_, schema) = steno_cli::schemas().into_iter().find(|(command, _)| *command == name).unwrap();
    jsonschema::validator_for(schema.as_value()).unwrap()
}

fn next(left: &Mutex<Vec<PathBuf>>) -> Option<PathBuf> {
    left.lock().unwrap().pop()
}

/// The list of typed prompts is no transcript.
fn is_history(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name == "history.jsonl")
}

/// What `show` says otherwise than the count.
fn examine(app: &App, file: &Path) -> Vec<String> {
    let name = file.display();
    let output = app.output(&["show".as_ref(), file.as_os_str(), "--json".as_ref()]);
    if !output.status.success() {
        return vec![format!("{name}: {} {}", output.status, String::from_utf8_lossy(&output.stderr))];
    }
    let shown: Value = match serde_json::from_slice(&output.stdout) {
        Ok(shown) => shown,
        Err(error) => return vec![format!("{name}: stdout is not one JSON object: {error}")],
    };
    let counted = Counted::of(&fs::read(file).unwrap());
    let mut wrong = counted.compare(&shown);
    wrong.iter_mut().for_each(|wrong| wrong.insert_str(0, &format!("{name}: ")));
    wrong
}

/// What the records of a transcript say, read as plain JSON.
#[derive(Default)]
struct Counted {
    record_types: BTreeMap<String, u64>,
    messages: BTreeMap<String, Usage>,
    tools: BTreeSet<String>,
    queued: Vec<String>,
}

/// Of one message: the maximum of each count, and whether any record has a stop reason.
#[derive(Default)]
struct Usage {
    counts: [u64; 5],
    is_final: bool,
}

impl Counted {
    fn of(bytes: &[u8]) -> Self {
        let mut counted = Self::default();
        for record in bytes.split(|byte| *byte == b'\n').flat_map(objects) {
            counted.count(&record);
        }
        counted
    }

    fn count(&mut self, record: &Value) {
        let kind = record["type"].as_str().unwrap_or("(no type)");
        *self.record_types.entry(kind.to_owned()).or_default() += 1;
        let attachment = &record["attachment"];
        if kind == "attachment"
            && attachment["type"] == "queued_command"
            && attachment["commandMode"] == "prompt"
        {
            self.queued.push(text_of(&attachment["prompt"]));
        }
        if kind == "assistant" {
            self.count_message(record);
        }
    }

    fn count_message(&mut self, record: &Value) {
        let message = &record["message"];
        for block in message["content"].as_array().into_iter().flatten() {
            if block["type"] == "tool_use" {
                self.tools.extend(block["id"].as_str().map(str::to_owned));
            }
        }
        let key = match message["id"].as_str() {
            Some(id) => format!("{id} {}", record["requestId"]),
            None => format!("alone {}", self.messages.len()),
        };
        let usage = self.messages.entry(key).or_default();
        usage.is_final |= !message["stop_reason"].is_null();
        for (most, count) in usage.counts.iter_mut().zip(counts(&message["usage"])) {
            *most = count.max(*most);
        }
    }

    fn compare(&self, shown: &Value) -> Vec<String> {
        let mut wrong = Vec::new();
        if shown["recordTypes"] != json!(self.record_types) {
            wrong.push(format!("recordTypes {} but counted {:?}", shown["recordTypes"], self.record_types));
        }
        let tokens = self.tokens();
        if shown["tokens"] != tokens {
            wrong.push(format!("tokens {} but counted {tokens}", shown["tokens"]));
        }
        let tools: BTreeSet<&str> = list(&shown["tools"]).filter_map(|tool| tool["id"].as_str()).collect();
        for tool in self.tools.iter().filter(|tool| !tools.contains(tool.as_str())) {
            wrong.push(format!("tool call {tool} is not among the tools"));
        }
        for prompt in self.queued.iter().filter(|prompt| !is_chunk(shown, prompt)) {
            wrong.push(format!("a queued prompt of {} bytes is no user chunk", prompt.len()));
        }
        wrong
    }

    fn tokens(&self) -> Value {
        let sum = |field: usize| self.messages.values().map(|usage| usage.counts[field]).sum::<u64>();
        json!({
            "input": sum(0), "output": sum(1), "cacheRead": sum(2), "cacheWrite5m": sum(3), "cacheWrite1h": sum(4),
            "withoutFinalUsage": self.messages.values().filter(|usage| !usage.is_final).count(),
        })
    }
}

/// Input, output, cache reads, and cache writes for five minutes and an hour. Writes of unsaid lifetime live for five
/// minutes.
fn counts(usage: &Value) -> [u64; 5] {
    let number = |value: &Value| value.as_u64().unwrap_or(0);
    let five_minutes = number(&usage["cache_creation"]["ephemeral_5m_input_tokens"]);
    let hour = number(&usage["cache_creation"]["ephemeral_1h_input_tokens"]);
    let unsaid = number(&usage["cache_creation_input_tokens"]).saturating_sub(five_minutes + hour);
    [
        number(&usage["input_tokens"]),
        number(&usage["output_tokens"]),
        number(&usage["cache_read_input_tokens"]),
        five_minutes + unsaid,
        hour,
    ]
}

/// The objects on a line: one, or several without a newline between them.
fn objects(line: &[u8]) -> Vec<Value> {
    let values = serde_json::Deserializer::from_slice(line).into_iter::<Value>();
    values.map_while(Result::ok).filter(Value::is_object).collect()
}

fn is_chunk(shown: &Value, prompt: &str) -> bool {
    list(&shown["chunks"]).any(|chunk| {
        chunk["kind"] == "user" && chunk["text"].as_str().is_some_and(|text| text.trim() == prompt.trim())
    })
}

fn text_of(prompt: &Value) -> String {
    match prompt {
        Value::String(text) => text.clone(),
        blocks => list(blocks).filter_map(|block| block["text"].as_str()).collect::<Vec<_>>().join("\n\n"),
    }
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}
