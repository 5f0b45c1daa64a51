//! The fields of a call: which of them are texts, and which of them its summary says.

use serde_json::Value;

use crate::words::first_line;

pub(super) fn text<'a>(input: &'a Value, key: &str) -> Option<&'a str> {
    input.get(key).and_then(Value::as_str)
}

/// Every element of a list, if every one is as expected.
pub(super) fn all<'a, T>(
    input: &'a Value,
    key: &str,
    read: impl FnMut(&'a Value) -> Option<T>,
) -> Option<Vec<T>> {
    input.get(key)?.as_array()?.iter().map(read).collect()
}

pub(super) fn path(input: &Value) -> Option<&str> {
    ["file_path", "notebook_path", "path"].into_iter().find_map(|key| text(input, key))
}

/// The fields that tell what a call is about, by the name of its tool.
pub(super) fn telling(name: &str) -> &'static [&'static str] {
    match name {
        "BashOutput" => &["bash_id", "filter"],
        "KillShell" | "KillBash" => &["shell_id"],
        "TaskOutput" | "TaskStop" => &["task_id", "shell_id"],
        "AgentOutputTool" => &["agentId"],
        "TaskGet" => &["taskId"],
        "TaskUpdate" => &["taskId", "status"],
        "TeamCreate" | "TeamDelete" => &["team_name"],
        "Skill" => &["skill", "command", "args"],
        "SlashCommand" => &["command"],
        "ToolSearch" => &["query"],
        "LS" | "FileReader" => &["path"],
        "LSP" => &["operation", "filePath", "query"],
        "ReadMcpResourceTool" => &["server", "uri"],
        "ListMcpResourcesTool" => &["server"],
        "EnterWorktree" => &["name"],
        _ => &[],
    }
}

/// The fields of tools that are not known which are most like a title, the best first.
const TITLES: [&str; 16] = [
    "title",
    "subject",
    "summary",
    "query",
    "url",
    "uri",
    "path",
    "file_path",
    "filePath",
    "pattern",
    "command",
    "name",
    "description",
    "prompt",
    "message",
    "text",
];

/// What a call of a tool that is not known would be called.
pub(super) fn title(input: &Value) -> Option<String> {
    let line = |key| text(input, key).map(first_line).filter(|line| !line.is_empty());
    let said = TITLES.into_iter().find_map(line);
    said.or_else(|| place(input, line))
}

/// `owner/repository #3`, as the tools of forges say what they are about.
fn place(input: &Value, line: impl Fn(&'static str) -> Option<String>) -> Option<String> {
    let repository = line("repo").or_else(|| line("repository"))?;
    let owner = line("owner").map(|owner| format!("{owner}/")).unwrap_or_default();
    let keys = ["issue_number", "pullNumber", "pull_number", "number"];
    let number = keys.into_iter().find_map(|key| input.get(key).and_then(Value::as_u64));
    let number = number.map(|number| format!(" #{number}")).unwrap_or_default();
    Some(format!("{owner}{repository}{number}"))
}

/// Whether the summary says all that a reader would miss: every text, and nothing is nested. Switches and limits of
/// tools that are known go without saying.
pub(super) fn is_said(name: &str, input: &Value) -> bool {
    let telling = telling(name);
    let fields = match input {
        Value::Null => return true,
        Value::Object(fields) => fields,
        _ => return false,
    };
    let is_line = |text: &str| !text.trim().contains('\n');
    if telling.is_empty() {
        let is_one = fields.len() == 1 && fields.values().all(|value| value.as_str().is_some_and(is_line));
        return fields.is_empty() || is_one;
    }
    fields.iter().all(|(key, value)| match value {
        Value::String(text) => is_line(text) && telling.contains(&key.as_str()),
        Value::Array(_) | Value::Object(_) => false,
        Value::Null | Value::Bool(_) | Value::Number(_) => true,
    })
}
