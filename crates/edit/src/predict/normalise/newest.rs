//! As 2.1.325 does it: what the client itself has to say is in messages of the system.

use serde_json::Value;
use steno_conversation::Role;
use steno_transcript::Kind;

use super::{Answers, fill_empty, last_user, lifted, renamed};
use crate::predict::attachment;
use crate::predict::block;
use crate::predict::frame::{self, Notification};
use crate::predict::message::{Message, push_text};
use crate::predict::said::ChainRecord;
use crate::predict::{Uncertain, prepare};

const NAMES: [(&str, &str); 2] = [("Task", "Agent"), ("KillShell", "TaskStop")];

pub(super) fn joined(
    said: Vec<ChainRecord>,
    lead: Option<&str>,
    uncertain: &mut Vec<Uncertain>,
) -> Vec<Message> {
    let takes_system = prepare::model(&said).is_none_or(takes_system);
    let mut joining =
        Joining { messages: Vec::new(), notes: Vec::new(), answers: Answers::default(), takes_system, lead };
    for said in lifted(said) {
        joining.add(said, uncertain);
    }
    joining.flush();
    let mut messages = joining.messages;
    fill_empty(&mut messages);
    messages.retain(|message| !message.content.is_empty());
    messages
}

/// Models from 4.8 on know messages of the system.
fn takes_system(model: &str) -> bool {
    let mut parts = model.split('-');
    let is_known =
        parts.next() == Some("claude") && matches!(parts.next(), Some("opus" | "sonnet" | "haiku"));
    let mut number = || parts.next().filter(|part| part.len() < 3).and_then(|part| part.parse::<u32>().ok());
    is_known && number().is_some_and(|major| (major, number().unwrap_or(0)) >= (4, 8))
}

struct Joining<'f> {
    messages: Vec<Message>,
    /// What the client says for itself, until the user has spoken.
    notes: Vec<String>,
    answers: Answers,
    takes_system: bool,
    /// What precedes the report of a task, where that is known.
    lead: Option<&'f str>,
}

impl Joining<'_> {
    fn add(&mut self, said: ChainRecord, uncertain: &mut Vec<Uncertain>) {
        if said.is_api_error || said.is_virtual {
            return;
        }
        match said.kind {
            Kind::System => {
                if let Some(command) = said.command {
                    self.user(vec![block::text(command)]);
                }
            }
            Kind::User if !said.content.is_empty() => {
                let content = self.framed(said, uncertain);
                self.user(content);
            }
            Kind::Assistant => self.assistant(said),
            Kind::Attachment => self.attachment(&said, uncertain),
            _ => {}
        }
    }

    fn framed(&self, said: ChainRecord, uncertain: &mut Vec<Uncertain>) -> Vec<Value> {
        match (said.notification, self.lead) {
            (None, _) => said.content,
            (Some(Notification::Plain), Some(lead)) => frame::framed(said.content, lead),
            (Some(_), _) => {
                if !frame::is_framed(&said.content) {
                    let what = "frame of a notification".to_owned();
                    uncertain.push(Uncertain { place: said.place, what });
                }
                said.content
            }
        }
    }

    fn user(&mut self, content: Vec<Value>) {
        match last_user(&mut self.messages) {
            Some(last) => last.join_lines(content),
            None => self.messages.push(Message::user(content)),
        }
    }

    fn assistant(&mut self, said: ChainRecord) {
        let content = said.content.into_iter().map(|block| renamed(block, &NAMES)).collect();
        let known = self.answers.find(&self.messages, &said.id).filter(|_| said.id.is_some());
        if let Some(message) = known.and_then(|place| self.messages.get_mut(place)) {
            return message.append_answer(content);
        }
        self.flush();
        let mut message = Message::assistant(said.id, content);
        message.put_calls_last();
        self.messages.push(message);
    }

    fn attachment(&mut self, said: &ChainRecord, uncertain: &mut Vec<Uncertain>) {
        let Some(attachment) = &said.attachment else { return };
        let (items, role) = attachment::noted(said, attachment, uncertain);
        if items.is_empty() {
            return;
        }
        let texts: Option<Vec<&str>> = items.iter().map(|item| only_text(item)).collect();
        if let Some(texts) = texts.filter(|_| role == Role::System && self.takes_system) {
            let texts: Vec<&str> = texts.into_iter().map(block::unwrapped).collect();
            return self.notes.push(texts.join("\n"));
        }
        let joins = last_user(&mut self.messages).is_some();
        for item in items {
            match last_user(&mut self.messages).filter(|_| joins) {
                Some(last) if attachment::is_users_own(attachment) => last.join_lines(item),
                Some(last) => attachment::fold(last, item),
                None => self.messages.push(Message::user(item)),
            }
        }
    }

    /// Notes become a message behind the user's.
    fn flush(&mut self) {
        if self.notes.is_empty() {
            return;
        }
        let text = std::mem::take(&mut self.notes).join("\n\n");
        match self.messages.last_mut() {
            Some(last) if last.role == Role::System => {
                last.content.last_mut().into_iter().for_each(|last| push_text(last, &format!("\n\n{text}")));
            }
            Some(last) if last.role == Role::User => self.messages.push(Message::system(text)),
            _ => self.messages.push(Message::user(vec![block::text(block::reminder(&text))])),
        }
    }
}

fn only_text(item: &[Value]) -> Option<&str> {
    match item {
        [only] if block::is_text(only) => Some(block::words(only)),
        _ => None,
    }
}
