//! A tool call in one line.

use serde_json::Value;

use super::field::{path, telling, text};
use super::{Question, Todo, View, view};
use crate::words::{first_line, many};

/// What a call is about: the command, the file, the pattern; for other tools, the first text it was given.
pub fn summary(name: &str, input: &Value) -> String {
    // What changes in the file takes time to find, and is not said here.
    if let ("Write" | "Edit" | "MultiEdit" | "NotebookEdit", Some(path)) = (name, path(input)) {
        return first_line(path);
    }
    match view(name, input) {
        View::Command { command, .. } => first_line(command),
        View::Read { path, part: Some(part) } => first_line(&format!("{path} ({part})")),
        View::Read { path, .. } | View::Write { path, .. } | View::Edit { path, .. } => first_line(path),
        View::Todos(todos) => done(&todos),
        View::Search { pattern, scope: Some(scope) } => first_line(&format!("{pattern} in {scope}")),
        View::Search { pattern, .. } => first_line(pattern),
        View::Fetch { url, .. } => first_line(url),
        View::Prose(prose) => first_line(&about(input).unwrap_or_else(|| without_marks(prose))),
        View::Questions(questions) => asked(&questions),
        View::Brief | View::Other(_) => told(name, input),
    }
}

/// What a message or a task says of itself.
fn about(input: &Value) -> Option<String> {
    // Of a message, whom it is for; of a task, its subject before its description.
    let to = text(input, "to").or_else(|| text(input, "recipient"));
    let said = ["subject", "summary", "description", "message", "content"];
    let said = said.into_iter().find_map(|key| text(input, key).filter(|text| !text.trim().is_empty()))?;
    Some(to.map_or_else(|| said.to_owned(), |to| format!("to {to}: {said}")))
}

/// The title of a plan, without the marks of a heading.
fn without_marks(prose: &str) -> String {
    prose.trim_start().trim_start_matches('#').trim_start().to_owned()
}

fn done(todos: &[Todo<'_>]) -> String {
    let done = todos.iter().filter(|todo| todo.status == "completed").count();
    format!("{done} of {} done", todos.len())
}

fn asked(questions: &[Question<'_>]) -> String {
    let first = questions.first().map(|question| first_line(question.text)).unwrap_or_default();
    match questions.len() {
        0 | 1 => first,
        number => format!("{first} (and {})", many(number as u64 - 1, "more question")),
    }
}

fn told(name: &str, input: &Value) -> String {
    let said = |key: &&str| {
        Some(if *key == "taskId" { format!("#{}", text(input, key)?) } else { text(input, key)?.to_owned() })
    };
    let parts: Vec<String> = telling(name).iter().filter_map(said).map(|part| first_line(&part)).collect();
    if !parts.is_empty() {
        return parts.join(" ");
    }
    let first = || input.as_object()?.values().find_map(Value::as_str);
    first_line(input.as_str().or_else(first).unwrap_or_default())
}
