//! The sessions of a vault → rows beside those of the live files, and the mark of what is kept.

use std::collections::HashSet;

use steno_conversation::Gathered;
use steno_conversation::model::{Session, TitleSource};
use steno_transcript::AgentId;
use steno_vault::{Generation, Stream};

use super::agents::{self, Agent, Called};
use super::{Listed, Request};
use crate::cache::{Cache, Profiles};
use crate::file::SessionFile;
use crate::kept::{
    Index, KeptPart, KeptSession, KeptSessions, cloned_from, custom_title, is_agent, once_each,
};
use crate::sessions::{ListedFile, Sessions};
use crate::workspace::Workspace;

/// Of what this machine keeps, only what is of the directories that are listed belongs to them; a vault that cannot be
/// read takes nothing from the live sessions.
pub(super) fn join(
    workspace: &Workspace,
    all_sessions: &Sessions,
    request: &Request,
    cache: &mut Cache,
    listed: &mut Listed,
) {
    listed.warnings += u64::from(all_sessions.is_vault_unread);
    let (Some(kept_sessions), Some(index)) = (&all_sessions.kept_sessions, all_sessions.index()) else {
        return;
    };
    let held: HashSet<&str> = index.sessions.iter().map(|kept| kept.id.as_str()).collect();
    for session in &mut listed.sessions {
        session.profile.kept = held.contains(session.profile.id.as_str());
    }
    let live: HashSet<&str> = listed.sessions.iter().map(|session| session.profile.id.as_str()).collect();
    let gone = once_each(workspace, kept_sessions, &index).into_iter();
    let gone = gone.filter(|kept| !all_sessions.is_locked && !live.contains(kept.id.as_str()));
    let gone: Vec<&KeptSession<'_>> = gone.collect();
    let rows = rows(kept_sessions, &index, &gone, request, cache);
    listed.warnings += rows.warnings;
    listed.sessions.extend(rows.sessions);
}

fn rows(
    kept_sessions: &KeptSessions,
    index: &Index<'_>,
    gone: &[&KeptSession<'_>],
    request: &Request,
    cache: &mut Cache,
) -> Listed {
    let mut listed = Listed::default();
    let items: Vec<ListedFile<'_>> =
        gone.iter().map(|kept| ListedFile::of_kept(kept_sessions, kept)).collect();
    let mut read: Vec<(&KeptSession<'_>, Gathered)> = Vec::new();
    for (kept, learnt) in gone.iter().zip(cache.learn::<Profiles>(&items)) {
        match learnt {
            Ok(learnt) => read.push((kept, learnt.value)),
            Err(_) => listed.warnings += 1,
        }
    }
    let files: Vec<Vec<Agent<'_>>> =
        read.iter().map(|(kept, _)| agents_of(kept_sessions, index, kept)).collect();
    let heard = agents::heard(&files, read.iter().map(|(_, gathered)| gathered), request, cache);
    listed.warnings += heard.warnings;
    for ((kept, gathered), called) in read.into_iter().zip(heard.sessions) {
        listed.sessions.push(row(kept_sessions, index, kept, gathered, called));
    }
    listed
}

fn agents_of<'a>(
    kept_sessions: &'a KeptSessions,
    index: &Index<'a>,
    kept: &KeptSession<'a>,
) -> Vec<Agent<'a>> {
    let parts = index.parts(kept);
    // With what ends its name: the directory of a worktree begins like that of its repository.
    let own = kept.stream.path.rfind('/').and_then(|end| kept.stream.path.get(..=end)).unwrap_or_default();
    let mut files: Vec<&KeptPart<'a>> = parts.iter().filter(|part| is_agent(&part.path)).collect();
    // Of two files of one subagent, the one beside its transcript counts, as it does where they are live.
    files.sort_by_key(|part| (agent_name(&part.path).to_owned(), !part.path.starts_with(own)));
    files.dedup_by_key(|part| agent_name(&part.path).to_owned());
    let agent = files.into_iter().map(|part| Agent {
        id: AgentId::new(agent_name(&part.path)),
        item: ListedFile::of_part(kept_sessions, kept, part.stream),
        meta: meta(&parts, &part.path).map(|meta| SessionFile::kept(kept_sessions, kept.machine, meta)),
    });
    agent.collect()
}

/// The metadata beside a subagent's file, where the vault has them.
fn meta<'a>(parts: &[KeptPart<'a>], path: &str) -> Option<&'a Stream> {
    let beside = format!("{}.meta.json", path.strip_suffix(".jsonl")?);
    parts.iter().find(|part| part.path == beside).map(|part| part.stream)
}

fn row(
    kept_sessions: &KeptSessions,
    index: &Index<'_>,
    kept: &KeptSession<'_>,
    gathered: Gathered,
    called: Called,
) -> Session {
    let mut profile = gathered.profile;
    let latest = kept.stream.latest();
    profile.project_hash = Some(kept.project.clone());
    profile.path = latest.map(|generation| kept_sessions.first_file(generation).display().to_string());
    profile.size_bytes = latest.map_or(0, Generation::len);
    profile.kept = true;
    profile.cloned_from = cloned_from(kept_sessions, index, kept);
    if profile.title_source != Some(TitleSource::Custom)
        && let Some(title) = custom_title(kept_sessions, index, kept)
    {
        profile.title = Some(title);
        profile.title_source = Some(TitleSource::Custom);
    }
    let machine = (!kept_sessions.vault.is_own(kept.machine)).then(|| kept.machine.to_owned());
    let agents = gathered.inline_agents + called.count;
    Session { profile, agents, subagents: called.rows, machine }
}

/// The id in the name of a subagent's file.
fn agent_name(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or_default();
    let name = name.strip_prefix("agent-").unwrap_or(name);
    name.strip_suffix(".jsonl").unwrap_or(name)
}
