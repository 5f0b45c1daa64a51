//! Lines of a session and what becomes of them → lines of the new one.
//!
//! First a record changes as the plan says, still under its old names; then it gets its new ones. Whatever neither
//! touches keeps its bytes, bad UTF-8 too: a reader makes of it in the clone what it made of it in the original. Only
//! bytes around a record go: a byte order mark, NUL bytes, white space before it. Lines end as they did.

mod change;
mod compaction;
mod identity;

use std::borrow::Cow;

use steno_transcript::patch::{Name, Renaming};
use steno_transcript::{Kind, Piece, Record, Shape};

use crate::outline::{NodeId, Outline, Rereading};
use crate::plan::{NamedLeaf, Plan};
use compaction::Envelope;
pub use identity::Identity;
use identity::summary_of;

/// Writes the new session, piece by piece.
#[derive(Debug)]
pub struct CloneWriter<'p> {
    outline: &'p Outline,
    plan: &'p Plan,
    identity: &'p Identity,
    renaming: &'p Renaming,
    reading: Rereading<'p>,
    /// Of the record that a compaction is like, once it has passed.
    envelope: Option<Envelope>,
    /// What the latest `last-prompt` that was written says, as it is spelled.
    last_prompt: Option<String>,
}

impl<'p> CloneWriter<'p> {
    pub fn new(outline: &'p Outline, plan: &'p Plan, identity: &'p Identity) -> Self {
        let (renaming, reading) = (&identity.renaming, Rereading::new(outline));
        Self { outline, plan, identity, renaming, reading, envelope: None, last_prompt: None }
    }

    /// What is in the new file for the next piece of the old one: lines that all end, or nothing. Pieces come in
    /// their order, each once. What the outline does not know, for it was written later, gives nothing.
    pub fn piece<'a>(&mut self, piece: &Piece<'a>) -> Cow<'a, [u8]> {
        let Some(node) = self.reading.node(piece) else { return Cow::Borrowed(&[]) };
        let Shape::Record(record) = piece.shape else {
            return Cow::Owned(self.compaction_before(node));
        };
        if self.plan.compaction.as_ref().is_some_and(|made| made.like == Some(node)) {
            self.envelope = Some(Envelope::of(record));
        }
        let mut before = self.compaction_before(node);
        if !self.plan.is_kept(node) {
            return Cow::Owned(before);
        }
        let line = self.line(node, piece.bytes, record);
        if before.is_empty() {
            return line;
        }
        before.extend_from_slice(&line);
        Cow::Owned(before)
    }

    /// Whether what has passed is what the outline was made of, all of it. If not, what was written is worth nothing.
    pub fn is_in_step(&self) -> bool {
        self.reading.is_same()
    }

    /// What follows everything.
    pub fn end(&mut self) -> Vec<u8> {
        let is_last = self.plan.compaction.as_ref().is_some_and(|made| made.before.is_none());
        let mut lines = if is_last { self.compaction() } else { Vec::new() };
        if let Some(leaf) = self.plan.named_leaf {
            lines.extend_from_slice(self.last_prompt(leaf).as_bytes());
        }
        lines
    }

    fn line<'a>(&mut self, node: NodeId, bytes: &'a [u8], record: &Record<'_>) -> Cow<'a, [u8]> {
        if record.kind() == Kind::LastPrompt {
            self.last_prompt = field(record, "lastPrompt");
        }
        let object = object(bytes, record.json);
        let end: &[u8] = if bytes.ends_with(b"\r\n") { b"\r\n" } else { b"\n" };
        let reshaped = match self.plan.changes.get(&node) {
            Some(change) => self.reshape(change, record).apply(object),
            None => Cow::Borrowed(object),
        };
        let is_known =
            |text: &str| self.outline.find(text).is_some_and(|id| self.outline.bearer(id).is_some());
        let mut rename = |name: Name<'_>| self.identity.renamed(name, is_known);
        let renamed = match &reshaped {
            Cow::Borrowed(object) => self.renaming.value(object, &mut rename),
            Cow::Owned(object) => Cow::Owned(self.renaming.value(object, &mut rename).into_owned()),
        };
        if matches!(renamed, Cow::Borrowed(_))
            && bytes.len() == object.len() + end.len()
            && bytes.ends_with(end)
        {
            return Cow::Borrowed(bytes);
        }
        let mut line = renamed.into_owned();
        line.extend_from_slice(end);
        Cow::Owned(line)
    }

    fn compaction_before(&mut self, node: NodeId) -> Vec<u8> {
        let is_here = self.plan.compaction.as_ref().is_some_and(|made| made.before == Some(node));
        if is_here { self.compaction() } else { Vec::new() }
    }

    fn compaction(&self) -> Vec<u8> {
        let Some(compaction) = &self.plan.compaction else { return Vec::new() };
        compaction::lines(compaction, self.envelope.as_ref(), self.identity).into_bytes()
    }

    /// The record that tells a client which leaf to resume.
    fn last_prompt(&self, leaf: NamedLeaf) -> String {
        let node = self.outline.node(leaf.node);
        let uuid = node.and_then(|node| node.uuid).map(|uuid| self.identity.uuid(self.outline.text(uuid)));
        let prompt =
            self.last_prompt.as_ref().map_or(String::new(), |text| format!(r#""lastPrompt":{text},"#));
        let uuid = uuid.map_or_else(|| "null".to_owned(), |uuid| spelled(&uuid));
        let explicit = if leaf.is_explicit { r#","explicit":true"# } else { "" };
        let session = spelled(&self.identity.to);
        format!(
            "{{\"type\":\"last-prompt\",{prompt}\"leafUuid\":{uuid}{explicit},\"sessionId\":{session}}}\n"
        )
    }
}

/// The bytes of a record's object alone.
fn object<'a>(bytes: &'a [u8], json: &str) -> &'a [u8] {
    let start = bytes.iter().take_while(|byte| **byte != b'{').count();
    bytes.get(start..start + json.len()).unwrap_or_default()
}

/// A field of a record as it is spelled; the last of its name.
fn field(record: &Record<'_>, name: &str) -> Option<String> {
    Some(record.fields()?.get(name)?.get().to_owned())
}

/// A text as JSON.
fn spelled(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

#[cfg(test)]
mod tests;
