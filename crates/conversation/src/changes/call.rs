//! A tool call and its result → the edit that it made.

use serde_json::Value;

use super::hunk::{self, Hunk};
use crate::model::{ToolOutcome, ToolStep};

/// A call that may change files.
#[derive(Debug)]
pub(super) enum Call {
    Edit(Edit),
    Command,
    /// No result is recorded.
    Unanswered,
}

/// One applied edit.
#[derive(Debug)]
pub(super) struct Edit {
    pub(super) path: String,
    /// The file's content before it, where the result records it.
    pub(super) before: Recorded,
    pub(super) kind: Kind,
    /// The person changed the proposal before accepting it.
    pub(super) is_user_modified: bool,
}

/// What is recorded of a file's content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Recorded {
    Unknown,
    Absent,
    Text(String),
}

#[derive(Debug)]
pub(super) enum Kind {
    Write(String),
    Replace { replacements: Vec<Replacement>, hunks: Vec<Hunk> },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Replacement {
    pub(super) old: String,
    pub(super) new: String,
    pub(super) all: bool,
}

impl Call {
    /// None for a call that changes no file, or that was denied or failed.
    pub(super) fn of(tool: &ToolStep) -> Option<Self> {
        if !matches!(tool.name.as_str(), "Bash" | "Edit" | "MultiEdit" | "Write" | "NotebookEdit") {
            return None;
        }
        let Some(result) = &tool.result else { return Some(Self::Unanswered) };
        if tool.name == "Bash" {
            return Some(Self::Command);
        }
        if result.is_error {
            return None;
        }
        let edit = match tool.name.as_str() {
            "Write" => write(&tool.input, result),
            "NotebookEdit" => notebook(&tool.input, result),
            _ => replace(&tool.input, result),
        };
        edit.map(Self::Edit)
    }
}

fn write(input: &Value, result: &ToolOutcome) -> Option<Edit> {
    let structured = result.structured.as_ref();
    let content = field(structured, "content").or_else(|| text(input, "content"))?;
    let before = match field(structured, "originalFile") {
        Some(original) => Recorded::Text(original),
        None if field(structured, "type").is_some_and(|kind| kind == "create") => Recorded::Absent,
        // Without a structured result only the sentence to the model tells.
        None if structured.is_none() && result.text.starts_with("File created") => Recorded::Absent,
        None => hunk::undone(&content, &hunks(structured)).map_or(Recorded::Unknown, Recorded::Text),
    };
    let path = path(structured, input)?;
    Some(Edit { path, before, kind: Kind::Write(content), is_user_modified: is_user_modified(structured) })
}

fn replace(input: &Value, result: &ToolOutcome) -> Option<Edit> {
    let structured = result.structured.as_ref();
    let original = field(structured, "originalFile").or_else(|| field(structured, "originalFileContents"));
    let replacements = match input.get("edits").and_then(Value::as_array) {
        Some(edits) => edits.iter().map(replacement).collect::<Option<Vec<_>>>()?,
        None => vec![replacement(input)?],
    };
    let kind = Kind::Replace { replacements, hunks: hunks(structured) };
    let before = original.map_or(Recorded::Unknown, Recorded::Text);
    let path = path(structured, input)?;
    Some(Edit { path, before, kind, is_user_modified: is_user_modified(structured) })
}

/// A notebook is edited cell by cell; newer clients record the whole file before and after.
fn notebook(input: &Value, result: &ToolOutcome) -> Option<Edit> {
    let structured = result.structured.as_ref();
    let path = field(structured, "notebook_path").or_else(|| text(input, "notebook_path"))?;
    let kind = match field(structured, "updated_file") {
        Some(updated) => Kind::Write(updated),
        None => Kind::Replace {
            replacements: vec![Replacement {
                old: String::new(),
                new: text(input, "new_source").unwrap_or_default(),
                all: false,
            }],
            hunks: Vec::new(),
        },
    };
    let before = field(structured, "original_file").map_or(Recorded::Unknown, Recorded::Text);
    Some(Edit { path, before, kind, is_user_modified: false })
}

fn replacement(input: &Value) -> Option<Replacement> {
    let all = input.get("replace_all").and_then(Value::as_bool).unwrap_or_default();
    Some(Replacement { old: text(input, "old_string")?, new: text(input, "new_string")?, all })
}

fn path(structured: Option<&Value>, input: &Value) -> Option<String> {
    field(structured, "filePath").or_else(|| text(input, "file_path"))
}

fn hunks(structured: Option<&Value>) -> Vec<Hunk> {
    hunk::all(structured.and_then(|value| value.get("structuredPatch")))
}

fn is_user_modified(structured: Option<&Value>) -> bool {
    structured.and_then(|value| value.get("userModified")).and_then(Value::as_bool).unwrap_or_default()
}

fn field(structured: Option<&Value>, name: &str) -> Option<String> {
    structured.and_then(|value| text(value, name))
}

fn text(value: &Value, name: &str) -> Option<String> {
    value.get(name).and_then(Value::as_str).map(str::to_owned)
}
