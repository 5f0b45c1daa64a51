//! Attachments → what a client says of them.
//!
//! Since some version it notes in the record what it said. Before, it worded an attachment anew with each request, in
//! words that change with its version: of those we only know that they are sent.

use serde_json::{Value, json};
use steno_conversation::Role;

use super::block;
use super::message::{Message, push_text};
use super::said::{Attachment, ChainRecord};
use super::{Client, Uncertain};

/// Kinds that say nothing to the model.
const SILENT: [&str; 9] = [
    "prompt_snapshot",
    "deferred_tools_record",
    "hook_system_message",
    "hook_non_blocking_error",
    "hook_error_during_execution",
    "hook_cancelled",
    "command_permissions",
    "structured_output",
    "already_read_file",
];
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
/// Kinds that are in the user's message where the record does not say.
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
        return is_heard_success(attachment);
    }
    WORDED.contains(&kind) || client == Client::V2_1 && WORDED_BY_2_1.contains(&kind)
}

/// Of hooks that went well only two have a say.
fn is_heard_success(attachment: &Attachment) -> bool {
    let event = attachment.value.get("hookEvent").and_then(Value::as_str).unwrap_or_default();
    let is_empty = attachment.value.get("content").is_none_or(|content| content == "");
    matches!(event, "SessionStart" | "UserPromptSubmit") && !is_empty
}

/// What the newest client says, item by item, and to whom.
pub(super) fn noted(
    said: &ChainRecord,
    attachment: &Attachment,
    uncertain: &mut Vec<Uncertain>,
) -> (Vec<Vec<Value>>, Role) {
    let kind = attachment.kind.as_str();
    let role = attachment.role.unwrap_or(if OF_THE_USER.contains(&kind) { Role::User } else { Role::System });
    let mut items: Vec<Vec<Value>> = attachment.rendered.iter().map(item).collect();
    // Tags of reminders inside of one are changed.
    if items.is_empty()
        && let Some(words) = of_hook(attachment).filter(|words| !words.contains("system-reminder"))
    {
        items.push(vec![block::text(block::reminder(&words))]);
    }
    if items.is_empty() && !is_silent(attachment) {
        uncertain.push(Uncertain { place: said.place, what: format!("attachment {kind}") });
    }
    (items, role)
}

fn is_silent(attachment: &Attachment) -> bool {
    let has_context =
        || attachment.value.get("context").and_then(Value::as_object).is_some_and(|all| !all.is_empty());
    match attachment.kind.as_str() {
        "session_context" => !has_context(),
        "hook_success" => !is_heard_success(attachment),
        "hook_additional_context" => attachment.value.get("content").is_some_and(|said| *said == json!([])),
        kind => SILENT.contains(&kind),
    }
}

/// What a hook said, behind its name: in these all words are the hook's own but for a few.
fn of_hook(attachment: &Attachment) -> Option<String> {
    let text = |value: &Value, name: &str| value.get(name).and_then(Value::as_str).map(str::to_owned);
    let value = &attachment.value;
    let hook = text(value, "hookName")?;
    match attachment.kind.as_str() {
        "hook_success" if is_heard_success(attachment) => {
            Some(format!("{hook} hook success: {}", text(value, "content")?))
        }
        "hook_additional_context" => {
            let said = value.get("content")?.as_array()?.iter().map(Value::as_str);
            let said: Vec<&str> = said.collect::<Option<_>>()?;
            (!said.is_empty()).then(|| format!("{hook} hook additional context: {}", said.join("\n")))
        }
        "hook_blocking_error" => {
            let error = value.get("blockingError")?;
            let (command, said) = (text(error, "command")?, text(error, "blockingError")?);
            Some(format!("{hook} hook blocking error from command: \"{command}\": {said}"))
        }
        _ => None,
    }
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

/// A reminder joins the result that ends the message, or else is at its end.
pub(super) fn fold(message: &mut Message, mut blocks: Vec<Value>) {
    if blocks.iter().all(block::is_text)
        && let Some(last) = message.content.last_mut().filter(|last| takes_reminders(last))
        && let Some(last) = last.as_object_mut()
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
                if let Some(last) = items.last_mut().filter(|item| block::is_text(item)) {
                    push_text(last, "\n");
                }
                items.append(&mut blocks);
                return;
            }
            _ => {}
        }
    }
    message.join(blocks);
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
