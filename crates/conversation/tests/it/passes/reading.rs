//! A transcript and what lies beside it → the conversation.

use std::ops::ControlFlow;

use steno_conversation::{
    AgentMeta, AgentTranscript, Builder, Context, Conversation, Scope, Transcript, conversation,
};
use steno_testkit::{AgentFile, Session};
use steno_transcript::{SessionId, ToolId, read};

/// A file as the builder reads it.
pub(crate) fn transcript_in(id: &str, bytes: &[u8], scope: Scope) -> Transcript {
    let mut builder = Builder::new(format!("{id}.jsonl")).with_scope(scope);
    read(bytes, |piece| {
        builder.push(&piece);
        ControlFlow::Continue(())
    })
    .unwrap();
    builder.finish(SessionId::new(id))
}

/// A session with this transcript, and everything that lies beside its own.
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
