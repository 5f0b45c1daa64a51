//! What a user calls a session → its files: an id, a prefix of one, `last`, an id inside a file, or a path.

use std::path::Path;
use std::time::{Duration, SystemTime};

use jiff::Timestamp;
use rayon::prelude::*;
use steno_conversation::Warning;
use steno_source::SessionFiles;
use steno_transcript::SessionId;

use crate::claude_dirs::ClaudeDirs;
use crate::error::{Error, ErrorKind};
use crate::file::SessionFile;
use crate::live::LiveSessions;
use crate::nearest::{self, Known};
use crate::warning;

/// Shorter prefixes are more likely typos than wishes.
const SHORTEST_PREFIX: usize = 4;
/// File systems round the time of a write, some to two seconds.
const COARSE: Duration = Duration::from_secs(2);

/// A session that was found.
#[derive(Debug)]
pub struct Resolved {
    pub files: SessionFiles,
    /// The id inside the file that was asked for: only its part is meant.
    pub part: Option<SessionId>,
    /// What was strange about its files.
    pub warnings: Vec<Warning>,
}

impl Resolved {
    fn whole(files: SessionFiles) -> Self {
        Self { files, part: None, warnings: Vec::new() }
    }

    fn at(path: &Path) -> Result<Self, Error> {
        let located = steno_source::locate(path)?;
        let warnings = located.warnings.iter().map(warning::on_disk).collect();
        Ok(Self { warnings, ..Self::whole(located.session) })
    }

    /// One of those that discovery found.
    fn among(live_sessions: LiveSessions, id: &SessionId) -> Option<Self> {
        let session = live_sessions.sessions.iter().find(|session| session.id == *id)?.clone();
        let warnings = live_sessions.warnings_of(&session).map(warning::on_disk).collect();
        Some(Self { warnings, ..Self::whole(session) })
    }
}

pub fn resolve(dirs: &ClaudeDirs, name: &str) -> Result<Resolved, Error> {
    let path = Path::new(name);
    if path.extension().is_some_and(|extension| extension == "jsonl")
        || name.contains(std::path::is_separator)
    {
        return Resolved::at(path);
    }
    let live_sessions = dirs.live_sessions()?;
    if name == "last" {
        return last(live_sessions);
    }
    if name.chars().count() < SHORTEST_PREFIX
        && !live_sessions.sessions.iter().any(|session| session.id.as_str() == name)
    {
        let message = format!("'{name}' is too short for a session");
        return Err(Error::new(ErrorKind::Invalid, message)
            .hint(format!("give at least {SHORTEST_PREFIX} characters of its id, `last`, or a path")));
    }
    match matching(&live_sessions, name).as_slice() {
        [] => by_alias(live_sessions, name),
        // A whole id is never ambiguous, and sorts before all that go on from it.
        [first, rest @ ..] if rest.is_empty() || first.as_str() == name => {
            Resolved::among(live_sessions, first).ok_or_else(|| not_found(name))
        }
        several => Err(nearest::ambiguous(name, several.len(), &known(&live_sessions, several))),
    }
}

/// The ids that a name begins, in their order. Where none is written that way, the case does not count.
fn matching(live_sessions: &LiveSessions, name: &str) -> Vec<SessionId> {
    let matching = |is_meant: &dyn Fn(&str) -> bool| {
        let ids = live_sessions.sessions.iter().map(|session| &session.id);
        let mut ids: Vec<SessionId> = ids.filter(|id| is_meant(id.as_str())).cloned().collect();
        ids.sort();
        ids
    };
    let exact = matching(&|id| id.starts_with(name));
    if exact.is_empty() { matching(&|id| nearest::begins(id, name)) } else { exact }
}

/// What tells those apart that an error names.
fn known(live_sessions: &LiveSessions, ids: &[SessionId]) -> Vec<Known> {
    let ids = ids.iter().take(nearest::NAMED);
    let named = ids.filter_map(|id| live_sessions.sessions.iter().find(|session| session.id == *id));
    let named: Vec<&SessionFiles> = named.collect();
    let known = |session: &&SessionFiles| {
        let profile = SessionFile::at(&session.transcript).profile(&session.id);
        let (title, active) =
            profile.map(|gathered| (gathered.profile.title, gathered.profile.ended_at)).unwrap_or_default();
        Known { id: session.id.to_string(), title: session.custom_title.clone().or(title), active }
    };
    named.par_iter().map(known).collect()
}

/// The session with the latest record, as `list` sorts them, without a look at every file: no record is newer than
/// the last write to its file. Copied and restored files may break that rule; once one is seen that does, all are
/// looked at.
fn last(live_sessions: LiveSessions) -> Result<Resolved, Error> {
    let mut best: Option<(Option<Timestamp>, &SessionId)> = None;
    let mut is_rule_kept = true;
    let mut unreadable = Vec::new();
    for session in &live_sessions.sessions {
        let is_newer = |time: Timestamp| SystemTime::from(time) > session.modified + COARSE;
        if is_rule_kept && best.and_then(|(latest, _)| latest).is_some_and(is_newer) {
            break;
        }
        let ended_at = match SessionFile::at(&session.transcript).profile(&session.id) {
            Ok(gathered) => gathered.profile.ended_at,
            Err(error) => {
                unreadable.push((&session.transcript, error));
                continue;
            }
        };
        is_rule_kept &= !ended_at.is_some_and(is_newer);
        let is_later = |(latest, id): (Option<Timestamp>, &SessionId)| {
            ended_at > latest || ended_at == latest && session.id < *id
        };
        if best.is_none_or(is_later) {
            best = Some((ended_at, &session.id));
        }
    }
    let warnings: Vec<Warning> =
        unreadable.iter().map(|(path, error)| warning::unreadable(path, error)).collect();
    let none = || {
        Error::new(ErrorKind::NotFound, "there is no session yet")
            .hint("is this the right directory? see --claude-dir")
    };
    let Some((_, id)) = best else {
        return Err(unreadable.into_iter().next().map_or_else(none, |(_, error)| error));
    };
    let id = id.clone();
    let mut found = Resolved::among(live_sessions, &id).ok_or_else(none)?;
    found.warnings.extend(warnings);
    Ok(found)
}

/// An id inside a file of another name means its part of that file.
fn by_alias(live_sessions: LiveSessions, name: &str) -> Result<Resolved, Error> {
    let aliases_and_title = |session: &SessionFiles| {
        let profile = SessionFile::at(&session.transcript).profile(&session.id);
        let profile = profile.map(|gathered| gathered.profile).ok();
        profile.map(|profile| (profile.aliases, profile.title)).unwrap_or_default()
    };
    let profiles: Vec<_> = live_sessions.sessions.par_iter().with_max_len(1).map(aliases_and_title).collect();
    let mut found: Vec<(SessionId, SessionId)> = Vec::new();
    let mut known = Vec::new();
    for (session, (aliases, title)) in live_sessions.sessions.iter().zip(profiles) {
        let aliases = aliases.into_iter().filter(|alias| alias.as_str().starts_with(name));
        found.extend(aliases.map(|alias| (alias, session.id.clone())));
        let title = session.custom_title.clone().or(title);
        known.push(Known { id: session.id.to_string(), title, active: None });
    }
    found.sort();
    if found.iter().any(|(alias, _)| alias.as_str() == name) {
        found.retain(|(alias, _)| alias.as_str() == name);
    }
    match found.as_slice() {
        [] => Err(nearest::offered(not_found(name), nearest::sessions(name, &known))),
        [(alias, id)] => {
            let whole = Resolved::among(live_sessions, id).ok_or_else(|| not_found(name))?;
            Ok(Resolved { part: Some(alias.clone()), ..whole })
        }
        several => {
            let part = |(alias, id): &(SessionId, SessionId)| Known {
                id: format!("{alias}, a part of {id}"),
                title: None,
                active: None,
            };
            Err(nearest::ambiguous(name, several.len(), &several.iter().map(part).collect::<Vec<_>>()))
        }
    }
}

fn not_found(name: &str) -> Error {
    Error::new(ErrorKind::NotFound, format!("session '{name}' not found"))
        .hint("`steno list` shows all sessions; a session can also be given by the path of its file")
}
