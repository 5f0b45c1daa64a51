//! Questions that are asked of content blocks.

use serde_json::{Value, json};

pub(super) fn kind(block: &Value) -> &str {
    block.get("type").and_then(Value::as_str).unwrap_or_default()
}

pub(super) fn text(text: impl Into<String>) -> Value {
    json!({ "type": "text", "text": text.into() })
}

pub(super) fn is_text(block: &Value) -> bool {
    kind(block) == "text"
}

pub(super) fn is_call(block: &Value) -> bool {
    kind(block) == "tool_use"
}

pub(super) fn is_result(block: &Value) -> bool {
    kind(block) == "tool_result"
}

/// Sealed thinking, too.
pub(super) fn is_thinking(block: &Value) -> bool {
    matches!(kind(block), "thinking" | "redacted_thinking")
}

pub(super) fn words(block: &Value) -> &str {
    block.get("text").and_then(Value::as_str).unwrap_or_default()
}

/// A text of white space only.
pub(super) fn is_blank(block: &Value) -> bool {
    is_text(block) && words(block).trim().is_empty()
}

/// The id of a call.
pub(super) fn call(block: &Value) -> Option<&str> {
    is_call(block).then(|| block.get("id").and_then(Value::as_str)).flatten()
}

/// The call that a result answers.
pub(super) fn answered(block: &Value) -> Option<&str> {
    is_result(block).then(|| block.get("tool_use_id").and_then(Value::as_str)).flatten()
}

/// As the client marks what it says itself.
pub(super) fn reminder(text: &str) -> String {
    format!("<system-reminder>\n{text}\n</system-reminder>")
}

/// What a reminder says.
pub(super) fn unwrapped(text: &str) -> &str {
    let inner = text.strip_prefix("<system-reminder>\n");
    inner.and_then(|inner| inner.trim_end_matches('\n').strip_suffix("\n</system-reminder>")).unwrap_or(text)
}
