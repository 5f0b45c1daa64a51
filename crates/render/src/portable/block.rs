//! Content blocks of a record → blocks of the document, and the originals of those that have no form there.

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;
use steno_transcript::content::{self, Json};
use steno_transcript::{ToolId, Troubles, understood};

use super::value::value;
use super::{Block, Media};

/// One block of a record: redacted thinking is neither shown nor kept.
#[derive(Debug)]
pub(super) struct Spoken {
    pub(super) block: Option<Block>,
    pub(super) original: Option<Value>,
}

/// The fields of blocks that readers of transcripts do not need.
#[derive(Deserialize)]
struct Rest {
    #[serde(default)]
    signature: Option<String>,
    #[serde(default)]
    title: Option<String>,
}

/// One for each block of the record, in its order. `content` is what they were read from.
pub(super) fn spoken(blocks: &[content::Block<'_>], content: Option<&RawValue>) -> Vec<Spoken> {
    let raw = content.map(|raw| parts(raw.get())).unwrap_or_default();
    blocks.iter().enumerate().map(|(place, block)| one(block, raw.get(place).copied())).collect()
}

/// The elements of a list of blocks, each as it stands; of anything else, itself.
fn parts(json: &str) -> Vec<&RawValue> {
    serde_json::from_str(json)
        .or_else(|_| serde_json::from_str(json).map(|one| vec![one]))
        .unwrap_or_default()
}

fn one(block: &content::Block<'_>, raw: Option<&RawValue>) -> Spoken {
    let rest = || raw.and_then(understood::<Rest>);
    let known = match block {
        content::Block::Text(text) => Block::Text { text: text.get().into_owned() },
        content::Block::Thinking(text) => Block::Thinking {
            text: text.get().into_owned(),
            signature: rest().and_then(|rest| rest.signature).filter(|signature| !signature.is_empty()),
        },
        content::Block::RedactedThinking { .. } => return Spoken { block: None, original: None },
        content::Block::ToolUse(call) => Block::ToolUse {
            id: ToolId::from(&*call.id),
            name: call.name.to_string(),
            input: call.input.map_or(Value::Null, value),
            block_type: Some(call.kind.to_string()).filter(|kind| kind != "tool_use"),
        },
        content::Block::ToolResult(result) => tool_result(result),
        content::Block::Image(media) if has_source(media) => Block::Image(self::media(media, None)),
        content::Block::Document(media) if has_source(media) => {
            Block::Document(self::media(media, rest().and_then(|rest| rest.title)))
        }
        content::Block::Image(_) => return unknown("image", raw),
        content::Block::Document(_) => return unknown("document", raw),
        content::Block::ToolReference(_) => return unknown("tool_reference", raw),
        content::Block::Unknown { kind, raw } => return unknown(kind, Some(raw)),
    };
    Spoken { block: Some(known), original: None }
}

fn unknown(kind: &str, raw: Option<&RawValue>) -> Spoken {
    Spoken {
        block: Some(Block::Unknown { block_type: kind.to_owned() }),
        original: Some(raw.map_or(Value::Null, value)),
    }
}

fn has_source(media: &content::Media<'_>) -> bool {
    !media.data.is_empty() || media.url.is_some()
}

fn media(media: &content::Media<'_>, title: Option<String>) -> Media {
    Media {
        media_type: media.media_type.as_ref().map(ToString::to_string),
        data: Some(media.data.to_string()).filter(|data| !data.is_empty()),
        url: media.url.as_ref().map(ToString::to_string),
        title,
    }
}

fn tool_result(result: &content::ToolResult<'_>) -> Block {
    let (mut texts, mut images) = (Vec::new(), Vec::new());
    let raw = result.content.map(|json: Json<'_>| parts(json.get())).unwrap_or_default();
    let blocks = content::blocks(result.content, &mut Troubles::default());
    for (place, block) in blocks.iter().enumerate() {
        match block {
            content::Block::Text(text) => texts.push(text.get().into_owned()),
            content::Block::Image(image) if has_source(image) => {
                images.push(Block::Image(media(image, None)))
            }
            content::Block::Document(document) if has_source(document) => {
                images.push(Block::Document(media(document, None)));
            }
            content::Block::ToolReference(name) => texts.push(format!("(tool {name})")),
            content::Block::RedactedThinking { .. } => {}
            _ => texts.extend(raw.get(place).map(|raw| raw.get().to_owned())),
        }
    }
    Block::ToolResult {
        tool_use_id: ToolId::from(&*result.tool_use_id),
        output: texts.join("\n"),
        is_error: result.is_error,
        images,
        block_type: Some(result.kind.to_string()).filter(|kind| kind != "tool_result"),
    }
}
