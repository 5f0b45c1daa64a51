//! A conversation → messages as the API wants them: users and answers joined, attachments put into words.

mod newest;
mod older;

use serde_json::{Value, json};
use steno_conversation::Role;
use steno_transcript::Kind;

use super::frame::Frames;
use super::message::Message;
use super::prepare::NO_CONTENT;
use super::said::ChainRecord;
use super::{Client, Uncertain, block, pair};

/// In place of the new prompt: it separates what precedes the prompt from what the client adds to it.
const PROMPT: &str = "\u{0}";

pub(super) fn normalise(
    mut said: Vec<ChainRecord>,
    client: Client,
    frames: &Frames,
    uncertain: &mut Vec<Uncertain>,
) -> Vec<Message> {
    said.push(ChainRecord::user(vec![block::text(PROMPT)]));
    let messages = match client {
        Client::V2_0 => older::v2_0(lifted(said), uncertain),
        Client::V2_1 => pair::paired(older::v2_1(lifted(said), uncertain), false),
        Client::Newest => pair::paired(newest::joined(said, frames.lead(), uncertain), true),
    };
    without_prompt(messages)
}

fn without_prompt(mut messages: Vec<Message>) -> Vec<Message> {
    let is_prompt = |block: &Value| block::words(block) == PROMPT;
    if let Some(message) = messages.iter_mut().rfind(|message| message.role == Role::User) {
        message.content.retain(|block| !is_prompt(block));
    }
    messages.retain(|message| message.role != Role::User || !message.content.is_empty());
    messages
}

/// Attachments are directly behind the answer or the result before them, or else at the very start.
fn lifted(said: Vec<ChainRecord>) -> Vec<ChainRecord> {
    let mut lifted = Vec::with_capacity(said.len());
    let mut attachments = Vec::new();
    let mut others = Vec::new();
    for said in said {
        if said.kind == Kind::Attachment {
            attachments.push(said);
        } else if said.is_assistant() || said.starts_with_result() {
            lifted.append(&mut attachments);
            lifted.append(&mut others);
            lifted.push(said);
        } else {
            others.push(said);
        }
    }
    lifted.append(&mut attachments);
    lifted.append(&mut others);
    lifted
}

/// The last message, if it is the user's.
fn last_user(messages: &mut [Message]) -> Option<&mut Message> {
    messages.last_mut().filter(|last| last.role == Role::User)
}

/// An answer with nothing in it says so, unless it is the last message.
fn fill_empty(messages: &mut [Message]) {
    let count = messages.len().saturating_sub(1);
    let answers = messages.iter_mut().take(count).filter(|message| message.role == Role::Assistant);
    for empty in answers.filter(|message| message.content.is_empty()) {
        empty.content.push(json!({ "type": "text", "text": NO_CONTENT, "citations": [] }));
    }
}

/// A tool by the name that a client has for it today.
fn renamed(mut call: Value, names: &[(&str, &str)]) -> Value {
    let name = call.get("name").and_then(Value::as_str);
    let new = names.iter().find(|(old, _)| Some(*old) == name).map(|(_, new)| Value::from(*new));
    if let (true, Some(new), Some(call)) = (block::is_call(&call), new, call.as_object_mut()) {
        call.insert("name".to_owned(), new);
    }
    call
}

/// Where the answers of this turn are, by the ids of their messages. A user's message that answers no call ends
/// the turn.
#[derive(Debug, Default)]
struct Answers {
    by_id: std::collections::HashMap<Option<String>, usize>,
    scanned: usize,
}

impl Answers {
    fn find(&mut self, messages: &[Message], id: &Option<String>) -> Option<usize> {
        for (place, message) in messages.iter().enumerate().skip(self.scanned) {
            match message.role {
                Role::Assistant => drop(self.by_id.insert(message.id.clone(), place)),
                Role::User if !message.has_result() => self.by_id.clear(),
                _ => {}
            }
        }
        self.scanned = messages.len();
        self.by_id.get(id).copied()
    }
}
