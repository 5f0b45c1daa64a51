//! As 2.0.42 and 2.1.56 do it.

use std::collections::HashSet;

use serde_json::{Value, json};
use steno_conversation::Role;
use steno_transcript::Kind;

use super::{Answers, fill_empty, last_user, renamed};
use crate::predict::message::Message;
use crate::predict::said::ChainRecord;
use crate::predict::{Client, Uncertain, attachment, block};

const NAMES: [(&str, &str); 3] =
    [("AgentOutputTool", "TaskOutput"), ("BashOutputTool", "TaskOutput"), ("KillShell", "TaskStop")];
const NO_REFERENCES: &str = "[Tool references removed - tool search not enabled]";

/// Only records of a message that follow each other are joined; calls go unchanged.
pub(super) fn v2_0(said: Vec<ChainRecord>, uncertain: &mut Vec<Uncertain>) -> Vec<Message> {
    let mut messages: Vec<Message> = Vec::new();
    for said in said {
        match said.kind {
            Kind::User => user(&mut messages, said.content),
            Kind::Assistant => match messages.last_mut() {
                Some(last) if last.role == Role::Assistant && last.id == said.id => {
                    last.content.extend(said.content)
                }
                _ => messages.push(Message::assistant(said.id, said.content)),
            },
            _ => doubt(&said, Client::V2_0, uncertain),
        }
    }
    messages
}

pub(super) fn v2_1(said: Vec<ChainRecord>, uncertain: &mut Vec<Uncertain>) -> Vec<Message> {
    let mut messages: Vec<Message> = Vec::new();
    let mut answers = Answers::default();
    for said in said.into_iter().filter(|said| !said.is_api_error) {
        match said.kind {
            Kind::User => user(&mut messages, said.content.into_iter().map(without_references).collect()),
            Kind::Assistant => {
                let content = said.content.into_iter().map(plain_call).collect();
                let known = answers.find(&messages, &said.id);
                match known.and_then(|place| messages.get_mut(place)) {
                    Some(message) => message.content.extend::<Vec<Value>>(content),
                    None => messages.push(Message::assistant(said.id, content)),
                }
            }
            _ => doubt(&said, Client::V2_1, uncertain),
        }
    }
    let mut messages = without_blank(messages);
    fill_empty(&mut messages);
    messages
}

fn user(messages: &mut Vec<Message>, content: Vec<Value>) {
    match last_user(messages) {
        Some(last) => last.join(content),
        None => messages.push(Message::user(content)),
    }
}

fn doubt(said: &ChainRecord, client: Client, uncertain: &mut Vec<Uncertain>) {
    if let Some(attachment) = said.attachment.as_ref().filter(|known| attachment::is_worded_by(client, known))
    {
        uncertain.push(Uncertain { place: said.place, what: format!("attachment {}", attachment.kind) });
    }
}

/// Its type, id, name and input; of a plan, not the plan.
fn plain_call(block: Value) -> Value {
    if !block::is_call(&block) {
        return block;
    }
    let mut call = renamed(block, &NAMES);
    if call.get("name").is_some_and(|name| name == "ExitPlanMode")
        && let Some(input) = call.get_mut("input").and_then(Value::as_object_mut)
    {
        input.shift_remove("plan");
    }
    let mut plain = json!({ "type": "tool_use" });
    for name in ["id", "name", "input"] {
        if let (Some(value), Some(plain)) = (call.get_mut(name), plain.as_object_mut()) {
            plain.insert(name.to_owned(), value.take());
        }
    }
    plain
}

fn without_references(mut block: Value) -> Value {
    let is_reference = |item: &Value| block::kind(item) == "tool_reference";
    if block::is_result(&block)
        && let Some(Value::Array(items)) = block.get_mut("content")
        && items.iter().any(is_reference)
    {
        items.retain(|item| !is_reference(item));
        if items.is_empty() {
            items.push(block::text(NO_REFERENCES));
        }
    }
    block
}

/// Without lone thinking and answers of white space; the users around them become one.
fn without_blank(mut messages: Vec<Message>) -> Vec<Message> {
    let thinks =
        |message: &Message| message.role == Role::Assistant && message.content.iter().all(block::is_thinking);
    let answers = messages.iter().filter(|message| message.role == Role::Assistant && !thinks(message));
    let spoken: HashSet<Option<String>> = answers.map(|message| message.id.clone()).collect();
    messages.retain(|message| !thinks(message) || message.content.is_empty() || spoken.contains(&message.id));
    let is_blank = |message: &Message| {
        message.role == Role::Assistant
            && !message.content.is_empty()
            && message.content.iter().all(block::is_blank)
    };
    if !messages.iter().any(is_blank) {
        return messages;
    }
    let mut kept: Vec<Message> = Vec::new();
    for message in messages.into_iter().filter(|message| !is_blank(message)) {
        match message.role {
            Role::User => user(&mut kept, message.content),
            _ => kept.push(Message::assistant(message.id, message.content)),
        }
    }
    kept
}
