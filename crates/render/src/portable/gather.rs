//! Pieces of a transcript → what the document needs of each record, kept until the model knows where it is.

use serde_json::Value;
use steno_transcript::wire::{self, Fields};
use steno_transcript::{Kind, Piece, Record, Shape, Text, Troubles, content};

use super::block::{ReadBlock, read_blocks};
use super::field::{Form, ODD, Rest};
use super::value::value;
use super::{Object, Role};

/// Takes the same pieces as the model's builder, in the same order.
#[derive(Debug, Default)]
pub struct Gatherer {
    pub(super) records: Vec<GatheredRecord>,
    /// Pieces that are no records: garbage, and lines that are not yet written to the end.
    pub(super) broken: u64,
}

/// One record.
#[derive(Debug)]
pub(super) struct GatheredRecord {
    pub(super) kind: Kind,
    /// As it is; empty where `said` holds it.
    pub(super) json: Box<str>,
    /// Of records that are messages, or may turn out to be.
    pub(super) said: Option<MessageRecord>,
}

/// A record of a message.
#[derive(Debug)]
pub(super) struct MessageRecord {
    pub(super) role: Role,
    pub(super) blocks: Vec<ReadBlock>,
    /// What is at the top of the record, and under `message` what has no name of its own in the document.
    pub(super) fields: Object,
    pub(super) id: Option<String>,
    pub(super) model: Option<String>,
    pub(super) stop_reason: Option<String>,
    pub(super) usage: Option<Value>,
    pub(super) is_compact_summary: bool,
    /// A prompt that exists as an attachment only.
    pub(super) is_queued: bool,
}

impl Gatherer {
    pub fn new() -> Self {
        Self::default()
    }

    /// Together with the builder.
    pub fn drop_oldest(&mut self, count: usize) {
        self.records.drain(..count.min(self.records.len()));
    }

    pub fn push(&mut self, piece: &Piece<'_>) {
        match &piece.shape {
            Shape::Record(record) => self.records.push(GatheredRecord::of(record)),
            // Of a line that is too long, the first part says so.
            Shape::Broken(_) => self.broken += u64::from(!piece.troubles.is_empty()),
            Shape::Blank => {}
        }
    }
}

impl GatheredRecord {
    fn of(record: &Record<'_>) -> Self {
        let kind = record.kind();
        let said = match kind {
            Kind::User => said(record, Role::User),
            Kind::Assistant => said(record, Role::Assistant),
            Kind::Attachment => queued(record),
            _ => None,
        };
        let is_told = matches!(kind, Kind::User | Kind::Assistant) && said.is_some();
        Self { kind, json: if is_told { "".into() } else { record.json.into() }, said }
    }
}

/// What is told by other keys of the document.
const TOLD: [&str; 2] = ["type", "message"];

fn told_of_message(role: Role) -> [(&'static str, Form); 7] {
    let role = match role {
        Role::User => "user",
        Role::Assistant => "assistant",
    };
    [
        ("type", Form::Word("message")),
        ("role", Form::Word(role)),
        ("id", Form::Text),
        ("model", Form::Text),
        ("stop_reason", Form::Text),
        ("usage", Form::Any),
        ("content", Form::Content),
    ]
}

fn said(record: &Record<'_>, role: Role) -> Option<MessageRecord> {
    let fields = record.fields()?;
    let body = fields.get("message");
    let message = body.and_then(|raw| serde_json::from_str::<Fields>(raw.get()).ok());
    let content = message.as_ref().map_or(body, |message| message.get("content"));
    let mut said = MessageRecord {
        role,
        blocks: read_blocks(&record.blocks(&mut Troubles::default()), content),
        fields: kept_fields(&fields, &TOLD),
        id: None,
        model: None,
        stop_reason: None,
        usage: None,
        is_compact_summary: record.envelope.is_compact_summary.0,
        is_queued: false,
    };
    let odd = match (message, record.message()) {
        (Some(raw), Some(message)) => said.add_message(&raw, message),
        // It is the content itself, or nothing that can be.
        _ => body.filter(|raw| !matches!(raw.get().bytes().next(), Some(b'"' | b'[' | b'n'))).map(value),
    };
    set_odd(&mut said.fields, odd);
    Some(said)
}

impl MessageRecord {
    /// What the message says besides its content. Gives what is odd about it.
    fn add_message(&mut self, raw: &Fields<'_>, message: &wire::Message<'_>) -> Option<Value> {
        let text = |text: &Option<Text<'_>>| text.as_deref().map(str::to_owned);
        self.id = text(&message.id);
        self.model = text(&message.model);
        self.stop_reason = text(&message.stop_reason);
        self.usage = raw.get("usage").filter(|usage| usage.get() != "null").map(value);
        let rest = Rest::of(raw, &told_of_message(self.role), &[]);
        if !rest.other.is_empty() {
            self.fields.insert("message".to_owned(), Value::Object(rest.other));
        }
        Some(rest.odd).filter(|odd| !odd.is_empty()).map(Value::Object)
    }
}

/// Keeps what is odd about a message; its record may have a field of that name itself.
fn set_odd(fields: &mut Object, message: Option<Value>) {
    let own = fields.shift_remove(ODD).map(|own| (ODD.to_owned(), own));
    let message = message.map(|message| ("message".to_owned(), message));
    let odd: Object = own.into_iter().chain(message).collect();
    if !odd.is_empty() {
        fields.insert(ODD.to_owned(), Value::Object(odd));
    }
}

/// A prompt that waited in the queue may exist as an attachment only.
fn queued(record: &Record<'_>) -> Option<MessageRecord> {
    let mut troubles = Troubles::default();
    let raw = record.envelope.attachment?;
    let attachment = wire::read::<wire::Attachment>(raw.get(), &mut troubles)?;
    let prompt = attachment.prompt.filter(|_| attachment.kind.as_deref() == Some("queued_command"))?;
    let mut fields = kept_fields(&record.fields()?, &["type", "attachment"]);
    let rest = serde_json::from_str::<Fields>(raw.get()).ok()?;
    fields.insert("attachment".to_owned(), Value::Object(kept_fields(&rest, &["prompt"])));
    set_odd(&mut fields, None);
    Some(MessageRecord {
        role: Role::User,
        blocks: read_blocks(&content::blocks(Some(prompt), &mut troubles), Some(prompt)),
        fields,
        id: None,
        model: None,
        stop_reason: None,
        usage: None,
        is_compact_summary: false,
        is_queued: true,
    })
}

/// The fields that say something, but those that are told elsewhere.
fn kept_fields(fields: &Fields<'_>, told: &[&str]) -> Object {
    let wanted = fields.iter().filter(|(name, raw)| !told.contains(name) && raw.get() != "null");
    wanted.map(|(name, raw)| (name.to_owned(), value(raw))).collect()
}
