//! A tool call → the form that shows best what it does.
//!
//! Every tool that clients have had is known here, and nowhere else in this crate: formats write forms, not tools.

mod diff;
mod field;
mod name;
mod summary;

use serde_json::Value;

use field::{all, text};
pub use name::name;
pub use summary::{Topic, summary, topic};

/// What a call does. Formats differ in how they write it, not in what it is.
#[derive(Debug, Clone, PartialEq)]
pub enum View<'a> {
    Command {
        command: &'a str,
        description: Option<&'a str>,
    },
    /// A file that is read; which part of it, in words.
    Read {
        path: &'a str,
        part: Option<String>,
    },
    /// A file that is written as a whole.
    Write {
        path: &'a str,
        content: &'a str,
    },
    /// One or several replacements in a file.
    Edit {
        path: &'a str,
        lines: Vec<DiffLine<'a>>,
    },
    Todos(Vec<Todo<'a>>),
    /// A search in files or in the web; where, in words.
    Search {
        pattern: &'a str,
        scope: Option<String>,
    },
    Fetch {
        url: &'a str,
        prompt: Option<&'a str>,
    },
    /// A text for a reader: the task of an agent, a message, a plan.
    Prose(&'a str),
    /// What the user is asked.
    Questions(Vec<Question<'a>>),
    /// The summary says all of it.
    Brief,
    /// A call of a tool that is not known, or that is not as expected.
    Other(&'a Value),
}

/// A line of a file before or after, or both.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DiffLine<'a> {
    pub sign: Sign,
    /// Without its newline.
    pub text: &'a str,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sign {
    Same,
    Added,
    Removed,
    /// Lines between two replacements that are not known or not shown.
    Gap,
}

impl Sign {
    /// What precedes the line.
    pub fn mark(self) -> char {
        match self {
            Self::Same => ' ',
            Self::Added => '+',
            Self::Removed => '-',
            Self::Gap => '…',
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Todo<'a> {
    pub text: &'a str,
    /// `pending`, `in_progress` or `completed`, unchanged.
    pub status: &'a str,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question<'a> {
    pub text: &'a str,
    /// What it is about, in a word or two.
    pub header: Option<&'a str>,
    pub choices: Vec<Choice<'a>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Choice<'a> {
    pub label: &'a str,
    pub description: Option<&'a str>,
}

pub fn view<'a>(name: &str, input: &'a Value) -> View<'a> {
    let known = match name {
        "Bash" | "bash" | "PowerShell" => command(input),
        "Read" | "NotebookRead" => read(input),
        "Write" => write(input),
        "Edit" => edit(input),
        "MultiEdit" => edits(input),
        "NotebookEdit" => cell(input),
        "TodoWrite" => todos(input),
        "Grep" | "Glob" | "WebSearch" | "web_search" => search(input),
        "WebFetch" | "web_fetch" => fetch(input),
        "Task" | "Agent" => text(input, "prompt").map(View::Prose),
        "TaskCreate" => text(input, "description").map(View::Prose),
        "SendMessage" => text(input, "message").or_else(|| text(input, "content")).map(View::Prose),
        "ExitPlanMode" | "exit_plan_mode" => text(input, "plan").map(View::Prose),
        "AskUserQuestion" => questions(input),
        _ => None,
    };
    let brief = || field::is_said(name, input).then_some(View::Brief);
    known.or_else(brief).unwrap_or(View::Other(input))
}

fn command(input: &Value) -> Option<View<'_>> {
    Some(View::Command { command: text(input, "command")?, description: text(input, "description") })
}

fn read(input: &Value) -> Option<View<'_>> {
    Some(View::Read { path: field::path(input)?, part: part(input) })
}

/// Which lines or pages of a file are read.
fn part(input: &Value) -> Option<String> {
    let number = |key| input.get(key).and_then(Value::as_u64);
    let pages = || text(input, "pages").map(|pages| format!("pages {pages}"));
    match (number("offset"), number("limit")) {
        (Some(from), Some(count)) if count > 0 => {
            Some(format!("lines {from}–{}", from.saturating_add(count - 1)))
        }
        (Some(from), _) => Some(format!("from line {from}")),
        (None, Some(1)) => Some("first line".to_owned()),
        (None, Some(count)) => Some(format!("first {count} lines")),
        (None, None) => pages(),
    }
}

fn write(input: &Value) -> Option<View<'_>> {
    Some(View::Write { path: field::path(input)?, content: text(input, "content")? })
}

fn replacement(edit: &Value) -> Option<(&str, &str)> {
    Some((text(edit, "old_string")?, text(edit, "new_string")?))
}

fn edit(input: &Value) -> Option<View<'_>> {
    Some(View::Edit { path: field::path(input)?, lines: diff::lines(&[replacement(input)?]) })
}

fn edits(input: &Value) -> Option<View<'_>> {
    Some(View::Edit { path: field::path(input)?, lines: diff::lines(&all(input, "edits", replacement)?) })
}

/// What a cell of a notebook held before is not recorded in the call.
fn cell(input: &Value) -> Option<View<'_>> {
    let source = text(input, "new_source")?;
    Some(View::Edit { path: field::path(input)?, lines: diff::lines(&[("", source)]) })
}

fn todos(input: &Value) -> Option<View<'_>> {
    let todo = |item| Some(Todo { text: text(item, "content")?, status: text(item, "status")? });
    all(input, "todos", todo).map(View::Todos)
}

fn search(input: &Value) -> Option<View<'_>> {
    let pattern = text(input, "pattern").or_else(|| text(input, "query"))?;
    Some(View::Search { pattern, scope: scope(input) })
}

fn scope(input: &Value) -> Option<String> {
    let named = |name: &str, key| text(input, key).map(|value| format!("{name}{value}"));
    let domains = |key| all(input, key, Value::as_str).filter(|names| !names.is_empty());
    let parts = [
        named("", "path"),
        named("", "glob"),
        named("type ", "type"),
        domains("allowed_domains").map(|names| names.join(", ")),
        domains("blocked_domains").map(|names| format!("not {}", names.join(", "))),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

fn fetch(input: &Value) -> Option<View<'_>> {
    Some(View::Fetch { url: text(input, "url")?, prompt: text(input, "prompt") })
}

fn questions(input: &Value) -> Option<View<'_>> {
    all(input, "questions", question).map(View::Questions)
}

fn question(item: &Value) -> Option<Question<'_>> {
    let choices = all(item, "options", choice).unwrap_or_default();
    Some(Question { text: text(item, "question")?, header: text(item, "header"), choices })
}

/// Some clients wrote the label alone.
fn choice(item: &Value) -> Option<Choice<'_>> {
    let label = text(item, "label").or_else(|| item.as_str())?;
    Some(Choice { label, description: text(item, "description") })
}

#[cfg(test)]
mod tests;
