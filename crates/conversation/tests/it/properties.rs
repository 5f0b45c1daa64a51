//! The promises of the model, for sessions that mix everything and for files that are damaged in every way.

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;

use proptest::prelude::*;
use serde_json::Value;
use steno_conversation::model::{Agent, Chunk, ChunkBody, Tokens};
use steno_conversation::{Conversation, Profiler, Scope, Warnings, observe};
use steno_testkit::{Rng, Session, random_session};
use steno_transcript::{SessionId, Shape, read};

use crate::passes::explaining::{explain, explain_bytes, transcript};
use crate::passes::reading::explain_in;

/// The records of a file as JSON, each with its line.
fn records(bytes: &[u8]) -> Vec<(u64, Value)> {
    let mut records = Vec::new();
    read(bytes, |piece| {
        if let Shape::Record(_) = &piece.shape {
            let start = piece.bytes.iter().position(|byte| *byte == b'{').unwrap_or(0);
            let value = serde_json::Deserializer::from_slice(&piece.bytes[start..]).into_iter().next();
            records.push((piece.place.line, value.unwrap().unwrap_or_default()));
        }
        ControlFlow::Continue(())
    })
    .unwrap();
    records
}

fn text<'a>(record: &'a Value, key: &str) -> Option<&'a str> {
    record[key].as_str()
}

/// The uuids on the way from the last thing said to its root.
fn line_of_last(records: &[(u64, Value)]) -> HashSet<&str> {
    let by_uuid: HashMap<&str, &Value> =
        records.iter().filter_map(|(_, record)| text(record, "uuid").map(|uuid| (uuid, record))).collect();
    let is_said = |record: &&Value| {
        let kind = text(record, "type").unwrap_or_default();
        let is_queued = record["attachment"]["type"] == "queued_command";
        record["isSidechain"] != true && (matches!(kind, "user" | "assistant") || is_queued)
    };
    let mut line = HashSet::new();
    let mut at = records.iter().rev().map(|(_, record)| record).find(is_said);
    while let Some(record) = at {
        line.extend(text(record, "uuid"));
        let parent = text(record, "parentUuid").or_else(|| text(record, "logicalParentUuid"));
        at = parent.and_then(|parent| by_uuid.get(parent).copied());
    }
    line
}

fn all_chunks(conversation: &Conversation) -> Vec<&Chunk> {
    fn add<'a>(agents: &'a [Agent], chunks: &mut Vec<&'a Chunk>) {
        for agent in agents {
            chunks.extend(&agent.chunks);
            add(&agent.agents, chunks);
        }
    }
    let mut chunks: Vec<&Chunk> = conversation.chunks.iter().collect();
    add(&conversation.agents, &mut chunks);
    chunks
}

fn check_records(conversation: &Conversation, bytes: &[u8]) {
    let records = records(bytes);
    assert_eq!(conversation.record_types.values().sum::<u64>(), records.len() as u64);
    let mut used = HashSet::new();
    for (index, chunk) in conversation.chunks.iter().enumerate() {
        assert_eq!(chunk.index, index);
        assert!(!chunk.records.is_empty(), "chunk {index} comes from nowhere");
        for at in &chunk.records {
            let (line, record) = &records[at.index];
            assert_eq!((*line, text(record, "uuid")), (at.line, at.uuid.as_ref().map(|uuid| uuid.as_str())));
            let is_shared = record["message"]["content"].as_array().is_some_and(|blocks| {
                blocks.iter().any(|block| block["type"] == "tool_result") && blocks.len() > 1
            });
            assert!(used.insert(at.index) || is_shared, "line {line} stands in two chunks");
        }
    }
}

fn check_tools(conversation: &Conversation, bytes: &[u8]) {
    let mut calls = HashSet::new();
    for (_, record) in records(bytes) {
        if text(&record, "type") == Some("assistant") {
            let blocks = record["message"]["content"].as_array().cloned().unwrap_or_default();
            calls.extend(
                blocks
                    .iter()
                    .filter(|block| block["type"] == "tool_use")
                    .map(|block| block["id"].to_string()),
            );
        }
    }
    let known: HashSet<String> = conversation
        .tools
        .iter()
        .filter(|tool| tool.call.is_some())
        .map(|tool| format!("\"{}\"", tool.id))
        .collect();
    assert_eq!(calls, known);
    let said: String = conversation.warnings.iter().map(|warning| warning.message.as_str()).collect();
    let open = conversation.tools.iter().filter(|tool| tool.call.is_none() || tool.result.is_none());
    for tool in open.take(15) {
        assert!(
            said.contains(tool.id.as_str()) || said.contains("more like this"),
            "{} is open and nobody says so",
            tool.id
        );
    }
}

fn check_tokens(conversation: &Conversation) {
    let mut sum = Tokens::default();
    for chunk in &conversation.chunks {
        if let ChunkBody::Ai(ai) = &chunk.body {
            sum.add(&ai.tokens);
        }
    }
    let total = &conversation.profile.tokens;
    let pairs = [
        (sum.input, total.input),
        (sum.output, total.output),
        (sum.cache_read, total.cache_read),
        (sum.cache_write_5m, total.cache_write_5m),
        (sum.cache_write_1h, total.cache_write_1h),
    ];
    assert!(pairs.iter().all(|(part, whole)| part <= whole), "{sum:?} of {total:?}");
}

fn check_json(conversation: &Conversation) {
    let written = serde_json::to_string(conversation).unwrap();
    let again: Conversation = serde_json::from_str(&written).unwrap();
    assert_eq!(serde_json::to_string(&again).unwrap(), written);
}

/// What holds for every file, whatever is in it.
fn check(conversation: &Conversation, bytes: &[u8]) {
    check_records(conversation, bytes);
    check_tokens(conversation);
    check_json(conversation);
    for chunk in all_chunks(conversation) {
        assert!(chunk.started_at <= chunk.ended_at);
    }
    let active = conversation.branches.iter().filter(|branch| branch.active).count();
    assert_eq!(active, usize::from(!conversation.branches.is_empty()));
}

fn sessions() -> impl Strategy<Value = Session> {
    (any::<u64>(), 0..40_usize).prop_map(|(seed, size)| random_session(seed, size))
}

/// The lines in another order.
fn shuffled(bytes: &[u8], seed: u64) -> Vec<u8> {
    let mut lines: Vec<&[u8]> = bytes.split_inclusive(|byte| *byte == b'\n').collect();
    let mut rng = Rng::new(seed);
    for place in (1..lines.len()).rev() {
        lines.swap(place, rng.below(place as u64 + 1) as usize);
    }
    lines.concat()
}

/// Fields moved, lost and confused: parents point anywhere, ids repeat, flags turn.
fn confused(bytes: &[u8], seed: u64) -> Vec<u8> {
    let mut rng = Rng::new(seed);
    let mut records: Vec<Value> = records(bytes).into_iter().map(|(_, record)| record).collect();
    let uuids: Vec<Value> = records.iter().map(|record| record["uuid"].clone()).collect();
    for record in records.iter_mut().filter_map(Value::as_object_mut) {
        match rng.below(8) {
            0 => drop(record.insert("parentUuid".into(), rng.choose(&uuids).clone())),
            1 => drop(record.insert("uuid".into(), rng.choose(&uuids).clone())),
            2 => drop(record.insert("isSidechain".into(), rng.chance(50).into())),
            3 => drop(record.remove("uuid")),
            4 => drop(record.insert("logicalParentUuid".into(), rng.choose(&uuids).clone())),
            _ => {}
        }
    }
    let lines: Vec<String> = records.iter().map(|record| format!("{record}\n")).collect();
    lines.concat().into_bytes()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn a_conversation_holds_what_its_records_say(session in sessions()) {
        let conversation = explain(&session);
        check(&conversation, session.bytes());
        check_tools(&conversation, session.bytes());
    }

    #[test]
    fn every_prompt_on_the_line_is_shown(session in sessions()) {
        let conversation = explain(&session);
        let records = records(session.bytes());
        let line = line_of_last(&records);
        let shown: HashSet<&str> = conversation
            .chunks
            .iter()
            .filter(|chunk| matches!(chunk.body, ChunkBody::User(_)))
            .filter_map(|chunk| chunk.records[0].uuid.as_ref().map(|uuid| uuid.as_str()))
            .collect();
        for prompt in session.made().prompts.iter().filter(|prompt| line.contains(prompt.as_str())) {
            prop_assert!(shown.contains(prompt.as_str()), "{prompt} is not shown");
        }
    }

    #[test]
    fn what_streams_by_gives_the_same_profile(session in sessions()) {
        let id = SessionId::new("s");
        let whole = transcript("s", session.bytes());
        let mut profiler = Profiler::default();
        let mut warnings = Warnings::new("s.jsonl");
        read(session.bytes(), |piece| {
            observe(&piece, &mut profiler, &mut warnings);
            ControlFlow::Continue(())
        }).unwrap();
        let streamed = profiler.finish(id);
        prop_assert_eq!(&streamed.profile, whole.profile());
        prop_assert_eq!(streamed.is_unfinished, whole.is_unfinished());
    }

    #[test]
    fn a_file_cut_anywhere_is_still_read(session in sessions(), cut in any::<prop::sample::Index>()) {
        let bytes = &session.bytes()[..cut.index(session.bytes().len())];
        check(&explain_bytes(&session, bytes), bytes);
    }

    #[test]
    fn lines_in_any_order_are_still_read(session in sessions(), seed in any::<u64>()) {
        let bytes = shuffled(session.bytes(), seed);
        check(&explain_bytes(&session, &bytes), &bytes);
    }

    #[test]
    fn confused_records_are_still_read(session in sessions(), seed in any::<u64>()) {
        let bytes = confused(session.bytes(), seed);
        check(&explain_bytes(&session, &bytes), &bytes);
    }

    #[test]
    fn bytes_that_flip_break_nothing(session in sessions(), flips in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..20)) {
        let mut bytes = session.bytes().to_vec();
        for (place, byte) in flips {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        let conversation = explain_bytes(&session, &bytes);
        check_tokens(&conversation);
        check_json(&conversation);
    }

    #[test]
    fn everything_that_is_asked_for_holds_what_its_records_say(session in sessions(), seed in any::<u64>()) {
        let bytes = confused(session.bytes(), seed);
        let scope = Scope { hidden: true, system_events: true, media: true };
        check(&explain_in(&session, &bytes, scope), &bytes);
        let whole = explain_in(&session, session.bytes(), scope);
        check(&whole, session.bytes());
        prop_assert_eq!(whole.placing.len(), records(session.bytes()).len());
    }

    #[test]
    fn the_same_file_gives_the_same_conversation(session in sessions()) {
        prop_assert_eq!(explain(&session), explain(&session));
    }
}
