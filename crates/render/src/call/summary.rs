//! A tool call in one line.

use std::fmt;

use serde_json::Value;

use super::field::{self, telling, text, title};
use super::{DiffLine, Question, Sign, Todo, View, view};
use crate::words::{first_line, many};

/// A line that takes more room than this is hard to tell from others.
const LONG: usize = 72;

/// What a call is about, fit for a line.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Topic {
    /// The file. Where there is no room for all of it, its end says more than its beginning.
    pub path: Option<String>,
    /// Behind the path; where there is none, all there is to say.
    pub text: String,
}

impl Topic {
    fn said(text: impl Into<String>) -> Self {
        Self { path: None, text: text.into() }
    }

    fn file(path: &str, text: impl Into<String>) -> Self {
        Self { path: Some(first_line(path)), text: text.into() }
    }
}

impl fmt::Display for Topic {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.path {
            Some(path) if self.text.is_empty() => formatter.write_str(path),
            Some(path) => write!(formatter, "{path} {}", self.text),
            None => formatter.write_str(&self.text),
        }
    }
}

/// What a call is about: the command, the file, the pattern; for other tools, the text that tells most.
pub fn summary(name: &str, input: &Value) -> String {
    topic(name, input, &view(name, input)).to_string()
}

/// The same where the form of the call is known already: what changes in a file takes time to find.
pub fn topic(name: &str, input: &Value, view: &View<'_>) -> Topic {
    match view {
        View::Command { command, description } => Topic::said(ran(command, *description)),
        View::Read { path, part: Some(part) } => Topic::file(path, format!("({})", first_line(part))),
        View::Read { path, .. } | View::Write { path, .. } => Topic::file(path, ""),
        View::Edit { path, lines } => Topic::file(path, changes(lines)),
        View::Todos(todos) => Topic::said(done(todos)),
        View::Search { pattern, scope: Some(scope) } => {
            Topic::said(first_line(&format!("{} in {scope}", first_line(pattern))))
        }
        View::Search { pattern, .. } => Topic::said(first_line(pattern)),
        View::Fetch { url, .. } => Topic::said(first_line(url)),
        View::Prose(prose) => {
            Topic::said(first_line(&subject(input).unwrap_or_else(|| without_marks(prose))))
        }
        View::Questions(questions) => Topic::said(asked(questions)),
        View::Brief | View::Other(_) => told(name, input),
    }
}

/// The command where it is short, else what it is said to do. Where it ran says nothing of what it does.
fn ran(command: &str, description: Option<&str>) -> String {
    let inside = without_directory(command);
    let line = first_line(inside);
    let description = description.map(first_line).filter(|description| !description.is_empty());
    let is_long = inside.trim().contains('\n') || line.chars().count() > LONG;
    match description {
        Some(description) if is_long || inside.len() < command.len() => description,
        _ => line,
    }
}

/// `cd somewhere && make` → `make`.
fn without_directory(command: &str) -> &str {
    let rest = command.trim_start().strip_prefix("cd ");
    let parts = rest.and_then(|rest| rest.split_once("&&"));
    match parts {
        Some((directory, rest)) if !directory.contains(['\n', ';', '|']) && !rest.trim().is_empty() => {
            rest.trim_start()
        }
        _ => command,
    }
}

/// `+3 −1`.
fn changes(lines: &[DiffLine<'_>]) -> String {
    let count = |sign| lines.iter().filter(|line| line.sign == sign).count();
    let counts = [('+', count(Sign::Added)), ('−', count(Sign::Removed))];
    let said =
        counts.iter().filter(|(_, number)| *number > 0).map(|(mark, number)| format!("{mark}{number}"));
    said.collect::<Vec<_>>().join(" ")
}

/// What a message or a task says of itself.
fn subject(input: &Value) -> Option<String> {
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

fn told(name: &str, input: &Value) -> Topic {
    let said = |key: &&str| {
        Some(if *key == "taskId" { format!("#{}", text(input, key)?) } else { text(input, key)?.to_owned() })
    };
    let parts: Vec<String> = telling(name).iter().filter_map(said).map(|part| first_line(&part)).collect();
    if !parts.is_empty() {
        return Topic::said(parts.join(" "));
    }
    // A file that is written or changed in a way that is not known.
    if let ("Write" | "Edit" | "MultiEdit" | "NotebookEdit", Some(path)) = (name, field::path(input)) {
        return Topic::file(path, "");
    }
    let first = || input.as_object()?.values().filter_map(Value::as_str).find(|text| !text.trim().is_empty());
    let said = input.as_str().map(first_line).or_else(|| title(input)).or_else(|| first().map(first_line));
    Topic::said(said.unwrap_or_default())
}
