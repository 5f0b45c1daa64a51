//! A line as the client writes it → what a list wants of its record, without a look at the rest.
//!
//! Most of a transcript is text that nobody asks for: output of tools, twice, and progress. A list wants the plain
//! fields at the top of each record, and the message of those that have one. So this walks over the top of the object
//! and jumps over what is nested, from quote to quote. What is jumped over is not checked, only its quotes and
//! brackets are; anything that does not look as expected is left to the thorough reader.

use std::sync::LazyLock;

use memchr::memmem::{self, Finder};
use memchr::{memchr, memchr3, memrchr};
use serde_json::value::RawValue;

use crate::text::Text;
use crate::trouble::Troubles;
use crate::wire::{self, Body, Envelope, Flag};

/// Fills the envelope of a line that is one record in compact JSON; what is nested in it only as far as a list needs
/// it. Nothing where the line is anything else.
pub(crate) fn fill<'a>(envelope: &mut Envelope<'a>, line: &'a [u8], troubles: &mut Troubles) -> Option<()> {
    let inside = line.strip_suffix(b"\n").unwrap_or(line).strip_prefix(b"{")?;
    let mut skimmed = Skimmed { envelope, message: None, tool_use_result: None, attachment: None };
    let mut rest = inside;
    loop {
        let (key, after) = key(rest)?;
        let after = after.strip_prefix(b":")?;
        let after = if key == b"data" && skimmed.is_progress() {
            after_payload(after)?
        } else {
            let (value, after) = value(after)?;
            skimmed.put(key, value)?;
            after
        };
        match after.split_first()? {
            (b',', more) => rest = more,
            (b'}', []) => return skimmed.finish(troubles),
            _ => return None,
        }
    }
}

/// What follows the payload of a progress record: more than half of a transcript may be these, and only plain fields
/// follow. So the payload ends with the last bracket before the record's own, unless another object begins inside.
fn after_payload(json: &[u8]) -> Option<&[u8]> {
    let (b'{', _) = json.split_first()? else { return None };
    let (_, before_last) = json.split_last()?;
    let end = memrchr(b'}', before_last)? + 1;
    let (payload, rest) = json.split_at_checked(end)?;
    GLUE.iter().all(|glue| glue.find(payload).is_none()).then_some(rest)
}

/// Where one object ends and another begins. Inside a string the quote would be escaped.
static GLUE: [LazyLock<Finder<'static>>; 2] =
    [LazyLock::new(|| Finder::new(b"}{\"")), LazyLock::new(|| Finder::new(b"} {\""))];

struct Skimmed<'e, 'a> {
    envelope: &'e mut Envelope<'a>,
    message: Option<&'a [u8]>,
    tool_use_result: Option<&'a [u8]>,
    attachment: Option<&'a [u8]>,
}

enum Value<'a> {
    /// Between its quotes, as it stands.
    Text(&'a [u8]),
    Flag(bool),
    Null,
    Number,
    /// An object or a list.
    Nested(&'a [u8]),
}

impl<'a> Skimmed<'_, 'a> {
    fn is_progress(&self) -> bool {
        self.envelope.kind.as_deref() == Some("progress")
    }

    /// Puts a value where it belongs; nothing where the thorough reader would read it in another way.
    fn put(&mut self, key: &[u8], value: Value<'a>) -> Option<()> {
        let envelope = &mut *self.envelope;
        match key {
            b"type" => put_text(&mut envelope.kind, value),
            b"uuid" => put_text(&mut envelope.uuid, value),
            b"parentUuid" => put_text(&mut envelope.parent_uuid, value),
            b"timestamp" => put_text(&mut envelope.timestamp, value),
            b"sessionId" => put_text(&mut envelope.session_id, value),
            b"requestId" => put_text(&mut envelope.request_id, value),
            b"cwd" => put_text(&mut envelope.cwd, value),
            b"version" => put_text(&mut envelope.version, value),
            b"gitBranch" => put_text(&mut envelope.git_branch, value),
            b"slug" => put_text(&mut envelope.slug, value),
            b"leafUuid" => put_text(&mut envelope.leaf_uuid, value),
            b"summary" => put_text(&mut envelope.summary, value),
            b"customTitle" => put_text(&mut envelope.custom_title, value),
            b"aiTitle" => put_text(&mut envelope.ai_title, value),
            b"userFeedback" => put_text(&mut envelope.user_feedback, value),
            b"isSidechain" => put_flag(&mut envelope.is_sidechain, value),
            b"isMeta" => put_flag(&mut envelope.is_meta, value),
            b"isCompactSummary" => put_flag(&mut envelope.is_compact_summary, value),
            b"isApiErrorMessage" => put_flag(&mut envelope.is_api_error, value),
            b"message" => put_nested(&mut self.message, value),
            // A result in words names nothing.
            b"toolUseResult" if matches!(value, Value::Text(_)) => {
                self.tool_use_result.is_none().then_some(())
            }
            b"toolUseResult" => put_nested(&mut self.tool_use_result, value),
            b"attachment" => put_nested(&mut self.attachment, value),
            // A key with an escape in it may mean any of these.
            _ => (!has_escape(key)).then_some(()),
        }
    }

    /// Reads what is nested, where the type of the record makes it worth while.
    fn finish(self, troubles: &mut Troubles) -> Option<()> {
        match self.envelope.kind.as_deref() {
            Some("user" | "assistant") => {
                if let Some(message) = self.message {
                    self.envelope.message = Some(Body::Message(wire::read(text(message)?, troubles)?));
                }
                let named: [&[u8]; 2] = [b"\"agentId\"", b"\"plan\""];
                self.envelope.tool_use_result = raw_with(self.tool_use_result, &named)?;
            }
            Some("attachment") => {
                self.envelope.attachment = raw_with(self.attachment, &[b"\"queued_command\""])?;
            }
            _ => {}
        }
        Some(())
    }
}

/// The value, if one of the words stands in it; nothing at all where it is no JSON after all.
fn raw_with<'a>(value: Option<&'a [u8]>, words: &[&[u8]]) -> Option<Option<&'a RawValue>> {
    let is_wanted = |value: &&[u8]| words.iter().any(|word| memmem::find(value, word).is_some());
    match value.filter(is_wanted) {
        Some(value) => Some(Some(serde_json::from_str(text(value)?).ok()?)),
        None => Some(None),
    }
}

fn put_text<'a>(slot: &mut Option<Text<'a>>, value: Value<'a>) -> Option<()> {
    match value {
        Value::Text(plain) if slot.is_none() && !has_escape(plain) => {
            *slot = Some(Text::from(std::str::from_utf8(plain).ok()?));
        }
        Value::Null => {}
        _ => return None,
    }
    Some(())
}

/// Whether a text has an escape, or a control character that is none. Looks at every byte without stopping, which is
/// quicker for texts as short as these.
fn has_escape(text: &[u8]) -> bool {
    text.iter().fold(false, |found, byte| found | (*byte == b'\\') | (*byte < b' '))
}

fn put_flag(slot: &mut Flag<'_>, value: Value<'_>) -> Option<()> {
    match value {
        Value::Flag(flag) if !slot.0 => *slot = Flag::from(flag),
        Value::Null => {}
        _ => return None,
    }
    Some(())
}

fn put_nested<'a>(slot: &mut Option<&'a [u8]>, value: Value<'a>) -> Option<()> {
    match value {
        Value::Nested(json) if slot.is_none() => *slot = Some(json),
        Value::Null => {}
        _ => return None,
    }
    Some(())
}

fn text(bytes: &[u8]) -> Option<&str> {
    simdutf8::basic::from_utf8(bytes).ok()
}

fn value(json: &[u8]) -> Option<(Value<'_>, &[u8])> {
    match json.first()? {
        b'"' => string(json).map(|(text, rest)| (Value::Text(text), rest)),
        b'{' => nested(json, b'{', b'}').map(|(value, rest)| (Value::Nested(value), rest)),
        b'[' => nested(json, b'[', b']').map(|(value, rest)| (Value::Nested(value), rest)),
        b't' => Some((Value::Flag(true), json.strip_prefix(b"true")?)),
        b'f' => Some((Value::Flag(false), json.strip_prefix(b"false")?)),
        b'n' => Some((Value::Null, json.strip_prefix(b"null")?)),
        b'0'..=b'9' | b'-' => {
            let is_number = |byte: &&u8| matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E');
            let length = json.iter().take_while(is_number).count();
            Some((Value::Number, json.get(length..)?))
        }
        _ => None,
    }
}

/// An object or list and what follows it. Brackets of the other kind need no counting: they come in pairs.
fn nested(json: &[u8], open: u8, close: u8) -> Option<(&[u8], &[u8])> {
    let mut depth = 0_usize;
    let mut at = 0;
    loop {
        let found = at + memchr3(b'"', open, close, json.get(at..)?)?;
        match json.get(found)? {
            b'"' => at = found + string_length(json.get(found..)?)?,
            bracket => {
                depth = if *bracket == open { depth + 1 } else { depth.checked_sub(1)? };
                at = found + 1;
                if depth == 0 {
                    return json.split_at_checked(at);
                }
            }
        }
    }
}

/// A key is short: looking at its bytes one by one is quicker than anything clever.
fn key(json: &[u8]) -> Option<(&[u8], &[u8])> {
    let inside = json.strip_prefix(b"\"")?;
    let (key, rest) = inside.split_at_checked(inside.iter().position(|byte| *byte == b'"')?)?;
    Some((key, rest.get(1..)?))
}

fn string(json: &[u8]) -> Option<(&[u8], &[u8])> {
    if json.first() != Some(&b'"') {
        return None;
    }
    let length = string_length(json)?;
    Some((json.get(1..length - 1)?, json.get(length..)?))
}

/// The length of the string that starts here, with its quotes. A quote behind an odd number of backslashes is escaped.
fn string_length(json: &[u8]) -> Option<usize> {
    let mut at = 1;
    loop {
        let quote = at + memchr(b'"', json.get(at..)?)?;
        at = quote + 1;
        let before = json.get(1..quote)?;
        if before.last() != Some(&b'\\') {
            return Some(at);
        }
        let backslashes = before.iter().rev().take_while(|byte| **byte == b'\\').count();
        if backslashes % 2 == 0 {
            return Some(at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn skim(line: &str) -> Option<Envelope<'_>> {
        let mut envelope = Envelope::default();
        fill(&mut envelope, line.as_bytes(), &mut Troubles::default()).map(|()| envelope)
    }

    #[test]
    fn the_top_is_read_and_what_is_nested_is_not() {
        let line = r#"{"parentUuid":null,"isSidechain":true,"type":"note","data":{"type":"agent","uuid":"inner","text":"}{ \" \\\\\" ]"},"count":-1.5e3,"list":[[{"a":"]"}]],"uuid":"outer","timestamp":"now"}"#;
        let line = line.replace(r#"\\\\\""#, r#"\\"#);
        let envelope = skim(&line).unwrap();
        assert_eq!((envelope.uuid.as_deref(), envelope.timestamp.as_deref()), (Some("outer"), Some("now")));
        assert!(envelope.is_sidechain.0 && envelope.kind.as_deref() == Some("note"));
    }

    #[test]
    fn a_message_is_read_whole() {
        let line = r#"{"message":{"id":"m","content":[{"type":"text","text":"a \"quoted\" word"}]},"type":"assistant"}"#;
        let Some(Body::Message(message)) = skim(line).unwrap().message else { panic!("no message") };
        assert_eq!((message.id.as_deref(), message.content.0.len()), (Some("m"), 1));
    }

    #[test]
    fn only_results_that_name_something_are_kept() {
        let line = |result: &str| format!(r#"{{"type":"user","toolUseResult":{result},"uuid":"u"}}"#);
        assert!(skim(&line(r#"{"stdout":"x"}"#)).unwrap().tool_use_result.is_none());
        assert!(skim(&line(r#"{"agentId":"a"}"#)).unwrap().tool_use_result.is_some());
        assert!(skim(&line(r#"{"agentId":tru}"#)).is_none(), "not JSON");
    }

    #[test]
    fn what_is_not_surely_one_plain_record_is_left_alone() {
        let others = [
            r#"{"type":"progress","data":{"a":1}}{"type":"user","uuid":"u"}"#,
            r#"{"type":"progress","data":{"a":1}} {"type":"user","uuid":"u"}"#,
            r#"{"type":"progress","data":{"a":1}}{"type":"user","message":{"content":"x"},"uuid":"u"}"#,
            r#"{"type":"progress","data":{"a":1},"uuid":"a\"b"}"#,
            r#"{"type":"progress","timestamp":1767812640310}"#,
            r#"{"type":"progress","uuid":"a","uuid":"b"}"#,
            r#"{"type":"progress","isMeta":true,"isMeta":false}"#,
            r#"{"type":"progress","\u0075uid":"a"}"#,
            r#"{"type": "progress", "uuid": "u"}"#,
            r#"{"type":"progress","data":{"a":"#,
            r#"{"type":"user","message":"text"}"#,
            r#"{"type":"user","message":{"content":tru}}"#,
            r#"{"type":"user"}}"#,
            r#"{"type":"user","a":1 }"#,
            r#"{}"#,
            "",
        ];
        for line in others {
            assert!(skim(line).is_none(), "{line}");
        }
    }
}
