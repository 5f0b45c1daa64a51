//! All sessions, newest first.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use steno_conversation::model::{Profile, Session, TitleSource};
use steno_conversation::{Gathered, Warning};
use steno_source::SessionFiles;

use crate::error::Error;
use crate::library::{Library, Running};
use crate::reading;

/// Which sessions, in which order.
#[derive(Debug, Clone, Default)]
pub struct Request {
    /// A part of the project's path or of its directory's name.
    pub project: Option<String>,
    pub since: Option<Timestamp>,
    pub until: Option<Timestamp>,
    pub limit: Option<usize>,
    pub sort: Sort,
    /// Words in the title, ignoring case.
    pub grep: Option<String>,
    /// Only those that are running.
    pub ongoing: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Sort {
    /// Last activity, newest first.
    #[default]
    Recent,
    /// Start, oldest first.
    Started,
    /// Most tokens first.
    Tokens,
    /// Largest transcript first.
    Size,
    /// Most turns first.
    Turns,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
pub struct Report {
    pub sessions: Vec<Session>,
    /// How many things were strange; `doctor` tells which.
    pub warnings: u64,
    /// The warnings themselves, for faces that name them.
    #[serde(skip)]
    pub details: Vec<Warning>,
}

pub fn run(library: &Library, request: &Request) -> Result<Report, Error> {
    let (rows, details, count) = everything(library)?;
    let mut sessions: Vec<Session> = rows.into_iter().filter(|row| matches(row, request)).collect();
    sort(&mut sessions, request.sort);
    if let Some(limit) = request.limit {
        sessions.truncate(limit);
    }
    Ok(Report { sessions, warnings: count, details })
}

/// A row for every session, with what was strange and how much of it.
pub(crate) fn everything(library: &Library) -> Result<(Vec<Session>, Vec<Warning>, u64), Error> {
    let discovery = library.discover()?;
    let mut details: Vec<Warning> = discovery.warnings.iter().map(from_source).collect();
    let sessions = discovery.projects.into_iter().flat_map(|project| project.sessions).collect();
    let sessions = once_each(sessions, &mut details);
    let mut count = details.len() as u64;
    let running = library.running();
    let mut rows = Vec::with_capacity(sessions.len());
    for (session, outcome) in in_parallel(&sessions, |session| reading::profile(&session.transcript, &session.id)) {
        match outcome {
            Ok((gathered, warnings)) => {
                count += warnings.count() as u64;
                details.extend(warnings.into_list());
                rows.push(row(session, gathered, library, &running));
            }
            Err(error) => {
                count += 1;
                details.push(unreadable(session, &error));
            }
        }
    }
    Ok((rows, details, count))
}

/// A session id stands for one session: of two files, the one written last.
fn once_each(mut sessions: Vec<SessionFiles>, details: &mut Vec<Warning>) -> Vec<SessionFiles> {
    sessions.sort_by(|one, two| two.modified.cmp(&one.modified).then_with(|| one.transcript.cmp(&two.transcript)));
    let mut seen: HashMap<String, String> = HashMap::new();
    sessions.retain(|session| {
        let path = session.transcript.display().to_string();
        let Some(first) = seen.get(session.id.as_str()) else {
            seen.insert(session.id.to_string(), path);
            return true;
        };
        let message = format!("the same session is also at {first}, which was written to later");
        details.push(Warning { file: path, line: None, kind: "duplicate-session".to_owned(), message });
        false
    });
    sessions
}

/// Runs over all sessions on all cores, the largest first so that none is left over at the end.
pub(crate) fn in_parallel<'a, T: Send>(
    sessions: &'a [SessionFiles],
    work: impl Fn(&SessionFiles) -> T + Sync,
) -> Vec<(&'a SessionFiles, T)> {
    let mut order: Vec<(usize, &SessionFiles)> = sessions.iter().enumerate().collect();
    order.sort_by_key(|(_, session)| Reverse(session.len));
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::with_capacity(sessions.len()));
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(sessions.len().max(1));
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some((place, session)) = order.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let outcome = work(session);
                    done.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push((*place, *session, outcome));
                }
            });
        }
    });
    let mut done = done.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    done.sort_by_key(|(place, ..)| *place);
    done.into_iter().map(|(_, session, outcome)| (session, outcome)).collect()
}

fn row(session: &SessionFiles, gathered: Gathered, library: &Library, running: &Running) -> Session {
    let agents = reading::count_agents(session, &gathered);
    let is_unfinished = gathered.is_unfinished;
    let profile = complete(gathered.profile, is_unfinished, session, library, running);
    Session { profile, agents }
}

/// Adds what only the surroundings of a transcript know.
pub(crate) fn complete(
    mut profile: Profile,
    is_unfinished: bool,
    session: &SessionFiles,
    library: &Library,
    running: &Running,
) -> Profile {
    profile.project_hash.clone_from(&session.project_hash);
    profile.path = Some(session.transcript.display().to_string());
    profile.size_bytes = session.len;
    profile.live = true;
    profile.ongoing = running.contains(session) || is_unfinished && library.is_fresh(session.modified);
    if let Some(title) = &session.custom_title
        && profile.title_source != Some(TitleSource::Custom)
    {
        profile.title = Some(title.clone());
        profile.title_source = Some(TitleSource::Custom);
    }
    profile
}

fn matches(row: &Session, request: &Request) -> bool {
    let profile = &row.profile;
    let contains = |text: &Option<String>, part: &str| {
        text.as_ref().is_some_and(|text| text.to_lowercase().contains(&part.to_lowercase()))
    };
    let in_project = |part: &String| contains(&profile.cwd, part) || contains(&profile.project_hash, part);
    request.project.as_ref().is_none_or(in_project)
        && request.grep.as_ref().is_none_or(|words| contains(&profile.title, words))
        && request.since.is_none_or(|since| profile.ended_at.is_some_and(|ended| ended >= since))
        && request.until.is_none_or(|until| profile.started_at.is_some_and(|started| started < until))
        && (!request.ongoing || profile.ongoing)
}

pub(crate) fn sort(sessions: &mut [Session], sort: Sort) {
    // Equal ones stand in the order of their ids, so that the same question gets the same answer.
    sessions.sort_by(|one, two| one.profile.id.cmp(&two.profile.id));
    match sort {
        Sort::Recent => sessions.sort_by_key(|session| Reverse(session.profile.ended_at)),
        Sort::Started => sessions.sort_by_key(|session| session.profile.started_at),
        Sort::Tokens => sessions.sort_by_key(|session| Reverse(session.profile.tokens.context())),
        Sort::Size => sessions.sort_by_key(|session| Reverse(session.profile.size_bytes)),
        Sort::Turns => sessions.sort_by_key(|session| Reverse(session.profile.turns)),
    }
}

fn from_source(warning: &steno_source::Warning) -> Warning {
    Warning {
        file: warning.path.display().to_string(),
        line: None,
        kind: warning.kind.name().to_owned(),
        message: warning.message.clone(),
    }
}

fn unreadable(session: &SessionFiles, error: &Error) -> Warning {
    Warning {
        file: session.transcript.display().to_string(),
        line: None,
        kind: "unreadable".to_owned(),
        message: error.to_string(),
    }
}
