//! A line as the client writes it → what a list wants of its record, without a look at the rest.
//!
//! Most of a transcript is text that nobody asks for: output of tools, twice, and progress. A list wants the plain
//! fields at the top of each record, and the message of those that have one; a sum, of that message only what it used.
//! So this walks over the top of the object and jumps over what is nested, from quote to quote. What is jumped over is
//! not checked, only its quotes and brackets are; anything that does not look as expected is left to the thorough
//! reader.

mod habit;
mod message;
mod mould;
mod scan;
mod seam;
mod strict;
mod usage;

use std::sync::LazyLock;

use memchr::memmem::Finder;
use memchr::memrchr;
use serde_json::value::RawValue;

use crate::text::Text;
use crate::trouble::Troubles;
use crate::wire::{self, Body, Envelope, Flag};

use self::habit::{Habit, Row};
use self::mould::{Cast, Mould};
use self::scan::Value;

pub use self::seam::is_one_object;

/// How the lines of a file are skimmed.
#[derive(Debug, Default)]
pub(crate) struct Skimmer {
    habit: Habit,
    mould: Mould,
    depth: Depth,
}

/// A line that was skimmed.
pub(crate) struct Skim<'a> {
    /// The row of fields that makes a new habit, if there is one.
    row: Option<&'a [u8]>,
    is_answer: bool,
    /// It was like the answer before.
    is_cast: bool,
}

/// What is learnt of a line for those that follow; mostly nothing, so what there is lies apart.
pub(crate) enum Lesson {
    Nothing,
    Fit,
    Habit(Box<Habit>),
    /// With the mould of it, if one was made.
    Miss(Option<Box<Habit>>, Option<Box<Cast>>),
}

impl Skimmer {
    pub(crate) fn new(depth: Depth) -> Self {
        Self { depth, ..Self::default() }
    }

    pub(crate) fn lesson(&self, skim: &Skim<'_>, line: &[u8]) -> Lesson {
        if skim.is_cast {
            return Lesson::Fit;
        }
        let habit = skim.row.map(|row| Box::new(Habit::of(row)));
        if self.depth == Depth::Usage && skim.is_answer {
            let line = text(line.strip_suffix(b"\n").unwrap_or(line));
            return Lesson::Miss(habit, line.and_then(|line| self.mould.recast(line)).map(Box::new));
        }
        habit.map_or(Lesson::Nothing, Lesson::Habit)
    }

    pub(crate) fn learn(&mut self, lesson: Lesson) {
        let habit = match lesson {
            Lesson::Nothing => None,
            Lesson::Fit => {
                self.mould.note_fit();
                None
            }
            Lesson::Habit(habit) => Some(habit),
            Lesson::Miss(habit, cast) => {
                self.mould.note_miss(cast.map(|cast| *cast));
                habit
            }
        };
        if let Some(habit) = habit {
            self.habit = *habit;
        }
    }
}

/// What is wanted of a message.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Depth {
    /// What a list may show of it.
    #[default]
    Content,
    /// All but its content.
    Usage,
}

/// Fills the envelope of a line that is one record in compact JSON; what is nested in it only as far as it is wanted.
/// Nothing where the line is anything else.
pub(crate) fn fill<'a>(
    envelope: &mut Envelope<'a>,
    line: &'a [u8],
    skimmer: &'a Skimmer,
    troubles: &mut Troubles,
) -> Option<Skim<'a>> {
    let habit = &skimmer.habit;
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    let inside = line.strip_prefix(b"{")?;
    let mut skimmed = Skimmed::new(envelope);
    if skimmer.depth == Depth::Usage {
        let text = text(line)?;
        if skimmer.mould.fill(skimmed.envelope, text).is_some() {
            return Some(Skim { row: None, is_answer: true, is_cast: true });
        }
        skimmed.text = Some(text);
    }
    let mut row = Row::default();
    let mut is_habitual = false;
    let mut rest = inside;
    loop {
        let after = if let Some(after) = habit.skip(rest) {
            habit.fill(skimmed.envelope)?;
            is_habitual = true;
            after
        } else {
            let (key, value) = scan::key(rest)?;
            let after = skimmed.field(key, value)?;
            if !is_habitual {
                row.note(key, rest, after);
            }
            after
        };
        match after.split_first()? {
            (b',', more) => rest = more,
            (b'}', []) => {
                let is_answer = skimmed.envelope.kind.as_deref() == Some("assistant");
                skimmed.finish(troubles)?;
                let row = row.longest().filter(|_| !is_habitual);
                return Some(Skim { row, is_answer, is_cast: false });
            }
            _ => return None,
        }
    }
}

/// What follows the payload of a progress record: more than half of a transcript may be these, and only plain fields
/// follow. So the payload ends with the last bracket before the record's own, unless another record hides inside.
fn after_payload(json: &[u8]) -> Option<&[u8]> {
    let (b'{', _) = json.split_first()? else { return None };
    let (_, before_last) = json.split_last()?;
    let end = memrchr(b'}', before_last)? + 1;
    let (payload, rest) = json.split_at_checked(end)?;
    is_one_object(payload, json).then_some(rest)
}

/// What a structured result may name that a list wants to know, and an attachment.
static NAMED: [LazyLock<Finder<'static>>; 2] =
    [LazyLock::new(|| Finder::new(b"\"agentId\"")), LazyLock::new(|| Finder::new(b"\"plan\""))];
static QUEUED: [LazyLock<Finder<'static>>; 1] = [LazyLock::new(|| Finder::new(b"\"queued_command\""))];

struct Skimmed<'e, 'a> {
    envelope: &'e mut Envelope<'a>,
    /// The whole line, where only the usage of its message is wanted.
    text: Option<&'a str>,
    parent: Option<&'a [u8]>,
    message: Option<&'a [u8]>,
    tool_use_result: Option<&'a [u8]>,
    attachment: Option<&'a [u8]>,
}

impl<'e, 'a> Skimmed<'e, 'a> {
    fn new(envelope: &'e mut Envelope<'a>) -> Self {
        Self { envelope, text: None, parent: None, message: None, tool_use_result: None, attachment: None }
    }

    fn is_progress(&self) -> bool {
        self.envelope.kind.as_deref() == Some("progress")
    }

    /// Takes the value that stands here, and gives what follows it.
    fn field(&mut self, key: &[u8], json: &'a [u8]) -> Option<&'a [u8]> {
        // Among lines that were picked, few are these.
        if key == b"data" && self.is_progress() && self.text.is_none() {
            return after_payload(json);
        }
        if let Some(text) = self.text.filter(|_| key == b"message") {
            let (message, after) = message::without_content(text.get(text.len() - json.len()..)?)?;
            let is_first = self.envelope.message.replace(Body::Message(message)).is_none();
            return is_first.then_some(after.as_bytes());
        }
        let (value, after) = scan::value(json)?;
        self.put(key, value)?;
        Some(after)
    }

    /// Puts a value where it belongs; nothing where the thorough reader would read it in another way.
    fn put(&mut self, key: &[u8], value: Value<'a>) -> Option<()> {
        let envelope = &mut *self.envelope;
        match key {
            b"type" => put_kind(&mut envelope.kind, value),
            b"uuid" => put_text(&mut envelope.uuid, value),
            b"parentUuid" => self.put_parent(value),
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
            b"toolUseResult" if matches!(value, Value::Plain(_) | Value::Text(_)) => {
                self.tool_use_result.is_none().then_some(())
            }
            b"toolUseResult" => put_nested(&mut self.tool_use_result, value),
            b"attachment" => put_nested(&mut self.attachment, value),
            _ => Some(()),
        }
    }

    /// Only a sidechain's records are asked for their parents, so that most need not become text.
    fn put_parent(&mut self, value: Value<'a>) -> Option<()> {
        let is_first = self.parent.is_none();
        match value {
            Value::Plain(text) if text.is_ascii() => self.parent = Some(text),
            value => put_text(&mut self.envelope.parent_uuid, value)?,
        }
        is_first.then_some(())
    }

    /// Reads what is nested, where the type of the record makes it worth while.
    fn finish(self, troubles: &mut Troubles) -> Option<()> {
        if let Some(parent) = self.parent.filter(|_| self.envelope.is_sidechain.0) {
            put_text(&mut self.envelope.parent_uuid, Value::Plain(parent))?;
        }
        match self.envelope.kind.as_deref() {
            Some("user" | "assistant") => {
                if let Some(message) = self.message {
                    let json = text(message)?;
                    let message = message::read(json).or_else(|| wire::read(json, troubles))?;
                    self.envelope.message = Some(Body::Message(message));
                }
                self.envelope.tool_use_result = raw_with(self.tool_use_result, &NAMED)?;
            }
            Some("attachment") => self.envelope.attachment = raw_with(self.attachment, &QUEUED)?,
            _ => {}
        }
        Some(())
    }
}

/// The value, if one of the words stands in it; nothing at all where it is no JSON after all.
fn raw_with<'a>(
    value: Option<&'a [u8]>,
    words: &[LazyLock<Finder<'static>>],
) -> Option<Option<&'a RawValue>> {
    let is_wanted = |value: &&[u8]| words.iter().any(|word| word.find(value).is_some());
    match value.filter(is_wanted) {
        Some(value) => Some(Some(serde_json::from_str(text(value)?).ok()?)),
        None => Some(None),
    }
}

/// The types that nearly all records have are known as text already.
fn put_kind<'a>(slot: &mut Option<Text<'a>>, value: Value<'a>) -> Option<()> {
    let known = match value {
        Value::Plain(b"progress") => "progress",
        Value::Plain(b"assistant") => "assistant",
        Value::Plain(b"user") => "user",
        Value::Plain(b"system") => "system",
        _ => return put_text(slot, value),
    };
    slot.replace(Text::from(known)).is_none().then_some(())
}

fn put_text<'a>(slot: &mut Option<Text<'a>>, value: Value<'a>) -> Option<()> {
    if matches!(value, Value::Null) {
        return slot.is_none().then_some(());
    }
    let text = Text::from(std::str::from_utf8(value.plain()?).ok()?);
    slot.replace(text).is_none().then_some(())
}

fn put_flag(slot: &mut Flag<'_>, value: Value<'_>) -> Option<()> {
    match value {
        Value::Flag(flag) if !slot.0 => *slot = Flag::from(flag),
        Value::Null if !slot.0 => {}
        _ => return None,
    }
    Some(())
}

fn put_nested<'a>(slot: &mut Option<&'a [u8]>, value: Value<'a>) -> Option<()> {
    match value {
        Value::Nested(json) if slot.is_none() => *slot = Some(json),
        Value::Null if slot.is_none() => {}
        _ => return None,
    }
    Some(())
}

fn text(bytes: &[u8]) -> Option<&str> {
    simdutf8::basic::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    static WHOLE: LazyLock<Skimmer> = LazyLock::new(Skimmer::default);
    static USAGE: LazyLock<Skimmer> = LazyLock::new(|| Skimmer { depth: Depth::Usage, ..Skimmer::default() });

    fn skim(line: &str) -> Option<Envelope<'_>> {
        skim_by(&WHOLE, line)
    }

    fn skim_by<'a>(skimmer: &'a Skimmer, line: &'a str) -> Option<Envelope<'a>> {
        let mut envelope = Envelope::default();
        fill(&mut envelope, line.as_bytes(), skimmer, &mut Troubles::default()).map(|_| envelope)
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
    fn where_only_the_usage_is_wanted_the_content_is_jumped_over() {
        let line = |message: &str| format!(r#"{{"message":{message},"type":"assistant","uuid":"u"}}"#);
        let usage = r#""usage":{"output_tokens":7},"stop_reason":"end_turn""#;
        for content in [r#"[{"type":"text","text":"a \" ] }, "}]"#, "[]", r#""words \\""#, "null"] {
            let line = line(&format!(r#"{{"id":"m","content":{content},{usage}}}"#));
            let envelope = skim_by(&USAGE, &line).unwrap();
            let Some(Body::Message(message)) = envelope.message else { panic!("{line}") };
            assert_eq!((message.usage.unwrap().output.0, message.content.0.len()), (7, 0));
            assert_eq!((message.id.as_deref(), envelope.uuid.as_deref()), (Some("m"), Some("u")));
        }
        let others = [
            r#"{"content":[],"usage":{"output_tokens":7},"usage":{"output_tokens":8}}"#,
            r#"{"content":[],"usage":{"output_tokens":7.5}}"#,
            r#"{"content":[],"\u0075sage":{"output_tokens":7}}"#,
            r#"{"content":[], "usage":{"output_tokens":7}}"#,
            r#"{"content":[],"usage":{"output_tokens":7}},"message":null"#,
            r#"{"content":7}"#,
            r#""text""#,
            "null",
        ];
        for message in others {
            assert!(skim_by(&USAGE, &line(message)).is_none(), "{message}");
        }
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
            r#"{"type":"progress","uuid":"a","uuid":null}"#,
            r#"{"type":"progress","isMeta":true,"isMeta":null}"#,
            r#"{"type":"user","message":{},"message":null}"#,
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
