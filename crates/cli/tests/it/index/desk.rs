//! A home, and everything that is asked of it.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;
use steno_testkit::{App, Session, ToolResult};

/// Words that sessions are made of, some of them rare.
pub(crate) const WORDS: [&str; 10] = [
    "parser",
    "tokio",
    "JavaScript",
    "snake_case_name",
    "getUserName",
    "migration",
    "flaky",
    "深圳",
    "zebra",
    "nowhere",
];

pub(crate) fn app() -> App {
    App::new(env!("CARGO_BIN_EXE_steno")).variable("STENO_MACHINE", "desk")
}

/// A session in which a few of the words are said, by people, tools and subagents.
pub(crate) fn session(number: u32) -> Session {
    let word = |step: usize| WORDS[(number as usize * 3 + step) % 8];
    Session::numbered(number)
        .cwd(format!("/home/dev/project-{}", number % 3))
        .user(format!("please look at the {} of number {number}", word(0)))
        .assistant(|message| {
            message
                .thinking(format!("about {}", word(1)))
                .tool_use("Bash", serde_json::json!({"command": format!("grep {}", word(2))}))
                .answered_with(ToolResult::text(format!("found {} there", word(3))))
        })
        .assistant(|message| {
            message
                .tool_use("Read", serde_json::json!({"file_path": "/home/dev/long.txt"}))
                .answered_with(ToolResult::persisted(format!("all of {} here", word(7))))
        })
        .assistant(|message| message.text(format!("the {} is done", word(4))))
        .agent(|agent| agent.prompt(format!("search for {}", word(5))).answer(format!("{} it is", word(6))))
        .turns(2)
}

/// All answers, without what may differ between a live and a kept session and between two runs.
pub(crate) fn answers(app: &App) -> Vec<(String, Value)> {
    let mut answers = Vec::new();
    for command in
        ["list --agents --json", "stats daily --json", "stats session --json", "stats branch --json"]
    {
        answers.push((command.to_owned(), plain(app.json(command))));
    }
    for word in WORDS {
        let command = format!("search {word} --limit 0 --each 100 --json");
        answers.push((command.clone(), plain(app.json(&command))));
    }
    answers
}

/// The same, asked of a program that remembers nothing.
pub(crate) fn fresh_answers(app: &App) -> Vec<(String, Value)> {
    let kept = app.home().root().join("kept-index");
    let index = index(app);
    let has_index = index.exists();
    if has_index {
        fs::rename(&index, &kept).unwrap();
    }
    let answers = answers(app);
    let _ = fs::remove_dir_all(&index);
    if has_index {
        fs::rename(&kept, &index).unwrap();
    }
    answers
}

pub(crate) fn index(app: &App) -> PathBuf {
    app.home().root().join(".cache/steno/index")
}

const VARYING: [&str; 9] =
    ["live", "kept", "path", "next", "note", "hints", "machine", "ongoing", "warnings"];

fn plain(mut value: Value) -> Value {
    strip(&mut value);
    value
}

fn strip(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.retain(|key, _| !VARYING.contains(&key.as_str()) && key != "score");
            fields.values_mut().for_each(strip);
        }
        Value::Array(items) => items.iter_mut().for_each(strip),
        _ => {}
    }
}
