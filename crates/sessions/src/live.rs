//! The files of all projects → each session once, with all files that have its id.
//!
//! A session is its id, never its path: a transcript that moved to another project's directory leaves its own
//! directory and its subagents behind, and they are still its own.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use foldhash::fast::RandomState;
use steno_source::{AgentFile, Contents, Leftover, OrphanAgent, Project, SessionFiles, Warning, WarningKind};
use steno_transcript::{AgentId, SessionId};

/// All live sessions.
#[derive(Debug, Default)]
pub struct LiveSessions {
    /// The session written to last comes first.
    pub sessions: Vec<SessionFiles>,
    /// Other files of sessions that are listed with another file.
    pub twins: Vec<Duplicate>,
    /// Subagents whose session has no transcript.
    pub orphans: Vec<OrphanAgent>,
    pub warnings: Vec<Warning>,
}

/// Another file of a session or of one of its subagents: it is not shown, but its messages count.
#[derive(Debug)]
pub struct Duplicate {
    pub id: SessionId,
    pub is_agent: bool,
    pub path: PathBuf,
    pub len: u64,
    pub modified: SystemTime,
}

impl Duplicate {
    fn of_agent(session: &SessionFiles, agent: AgentFile) -> Self {
        let (path, len, modified) = (agent.path, agent.len, agent.modified);
        Self { id: session.id.clone(), is_agent: true, path, len, modified }
    }
}

/// The index of each session.
type Places = HashMap<SessionId, usize, RandomState>;

impl LiveSessions {
    pub fn of(projects: Vec<Project>, warnings: Vec<Warning>) -> Self {
        let mut sessions = Vec::with_capacity(projects.iter().map(|project| project.sessions.len()).sum());
        let mut leftovers = Vec::new();
        let mut agents = Vec::new();
        for project in projects {
            sessions.extend(project.sessions);
            leftovers.extend(project.leftovers);
            agents.extend(project.orphan_agents);
        }
        let mut live_sessions = Self { warnings, ..Self::default() };
        live_sessions.take_sessions(sessions);
        if leftovers.is_empty() && agents.is_empty() {
            return live_sessions;
        }
        let places = places(&live_sessions.sessions);
        for leftover in leftovers {
            live_sessions.take_leftover(leftover, &places);
        }
        for agent in agents {
            live_sessions.take_agent(agent, &places);
        }
        live_sessions
    }

    pub fn warnings_of(&self, session: &SessionFiles) -> impl Iterator<Item = &Warning> {
        self.warnings.iter().filter(|warning| session.is_concerned_by(warning))
    }

    /// Of two files of one id, the one written to last is the session; of two of the same time, the one found first.
    fn take_sessions(&mut self, mut sessions: Vec<SessionFiles>) {
        // Sessions are large: sorting keys saves moving them again and again.
        sessions.sort_by_cached_key(|session| Reverse(session.modified));
        let mut ids: HashSet<&SessionId, RandomState> =
            HashSet::with_capacity_and_hasher(sessions.len(), RandomState::default());
        if sessions.iter().all(|session| ids.insert(&session.id)) {
            self.sessions = sessions;
            return;
        }
        let mut places = Places::default();
        let mut winners = Vec::new();
        let others = sessions.extract_if(.., |session| {
            let next = places.len();
            let place = *places.entry(session.id.clone()).or_insert(next);
            winners.extend((place != next).then_some(place));
            place != next
        });
        let others: Vec<SessionFiles> = others.collect();
        self.sessions = sessions;
        for (place, other) in winners.into_iter().zip(others) {
            self.take_other(place, other);
        }
    }

    /// Another file of the session with that index.
    fn take_other(&mut self, place: usize, other: SessionFiles) {
        let Some(winner) = self.sessions.get_mut(place) else { return };
        let message = format!(
            "the same session is also at {}, which was written to later",
            winner.transcript.display()
        );
        self.warnings.push(warning(&other.transcript, WarningKind::DuplicateSession, message));
        let (id, path, len, modified) = (other.id, other.transcript, other.len, other.modified);
        self.twins.push(Duplicate { id, is_agent: false, path, len, modified });
        let contents = Contents {
            agents: other.agents,
            tool_results: other.tool_results,
            custom_title: other.custom_title,
            cloned_from: other.cloned_from,
            sidecars: other.sidecars,
        };
        self.twins.extend(join(winner, contents));
    }

    fn take_leftover(&mut self, leftover: Leftover, places: &Places) {
        let Leftover { id, directory, contents } = leftover;
        let place = places.get(&id).copied();
        if let Some(session) = place.and_then(|place| self.sessions.get_mut(place)) {
            self.twins.extend(join(session, contents));
            session.directory.get_or_insert(directory);
            return;
        }
        let message = format!("the transcript of session {id} is nowhere to be found");
        self.warnings.push(warning(&directory, WarningKind::LeftoverDirectory, message));
        let orphan = |agent| OrphanAgent { agent, session: Some(id.clone()) };
        self.orphans.extend(contents.agents.into_iter().map(orphan));
    }

    fn take_agent(&mut self, orphan: OrphanAgent, places: &Places) {
        let OrphanAgent { agent, session: id } = orphan;
        let place = id.as_ref().and_then(|id| places.get(id).copied());
        if let Some(session) = place.and_then(|place| self.sessions.get_mut(place)) {
            self.twins.extend(join(session, Contents { agents: vec![agent], ..Contents::default() }));
            return;
        }
        let message = match &id {
            Some(id) => format!("session {id}, which this subagent names, is nowhere to be found"),
            None => "this subagent names no session".to_owned(),
        };
        self.warnings.push(warning(&agent.path, WarningKind::OrphanAgent, message));
        self.orphans.push(OrphanAgent { agent, session: id });
    }
}

fn places(sessions: &[SessionFiles]) -> Places {
    sessions.iter().enumerate().map(|(place, session)| (session.id.clone(), place)).collect()
}

/// Gives a session the files with its id in other directories; its own come first and count. Gives back the subagents
/// that it has already.
fn join(session: &mut SessionFiles, contents: Contents) -> Vec<Duplicate> {
    let known: HashSet<AgentId> = session.agents.iter().map(|agent| agent.id.clone()).collect();
    let (twins, new): (Vec<_>, Vec<_>) =
        contents.agents.into_iter().partition(|agent| known.contains(&agent.id));
    session.agents.extend(new);
    let twins = twins.into_iter().map(|agent| Duplicate::of_agent(session, agent)).collect();
    let known: HashSet<_> =
        session.tool_results.iter().filter_map(|path| path.file_name()).map(ToOwned::to_owned).collect();
    let is_new = |path: &Path| path.file_name().is_some_and(|name| !known.contains(name));
    session.tool_results.extend(contents.tool_results.into_iter().filter(|path| is_new(path)));
    session.sidecars.extend(contents.sidecars);
    session.custom_title = session.custom_title.take().or(contents.custom_title);
    session.cloned_from = session.cloned_from.take().or(contents.cloned_from);
    twins
}

fn warning(path: &Path, kind: WarningKind, message: String) -> Warning {
    Warning { path: path.to_owned(), kind, message }
}
