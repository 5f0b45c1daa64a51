//! Records as the client writes them: borrowed, every field optional, everything else left in the bytes.
//!
//! Records as the client writes them are parsed into structs at once. A record with something odd (a key twice, a number
//! where a text belongs, a number that is too large) is parsed field by field instead, and loses only the odd field.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::content::Content;
use crate::text::{Lossy, Text, lossy};
use crate::trouble::{Trouble, Troubles};

/// Declares a struct with its JSON keys once, and derives both ways of parsing it.
macro_rules! wire {
    ($(#[$doc:meta])* $name:ident { $($key:literal $field:ident : $kind:ty),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Default, Deserialize)]
        #[serde(bound(deserialize = "'de: 'a"))]
        pub struct $name<'a> {
            $(#[serde(rename = $key, default)] pub $field: $kind,)+
        }

        impl<'a> Lenient<'a> for $name<'a> {
            fn from_fields(fields: &Fields<'a>, troubles: &mut Troubles) -> Self {
                Self { $($field: fields.take($key, troubles),)+ }
            }
        }
    };
}

wire!(
    /// The fields at the top level of a record, of any type.
    Envelope {
        "type" kind: Option<Text<'a>>,
        "subtype" subtype: Option<Text<'a>>,
        "uuid" uuid: Option<Text<'a>>,
        "parentUuid" parent_uuid: Option<Text<'a>>,
        "logicalParentUuid" logical_parent_uuid: Option<Text<'a>>,
        "timestamp" timestamp: Option<Text<'a>>,
        "sessionId" session_id: Option<Text<'a>>,
        "requestId" request_id: Option<Text<'a>>,
        "cwd" cwd: Option<Text<'a>>,
        "version" version: Option<Text<'a>>,
        "gitBranch" git_branch: Option<Text<'a>>,
        "slug" slug: Option<Text<'a>>,
        "isSidechain" is_sidechain: Flag,
        "isMeta" is_meta: Flag,
        "isCompactSummary" is_compact_summary: Flag,
        "isApiErrorMessage" is_api_error: Flag,
        "message" message: Option<Body<'a>>,
        "content" content: Option<&'a RawValue>,
        "toolUseResult" tool_use_result: Option<&'a RawValue>,
        "attachment" attachment: Option<&'a RawValue>,
        "data" data: Option<&'a RawValue>,
        "compactMetadata" compact_metadata: Option<&'a RawValue>,
        "leafUuid" leaf_uuid: Option<Text<'a>>,
        "explicit" explicit: Flag,
        "rewound" rewound: Flag,
        "summary" summary: Option<Text<'a>>,
        "customTitle" custom_title: Option<Text<'a>>,
        "aiTitle" ai_title: Option<Text<'a>>,
        "promptSource" prompt_source: Option<Text<'a>>,
        "operation" operation: Option<Text<'a>>,
        "userFeedback" user_feedback: Option<Text<'a>>,
        "error" error: Option<&'a RawValue>,
    }
);

wire!(
    /// The `message` of a user or assistant record.
    Message {
        "id" id: Option<Text<'a>>,
        "model" model: Option<Text<'a>>,
        "stop_reason" stop_reason: Option<Text<'a>>,
        "usage" usage: Option<Usage<'a>>,
        "content" content: Content<'a>,
    }
);

wire!(
    /// A content block with every field that any block type has.
    Block {
        "type" kind: Option<Text<'a>>,
        "text" text: Option<&'a RawValue>,
        "thinking" thinking: Option<&'a RawValue>,
        "id" id: Option<Text<'a>>,
        "name" name: Option<Text<'a>>,
        "tool_use_id" tool_use_id: Option<Text<'a>>,
        "is_error" is_error: Flag,
        "input" input: Option<&'a RawValue>,
        "content" content: Option<&'a RawValue>,
        "source" source: Option<&'a RawValue>,
        "data" data: Option<&'a RawValue>,
        "tool_name" tool_name: Option<Text<'a>>,
    }
);

wire!(
    /// Where an image or document comes from.
    MediaSource {
        "type" kind: Option<Text<'a>>,
        "media_type" media_type: Option<Text<'a>>,
        "data" data: Option<Text<'a>>,
        "url" url: Option<Text<'a>>,
    }
);

wire!(
    /// An attachment that may be a prompt.
    Attachment {
        "type" kind: Option<Text<'a>>,
        "commandMode" command_mode: Option<Text<'a>>,
        "prompt" prompt: Option<&'a RawValue>,
    }
);

wire!(
    /// Token counts as the API reports them.
    Usage {
        "input_tokens" input: Count,
        "output_tokens" output: Count,
        "cache_read_input_tokens" cache_read: Count,
        "cache_creation_input_tokens" cache_creation: Count,
        "cache_creation" by_lifetime: Option<CacheCreation>,
        "server_tool_use" server_tools: Option<ServerTools>,
        "speed" speed: Option<Text<'a>>,
        "inference_geo" region: Option<Text<'a>>,
        "iterations" iterations: Option<&'a RawValue>,
    }
);

wire!(
    /// One of the samplings that a message is made of.
    Iteration {
        "type" kind: Option<Text<'a>>,
        "model" model: Option<Text<'a>>,
        "input_tokens" input: Count,
        "output_tokens" output: Count,
        "cache_read_input_tokens" cache_read: Count,
        "cache_creation_input_tokens" cache_creation: Count,
        "cache_creation" by_lifetime: Option<CacheCreation>,
    }
);

/// Input, output, cache reads, all cache writes, and these by their lifetime.
pub type Counts = (Count, Count, Count, Count, Option<CacheCreation>);

impl Iteration<'_> {
    pub fn counts(&self) -> Counts {
        (self.input, self.output, self.cache_read, self.cache_creation, self.by_lifetime)
    }
}

impl<'a> Usage<'a> {
    pub fn counts(&self) -> Counts {
        (self.input, self.output, self.cache_read, self.cache_creation, self.by_lifetime)
    }

    /// What is no object is left out.
    pub fn iterations(&self) -> Vec<Iteration<'a>> {
        let raw = self.iterations.map(RawValue::get).filter(|raw| *raw != "[]");
        let entries: Vec<&RawValue> = raw.and_then(|raw| serde_json::from_str(raw).ok()).unwrap_or_default();
        entries.into_iter().filter_map(|entry| read(entry.get(), &mut Troubles::default())).collect()
    }
}

/// Searches that the API made itself, which cost extra.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
pub struct ServerTools {
    #[serde(rename = "web_search_requests", default)]
    pub web_searches: Count,
}

impl<'a> Lenient<'a> for ServerTools {
    fn from_fields(fields: &Fields<'a>, troubles: &mut Troubles) -> Self {
        Self { web_searches: fields.take("web_search_requests", troubles) }
    }
}

/// Tokens written to the cache, by how long they stay there.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
pub struct CacheCreation {
    #[serde(rename = "ephemeral_5m_input_tokens", default)]
    pub five_minutes: Count,
    #[serde(rename = "ephemeral_1h_input_tokens", default)]
    pub one_hour: Count,
}

impl<'a> Lenient<'a> for CacheCreation {
    fn from_fields(fields: &Fields<'a>, troubles: &mut Troubles) -> Self {
        let five_minutes = fields.take("ephemeral_5m_input_tokens", troubles);
        Self { five_minutes, one_hour: fields.take("ephemeral_1h_input_tokens", troubles) }
    }
}

wire!(
    /// What the record of a compaction says about it.
    CompactMetadata {
        "trigger" trigger: Option<Text<'a>>,
        "preTokens" pre_tokens: Option<Count>,
        "postTokens" post_tokens: Option<Count>,
    }
);

wire!(
    /// An API error. Its text may be in one of several fields.
    ApiError {
        "formatted" formatted: Option<Text<'a>>,
        "message" message: Option<Text<'a>>,
        "cause" cause: Option<&'a RawValue>,
        "status" status: Option<Text<'a>>,
    }
);

wire!(
    /// The cause of an API error.
    ApiErrorCause {
        "code" code: Option<Text<'a>>,
        "message" message: Option<Text<'a>>,
    }
);

wire!(
    /// The input of a call that starts a subagent.
    AgentInput {
        "description" description: Option<Text<'a>>,
        "subagent_type" subagent_type: Option<Text<'a>>,
        "prompt" prompt: Option<Text<'a>>,
        "run_in_background" run_in_background: Flag,
        "team_name" team_name: Option<Text<'a>>,
        "name" name: Option<Text<'a>>,
    }
);

wire!(
    /// The structured result of any tool: the fields that this program uses.
    StructuredResult {
        "agentId" agent_id: Option<Text<'a>>,
        "status" status: Option<Text<'a>>,
        "team_name" team_name: Option<Text<'a>>,
        "name" name: Option<Text<'a>>,
        "color" color: Option<Text<'a>>,
        "plan" plan: Option<Text<'a>>,
        "durationMs" duration_ms: Option<Count>,
        "totalDurationMs" total_duration_ms: Option<Count>,
        "persistedOutputPath" persisted_output_path: Option<Text<'a>>,
        "persistedOutputSize" persisted_output_size: Option<Count>,
    }
);

wire!(
    /// The input of a call that puts a plan before the user.
    PlanInput {
        "plan" plan: Option<Text<'a>>,
    }
);

/// Parses the object in `json`: at once if every field is as expected, else field by field. None if it is not an object.
pub fn read<'a, T: Lenient<'a> + Deserialize<'a>>(json: &'a str, troubles: &mut Troubles) -> Option<T> {
    // serde takes a list for the fields in their order.
    if !json.trim_start().starts_with('{') {
        return None;
    }
    match serde_json::from_str(json) {
        Ok(value) => Some(value),
        Err(_) => serde_json::from_str::<Fields>(json).ok().map(|fields| T::from_fields(&fields, troubles)),
    }
}

/// A struct that can be parsed field by field.
pub trait Lenient<'a>: Sized {
    fn from_fields(fields: &Fields<'a>, troubles: &mut Troubles) -> Self;
}

/// The fields of an object, raw and in their order, with repeated keys.
#[derive(Debug)]
pub struct Fields<'a>(pub(crate) Vec<(Text<'a>, &'a RawValue)>);

impl<'a> Fields<'a> {
    /// The last field of that name: with repeated keys, that is the one that JavaScript keeps.
    fn take<T: Field<'a>>(&self, key: &str, troubles: &mut Troubles) -> T {
        let mut found = self.0.iter().filter(|(name, _)| &**name == key).map(|(_, value)| *value);
        let Some(first) = found.next() else {
            return T::default();
        };
        let last = match found.next_back() {
            Some(last) => {
                troubles.add(Trouble::DuplicateKey);
                last
            }
            None => first,
        };
        T::from_raw(last, troubles).unwrap_or_else(|| {
            troubles.add(Trouble::OddField);
            T::default()
        })
    }

    /// The last field of that name.
    pub fn get(&self, key: &str) -> Option<&'a RawValue> {
        self.iter().filter(|(name, _)| *name == key).last().map(|(_, value)| value)
    }

    pub fn iter(&self) -> impl Iterator<Item = (&str, &'a RawValue)> {
        self.0.iter().map(|(name, value)| (&**name, *value))
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Fields<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(FieldsVisitor)
    }
}

struct FieldsVisitor;

impl<'de> Visitor<'de> for FieldsVisitor {
    type Value = Fields<'de>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut fields = Vec::new();
        while let Some((Lossy(key), value)) = map.next_entry()? {
            fields.push((key, value));
        }
        Ok(Fields(fields))
    }
}

/// A field that is parsed from its raw text when parsing the whole struct failed.
pub trait Field<'a>: Default {
    fn from_raw(raw: &'a RawValue, troubles: &mut Troubles) -> Option<Self>;
}

impl<'a> Field<'a> for Option<&'a RawValue> {
    fn from_raw(raw: &'a RawValue, _: &mut Troubles) -> Option<Self> {
        Some((raw.get() != "null").then_some(raw))
    }
}

impl<'a> Field<'a> for Option<Text<'a>> {
    /// A number is taken as its digits: some writers give times as numbers.
    fn from_raw(raw: &'a RawValue, _: &mut Troubles) -> Option<Self> {
        let json = raw.get();
        match json.as_bytes().first() {
            Some(b'"') => lossy(json).map(Some),
            Some(b'0'..=b'9' | b'-') => Some(Some(Text(Cow::Borrowed(json)))),
            Some(b'n') => Some(None),
            _ => None,
        }
    }
}

impl<'a, T: Lenient<'a> + Deserialize<'a>> Field<'a> for Option<T> {
    fn from_raw(raw: &'a RawValue, troubles: &mut Troubles) -> Option<Self> {
        (raw.get() == "null").then_some(None).or_else(|| read(raw.get(), troubles).map(Some))
    }
}

/// The `message` of a record: an object as a rule; some writers put the content itself there.
#[derive(Debug, Clone)]
#[expect(
    clippy::large_enum_variant,
    reason = "nearly every body is a message, and a box would cost each of them"
)]
pub enum Body<'a> {
    Message(Message<'a>),
    Other(&'a RawValue),
}

impl<'de: 'a, 'a> Deserialize<'de> for Body<'a> {
    /// Only an object; anything else is left to [`Field::from_raw`].
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(BodyVisitor)
    }
}

struct BodyVisitor;

impl<'de> Visitor<'de> for BodyVisitor {
    type Value = Body<'de>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a message")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        Message::deserialize(MapAccessDeserializer::new(map)).map(Body::Message)
    }
}

impl<'a> Field<'a> for Option<Body<'a>> {
    fn from_raw(raw: &'a RawValue, troubles: &mut Troubles) -> Option<Self> {
        if raw.get() == "null" {
            return Some(None);
        }
        Some(Some(read(raw.get(), troubles).map_or(Body::Other(raw), Body::Message)))
    }
}

/// A boolean; anything but `true` is false.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Flag(pub bool);

impl<'de> Deserialize<'de> for Flag {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self(Option::<bool>::deserialize(deserializer)? == Some(true)))
    }
}

impl<'a> Field<'a> for Flag {
    fn from_raw(raw: &'a RawValue, _: &mut Troubles) -> Option<Self> {
        serde_json::from_str(raw.get()).ok()
    }
}

/// A count of tokens. One that is too large is the largest that fits, one that is not a number is 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Count(pub u64);

impl<'de> Deserialize<'de> for Count {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self(Option::<u64>::deserialize(deserializer)?.unwrap_or(0)))
    }
}

impl<'a> Field<'a> for Count {
    fn from_raw(raw: &'a RawValue, _: &mut Troubles) -> Option<Self> {
        let json = raw.get();
        Some(Self(match json.parse::<u64>() {
            Ok(count) => count,
            Err(_) if json == "null" => 0,
            // The cast saturates: a negative count is 0.
            Err(_) => json.parse::<f64>().ok()? as u64,
        }))
    }
}

impl<'a> Field<'a> for Option<Count> {
    fn from_raw(raw: &'a RawValue, troubles: &mut Troubles) -> Option<Self> {
        if raw.get() == "null" { Some(None) } else { Count::from_raw(raw, troubles).map(Some) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn envelope(json: &str) -> (Envelope<'_>, Troubles) {
        let mut troubles = Troubles::default();
        let envelope = read(json, &mut troubles).unwrap();
        (envelope, troubles)
    }

    #[test]
    fn the_last_of_two_equal_keys_counts() {
        let (envelope, troubles) = envelope(r#"{"type":"user","uuid":"a","uuid":"b"}"#);
        assert_eq!(envelope.uuid.as_deref(), Some("b"));
        assert!(troubles.contains(Trouble::DuplicateKey));
    }

    #[test]
    fn a_field_of_the_wrong_type_costs_only_itself() {
        let (envelope, troubles) = envelope(r#"{"type":"user","cwd":{"odd":1},"isMeta":"yes","uuid":"a"}"#);
        assert_eq!((envelope.uuid.as_deref(), envelope.cwd), (Some("a"), None));
        assert!(troubles.contains(Trouble::OddField) && !envelope.is_meta.0);
    }

    #[test]
    fn a_time_given_as_a_number_is_kept_as_its_digits() {
        assert_eq!(envelope(r#"{"timestamp":1767812640310}"#).0.timestamp.as_deref(), Some("1767812640310"));
    }

    #[test]
    fn numbers_beyond_every_limit_are_held_at_it() {
        let json =
            r#"{"input_tokens":99999999999999999999999,"output_tokens":1e999,"cache_read_input_tokens":-4}"#;
        let usage: Usage = read(json, &mut Troubles::default()).unwrap();
        assert_eq!((usage.input.0, usage.output.0, usage.cache_read.0), (u64::MAX, u64::MAX, 0));
    }

    #[test]
    fn deep_nesting_is_skipped_without_recursion() {
        let json = format!(
            r#"{{"type":"user","message":{}1{},"uuid":"a"}}"#,
            "[".repeat(200_000),
            "]".repeat(200_000)
        );
        assert_eq!(envelope(&json).0.uuid.as_deref(), Some("a"));
    }
}
