//! A built session → its conversation, and a conversation in a few words.

use std::ops::ControlFlow;

use steno_conversation::model::{Chunk, ChunkBody, Step, ToolStep};
use steno_conversation::{
    AgentMeta, AgentTranscript, Builder, Context, Conversation, Scope, Transcript, conversation,
};
use steno_testkit::{AgentFile, Session};
use steno_transcript::{SessionId, ToolId, read};

/// A file as the builder reads it.
pub(crate) fn transcript(id: &str, bytes: &[u8]) -> Transcript {
    transcript_in(id, bytes, Scope::default())
}

fn transcript_in(id: &str, bytes: &[u8], scope: Scope) -> Transcript {
    let mut builder = Builder::new(format!("{id}.jsonl")).with_scope(scope);
    read(bytes, |piece| {
        builder.push(&piece);
        ControlFlow::Continue(())
    })
    .unwrap();
    builder.finish(SessionId::new(id))
}

/// The whole session with everything that lies beside its transcript.
pub(crate) fn explain(session: &Session) -> Conversation {
    let built = session.build();
    explain_bytes(session, &built.bytes)
}

/// The same session with another transcript in place of its own.
pub(crate) fn explain_bytes(session: &Session, bytes: &[u8]) -> Conversation {
    explain_in(session, bytes, Scope::default())
}

/// With more of it than people read.
pub(crate) fn explain_in(session: &Session, bytes: &[u8], scope: Scope) -> Conversation {
    let built = session.build();
    let context = Context {
        tool_results: built
            .tool_results
            .iter()
            .map(|file| format!("/kept/tool-results/{}", file.name))
            .collect(),
        agents: built.agents.iter().map(|file| agent(file, scope)).collect(),
    };
    conversation(transcript_in(built.id.as_str(), bytes, scope), context)
}

fn agent(file: &AgentFile, scope: Scope) -> AgentTranscript {
    let meta = file.meta.as_ref().map(|meta| AgentMeta {
        kind: meta["agentType"].as_str().map(str::to_owned),
        description: meta["description"].as_str().map(str::to_owned),
        tool_id: meta["toolUseId"].as_str().map(ToolId::from),
    });
    AgentTranscript {
        id: file.id.clone(),
        path: format!("subagents/agent-{}.jsonl", file.id),
        meta,
        is_fresh: true,
        transcript: transcript_in(&format!("agent-{}", file.id), &file.bytes, scope),
    }
}

/// One line for each chunk.
pub(crate) fn outline(chunks: &[Chunk]) -> Vec<String> {
    chunks.iter().map(chunk_words).collect()
}

fn chunk_words(chunk: &Chunk) -> String {
    match &chunk.body {
        ChunkBody::User(user) => {
            let queued = if user.queued { " (queued)" } else { "" };
            let plan = user.plan.map(|plan| format!(" (plan {plan})")).unwrap_or_default();
            let images = " [image]".repeat(user.images.len());
            format!("user{queued}{plan}: {}{images}", user.text)
        }
        ChunkBody::Ai(ai) => {
            format!("ai: {}", ai.steps.iter().map(step_words).collect::<Vec<_>>().join(", "))
        }
        ChunkBody::System(system) => format!("system {}: {}", system.subtype, system.text),
        ChunkBody::Compact(compact) => {
            let trigger = compact.trigger.as_deref().unwrap_or("-");
            format!("compact {trigger} {:?} {:?}", compact.pre_tokens, compact.post_tokens)
        }
    }
}

fn step_words(step: &Step) -> String {
    match step {
        Step::Thinking { redacted: true, .. } => "redacted".to_owned(),
        Step::Thinking { text, .. } => format!("thinking {text}"),
        Step::Text { text, .. } => format!("text {text}"),
        Step::Tool(tool) => tool_words(tool),
        Step::Agent(step) => format!("agent {}", step.agent.as_ref().map_or("?", |id| id.as_str())),
        Step::Plan(step) => format!("plan {}", step.plan),
        Step::Notification(note) => format!("notification {}", note.text),
        Step::Interruption { text, .. } => text.clone(),
        Step::Media { .. } => "[image]".to_owned(),
        Step::Unknown { block_type, .. } => format!("unknown {block_type}"),
    }
}

fn tool_words(tool: &ToolStep) -> String {
    match &tool.result {
        Some(result) if result.is_error => format!("{} failed: {}", tool.name, result.text),
        Some(result) => format!("{} → {}", tool.name, result.text),
        None => format!("{} …", tool.name),
    }
}

/// The kinds of warnings, in their order.
pub(crate) fn warned(conversation: &Conversation) -> Vec<&str> {
    conversation.warnings.iter().map(|warning| warning.kind.as_str()).collect()
}
