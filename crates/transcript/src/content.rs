//! The content of a message → blocks, one enum variant for each type.
//!
//! Content is a string, a list of blocks, or absent. A block of an unknown type keeps its raw text.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Visitor};
use serde_json::value::RawValue;

use crate::text::Words;
use crate::trouble::{Trouble, Troubles};
use crate::wire;

/// One block of a message.
#[derive(Debug, Clone)]
pub enum Block<'a> {
    Text(Words<'a>),
    Thinking(Words<'a>),
    RedactedThinking {
        /// Encrypted; only good for comparing two blocks.
        data: Option<&'a RawValue>,
    },
    ToolUse(ToolUse<'a>),
    ToolResult(ToolResult<'a>),
    Image(Media<'a>),
    Document(Media<'a>),
    /// The name of a tool that a result makes available.
    ToolReference(Cow<'a, str>),
    Unknown {
        kind: Cow<'a, str>,
        raw: &'a RawValue,
    },
}

#[derive(Debug, Clone)]
pub struct ToolUse<'a> {
    pub id: Cow<'a, str>,
    pub name: Cow<'a, str>,
    pub input: Option<&'a RawValue>,
    /// The type of the block: `tool_use`, or a type for a tool that the API runs itself.
    pub kind: Cow<'a, str>,
}

#[derive(Debug, Clone)]
pub struct ToolResult<'a> {
    pub tool_use_id: Cow<'a, str>,
    /// A string or a list of blocks, see [`blocks`].
    pub content: Option<&'a RawValue>,
    pub is_error: bool,
    /// The type of the block: `tool_result`, or a type for a tool that the API runs itself.
    pub kind: Cow<'a, str>,
}

/// An image or document.
#[derive(Debug, Clone)]
pub struct Media<'a> {
    pub media_type: Option<Cow<'a, str>>,
    pub url: Option<Cow<'a, str>>,
    /// As the record has it, mostly base64.
    pub data: Cow<'a, str>,
}

/// The blocks of a message, parsed along with it.
#[derive(Debug, Clone, Default)]
pub struct Content<'a>(pub Vec<Block<'a>>);

impl<'de: 'a, 'a> Deserialize<'de> for Content<'a> {
    /// A string, or a list of known blocks; anything else fails and is parsed by [`blocks`].
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ContentVisitor)
    }
}

struct ContentVisitor;

impl<'de> Visitor<'de> for ContentVisitor {
    type Value = Content<'de>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a string or a list of blocks")
    }

    fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Content(vec![Block::Text(Words::Plain(Cow::Borrowed(text)))]))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Content(vec![Block::Text(Words::Plain(Cow::Owned(text.to_owned())))]))
    }

    fn visit_unit<E: Error>(self) -> Result<Self::Value, E> {
        Ok(Content::default())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        let mut blocks = Vec::with_capacity(1);
        while let Some(wire) = list.next_element::<wire::Block>()? {
            blocks.push(
                known(wire, &mut Troubles::default()).ok_or_else(|| Error::custom("an unknown block"))?,
            );
        }
        Ok(Content(blocks))
    }
}

impl<'a> wire::Field<'a> for Content<'a> {
    fn from_raw(raw: &'a RawValue, troubles: &mut Troubles) -> Option<Self> {
        Some(Self(blocks(Some(raw), troubles)))
    }
}

/// Content as blocks: a string is one text block, null and absent content are none.
pub fn blocks<'a>(content: Option<&'a RawValue>, troubles: &mut Troubles) -> Vec<Block<'a>> {
    let Some(raw) = content else { return Vec::new() };
    match raw.get().as_bytes().first() {
        Some(b'"') => vec![Block::Text(Words::Escaped(raw))],
        Some(b'[') => list(raw.get(), troubles),
        Some(b'n') => Vec::new(),
        Some(b'{') => vec![block(raw, troubles)],
        _ => {
            troubles.add(Trouble::OddField);
            Vec::new()
        }
    }
}

/// If one block is odd, each is parsed by itself.
fn list<'a>(json: &'a str, troubles: &mut Troubles) -> Vec<Block<'a>> {
    if let Ok(Content(blocks)) = serde_json::from_str(json) {
        return blocks;
    }
    let raw: Vec<&RawValue> = serde_json::from_str(json).unwrap_or_default();
    raw.into_iter().map(|raw| block(raw, troubles)).collect()
}

fn block<'a>(raw: &'a RawValue, troubles: &mut Troubles) -> Block<'a> {
    if raw.get().starts_with('"') {
        return Block::Text(Words::Escaped(raw));
    }
    let Some(wire) = wire::read::<wire::Block>(raw.get(), troubles) else {
        return Block::Unknown { kind: Cow::Borrowed("(not an object)"), raw };
    };
    let kind = wire.kind.clone().map_or(Cow::Borrowed("(no type)"), |kind| kind.0);
    known(wire, troubles).unwrap_or(Block::Unknown { kind, raw })
}

/// The block, if its type is known and it has the fields that the type needs.
fn known<'a>(wire: wire::Block<'a>, troubles: &mut Troubles) -> Option<Block<'a>> {
    let kind = wire.kind?.0;
    Some(match &*kind {
        "text" => Block::Text(Words::of(wire.text?)?),
        "thinking" => {
            Block::Thinking(wire.thinking.and_then(Words::of).unwrap_or(Words::Plain(Cow::Borrowed(""))))
        }
        "redacted_thinking" => Block::RedactedThinking { data: wire.data },
        "image" => Block::Image(media(wire.source, troubles)),
        "document" => Block::Document(media(wire.source, troubles)),
        "tool_reference" => Block::ToolReference(wire.tool_name.or(wire.name).unwrap_or_default().0),
        "tool_use" | "server_tool_use" | "mcp_tool_use" => {
            let name = wire.name.unwrap_or_default().0;
            Block::ToolUse(ToolUse { id: wire.id?.0, name, input: wire.input, kind })
        }
        _ if kind.ends_with("tool_result") => {
            let (tool_use_id, is_error) = (wire.tool_use_id?.0, wire.is_error.0);
            Block::ToolResult(ToolResult { tool_use_id, content: wire.content, is_error, kind })
        }
        _ => return None,
    })
}

fn media<'a>(source: Option<&'a RawValue>, troubles: &mut Troubles) -> Media<'a> {
    let source =
        source.and_then(|raw| wire::read::<wire::MediaSource>(raw.get(), troubles)).unwrap_or_default();
    Media {
        media_type: source.media_type.map(|text| text.0),
        url: source.url.map(|text| text.0),
        data: source.data.unwrap_or_default().0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> Vec<Block<'_>> {
        blocks(Some(serde_json::from_str::<&RawValue>(json).unwrap()), &mut Troubles::default())
    }

    #[test]
    fn a_string_is_one_text_block_and_null_is_none() {
        assert!(matches!(&read(r#""hello""#)[..], [Block::Text(text)] if text.get() == "hello"));
        assert!(read("null").is_empty());
    }

    #[test]
    fn an_unknown_block_keeps_its_raw_text_and_spares_its_neighbours() {
        let read =
            read(r#"[{"type":"text","text":"a"},{"type":"hologram","depth":3},{"type":"text","text":[7]}]"#);
        let [Block::Text(_), Block::Unknown { kind, raw }, Block::Unknown { .. }] = &read[..] else {
            panic!("{read:?}")
        };
        assert_eq!((&**kind, raw.get()), ("hologram", r#"{"type":"hologram","depth":3}"#));
    }

    #[test]
    fn server_tools_are_tools() {
        let read = read(
            r#"[{"type":"server_tool_use","id":"s1","name":"web_search","input":{}},{"type":"web_search_tool_result","tool_use_id":"s1","content":[]}]"#,
        );
        assert!(matches!(&read[..], [Block::ToolUse(call), Block::ToolResult(result)]
            if call.kind == "server_tool_use" && result.kind == "web_search_tool_result" && call.id == result.tool_use_id));
    }

    #[test]
    fn an_image_has_its_data() {
        let read =
            read(r#"[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"QUJD"}}]"#);
        assert!(matches!(&read[..], [Block::Image(media)] if media.data.len() == 4));
    }
}
