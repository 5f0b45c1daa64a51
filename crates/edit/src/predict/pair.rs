//! Calls without a result get one, results without a call go, and so does what comes under an id that another call has:
//! so that the API takes the messages.

use std::collections::HashSet;

use serde_json::{Value, json};
use steno_conversation::Role;

use super::block;
use super::message::Message;
use super::prepare::NO_CONTENT;

const MISSING: &str = "[Tool result missing due to internal error]";
/// What is left of an answer whose only call went.
const INTERRUPTED: &str = "[Tool use interrupted]";
const ORPHANED: &str = "[Orphaned tool result removed due to conversation resume]";

/// `is_newest`: it also looks at results that follow no answer and at ids that occur twice, and never leaves a message
/// empty.
pub(super) fn paired(messages: Vec<Message>, is_newest: bool) -> Vec<Message> {
    let mut paired: Vec<Message> = Vec::with_capacity(messages.len());
    let mut messages = messages.into_iter().peekable();
    let mut known = HashSet::new();
    while let Some(mut message) = messages.next() {
        if message.role != Role::Assistant {
            let follows_answer = paired.last().is_some_and(|last| last.role == Role::Assistant);
            let is_lost = is_newest && !follows_answer && message.role == Role::User;
            paired.extend(if is_lost { unasked(message, paired.is_empty()) } else { Some(message) });
            continue;
        }
        if is_newest {
            drop_repeated(&mut message, &mut known);
        }
        let calls: Vec<String> = message.content.iter().filter_map(block::call).map(str::to_owned).collect();
        paired.push(message);
        let mut user = messages.next_if(|next| next.role == Role::User);
        if let Some(user) = user.as_mut().filter(|_| is_newest) {
            let mut answered = HashSet::new();
            user.content
                .retain(|block| block::answered(block).is_none_or(|call| answered.insert(call.to_owned())));
        }
        paired.extend(answer(&calls, user, is_newest));
    }
    paired
}

/// Of calls with one id only the first stays.
fn drop_repeated(answer: &mut Message, known: &mut HashSet<String>) {
    let before = answer.content.len();
    answer.content.retain(|block| block::call(block).is_none_or(|call| known.insert(call.to_owned())));
    if answer.content.is_empty() && before > 0 {
        answer.content.push(json!({ "type": "text", "text": INTERRUPTED, "citations": [] }));
    }
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
        return Some(Message::user(missing));
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
