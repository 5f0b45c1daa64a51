//! What tools were given and gave back: inputs, results, structured results, long results in files.

use serde_json::{Value, json};
use steno_testkit::secrets::Planted;
use steno_testkit::{Session, ToolResult};

use super::{Put, note};

pub(super) const PLACES: &[(&str, Put)] = &[
    ("command of a tool", |session, planted| {
        call(session, "Bash", json!({"command": planted.text, "description": note(planted)}))
    }),
    ("input, deep", |session, planted| {
        call(session, "mcp__desk__open", json!({"options": {"deep": [{"note": [note(planted)]}]}}))
    }),
    ("input, list", |session, planted| {
        call(session, "mcp__desk__open", json!({"lines": ["a", planted.text]}))
    }),
    ("input under a telling key", |session, planted| {
        call(session, "mcp__desk__open", json!({"env": {"DB_PASSWORD": whole(planted)}}))
    }),
    ("input beside a telling name", |session, planted| {
        call(session, "mcp__desk__open", json!({"env": [{"name": "DB_PASSWORD", "value": whole(planted)}]}))
    }),
    ("input under a signature", |session, planted| {
        call(session, "mcp__desk__open", json!({"signature": planted.text}))
    }),
    ("key of an input", |session, planted| {
        call(session, "mcp__desk__open", json!({"map": {planted.text.clone(): 1}}))
    }),
    ("name of a tool", |session, planted| call(session, &planted.text, json!({}))),
    ("edit", |session, planted| {
        let input =
            json!({"file_path": "/home/dev/project/a.yml", "old_string": "", "new_string": note(planted)});
        call(session, "Edit", input)
    }),
    ("written file", |session, planted| {
        call(session, "Write", json!({"file_path": "/home/dev/project/a.yml", "content": note(planted)}))
    }),
    ("path of a tool", |session, planted| {
        call(session, "Read", json!({"file_path": format!("/home/dev/project/{}", planted.text)}))
    }),
    ("list of tasks", |session, planted| {
        let task = json!({"content": note(planted), "status": "pending", "activeForm": planted.text});
        call(session, "TodoWrite", json!({"todos": [task]}))
    }),
    ("search", |session, planted| call(session, "Grep", json!({"pattern": planted.text, "path": "."}))),
    ("address", |session, planted| {
        call(session, "WebFetch", json!({"url": planted.text, "prompt": note(planted)}))
    }),
    ("question", |session, planted| {
        let question = json!({"question": note(planted), "options": [{"label": planted.text}]});
        call(session, "AskUserQuestion", json!({"questions": [question]}))
    }),
    ("result", |session, planted| result(session, ToolResult::text(note(planted)))),
    ("result, far behind", |session, planted| {
        result(session, ToolResult::text(format!("{}{}", "a line of output\n".repeat(60), planted.text)))
    }),
    ("result of blocks", |session, planted| {
        result(session, ToolResult::content(json!([{"type": "text", "text": note(planted)}])))
    }),
    ("result of unknown blocks", |session, planted| {
        result(session, ToolResult::content(json!([{"type": "hologram", "shown": note(planted)}])))
    }),
    ("error of a tool", |session, planted| result(session, ToolResult::text(note(planted)).error())),
    ("result of nobody's call", |session, planted| session.tool_result("toolu_nobody", note(planted))),
    ("structured stdout", |session, planted| {
        structured(session, json!({"stdout": note(planted), "stderr": ""}))
    }),
    ("structured stderr", |session, planted| {
        structured(session, json!({"stdout": "", "stderr": planted.text}))
    }),
    ("structured text", |session, planted| structured(session, json!(note(planted)))),
    ("structured file", |session, planted| {
        let file = json!({"filePath": "/home/dev/project/a.yml", "content": note(planted), "numLines": 3});
        structured(session, json!({"type": "text", "file": file}))
    }),
    ("structured patch", patch),
    ("structured, deep", |session, planted| {
        structured(session, json!({"pages": [{"rows": [["x", planted.text]], planted.text.clone(): true}]}))
    }),
    ("long result", |session, planted| {
        let lines = "a line of output\n".repeat(40);
        result(session, ToolResult::persisted(format!("{}\n{lines}", note(planted))))
    }),
    ("long result, far behind", |session, planted| {
        let lines = "a line of output\n".repeat(400);
        result(session, ToolResult::persisted(format!("{lines}{}\n", note(planted))))
    }),
    ("replaced result", |session, planted| session.content_replacement("toolu_nobody", &note(planted))),
];

/// The secret as the whole of a value; but what is told by its own lines needs them, and words are no password.
fn whole(planted: &Planted) -> &str {
    let needs_more = planted.text.contains("PRIVATE KEY") || planted.secret.contains(' ');
    if needs_more { &planted.text } else { &planted.secret }
}

fn call(session: Session, name: &str, input: Value) -> Session {
    session.assistant(|message| message.tool_use(name, input).answered("done"))
}

fn result(session: Session, result: ToolResult) -> Session {
    let input = json!({"command": "cat notes"});
    session.assistant(|message| message.tool_use("Bash", input).answered_with(result))
}

fn structured(session: Session, value: Value) -> Session {
    result(session, ToolResult::text("done").structured(value))
}

fn patch(session: Session, planted: &Planted) -> Session {
    // A short password that only the line above it tells is not known again where its lines are apart.
    let is_apart = planted.text.lines().count() > 2 || planted.secret.len() > 7;
    let text = if is_apart { planted.text.clone() } else { planted.text.replace('\n', " ") };
    let lines: Vec<String> = text.lines().map(|line| format!("+{line}")).collect();
    let hunk = json!({"oldStart": 1, "oldLines": 0, "newStart": 1, "newLines": lines.len(), "lines": lines});
    let value = json!({
        "filePath": "/home/dev/project/a.yml", "oldString": "", "newString": planted.text,
        "originalFile": note(planted), "structuredPatch": [hunk], "userModified": false,
    });
    let input = json!({"file_path": "/home/dev/project/a.yml", "old_string": "a", "new_string": "b"});
    let result = ToolResult::text("done").structured(value);
    session.assistant(|message| message.tool_use("Edit", input).answered_with(result))
}
