//! All sessions, newest first.

use std::cmp::Reverse;
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
use crate::{reading, strange};

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
    let (sessions, mut details) = library.sessions()?;
    let running = library.running();
    details.extend(running.warnings.iter().cloned());
    let mut count = details.len() as u64;
    let mut rows = Vec::with_capacity(sessions.len());
    for (session, read) in in_parallel(&sessions, read) {
        count += read.warning_count;
        details.extend(read.warnings);
        if let Some((gathered, agents)) = read.outcome {
            let is_unfinished = gathered.is_unfinished;
            let profile = complete(gathered.profile, is_unfinished, session, library, &running);
            rows.push(Session { profile, agents });
        }
    }
    Ok((rows, details, count))
}

/// What one session's files gave.
struct Read {
    /// Nothing where the transcript cannot be read.
    outcome: Option<(Gathered, u64)>,
    warnings: Vec<Warning>,
    /// More than there are warnings where many of a kind were summed up.
    warning_count: u64,
}

fn read(session: &SessionFiles) -> Read {
    match reading::profile(&session.transcript, &session.id) {
        Ok((gathered, strange)) => {
            let mut warning_count = strange.count() as u64;
            let mut warnings = strange.into_list();
            let before = warnings.len();
            let agents = reading::count_agents(session, &gathered, &mut warnings);
            warning_count += (warnings.len() - before) as u64;
            Read { outcome: Some((gathered, agents)), warnings, warning_count }
        }
        Err(error) => {
            let warnings = vec![strange::unreadable(&session.transcript, &error)];
            Read { outcome: None, warnings, warning_count: 1 }
        }
    }
}

/// Runs over all sessions on all cores, the largest first so that none is left over at the end.
pub(crate) fn in_parallel<T: Send>(
    sessions: &[SessionFiles],
    work: impl Fn(&SessionFiles) -> T + Sync,
) -> Vec<(&SessionFiles, T)> {
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
                    done.lock()
                        .unwrap_or_else(std::sync::PoisonError::into_inner)
                        .push((*place, *session, outcome));
                }
            });
        }
    });
    let mut done = done.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    done.sort_by_key(|(place, ..)| *place);
    done.into_iter().map(|(_, session, outcome)| (session, outcome)).collect()
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
