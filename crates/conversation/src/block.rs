//! Content blocks that outlive the line they were read from.

use serde_json::Value;
use serde_json::value::RawValue;
use steno_transcript::content;
use steno_transcript::{ToolId, Troubles, understood};

use crate::model::Media;

/// A block, with its text taken out of the record.
#[derive(Debug, Clone)]
pub(crate) enum Block {
    Text(String),
    Thinking { text: String, redacted: bool },
    ToolUse { id: ToolId, name: String, input: Option<Box<RawValue>> },
    ToolResult { id: ToolId, text: String, is_error: bool, images: Vec<Media> },
    Media(Media),
    Unknown { kind: String, raw: Box<RawValue> },
}

impl Block {
    /// Whether a later record repeats this block. A tool call is known by its id.
    pub(crate) fn repeats(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Text(one), Self::Text(two)) => one == two,
            (
                Self::Thinking { text: one, redacted: first },
                Self::Thinking { text: two, redacted: second },
            ) => one == two && first == second,
            (Self::ToolUse { id: one, .. }, Self::ToolUse { id: two, .. }) => one == two,
            (Self::ToolResult { id: one, .. }, Self::ToolResult { id: two, .. }) => one == two,
            (Self::Media(one), Self::Media(two)) => one == two,
            (Self::Unknown { raw: one, .. }, Self::Unknown { raw: two, .. }) => one.get() == two.get(),
            _ => false,
        }
    }
}

impl Block {
    /// What is needed of a block to recognise its repetition.
    pub(crate) fn shadow(&self) -> Self {
        match self {
            Self::ToolUse { id, name, .. } => {
                Self::ToolUse { id: id.clone(), name: name.clone(), input: None }
            }
            other => other.clone(),
        }
    }
}

/// Raw JSON as a value; what nests too deep for one stays text.
pub(crate) fn value(raw: &RawValue) -> Value {
    understood(raw).unwrap_or_else(|| Value::String(raw.get().to_owned()))
}

pub(crate) fn owned(blocks: &[content::Block<'_>], troubles: &mut Troubles) -> Vec<Block> {
    blocks.iter().map(|block| own(block, troubles)).collect()
}

fn own(block: &content::Block<'_>, troubles: &mut Troubles) -> Block {
    match block {
        content::Block::Text(text) => Block::Text(text.get().into_owned()),
        content::Block::Thinking(text) => Block::Thinking { text: text.get().into_owned(), redacted: false },
        content::Block::RedactedThinking => Block::Thinking { text: String::new(), redacted: true },
        content::Block::ToolUse(call) => Block::ToolUse {
            id: ToolId::from(&*call.id),
            name: call.name.to_string(),
            input: call.input.map(ToOwned::to_owned),
        },
        content::Block::ToolResult(result) => tool_result(result, troubles),
        content::Block::Image(media) | content::Block::Document(media) => Block::Media(self::media(media)),
        content::Block::ToolReference(name) => Block::Text(format!("(tool {name})")),
        content::Block::Unknown { kind, raw } => {
            Block::Unknown { kind: kind.to_string(), raw: (*raw).to_owned() }
        }
    }
}

fn tool_result(result: &content::ToolResult<'_>, troubles: &mut Troubles) -> Block {
    let mut text = String::new();
    let mut images = Vec::new();
    for part in content::blocks(result.content, troubles) {
        match part {
            content::Block::Image(media) | content::Block::Document(media) => {
                images.push(self::media(&media))
            }
            content::Block::Text(part) => push_paragraph(&mut text, &part.get()),
            content::Block::ToolReference(name) => push_paragraph(&mut text, &format!("(tool {name})")),
            content::Block::Unknown { raw, .. } => push_paragraph(&mut text, raw.get()),
            _ => {}
        }
    }
    Block::ToolResult { id: ToolId::new(result.tool_use_id.clone()), text, is_error: result.is_error, images }
}

fn push_paragraph(text: &mut String, part: &str) {
    if !text.is_empty() {
        text.push('\n');
    }
    text.push_str(part);
}

fn media(media: &content::Media<'_>) -> Media {
    Media {
        media_type: media.media_type.as_ref().map(ToString::to_string),
        url: media.url.as_ref().map(ToString::to_string),
        encoded_bytes: media.encoded_bytes,
    }
}
