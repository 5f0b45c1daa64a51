//! The subagents' files of many sessions → how many of them somebody called, and a row for each.

use steno_conversation::model::Subagent;
use steno_conversation::{Gathered, Head, is_heard};
use steno_transcript::AgentId;

use super::Request;
use crate::cache::{Cache, Heads, Profiles};
use crate::file::SessionFile;
use crate::sessions::ListedFile;

/// A subagent's file, and what lies beside it.
#[derive(Debug)]
pub(super) struct Agent<'a> {
    pub(super) id: AgentId,
    pub(super) item: ListedFile<'a>,
    /// What tells more of a subagent than its own records; read only for those that are shown.
    pub(super) meta: Option<SessionFile<'a>>,
}

/// Those that count, session by session.
#[derive(Debug, Default)]
pub(super) struct Heard {
    pub(super) sessions: Vec<Called>,
    pub(super) warnings: u64,
}

#[derive(Debug, Default, Clone)]
pub(super) struct Called {
    pub(super) count: u64,
    /// Only where they were asked for.
    pub(super) rows: Option<Vec<Subagent>>,
}

/// Leaves out the agents that nobody called.
pub(super) fn heard<'g>(
    files: &[Vec<Agent<'_>>],
    gathered: impl Iterator<Item = &'g Gathered>,
    request: &Request,
    cache: &mut Cache,
) -> Heard {
    let items: Vec<ListedFile<'_>> = files.iter().flatten().map(|agent| agent.item.clone()).collect();
    let mut heads = cache.learn::<Heads>(&items).into_iter();
    let mut heard = Heard::default();
    let mut called: Vec<Vec<&Agent<'_>>> = Vec::with_capacity(files.len());
    for (agents, gathered) in files.iter().zip(gathered) {
        let mut of_session = Vec::new();
        for (agent, head) in agents.iter().zip(heads.by_ref()) {
            match head {
                Ok(head) => {
                    let head = Head { has_meta: agent.meta.is_some(), ..head.value };
                    if is_heard(&agent.id, &head, || gathered.agents.contains(&agent.id)) {
                        of_session.push(agent);
                    }
                }
                Err(_) => heard.warnings += 1,
            }
        }
        called.push(of_session);
    }
    heard.sessions = called.iter().map(|agents| Called { count: agents.len() as u64, rows: None }).collect();
    if request.agents {
        rows(&called, cache, &mut heard);
    }
    heard
}

fn rows(called: &[Vec<&Agent<'_>>], cache: &mut Cache, heard: &mut Heard) {
    let items: Vec<ListedFile<'_>> = called.iter().flatten().map(|agent| agent.item.clone()).collect();
    let mut learnt = cache.learn::<Profiles>(&items).into_iter();
    for (agents, found) in called.iter().zip(&mut heard.sessions) {
        let read = agents.iter().zip(learnt.by_ref());
        let rows =
            read.filter_map(|(agent, learnt)| Some(row(agent, learnt.ok()?.value, &mut heard.warnings)));
        let mut rows: Vec<Subagent> = rows.collect();
        rows.sort_by(|one, two| (one.started_at, &one.id).cmp(&(two.started_at, &two.id)));
        found.rows = Some(rows);
    }
}

fn row(agent: &Agent<'_>, gathered: Gathered, warnings: &mut u64) -> Subagent {
    let profile = gathered.profile;
    let mut strange = Vec::new();
    let meta = agent.meta.and_then(|file| file.agent_meta(&mut strange)).unwrap_or_default();
    *warnings += strange.len() as u64;
    Subagent {
        id: agent.id.clone(),
        agent_type: meta.agent_type,
        description: meta.description.or(profile.title),
        started_at: profile.started_at,
        ended_at: profile.ended_at,
        messages: profile.messages,
        tool_calls: profile.tool_calls,
        models: profile.models,
        tokens: profile.tokens,
        size_bytes: agent.item.size(),
    }
}
