//! Attachments → what a client says of them.
//!
//! Since some version it notes in the record what it said. Before, it worded an attachment anew with each request, in
//! words that change with its version: of those we only know that they are sent.

use serde_json::Value;

use super::block;
use super::draft::{Draft, Role};
use super::said::{Attachment, Said};
use super::{Client, Uncertain};

/// Kinds that say nothing to the model.
const SILENT: [&str; 2] = ["prompt_snapshot", "deferred_tools_record"];
/// Kinds of which 2.0 and 2.1.56 say something; what they do not know they leave out.
const WORDED: [&str; 19] = [
    "file",
    "directory",
    "edited_text_file",
    "nested_memory",
    "queued_command",
    "todo_reminder",
    "selected_lines_in_ide",
    "opened_file_in_ide",
    "diagnostics",
    "plan_mode",
    "mcp_resource",
    "hook_blocking_error",
    "hook_success",
    "hook_additional_context",
    "hook_stopped_continuation",
    "compact_file_reference",
    "output_style",
    "agent_mention",
    "async_hook_response",
];
const WORDED_BY_2_1: [&str; 10] = [
    "skill_listing",
    "invoked_skills",
    "plan_file_reference",
    "plan_mode_exit",
    "plan_mode_reentry",
    "task_reminder",
    "task_status",
    "date_change",
    "critical_system_reminder",
    "relevant_memories",
];
/// Kinds that stand in the user's message where the record does not say.
const OF_THE_USER: [&str; 18] = [
    "nested_memory",
    "file",
    "directory",
    "dir_sync_notice",
    "instruction_files_not_loaded",
    "goals",
    "unknown_command_fallback",
    "widget_context_hint",
    "session_context",
    "instructions",
    "coordinator_context",
    "context_sections",
    "remote_session_change",
    "fork_briefing",
    "poll_events",
    "cowork_memory_context",
    "account_memory_recall",
    "artifact_opening_prefetch",
];

/// Whether an older client says something of it, in words of its own.
pub(super) fn is_worded_by(client: Client, attachment: &Attachment) -> bool {
    let kind = attachment.kind.as_str();
    if kind == "hook_success" {
        let event = attachment.value.get("hookEvent").and_then(Value::as_str).unwrap_or_default();
        let is_empty = attachment.value.get("content").is_none_or(|content| content == "");
        return matches!(event, "SessionStart" | "UserPromptSubmit") && !is_empty;
    }
    WORDED.contains(&kind) || client == Client::V2_1 && WORDED_BY_2_1.contains(&kind)
}

/// What the newest client says, item by item, and to whom.
pub(super) fn noted(
    said: &Said,
    attachment: &Attachment,
    uncertain: &mut Vec<Uncertain>,
) -> (Vec<Vec<Value>>, Role) {
    let kind = attachment.kind.as_str();
    let role = attachment.role.unwrap_or(if OF_THE_USER.contains(&kind) { Role::User } else { Role::System });
    let items: Vec<Vec<Value>> = attachment.rendered.iter().map(item).collect();
    if items.is_empty() && !is_silent(attachment) {
        uncertain.push(Uncertain { place: said.place, what: format!("attachment {kind}") });
    }
    (items, role)
}

fn is_silent(attachment: &Attachment) -> bool {
    let has_context =
        || attachment.value.get("context").and_then(Value::as_object).is_some_and(|all| !all.is_empty());
    SILENT.contains(&attachment.kind.as_str()) || attachment.kind == "session_context" && !has_context()
}

fn item(rendered: &Value) -> Vec<Value> {
    match rendered.get("content") {
        Some(Value::String(text)) => vec![block::text(text.as_str())],
        Some(Value::Array(blocks)) => blocks.clone(),
        _ => Vec::new(),
    }
}

/// Whether it is joined to the user's words like a record of his.
pub(super) fn is_users_own(attachment: &Attachment) -> bool {
    let hook = || attachment.value.get("hookName").and_then(Value::as_str).unwrap_or_default();
    let is_of_prompt = || {
        attachment.kind == "hook_additional_context" && matches!(hook(), "prompt.submit" | "prompt.mention")
    };
    let is_own = matches!(attachment.kind.as_str(), "nested_memory" | "file" | "directory") || is_of_prompt();
    attachment.role == Some(Role::User) && is_own
}

/// A reminder joins the result that ends the message, or else stands at its end.
pub(super) fn fold(draft: &mut Draft, mut blocks: Vec<Value>) {
    if blocks.iter().all(block::is_text)
        && draft.is_open(takes_reminders)
        && let Some(last) = draft.last_mut().and_then(Value::as_object_mut)
    {
        match last.entry("content").or_insert(Value::Null) {
            Value::String(text) => return blocks.iter().for_each(|block| join(text, block::words(block))),
            content @ Value::Null => {
                let mut text = String::new();
                blocks.iter().for_each(|block| join(&mut text, block::words(block)));
                *content = Value::String(text);
                return;
            }
            Value::Array(items) => {
                end_line(items.last_mut());
                items.append(&mut blocks);
                return;
            }
            _ => {}
        }
    }
    draft.join(blocks, false);
}

/// In place: a long result may be joined many times.
fn join(text: &mut String, more: &str) {
    let more = more.trim();
    text.truncate(text.trim_end().len());
    let margin = text.len() - text.trim_start().len();
    text.drain(..margin);
    if !text.is_empty() && !more.is_empty() {
        text.push_str("\n\n");
    }
    text.push_str(more);
}

/// Texts that were joined to a result change nothing about it.
fn takes_reminders(last: &Value) -> bool {
    block::is_result(last)
        && match last.get("content") {
            None | Some(Value::Null | Value::String(_)) => true,
            Some(Value::Array(items)) => !items.iter().any(is_reference),
            Some(_) => false,
        }
}

fn is_reference(item: &Value) -> bool {
    matches!(block::kind(item), "tool_reference" | "search_result")
}

fn end_line(item: Option<&mut Value>) {
    if let Some(item) = item.filter(|item| block::is_text(item))
        && let Some(Value::String(text)) = item.get_mut("text")
    {
        text.push('\n');
    }
}
