//! Any bytes as a transcript and its agents: the model is made, holds together, and can be written as JSON.

#![no_main]

use std::ops::ControlFlow;

use libfuzzer_sys::fuzz_target;
use steno_conversation::model::{Agent, Chunk};
use steno_conversation::{
    AgentMeta, AgentTranscript, Builder, Context, Profiler, Transcript, Warnings, conversation, observe,
};
use steno_transcript::{AgentId, SessionId, Shape, ToolId, read};

/// What separates the transcript from those of its agents. The rest of the marker's line is the tool call that the
/// agent's `.meta.json` names; nothing there means no such file.
const MARKER: &[u8] = b"\0agent:";

fuzz_target!(|bytes: &[u8]| {
    let mut parts = split(bytes).into_iter();
    let main = parts.next().unwrap_or_default();
    let agents = parts.enumerate().map(|(index, part)| agent(index, part)).collect();
    let (transcript, records) = build(main, "00000000-0000-4000-8000-000000000001");
    let model = conversation(transcript, Context { tool_results: Vec::new(), agents });

    assert_eq!(model.record_types.values().sum::<u64>(), records, "every record is counted once");
    assert!(model.tools.iter().all(|tool| tool.call.is_some() || tool.result.is_some()), "a tool has a side");
    check_chunks(&model.chunks);
    check_agents(&model.agents);
    let json = serde_json::to_string(&model).expect("a conversation can be written");
    serde_json::from_str::<serde::de::IgnoredAny>(&json).expect("what was written is JSON");
});

/// The transcript, and how many records it has. Counting without keeping must give the same profile.
fn build(bytes: &[u8], id: &str) -> (Transcript, u64) {
    let mut builder = Builder::new("input");
    let mut profiler = Profiler::default();
    let mut warnings = Warnings::new("input");
    let mut records = 0;
    let outcome = read(bytes, |piece| {
        records += u64::from(matches!(piece.shape, Shape::Record(_)));
        observe(&piece, &mut profiler, &mut warnings);
        builder.push(&piece);
        ControlFlow::Continue(())
    });
    assert!(outcome.is_ok(), "bytes in memory can be read");
    let transcript = builder.finish(SessionId::new(id));
    let gathered = profiler.finish(SessionId::new(id));
    assert_eq!(transcript.profile(), &gathered.profile, "list and show say the same");
    assert_eq!(transcript.is_unfinished(), gathered.is_unfinished);
    (transcript, records)
}

fn agent(index: usize, part: &[u8]) -> AgentTranscript {
    let end = part.iter().position(|byte| *byte == b'\n').unwrap_or(part.len());
    let (tool, rest) = part.split_at(end);
    let tool = String::from_utf8_lossy(tool);
    let meta =
        (!tool.is_empty()).then(|| AgentMeta { tool_id: Some(ToolId::new(tool)), ..AgentMeta::default() });
    let rest = rest.get(1..).unwrap_or_default();
    let id = agent_id(rest).unwrap_or_else(|| format!("agent{index}"));
    let (transcript, _) = build(rest, &format!("agent-{id}"));
    let path = format!("agent-{id}.jsonl");
    AgentTranscript { id: AgentId::new(id), path, meta, is_fresh: index % 2 == 0, transcript }
}

/// The id that the agent's own records give it, so that results which name it find it.
fn agent_id(bytes: &[u8]) -> Option<String> {
    let key = b"\"agentId\":\"";
    let at = bytes.windows(key.len()).position(|window| window == key)? + key.len();
    let value = bytes.get(at..)?;
    let end = value.iter().position(|byte| *byte == b'"')?;
    Some(String::from_utf8_lossy(value.get(..end)?).into_owned())
}

fn split(bytes: &[u8]) -> Vec<&[u8]> {
    let mut parts = Vec::new();
    let mut rest = bytes;
    while let Some(at) = rest.windows(MARKER.len()).position(|window| window == MARKER) {
        let (part, behind) = rest.split_at(at);
        parts.push(part);
        rest = behind.get(MARKER.len()..).unwrap_or_default();
    }
    parts.push(rest);
    parts
}

fn check_chunks(chunks: &[Chunk]) {
    for (place, chunk) in chunks.iter().enumerate() {
        assert_eq!(chunk.index, place, "chunks are numbered in their order");
    }
}

fn check_agents(agents: &[Agent]) {
    for agent in agents {
        check_chunks(&agent.chunks);
        check_agents(&agent.agents);
    }
}
