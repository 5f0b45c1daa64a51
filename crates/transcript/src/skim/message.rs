//! A message as the client writes it → the same message that the thorough reader would give, sooner.
//!
//! Nearly all of a message is long texts that a list does not look into. They are checked in strides instead of byte by
//! byte, or jumped over where nobody asks for them. Whatever is not plainly right is refused, and the thorough reader
//! decides.

use std::borrow::Cow;
use std::sync::LazyLock;

use memchr::memmem::Finder;
use serde_json::value::RawValue;

use crate::content::{Block, Content, Media, ToolResult, ToolUse};
use crate::text::{Json, Text, Words};
use crate::wire::{Message, Usage};

use super::scan::{self, Value};
use super::strict::{checked, fields, flag, items, put, string, text};
use super::usage;

/// What a message has; what is null was there.
#[derive(Default)]
struct Fields<'a> {
    id: Option<Option<Text<'a>>>,
    model: Option<Option<Text<'a>>>,
    stop_reason: Option<Option<Text<'a>>>,
    usage: Option<Option<Usage<'a>>>,
    content: Option<Content<'a>>,
}

/// The message, if it is one object in compact JSON with no key twice and every field as expected.
pub(super) fn read(json: &str) -> Option<Message<'_>> {
    message(json, content).filter(|(_, rest)| rest.is_empty()).map(|(message, _)| message)
}

/// The same without its content, which is not checked, and what follows it.
pub(super) fn without_content(json: &str) -> Option<(Message<'_>, &str)> {
    message(json, |content| Some((Content::default(), after_content(content)?)))
}

fn message<'a>(
    json: &'a str,
    content: impl Fn(&'a str) -> Option<(Content<'a>, &'a str)>,
) -> Option<(Message<'a>, &'a str)> {
    let mut found = Fields::default();
    let rest = fields(json, |key, rest| match key {
        "id" => put(&mut found.id, text(rest)),
        "model" => put(&mut found.model, text(rest)),
        "stop_reason" => put(&mut found.stop_reason, text(rest)),
        "usage" => put(&mut found.usage, usage::read(rest)),
        "content" => put(&mut found.content, content(rest)),
        _ => checked(rest).map(|(_, rest)| rest),
    })?;
    let message = Message {
        id: found.id.flatten(),
        model: found.model.flatten(),
        stop_reason: found.stop_reason.flatten(),
        usage: found.usage.flatten(),
        content: found.content.unwrap_or_default(),
    };
    Some((message, rest))
}

/// What follows the content that stands here.
pub(super) fn after_content(json: &str) -> Option<&str> {
    let (value, rest) = scan::value(json.as_bytes())?;
    let is_content = match value {
        Value::Nested(json) => json.starts_with(b"["),
        Value::Plain(_) | Value::Text(_) | Value::Null => true,
        Value::Flag(_) | Value::Number => false,
    };
    json.get(json.len() - rest.len()..).filter(|_| is_content)
}

fn content(json: &str) -> Option<(Content<'_>, &str)> {
    if json.starts_with('"') {
        let (text, rest) = string(json)?;
        let words = match text.has_escapes {
            true => Cow::Owned(serde_json::from_str(text.json).ok()?),
            false => Cow::Borrowed(text.inside()?),
        };
        return Some((Content(vec![Block::Text(Words::Plain(words))]), rest));
    }
    let mut blocks = Vec::with_capacity(1);
    let rest = items(json, |rest| {
        let (block, rest) = block(rest)?;
        blocks.push(block);
        Some(rest)
    })?;
    Some((Content(blocks), rest))
}

/// What a block of any of the usual types has.
#[derive(Default)]
struct Parts<'a> {
    kind: Option<Option<Text<'a>>>,
    text: Option<&'a str>,
    thinking: Option<&'a str>,
    id: Option<Option<Text<'a>>>,
    name: Option<Option<Text<'a>>>,
    tool_use_id: Option<Option<Text<'a>>>,
    is_error: Option<bool>,
    input: Option<&'a str>,
    content: Option<&'a str>,
    source: Option<Media<'a>>,
}

fn block(json: &str) -> Option<(Block<'_>, &str)> {
    let mut parts = Parts::default();
    let rest = fields(json, |key, rest| match key {
        "type" => put(&mut parts.kind, text(rest)),
        "text" => put(&mut parts.text, checked(rest)),
        "thinking" => put(&mut parts.thinking, checked(rest)),
        "id" => put(&mut parts.id, text(rest)),
        "name" => put(&mut parts.name, text(rest)),
        "tool_use_id" => put(&mut parts.tool_use_id, text(rest)),
        "is_error" => put(&mut parts.is_error, flag(rest)),
        "input" => put(&mut parts.input, checked(rest)),
        "content" => put(&mut parts.content, checked(rest)),
        "source" => put(&mut parts.source, media(rest)),
        // Of types that are rare.
        "data" | "tool_name" => None,
        _ => checked(rest).map(|(_, rest)| rest),
    })?;
    Some((parts.block()?, rest))
}

impl<'a> Parts<'a> {
    fn block(self) -> Option<Block<'a>> {
        let words = |json: &'a str| json.starts_with('"').then_some(Words::Escaped(Json::checked(json)));
        let kind = self.kind??;
        Some(match &*kind {
            "text" => Block::Text(words(self.text?)?),
            "thinking" => Block::Thinking(words(self.thinking?)?),
            "tool_use" => Block::ToolUse(ToolUse {
                id: self.id??.0,
                name: self.name??.0,
                input: asked_for(self.input?)?,
                kind: kind.0,
            }),
            "tool_result" => Block::ToolResult(ToolResult {
                tool_use_id: self.tool_use_id??.0,
                content: self.content.filter(|json| *json != "null").map(Json::checked),
                is_error: self.is_error.unwrap_or_default(),
                kind: kind.0,
            }),
            "image" => Block::Image(self.source?),
            "document" => Block::Document(self.source?),
            _ => return None,
        })
    }
}

/// A tool's input, where it may be one that a list wants to know: a plan, or a goodbye. A key that is written with
/// escapes was refused before.
fn asked_for(json: &str) -> Option<Option<&RawValue>> {
    let is_asked_for = WANTED.iter().any(|word| word.find(json.as_bytes()).is_some());
    if is_asked_for { serde_json::from_str(json).ok() } else { Some(None) }
}

static WANTED: [LazyLock<Finder<'static>>; 2] =
    [LazyLock::new(|| Finder::new(b"\"plan\"")), LazyLock::new(|| Finder::new(b"\"shutdown_response\""))];

fn media(json: &str) -> Option<(Media<'_>, &str)> {
    let (mut kind, mut media_type, mut data, mut url) = (None, None, None, None);
    let rest = fields(json, |key, rest| match key {
        "type" => put(&mut kind, text(rest)),
        "media_type" => put(&mut media_type, text(rest)),
        "data" => put(&mut data, text(rest)),
        "url" => put(&mut url, text(rest)),
        _ => checked(rest).map(|(_, rest)| rest),
    })?;
    let media = Media {
        media_type: media_type.flatten().map(|text| text.0),
        url: url.flatten().map(|text| text.0),
        data: data.flatten().unwrap_or_default().0,
    };
    Some((media, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MESSAGES: [&str; 6] = [
        r#"{"id":"m","type":"message","model":"x","content":[{"type":"thinking","thinking":"a \"b\" \u00e9\n","signature":"c2ln"},{"type":"text","text":"é","citations":[]}],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":3,"cache_creation":{"ephemeral_5m_input_tokens":10,"ephemeral_1h_input_tokens":0},"output_tokens":0,"server_tool_use":{"web_search_requests":2,"web_fetch_requests":0},"service_tier":"standard","inference_geo":"us","speed":"fast"}}"#,
        r#"{"role":"assistant","id":"m","content":[{"type":"tool_use","id":"t","name":"Bash","input":{"a":[1,-2.5e3,true,{}],"b":"\\"}}],"usage":null}"#,
        r#"{"role":"user","content":[{"tool_use_id":"t","type":"tool_result","content":"out\tput","is_error":true}]}"#,
        r#"{"role":"user","content":[{"type":"tool_result","content":[{"type":"text","text":"x"}],"tool_use_id":"t"}]}"#,
        r#"{"role":"user","content":"a prompt \\ \"quoted\""}"#,
        r#"{"role":"user","content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"QUJD"}}]}"#,
    ];

    /// What a message says, a tool's input left out.
    fn said(message: Message<'_>) -> String {
        let mut message = message;
        for block in &mut message.content.0 {
            if let Block::ToolUse(call) = block {
                call.input = None;
            }
        }
        format!("{message:?}")
    }

    #[test]
    fn messages_of_the_client_are_read_as_the_thorough_reader_reads_them() {
        for json in MESSAGES {
            let thorough: Message = serde_json::from_str(json).unwrap();
            assert_eq!(read(json).map(said), Some(said(thorough)), "{json}");
        }
    }

    #[test]
    fn nothing_is_read_in_another_way_when_a_byte_is_wrong() {
        for json in MESSAGES {
            for place in 0..json.len() {
                for wrong in *b"\"\\{}[]:,0-.eun \x01x" {
                    let mut bytes = json.as_bytes().to_vec();
                    bytes[place] = wrong;
                    let Ok(json) = std::str::from_utf8(&bytes) else { continue };
                    if let Some(message) = read(json) {
                        let thorough: Message = serde_json::from_str(json).expect(json);
                        assert_eq!(said(message), said(thorough), "{json}");
                    }
                }
            }
        }
    }

    #[test]
    fn what_is_not_as_expected_is_left_to_the_thorough_reader() {
        let nested = format!(r#"{{"content":"x","a":{}1{}}}"#, "[".repeat(100), "]".repeat(100));
        let others = [
            r#"{"id":"a","id":"b"}"#,
            r#"{"id":null,"id":"b"}"#,
            r#"{"\u0069d":"a"}"#,
            r#"{"id":"a\u0062"}"#,
            r#"{"id":7}"#,
            r#"{"content":"half a pair \ud83d"}"#,
            r#"{"content":["text"]}"#,
            r#"{"content":[{"type":"hologram"}]}"#,
            r#"{"content":[{"type":"text","text":7}]}"#,
            r#"{"content":[{"type":"text","text":"a","tool_name":7}]}"#,
            r#"{"usage":{"input_tokens":-1}}"#,
            r#"{"usage":{"input_tokens":1.5}}"#,
            r#"{"usage":{"input_tokens":99999999999999999999}}"#,
            r#"{"usage":{"input_tokens":"1"}}"#,
            r#"{"a":01}"#,
            r#"{"a":tru}"#,
            r#"{"a":1,}"#,
            r#"{"a": 1}"#,
            r#"{"a":1}}"#,
            r#"{}"#,
            &nested,
        ];
        for json in others {
            assert!(read(json).is_none(), "{json}");
        }
    }

    #[test]
    fn an_input_is_kept_where_it_may_be_a_plan_or_a_goodbye() {
        let input = |input: &str| {
            let json =
                format!(r#"{{"content":[{{"type":"tool_use","id":"t","name":"n","input":{input}}}]}}"#);
            match read(&json).unwrap().content.0.first() {
                Some(Block::ToolUse(call)) => call.input.map(|raw| raw.get().to_owned()),
                other => panic!("{other:?}"),
            }
        };
        assert_eq!(input(r#"{"plan":"p"}"#).as_deref(), Some(r#"{"plan":"p"}"#));
        assert!(input(r#"{"message":{"type":"shutdown_response"}}"#).is_some());
        assert_eq!(input(r#"{"command":"a plan"}"#), None);
    }
}
