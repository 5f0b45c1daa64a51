//! What a user could name → sessions, projects and machines, from names of files and the first lines of a few.
//!
//! For shells that complete a name, and for hints about a wrong one. Both have to be quick and neither may fail: what
//! cannot be read is not there.

use std::collections::{BTreeSet, HashSet};
use std::ops::ControlFlow;

use jiff::Timestamp;
use rayon::prelude::*;
use steno_conversation::{Profiler, Warnings, observe};
use steno_source::SessionFiles;
use steno_transcript::{SessionId, read_lines};

use crate::error::Error;
use crate::file::SessionFile;
use crate::kept::{Index, KeptQuery, KeptSession, KeptSessions, Sketch, purged, recency, remembered};
use crate::nearest;
use crate::nearest::{Known, begins};
use crate::reading::Stretch;
use crate::sources::Sources;

/// The first prompt is mostly in here.
const GLANCE: u64 = 64 * 1024;
/// Titles of older ones are not shown.
const TITLED: usize = 50;
/// Titles of older ones are not looked through.
const SEARCHED: usize = 200;

/// Where a command looks for a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Among {
    /// In the vault.
    Kept,
    /// In the live directories, then in the vault.
    All,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    pub id: String,
    /// Of the latest ones, where their beginning tells it.
    pub title: Option<String>,
    pub cwd: Option<String>,
    /// The name of the project's directory.
    pub project_hash: String,
}

/// A session's place, and its facts known without opening it.
struct Place<'a> {
    id: String,
    project_hash: String,
    active: Option<Timestamp>,
    source: Source<'a>,
}

enum Source<'a> {
    Live(&'a SessionFiles),
    Kept(&'a KeptSessions, &'a KeptSession<'a>, Option<Sketch>),
}

/// Those whose id begins so, whatever the case; the latest first.
pub fn sessions(sources: &dyn Sources, among: Among, prefix: &str) -> Vec<Session> {
    with_places(sources, among, |mut places| {
        places.retain(|place| begins(&place.id, prefix));
        let mut seen = HashSet::new();
        places.retain(|place| seen.insert(place.id.clone()));
        let later = places.split_off(places.len().min(TITLED));
        let titled: Vec<Session> = places.par_iter().map(|place| place.session(place.looked_at())).collect();
        let untitled = later.iter().map(|place| place.session((None, None)));
        titled.into_iter().chain(untitled).collect()
    })
}

/// One session of each project, the latest; projects in the order of their latest activity.
pub fn projects(sources: &dyn Sources, among: Among) -> Vec<Session> {
    with_places(sources, among, |mut places| {
        let mut seen = HashSet::new();
        places.retain(|place| seen.insert(place.project_hash.clone()));
        places.par_iter().map(|place| place.session(place.looked_at())).collect()
    })
}

/// The machines that the vault holds sessions of.
pub fn machines(sources: &dyn Sources) -> Vec<String> {
    let Some(kept_sessions) = kept_sessions(sources) else { return Vec::new() };
    let index = kept_sessions.index();
    let machines: BTreeSet<&str> = index.sessions.iter().map(|kept| kept.machine).collect();
    machines.into_iter().map(str::to_owned).collect()
}

/// An error about a name that means nothing, with kept sessions that it may have been meant for; unless it was purged.
pub fn offered(sources: &dyn Sources, name: &str, error: Error) -> Error {
    let Some(kept_sessions) = kept_sessions(sources) else { return error };
    if let Some(told) =
        purged(sources, &kept_sessions, KeptQuery { session: name, machine: None, project: None })
    {
        return nearest::settled(&error, &told);
    }
    let index = kept_sessions.index();
    let kept: Vec<&KeptSession<'_>> = index.sessions.iter().collect();
    nearest::offered(error, nearest::sessions(name, &known(&kept_sessions, &index, &kept, name)))
}

/// Projects of kept sessions that a name which none of them has may have been meant for.
pub fn projects_meant(kept_sessions: &KeptSessions, index: &Index<'_>, part: &str) -> Vec<String> {
    let kept: Vec<&KeptSession<'_>> = index.sessions.iter().collect();
    let cwds = remembered(kept_sessions, index, &kept)
        .into_iter()
        .map(|sketch| sketch.and_then(|sketch| sketch.cwd));
    let paths: Vec<String> =
        cwds.zip(&kept).map(|(cwd, kept)| cwd.unwrap_or_else(|| kept.project.clone())).collect();
    nearest::projects(part, paths.iter().map(String::as_str))
}

/// Nothing is made where there is no vault.
fn kept_sessions(sources: &dyn Sources) -> Option<KeptSessions> {
    sources.look().ok()??;
    KeptSessions::open(sources).ok()
}

/// What a wrong name is compared with, the latest first. Titles that nobody remembers are looked for where the id is
/// near, and in the latest where the name looks like a word of a title.
pub fn known<'a>(
    kept_sessions: &'a KeptSessions,
    index: &Index<'a>,
    kept: &[&'a KeptSession<'a>],
    name: &str,
) -> Vec<Known> {
    let mut places = kept_places(kept_sessions, index, kept);
    places.sort_by_key(|place| std::cmp::Reverse(place.active));
    let is_word = !name.chars().all(|letter| letter.is_ascii_hexdigit() || letter == '-');
    let searched = if is_word { SEARCHED } else { 0 };
    let known = |(at, place): (usize, &Place<'_>)| {
        let is_read = at < searched || nearest::is_near(name, &place.id);
        let title = if is_read { place.looked_at().0 } else { place.remembered() };
        Known { id: place.id.clone(), title, active: place.active }
    };
    places.par_iter().enumerate().map(known).collect()
}

fn kept_places<'a>(
    kept_sessions: &'a KeptSessions,
    index: &Index<'a>,
    kept: &[&'a KeptSession<'a>],
) -> Vec<Place<'a>> {
    let sketches = remembered(kept_sessions, index, kept);
    let places = kept.iter().zip(sketches).map(|(kept, sketch)| Place {
        id: kept.id.clone(),
        project_hash: kept.project.clone(),
        active: sketch.as_ref().and_then(|sketch| sketch.ended_at).or(recency(kept.stream).0),
        source: Source::Kept(kept_sessions, kept, sketch),
    });
    places.collect()
}

fn with_places<T>(sources: &dyn Sources, among: Among, answer: impl FnOnce(Vec<Place<'_>>) -> T) -> T {
    let live_sessions = (among == Among::All).then(|| sources.dirs().live_sessions().unwrap_or_default());
    let live_sessions = live_sessions.unwrap_or_default();
    let kept_sessions = kept_sessions(sources);
    let index = kept_sessions.as_ref().map(KeptSessions::index).unwrap_or_default();
    let kept: Vec<&KeptSession<'_>> = index.sessions.iter().collect();
    let mut places: Vec<Place<'_>> = live_sessions.sessions.iter().map(live).collect();
    places.extend(kept_sessions.iter().flat_map(|kept_sessions| kept_places(kept_sessions, &index, &kept)));
    places.sort_by_key(|place| std::cmp::Reverse(place.active));
    answer(places)
}

fn live(session: &SessionFiles) -> Place<'_> {
    Place {
        id: session.id.to_string(),
        project_hash: session.project_hash.clone().unwrap_or_default(),
        active: Timestamp::try_from(session.modified).ok(),
        source: Source::Live(session),
    }
}

impl Place<'_> {
    fn session(&self, (title, cwd): (Option<String>, Option<String>)) -> Session {
        Session { id: self.id.clone(), title, cwd, project_hash: self.project_hash.clone() }
    }

    /// The title, where nothing has to be read for it.
    fn remembered(&self) -> Option<String> {
        match &self.source {
            Source::Live(session) => session.custom_title.clone(),
            Source::Kept(_, _, sketch) => sketch.as_ref().and_then(|sketch| sketch.title.clone()),
        }
    }

    /// Title and working directory.
    fn looked_at(&self) -> (Option<String>, Option<String>) {
        match &self.source {
            Source::Live(session) => {
                let (title, cwd) = glance(&SessionFile::unmeasured(&session.transcript));
                (session.custom_title.clone().or(title), cwd)
            }
            Source::Kept(_, _, Some(sketch)) => (sketch.title.clone(), sketch.cwd.clone()),
            Source::Kept(kept_sessions, kept, None) => {
                glance(&SessionFile::kept(kept_sessions, kept.machine, kept.stream))
            }
        }
    }
}

/// What the first lines tell; the last one of them may be cut.
fn glance(file: &SessionFile<'_>) -> (Option<String>, Option<String>) {
    let mut profiler = Profiler::default();
    let mut warnings = Warnings::new("");
    let read = file.read(Stretch { to: GLANCE, ..Stretch::WHOLE }, |lines| {
        read_lines(lines, |piece| {
            observe(&piece, &mut profiler, &mut warnings);
            ControlFlow::Continue(())
        })
    });
    let profile = profiler.finish(SessionId::from("")).profile;
    if read.is_ok() { (profile.title, profile.cwd) } else { (None, None) }
}
