//! A tool call in one line.

use serde_json::Value;

use crate::words;

/// What a call is about: the command, the file, the pattern; for other tools, the first text it was given.
pub(crate) fn call(name: &str, input: &Value) -> String {
    let text = |key: &str| input.get(key).and_then(Value::as_str);
    let known = match name {
        "Bash" | "BashOutput" | "PowerShell" => text("command"),
        "Read" | "Write" | "Edit" | "MultiEdit" | "NotebookEdit" => {
            text("file_path").or_else(|| text("notebook_path"))
        }
        "Glob" | "Grep" => text("pattern"),
        "Task" | "Agent" => text("description"),
        "WebFetch" => text("url"),
        "WebSearch" | "web_search" | "ToolSearch" => text("query"),
        "Skill" => text("skill").or_else(|| text("command")),
        "TodoWrite" => return todos(input),
        _ => None,
    };
    let first = || input.as_object().and_then(|fields| fields.values().find_map(Value::as_str));
    words::first_line(known.or_else(first).unwrap_or_default())
}

fn todos(input: &Value) -> String {
    let items = input.get("todos").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let is_done = |item: &&Value| item.get("status").and_then(Value::as_str) == Some("completed");
    format!("{} of {} done", items.iter().filter(is_done).count(), items.len())
}
