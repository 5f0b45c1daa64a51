//! What only looks like a secret is given away whole.

use serde_json::{Map, Value, json};
use steno_testkit::secrets::{LookAlike, look_alikes};
use steno_testkit::{App, Session};

use crate::share::outputs::WHOLE;

/// Each in a prompt, in an answer, in a result, and under its key in what a tool was given and gave back.
fn app() -> App {
    let app = App::new(env!("CARGO_BIN_EXE_steno"));
    let mut session = Session::numbered(1);
    for LookAlike { key, text } in look_alikes() {
        let input: Map<String, Value> =
            [(key.unwrap_or("text").to_owned(), json!(text))].into_iter().collect();
        session = session.user(format!("See this:\n{text}\nand go on")).assistant(|message| {
            message
                .text(format!("So it is:\n\n{text}"))
                .tool_use("mcp__desk__open", json!(input))
                .answered(&text)
        });
    }
    app.write(&session);
    app
}

/// All strings of a JSON value, each on lines of its own.
fn strings(value: &Value, all: &mut Vec<String>) {
    match value {
        Value::String(text) => all.push(text.clone()),
        Value::Array(values) => values.iter().for_each(|value| strings(value, all)),
        Value::Object(values) => values.values().for_each(|value| strings(value, all)),
        _ => (),
    }
}

fn times(text: &str, part: &str) -> usize {
    text.matches(part).count()
}

#[test]
fn all_of_the_look_alikes_survive_whole() {
    let app = app();
    let portable =
        app.output(&format!("dump last --redact --format json {WHOLE}").split(' ').collect::<Vec<_>>());
    let mut inside = Vec::new();
    strings(&serde_json::from_slice(&portable.stdout).unwrap(), &mut inside);
    let markdown = app.output(&format!("dump last --redact {WHOLE}").split(' ').collect::<Vec<_>>());
    // What would be HTML is escaped there.
    let markdown = String::from_utf8(markdown.stdout).unwrap().replace("\\<", "<");
    let mut lost = Vec::new();
    let all = look_alikes();
    for LookAlike { text, .. } in &all {
        let whole = inside.iter().filter(|inside| inside.contains(text.as_str())).count();
        if whole < 4 {
            lost.push(format!("{whole} of 4 in JSON: {text}"));
        }
        let escaped = json!(text).to_string();
        let shown = times(&markdown, text) + times(&markdown, escaped.trim_matches('"'));
        // Colours are left out of what tools printed.
        let expected = if text.contains('\u{1b}') { 2 } else { 4 };
        if shown < expected {
            lost.push(format!("{shown} of 4 in markdown: {text}"));
        }
    }
    println!("{} look-alikes in {} places survive whole", all.len() - lost.len(), all.len() * 4);
    assert!(lost.is_empty(), "{}", lost.join("\n"));
    assert!(all.len() >= 40);
}
