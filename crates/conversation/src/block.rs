//! Content blocks that own their text, and so outlive the line they were read from.

use std::hash::BuildHasher;
use std::sync::Arc;

use foldhash::fast::FixedState;
use serde_json::Value;
use serde_json::value::RawValue;
use steno_transcript::content;
use steno_transcript::{ToolId, Troubles, understood};

use crate::model::{Media, is_text};
use crate::scope::Scope;

/// A block with its own copy of the text.
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
    /// The length of its texts.
    pub(crate) fn bytes(&self) -> usize {
        let data = |media: &Media| media.data.as_ref().map_or(0, |data| data.len());
        match self {
            Self::Text(text) | Self::Thinking { text, .. } => text.len(),
            Self::ToolUse { input, .. } => input.as_ref().map_or(0, |raw| raw.get().len()),
            Self::ToolResult { text, images, .. } => text.len() + images.iter().map(data).sum::<usize>(),
            Self::Media(media) => data(media),
            Self::Unknown { raw, .. } => raw.get().len(),
        }
    }
}

/// A hash of a block, equal for the same block in two records of a message: of its content, or of the id of a tool call or
/// result.
pub(crate) fn fingerprint(block: &content::Block<'_>) -> u64 {
    let raw = |raw: &Option<&RawValue>| raw.map(|raw| raw.get().to_owned()).unwrap_or_default();
    let state = FixedState::default();
    match block {
        content::Block::Text(text) => state.hash_one(("text", &*text.get())),
        content::Block::Thinking(text) => state.hash_one(("thinking", &*text.get())),
        content::Block::RedactedThinking { data } => state.hash_one(("redacted", raw(data))),
        content::Block::ToolUse(call) => state.hash_one(("call", &*call.id)),
        content::Block::ToolResult(result) => state.hash_one(("result", &*result.tool_use_id)),
        content::Block::Image(media) | content::Block::Document(media) => {
            state.hash_one(("media", &*media.data, media.url.as_deref()))
        }
        content::Block::ToolReference(name) => state.hash_one(("reference", &**name)),
        content::Block::Unknown { raw, .. } => state.hash_one(("unknown", raw.get())),
    }
}

/// Raw JSON as a value; JSON that nests too deep stays text.
pub(crate) fn value(raw: &RawValue) -> Value {
    understood(raw).unwrap_or_else(|| Value::String(raw.get().to_owned()))
}

pub(crate) fn owned(blocks: &[content::Block<'_>], scope: Scope, troubles: &mut Troubles) -> Vec<Block> {
    blocks.iter().map(|block| own(block, scope, troubles)).collect()
}

fn own(block: &content::Block<'_>, scope: Scope, troubles: &mut Troubles) -> Block {
    match block {
        content::Block::Text(text) => Block::Text(text.get().into_owned()),
        content::Block::Thinking(text) => Block::Thinking { text: text.get().into_owned(), redacted: false },
        content::Block::RedactedThinking { .. } => Block::Thinking { text: String::new(), redacted: true },
        content::Block::ToolUse(call) => Block::ToolUse {
            id: ToolId::from(&*call.id),
            name: call.name.to_string(),
            input: call.input.map(ToOwned::to_owned),
        },
        content::Block::ToolResult(result) => tool_result(result, scope, troubles),
        content::Block::Image(media) | content::Block::Document(media) => {
            Block::Media(self::media(media, scope))
        }
        content::Block::ToolReference(name) => Block::Text(format!("(tool {name})")),
        content::Block::Unknown { kind, raw } => {
            Block::Unknown { kind: kind.to_string(), raw: (*raw).to_owned() }
        }
    }
}

fn tool_result(result: &content::ToolResult<'_>, scope: Scope, troubles: &mut Troubles) -> Block {
    let mut text = String::new();
    let mut images = Vec::new();
    for part in content::blocks(result.content, troubles) {
        match part {
            content::Block::Image(media) | content::Block::Document(media) => {
                images.push(self::media(&media, scope))
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

fn media(media: &content::Media<'_>, scope: Scope) -> Media {
    Media {
        media_type: media.media_type.as_ref().map(ToString::to_string),
        url: media.url.as_ref().map(ToString::to_string),
        encoded_bytes: media.data.len() as u64,
        data: (scope.media || media.media_type.as_deref().is_some_and(is_text))
            .then(|| media.data.as_ref().into())
            .filter(|data: &Arc<str>| !data.is_empty()),
    }
}
