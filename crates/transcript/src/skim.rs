//! A progress record → its envelope, without a look at its payload.
//!
//! More than half of a transcript may be progress records, and all that a list wants of them is when and where. The
//! client writes them as plain fields, then `data`, then plain fields again. Both ends are read; if what follows
//! the last `}` of the payload closes exactly the record, the payload was what stood between. Anything else is
//! left to the thorough reader.

use std::sync::LazyLock;

use memchr::memmem::Finder;
use memchr::{memchr, memrchr};

use crate::text::Text;
use crate::wire::{Envelope, Flag};

static BEFORE_PAYLOAD: LazyLock<Finder<'static>> =
    LazyLock::new(|| Finder::new(br#""type":"progress","data":{"#));
static GLUE: [LazyLock<Finder<'static>>; 2] =
    [LazyLock::new(|| Finder::new(b"}{")), LazyLock::new(|| Finder::new(b"} {"))];
const TYPE_LENGTH: usize = br#""type":"progress""#.len();

/// The envelope of a line that is one progress record, as the client writes them.
pub(crate) fn progress(line: &[u8]) -> Option<Envelope<'_>> {
    let inside = line.strip_suffix(b"\n").unwrap_or(line).strip_prefix(b"{")?.strip_suffix(b"}")?;
    let payload = BEFORE_PAYLOAD.find(inside)?;
    if GLUE.iter().any(|glue| glue.find(inside).is_some()) {
        return None;
    }
    let mut envelope = Envelope::default();
    fields(inside.get(..payload + TYPE_LENGTH)?, &mut envelope)?;
    let payload_end = memrchr(b'}', inside)?;
    fields(inside.get(payload_end + 1..)?.strip_prefix(b",")?, &mut envelope)?;
    Some(envelope)
}

/// Plain fields, separated by commas; nothing nested, nothing escaped.
fn fields<'a>(mut json: &'a [u8], envelope: &mut Envelope<'a>) -> Option<()> {
    if memchr(b'\\', json).is_some() {
        return None;
    }
    loop {
        let (key, rest) = string(json)?;
        let (value, rest) = value(rest.strip_prefix(b":")?)?;
        put(key, value, envelope)?;
        match rest.strip_prefix(b",") {
            Some(more) => json = more,
            None => return rest.is_empty().then_some(()),
        }
    }
}

enum Value<'a> {
    Text(&'a [u8]),
    Flag(bool),
    Number,
    Null,
}

fn value(json: &[u8]) -> Option<(Value<'_>, &[u8])> {
    match json.first()? {
        b'"' => string(json).map(|(text, rest)| (Value::Text(text), rest)),
        b't' => Some((Value::Flag(true), json.strip_prefix(b"true")?)),
        b'f' => Some((Value::Flag(false), json.strip_prefix(b"false")?)),
        b'n' => Some((Value::Null, json.strip_prefix(b"null")?)),
        b'0'..=b'9' => Some((Value::Number, after_digits(json))),
        _ => None,
    }
}

fn after_digits(json: &[u8]) -> &[u8] {
    let digits = json.iter().take_while(|byte| byte.is_ascii_digit()).count();
    json.get(digits..).unwrap_or_default()
}

fn string(json: &[u8]) -> Option<(&[u8], &[u8])> {
    let inside = json.strip_prefix(b"\"")?;
    let (text, rest) = inside.split_at_checked(memchr(b'"', inside)?)?;
    Some((text, rest.get(1..)?))
}

/// Puts a value where it belongs; nothing where the thorough reader would read it in another way.
fn put<'a>(key: &[u8], value: Value<'a>, envelope: &mut Envelope<'a>) -> Option<()> {
    let slot = match key {
        b"type" => &mut envelope.kind,
        b"uuid" => &mut envelope.uuid,
        b"parentUuid" => &mut envelope.parent_uuid,
        b"timestamp" => &mut envelope.timestamp,
        b"sessionId" => &mut envelope.session_id,
        b"cwd" => &mut envelope.cwd,
        b"version" => &mut envelope.version,
        b"gitBranch" => &mut envelope.git_branch,
        b"slug" => &mut envelope.slug,
        b"isSidechain" => {
            let Value::Flag(flag) = value else { return None };
            envelope.is_sidechain = Flag::from(flag);
            return Some(());
        }
        _ => return Some(()),
    };
    match value {
        Value::Text(text) if slot.is_none() => *slot = Some(Text::from(std::str::from_utf8(text).ok()?)),
        Value::Null => {}
        _ => return None,
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ends_are_read_and_the_payload_is_not() {
        let line = r#"{"parentUuid":null,"isSidechain":true,"type":"progress","data":{"type":"agent","message":{"uuid":"inner","timestamp":"then"}},"toolUseID":"t","uuid":"outer","timestamp":"now"}"#;
        let envelope = progress(line.as_bytes()).unwrap();
        assert_eq!((envelope.uuid.as_deref(), envelope.timestamp.as_deref()), (Some("outer"), Some("now")));
        assert!(envelope.is_sidechain.0 && envelope.kind.as_deref() == Some("progress"));
    }

    #[test]
    fn what_is_not_surely_one_progress_record_is_left_alone() {
        let others = [
            r#"{"type":"user","message":{"type":"progress","data":{"a":1},"uuid":"u"}}"#,
            r#"{"message":{"type":"progress","data":{"a":1}},"uuid":"u"}"#,
            r#"{"type":"progress","data":{"a":1}}{"type":"user","uuid":"u"}"#,
            r#"{"type":"progress","data":{"a":1}}{"type":"user","message":{"content":"x"},"uuid":"u"}"#,
            r#"{"type":"progress","data":{"a":1},"uuid":"a\"b"}"#,
            r#"{"type":"progress","data":{"a":1},"more":[1]}"#,
            r#"{"type":"progress","data":{"a":1},"timestamp":1767812640310}"#,
            r#"{"type":"progress","data":{"a":1},"uuid":"a","uuid":"b"}"#,
            r#"{"type":"progress","data":{"a":1},"type":"user"}"#,
            r#"{"type": "progress", "data": {"a": 1}, "uuid": "u"}"#,
            r#"{"type":"progress","data":{"a":"#,
            r#"{"type":"progress","data":{"a":1}}"#,
        ];
        for line in others {
            assert!(progress(line.as_bytes()).is_none(), "{line}");
        }
    }
}
