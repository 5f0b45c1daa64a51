//! A built session → its document.

use std::ops::ControlFlow;

use steno_conversation::{AgentMeta, AgentTranscript, Builder, Context, Transcript, conversation};
use steno_render::Detail;
use steno_render::portable::{Agent, Block, Conversation, Extensions, Gatherer, Message};
use steno_testkit::{AgentFile, Session};
use steno_transcript::{SessionId, ToolId, read};

/// A file as both readers take it.
pub(crate) fn transcript(id: &str, bytes: &[u8]) -> (Transcript, Gatherer) {
    let mut builder = Builder::new(format!("{id}.jsonl"));
    let mut gatherer = Gatherer::new();
    read(bytes, |piece| {
        builder.push(&piece);
        gatherer.push(&piece);
        ControlFlow::Continue(())
    })
    .unwrap();
    (builder.finish(SessionId::new(id)), gatherer)
}

pub(crate) fn carry(session: &Session, detail: &Detail) -> Conversation {
    carry_bytes(session, session.bytes(), detail)
}

/// The same session with another transcript in place of its own.
pub(crate) fn carry_bytes(session: &Session, bytes: &[u8], detail: &Detail) -> Conversation {
    let built = session.build();
    let (transcript, gatherer) = transcript(built.id.as_str(), bytes);
    let (agents, gatherers) = built.agents.iter().map(agent).unzip();
    let shown = conversation(transcript, Context { tool_results: Vec::new(), agents });
    let gatherers: Vec<Gatherer> = gatherers;
    let files = built.agents.iter().map(|file| file.id.clone()).zip(gatherers).collect();
    gatherer.finish(files, &shown, detail)
}

fn agent(file: &AgentFile) -> (AgentTranscript, Gatherer) {
    let meta = file.meta.as_ref().map(|meta| AgentMeta {
        kind: meta["agentType"].as_str().map(str::to_owned),
        description: meta["description"].as_str().map(str::to_owned),
        tool_id: meta["toolUseId"].as_str().map(ToolId::from),
    });
    let (transcript, gatherer) = transcript(&format!("agent-{}", file.id), &file.bytes);
    let path = format!("subagents/agent-{}.jsonl", file.id);
    (AgentTranscript { id: file.id.clone(), path, meta, is_fresh: false, transcript }, gatherer)
}

pub(crate) fn everything() -> Detail {
    Detail { thinking: true, agents: true, all: true, ..Detail::default() }
}

/// How many records a document accounts for: those of messages and extensions, and those that it leaves out.
pub(crate) fn accounted(document: &Conversation) -> u64 {
    of_file(&document.messages, &document.extensions) + inline(&document.extensions)
}

fn of_file(messages: &[Message], extensions: &Extensions) -> u64 {
    let raw = [
        &extensions.system_events,
        &extensions.unknown_records,
        &extensions.attachments,
        &extensions.permission_modes,
        &extensions.agent_names,
        &extensions.titles,
        &extensions.other_records,
    ];
    let raw: usize = raw.iter().map(|records| records.len()).sum();
    let left = extensions
        .left_out
        .iter()
        .filter(|(reason, _)| !matches!(reason.as_str(), "thinking" | "broken" | "agents"));
    records(messages)
        + records(&extensions.abandoned)
        + raw as u64
        + left.map(|(_, count)| count).sum::<u64>()
}

/// Agents in the session's own file are called by their first record.
fn inline(extensions: &Extensions) -> u64 {
    let is_inline = |agent: &&Agent| {
        let first = agent.messages.iter().chain(&agent.extensions.abandoned);
        first.filter_map(|message| message.extensions.uuid.as_deref()).any(|uuid| uuid == agent.id.as_str())
    };
    let mut agents: Vec<&Agent> = extensions.agents.iter().collect();
    let mut place = 0;
    while let Some(agent) = agents.get(place) {
        agents.extend(&agent.agents);
        place += 1;
    }
    agents.into_iter().filter(is_inline).map(|agent| of_file(&agent.messages, &agent.extensions)).sum()
}

fn records(messages: &[Message]) -> u64 {
    messages.iter().map(|message| 1 + message.extensions.continued.len() as u64).sum()
}

/// One line for each message.
pub(crate) fn outline(messages: &[Message]) -> Vec<String> {
    let line = |message: &Message| {
        let role = serde_json::to_value(message.role).unwrap();
        let blocks: Vec<String> = message.content.iter().map(words).collect();
        format!("{}: {}", role.as_str().unwrap(), blocks.join(", "))
    };
    messages.iter().map(line).collect()
}

fn words(block: &Block) -> String {
    match block {
        Block::Text { text, .. } => text.clone(),
        Block::Thinking { text, .. } => format!("thinking {text}"),
        Block::ToolUse { name, .. } => format!("call {name}"),
        Block::ToolResult { output, is_error: false, images, .. } => {
            format!("result {output}{}", " [image]".repeat(images.len()))
        }
        Block::ToolResult { output, .. } => format!("failure {output}"),
        Block::Image(_) => "image".to_owned(),
        Block::Document(_) => "document".to_owned(),
        Block::Unknown { block_type } => format!("unknown {block_type}"),
    }
}
