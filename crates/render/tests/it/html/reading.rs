//! A built session → its page.

use std::ops::ControlFlow;

use steno_conversation::{
    AgentMeta, AgentTranscript, Builder, Context, Conversation, Scope, Transcript, conversation,
};
use steno_render::{Detail, html};
use steno_testkit::{AgentFile, Session};
use steno_transcript::{SessionId, ToolId, read};

use crate::html::look::Page;

pub(crate) fn transcript(id: &str, bytes: &[u8], scope: Scope) -> Transcript {
    let mut builder = Builder::new(format!("{id}.jsonl")).with_scope(scope);
    read(bytes, |piece| {
        builder.push(&piece);
        ControlFlow::Continue(())
    })
    .unwrap();
    builder.finish(SessionId::new(id))
}

pub(crate) fn explain(session: &Session, detail: &Detail) -> Conversation {
    let scope = Scope { hidden: detail.all, system_events: detail.system_events, media: true };
    let built = session.build();
    let agents = built.agents.iter().map(|file| agent(file, scope)).collect();
    conversation(transcript(built.id.as_str(), &built.bytes, scope), Context { agents, ..Context::default() })
}

fn agent(file: &AgentFile, scope: Scope) -> AgentTranscript {
    let meta = file.meta.as_ref().map(|meta| AgentMeta {
        kind: meta["agentType"].as_str().map(str::to_owned),
        description: meta["description"].as_str().map(str::to_owned),
        tool_id: meta["toolUseId"].as_str().map(ToolId::from),
    });
    AgentTranscript {
        id: file.id.clone(),
        path: String::new(),
        meta,
        is_fresh: false,
        transcript: transcript(file.id.as_str(), &file.bytes, scope),
    }
}

/// The page of a session, which is read to its last tag.
pub(crate) fn page(session: &Session, detail: &Detail) -> Page {
    Page::read(&html::page(&explain(session, detail), detail))
}

/// What a reader sees of it.
pub(crate) fn seen(session: &Session) -> String {
    page(session, &Detail::default()).text
}

/// The markup of what the agent says.
pub(crate) fn said(text: &str) -> Page {
    page(&Session::numbered(1).user("go").assistant(|message| message.text(text)), &Detail::default())
}
