//! Calls without a result get one, results without a call go: so that the API takes the messages.

use std::collections::HashSet;

use serde_json::{Value, json};

use super::block;
use super::draft::{Message, Role};
use super::prepare::NO_CONTENT;

const MISSING: &str = "[Tool result missing due to internal error]";
const ORPHANED: &str = "[Orphaned tool result removed due to conversation resume]";

/// `is_newest`: it also looks at results that follow no answer, and never leaves a message empty.
pub(super) fn paired(messages: Vec<Message>, is_newest: bool) -> Vec<Message> {
    let mut paired: Vec<Message> = Vec::with_capacity(messages.len());
    let mut messages = messages.into_iter().peekable();
    while let Some(message) = messages.next() {
        if message.role != Role::Assistant {
            let follows_answer = paired.last().is_some_and(|last| last.role == Role::Assistant);
            let is_lost = is_newest && !follows_answer && message.role == Role::User;
            paired.extend(if is_lost { unasked(message, paired.is_empty()) } else { Some(message) });
            continue;
        }
        let calls: Vec<String> = message.content.iter().filter_map(block::call).map(str::to_owned).collect();
        paired.push(message);
        let user = messages.next_if(|next| next.role == Role::User);
        paired.extend(answer(&calls, user, is_newest));
    }
    paired
}

/// What stays of a user's message that follows no answer.
fn unasked(mut message: Message, is_first: bool) -> Option<Message> {
    if !message.content.iter().any(block::is_result) {
        return Some(message);
    }
    message.content.retain(|block| !block::is_result(block));
    if message.content.is_empty() && is_first {
        message.content.push(block::text(ORPHANED));
    }
    (!message.content.is_empty()).then_some(message)
}

fn answer(calls: &[String], user: Option<Message>, is_newest: bool) -> Option<Message> {
    let content = user.as_ref().map(|user| user.content.as_slice()).unwrap_or_default();
    let answered: HashSet<String> = content.iter().filter_map(block::answered).map(str::to_owned).collect();
    let missing: Vec<Value> =
        calls.iter().filter(|call| !answered.contains(*call)).map(|call| missing(call)).collect();
    let asked: HashSet<&str> = calls.iter().map(String::as_str).collect();
    let is_orphan = |block: &Value| block::answered(block).is_some_and(|call| !asked.contains(call));
    if missing.is_empty() && !content.iter().any(is_orphan) {
        return user;
    }
    let Some(mut user) = user else {
        return Some(Message { role: Role::User, id: None, content: missing });
    };
    user.content.retain(|block| !is_orphan(block));
    user.content.splice(..0, missing);
    if user.content.is_empty() && is_newest {
        user.content.push(block::text(NO_CONTENT));
    }
    (!user.content.is_empty()).then_some(user)
}

fn missing(call: &str) -> Value {
    json!({ "type": "tool_result", "tool_use_id": call, "content": MISSING, "is_error": true })
}
