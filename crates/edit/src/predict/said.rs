//! A link of the chain, read in full: what it says, and what decides how that is sent.

use serde_json::Value;
use steno_conversation::Role;
use steno_transcript::{Kind, Place};

use super::Uncertain;
use super::block;
use super::frame::Notification;
use super::link::RawRecord;
use crate::outline::Node;

/// The model of what a client says for itself.
pub(super) const SYNTHETIC: &str = "<synthetic>";

#[derive(Debug, Clone, Default)]
pub(super) struct ChainRecord {
    pub(super) place: Place,
    pub(super) kind: Kind,
    pub(super) is_boundary: bool,
    pub(super) is_meta: bool,
    pub(super) is_compact_summary: bool,
    pub(super) has_structured_result: bool,
    /// An error of the API that the client worded.
    pub(super) is_api_error: bool,
    pub(super) is_virtual: bool,
    /// What a task in the background reports.
    pub(super) notification: Option<Notification>,
    pub(super) id: Option<String>,
    pub(super) model: Option<String>,
    pub(super) content: Vec<Value>,
    /// Whether the content is a list; as a string it is one text here.
    pub(super) is_list: bool,
    pub(super) attachment: Option<Attachment>,
    /// What a command of the user's said.
    pub(super) command: Option<String>,
}

#[derive(Debug, Clone)]
pub(super) struct Attachment {
    pub(super) kind: String,
    pub(super) value: Value,
    /// As the client sent it, where it noted that.
    pub(super) rendered: Vec<Value>,
    pub(super) role: Option<Role>,
}

impl ChainRecord {
    pub(super) fn read(node: &Node, link: &RawRecord, uncertain: &mut Vec<Uncertain>) -> Self {
        let mut unreadable = false;
        let mut field = |name: &str| match link.field(name) {
            None => Value::Null,
            Some(Ok(value)) => value,
            Some(Err(_)) => {
                unreadable = true;
                Value::Null
            }
        };
        let mut message = field("message");
        let (content, is_list) = content(message.get_mut("content").map(Value::take).unwrap_or_default());
        let text = |value: &Value, name: &str| value.get(name).and_then(Value::as_str).map(str::to_owned);
        let model = text(&message, "model");
        let said = Self {
            place: node.place,
            kind: node.kind.clone().unwrap_or_default(),
            is_boundary: node.is_boundary,
            is_meta: node.is_meta,
            is_compact_summary: node.is_compact_summary,
            has_structured_result: link.has_structured_result,
            is_api_error: node.is_api_error && model.as_deref() == Some(SYNTHETIC),
            is_virtual: field("isVirtual") == true,
            notification: Notification::read(&field("origin")),
            id: text(&message, "id"),
            model,
            content,
            is_list,
            attachment: link.attachment.as_deref().map(|kind| Attachment {
                kind: kind.to_owned(),
                value: field("attachment"),
                rendered: if let Value::Array(rendered) = field("rendered") { rendered } else { Vec::new() },
                role: match field("renderedRole").as_str() {
                    Some("user") => Some(Role::User),
                    Some("system") => Some(Role::System),
                    _ => None,
                },
            }),
            command: (link.is_local_command && field("isDisplayOnly") != true)
                .then(|| field("content").as_str().map(str::to_owned))
                .flatten(),
        };
        if unreadable {
            uncertain.push(Uncertain { place: node.place, what: "what cannot be read".to_owned() });
        }
        said
    }

    fn new(kind: Kind, content: Vec<Value>) -> Self {
        Self { kind, content, is_list: true, ..Self::default() }
    }

    /// What a client says in the name of the user.
    pub(super) fn user(content: Vec<Value>) -> Self {
        Self::new(Kind::User, content)
    }

    /// What a client says in the name of the model.
    pub(super) fn synthetic(text: &str) -> Self {
        let said = Self::new(Kind::Assistant, vec![block::text(text)]);
        Self { id: Some(format!("{SYNTHETIC}{text}")), model: Some(SYNTHETIC.to_owned()), ..said }
    }

    pub(super) fn is_user(&self) -> bool {
        self.kind == Kind::User
    }

    pub(super) fn is_assistant(&self) -> bool {
        self.kind == Kind::Assistant
    }

    pub(super) fn has_result(&self) -> bool {
        self.is_user() && self.content.iter().any(block::is_result)
    }

    pub(super) fn starts_with_result(&self) -> bool {
        self.is_user() && self.content.first().is_some_and(block::is_result)
    }

    /// An assistant's record with blocks, as most checks want it.
    pub(super) fn is_answer(&self) -> bool {
        self.is_assistant() && self.is_list
    }

    pub(super) fn calls(&self) -> impl Iterator<Item = &str> {
        self.content.iter().filter_map(block::call)
    }
}

fn content(content: Value) -> (Vec<Value>, bool) {
    match content {
        Value::String(text) => (vec![block::text(text)], false),
        Value::Array(blocks) => (blocks, true),
        _ => (Vec::new(), false),
    }
}
