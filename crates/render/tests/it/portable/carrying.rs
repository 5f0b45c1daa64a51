//! A built session → its document.

use steno_conversation::{AgentMeta, AgentTranscript, Context, conversation};
use steno_render::Detail;
use steno_render::portable::{Conversation, Gatherer};
use steno_testkit::{AgentFile, Session};
use steno_transcript::ToolId;

use crate::portable::gathering::transcript;

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
