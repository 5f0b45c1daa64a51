//! Content blocks of a record → blocks of the document, and the originals of those that have no form there.

use serde_json::Value;
use serde_json::value::RawValue;
use steno_transcript::content;
use steno_transcript::wire::Fields;
use steno_transcript::{ToolId, Troubles};

use super::field::{Form, Rest};
use super::thinking::ThinkingFilter;
use super::value::value;
use super::{Block, Media, Object};

/// One block of a record: redacted thinking is neither shown nor kept.
#[derive(Debug)]
pub(super) struct ReadBlock {
    pub(super) block: Option<Block>,
    pub(super) original: Option<Value>,
    /// The block without thinking, where there is some inside it.
    pub(super) without_thinking: Option<WithoutThinking>,
}

#[derive(Debug)]
pub(super) struct WithoutThinking {
    pub(super) block: Block,
    /// Blocks of thinking that it lacks.
    pub(super) thinking: u64,
}

type KnownFields = [(&'static str, Form)];

const TEXT: &KnownFields = &[("type", Form::Any), ("text", Form::Any)];
const THINKING: &KnownFields = &[("type", Form::Any), ("thinking", Form::Text), ("signature", Form::Text)];
const TOOL_USE: &KnownFields =
    &[("type", Form::Any), ("id", Form::Text), ("name", Form::Text), ("input", Form::Any)];
const TOOL_RESULT: &KnownFields =
    &[("type", Form::Any), ("tool_use_id", Form::Text), ("content", Form::Content), ("is_error", Form::Flag)];
const TOOL_REFERENCE: &KnownFields = &[("type", Form::Any), ("tool_name", Form::Text), ("name", Form::Text)];
const MEDIA: &KnownFields = &[("type", Form::Any), ("source", Form::Any), ("title", Form::Text)];
const SOURCE: &KnownFields =
    &[("type", Form::Any), ("media_type", Form::Text), ("data", Form::Text), ("url", Form::Text)];

/// One for each block of the record, in its order. `content` is what they were read from.
pub(super) fn read_blocks(blocks: &[content::Block<'_>], content: Option<&RawValue>) -> Vec<ReadBlock> {
    let raw = content.map(|raw| parts(raw.get())).unwrap_or_default();
    blocks.iter().enumerate().map(|(place, block)| one(block, raw.get(place).copied())).collect()
}

/// The elements of a list of blocks, each unchanged; of anything else, itself.
fn parts(json: &str) -> Vec<&RawValue> {
    serde_json::from_str(json)
        .or_else(|_| serde_json::from_str(json).map(|one| vec![one]))
        .unwrap_or_default()
}

fn one(block: &content::Block<'_>, raw: Option<&RawValue>) -> ReadBlock {
    let known = match block {
        content::Block::Text(text) => {
            Block::Text { text: text.get().into_owned(), other: rest(raw, TEXT, &[]) }
        }
        content::Block::Thinking(text) => Block::Thinking {
            text: text.get().into_owned(),
            signature: raw
                .and_then(|raw| text_field(raw, "signature"))
                .filter(|signature| !signature.is_empty()),
            other: rest(raw, THINKING, &["text"]),
        },
        content::Block::RedactedThinking { .. } => {
            return ReadBlock { block: None, original: None, without_thinking: None };
        }
        content::Block::ToolUse(call) => Block::ToolUse {
            id: ToolId::from(&*call.id),
            name: call.name.to_string(),
            input: call.input.map_or(Value::Null, value),
            block_type: Some(call.kind.to_string()).filter(|kind| kind != "tool_use"),
            other: rest(raw, TOOL_USE, &["block_type"]),
        },
        content::Block::ToolResult(result) => return tool_result(result, raw),
        content::Block::Image(media) if has_source(media) => Block::Image(self::media(media, raw)),
        content::Block::Document(media) if has_source(media) => Block::Document(self::media(media, raw)),
        content::Block::Image(_) => return unknown("image", raw),
        content::Block::Document(_) => return unknown("document", raw),
        content::Block::ToolReference(_) => return unknown("tool_reference", raw),
        content::Block::Unknown { kind, raw } => return unknown(kind, Some(raw)),
    };
    ReadBlock { block: Some(known), original: None, without_thinking: None }
}

fn unknown(kind: &str, raw: Option<&RawValue>) -> ReadBlock {
    ReadBlock {
        block: Some(Block::Unknown { block_type: kind.to_owned() }),
        original: Some(raw.map_or(Value::Null, value)),
        without_thinking: None,
    }
}

/// What a block says besides.
fn rest(raw: Option<&RawValue>, told: &KnownFields, ours: &[&str]) -> Object {
    let fields = raw.and_then(|raw| serde_json::from_str::<Fields>(raw.get()).ok());
    fields.map(|fields| Rest::of(&fields, told, ours).together()).unwrap_or_default()
}

fn field<'a>(raw: &'a RawValue, key: &str) -> Option<&'a RawValue> {
    serde_json::from_str::<Fields>(raw.get()).ok()?.get(key)
}

fn text_field(raw: &RawValue, key: &str) -> Option<String> {
    steno_transcript::understood(field(raw, key)?)
}

fn has_source(media: &content::Media<'_>) -> bool {
    !media.data.is_empty() || media.url.is_some()
}

fn media(media: &content::Media<'_>, raw: Option<&RawValue>) -> Media {
    let mut other = rest(raw, MEDIA, &["media_type", "data", "url"]);
    let source = raw.and_then(|raw| field(raw, "source"));
    let mut beside = rest(source, SOURCE, &[]);
    let kind = source.and_then(|source| text_field(source, "type"));
    if let Some(kind) = kind.filter(|kind| kind != expected(media)) {
        beside.insert("type".to_owned(), Value::String(kind));
    }
    if !beside.is_empty() {
        other.insert("source".to_owned(), Value::Object(beside));
    }
    Media {
        media_type: media.media_type.as_ref().map(ToString::to_string),
        data: Some(media.data.to_string()).filter(|data| !data.is_empty()),
        url: media.url.as_ref().map(ToString::to_string),
        title: raw.and_then(|raw| text_field(raw, "title")),
        other,
    }
}

/// The type of source that its other fields tell.
fn expected(media: &content::Media<'_>) -> &'static str {
    let is_text = media.media_type.as_deref().is_some_and(|kind| kind.starts_with("text/"));
    match (media.data.is_empty(), is_text) {
        (true, _) => "url",
        (false, true) => "text",
        (false, false) => "base64",
    }
}

fn tool_result(result: &content::ToolResult<'_>, raw: Option<&RawValue>) -> ReadBlock {
    let thinks = result.content.is_some_and(|content| content.get().contains("thinking"));
    let without_thinking = thinks.then(|| {
        let (block, thinking) = tool_result_block(result, raw, ThinkingFilter { keeps_thinking: false });
        WithoutThinking { block, thinking }
    });
    let (block, _) = tool_result_block(result, raw, ThinkingFilter { keeps_thinking: true });
    ReadBlock {
        block: Some(block),
        original: None,
        without_thinking: without_thinking.filter(|block| block.thinking > 0),
    }
}

/// A result, and how many blocks of thinking it lacks.
fn tool_result_block(
    result: &content::ToolResult<'_>,
    raw: Option<&RawValue>,
    filter: ThinkingFilter,
) -> (Block, u64) {
    let (mut texts, mut images, mut besides, mut thinking) = (Vec::new(), Vec::new(), Vec::new(), 0);
    let parts = result.content.as_ref().map(|json| parts(json.get())).unwrap_or_default();
    let blocks = content::blocks(result.content, &mut Troubles::default());
    for (place, block) in blocks.iter().enumerate() {
        let part = parts.get(place).copied();
        match block {
            content::Block::Text(text) => {
                texts.push(text.get().into_owned());
                besides.extend(beside("text", rest(part, TEXT, &[])));
            }
            content::Block::Image(image) if has_source(image) => {
                images.push(Block::Image(media(image, part)));
            }
            content::Block::Document(document) if has_source(document) => {
                images.push(Block::Document(media(document, part)));
            }
            content::Block::ToolReference(name) => {
                texts.push(format!("(tool {name})"));
                besides.extend(beside("tool_reference", rest(part, TOOL_REFERENCE, &[])));
            }
            content::Block::RedactedThinking { .. } => {}
            content::Block::Thinking(_) if !filter.keeps_thinking => thinking += 1,
            _ => texts.extend(part.map(|part| as_json(part, filter, &mut thinking))),
        }
    }
    let mut other = rest(raw, TOOL_RESULT, &["output", "images", "block_type"]);
    if !besides.is_empty() {
        other.insert("content".to_owned(), Value::Array(besides));
    }
    let block = Block::ToolResult {
        tool_use_id: ToolId::from(&*result.tool_use_id),
        output: texts.join("\n"),
        is_error: result.is_error,
        images,
        block_type: Some(result.kind.to_string()).filter(|kind| kind != "tool_result"),
        other,
    };
    (block, thinking)
}

/// What a part of a result says besides its text.
fn beside(kind: &str, rest: Object) -> Option<Value> {
    let named = |rest: Object| {
        let kind = ("type".to_owned(), Value::String(kind.to_owned()));
        Value::Object(std::iter::once(kind).chain(rest).collect())
    };
    Some(rest).filter(|rest| !rest.is_empty()).map(named)
}

/// The JSON of a part that has no form, without the thinking in it.
fn as_json(part: &RawValue, filter: ThinkingFilter, thinking: &mut u64) -> String {
    if !part.get().contains("thinking") {
        return part.get().to_owned();
    }
    let mut part = value(part);
    *thinking += filter.filter_value(&mut part);
    part.as_str().map_or_else(|| part.to_string(), str::to_owned)
}
