//! Words, a literal or an expression → the passages of all sessions that hold them.
//!
//! A query is what was asked, understood (`query`); it finds places in files, by the index (`indexed`) or without one
//! (`scan`), in transcripts and in files beside them (`beside`); the files of a session belong together (`group`),
//! and only what is shown is read (`present`). Words that no passage holds together are looked for in whole sessions
//! (`scattered`). What was perhaps meant otherwise is said beside it (`advice`).

mod advice;
mod beside;
mod copies;
mod group;
mod indexed;
mod pattern;
mod present;
mod project;
mod query;
mod report;
mod scan;
mod scattered;

use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::Arc;
use std::time::Instant;

use jiff::Timestamp;
use rayon::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::cache::Cache;
use crate::error::Error;
use crate::reference::Spot;
use crate::sessions::{Copies, ListedFile, Sessions};
use crate::workspace::Workspace;

pub use report::{Hit, Report, Session};
pub use steno_conversation::Role;

use group::Groups;
use present::Presenter;
use query::{ParsedQuery, Probe};

/// What is looked for, and where.
#[derive(Debug, Clone, Default)]
pub struct Request {
    pub query: String,
    pub mode: Mode,
    /// Of a literal or an expression; of words, the case never counts.
    pub ignore_case: bool,
    /// A part of the project's path, or of its directory's name.
    pub project: Option<String>,
    pub roles: Vec<Role>,
    pub tools: Vec<String>,
    /// Words of a model's name.
    pub model: Option<String>,
    pub branch: Option<String>,
    /// Words of a path that a tool was asked for.
    pub file: Option<String>,
    /// What was said from then on.
    pub since: Option<Timestamp>,
    /// What was said before then.
    pub until: Option<Timestamp>,
    /// How many sessions are shown; all, if it is 0.
    pub limit: usize,
    /// How many hits of each of them.
    pub each: usize,
    /// When to answer with what was found so far.
    pub deadline: Option<Instant>,
}

/// How a query is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// Words, phrases and filters, answered by the index.
    #[default]
    Words,
    /// A text as it stands.
    Literal,
    /// A regular expression.
    Regex,
}

/// The matches of all files, before they are presented.
#[derive(Debug, Default)]
struct Matches {
    files: Vec<FileFinds>,
    is_partial: bool,
    note: Option<String>,
}

/// What was found in one file.
#[derive(Debug)]
struct FileFinds {
    /// Its place among the items.
    item: usize,
    count: u64,
    /// The best first.
    best: Vec<Find>,
}

/// One place that answers.
#[derive(Debug, Clone)]
struct Find {
    line: u64,
    offset: u64,
    /// Nothing where only the line is known.
    role: Option<Role>,
    time: Option<Timestamp>,
    tool: Option<Arc<str>>,
    score: f32,
    /// The record that it belongs to, where it stands in a file of its own.
    spot: Option<Spot>,
}

/// Live sessions, and those that only the vault still has, of all machines.
pub fn run(workspace: &Workspace, request: &Request) -> Result<Report, Error> {
    let parsed = ParsedQuery::of(workspace, request)?;
    let all_sessions = Sessions::take(workspace)?;
    let mut cache = Cache::open(workspace);
    let index = all_sessions.index();
    let mut items = all_sessions.live();
    let kept = index.as_ref().map(|index| all_sessions.kept(workspace, index, &items, Copies::Best));
    items.extend(kept.into_iter().flatten());
    let beside = all_sessions.beside(workspace, index.as_ref(), &items);
    items.extend(beside);
    let scope = project::scope(&mut cache, &items, &parsed);
    let search = Search { workspace, request, parsed: &parsed, items: &items, scope };
    let (mut found, scattered) = look(&search, &mut cache)?;
    copies::leave_out(&items, &mut found.files);
    let mut groups = group::groups(&items, found.files);
    groups.refer(request.limit, |place| cache.spot(items.get(place)?));
    let shown = present::shown(&items, groups.shown(request.limit));
    let presenter = Presenter {
        all_sessions: &all_sessions,
        index: index.as_ref(),
        items: &items,
        shown,
        parsed: &parsed,
    };
    let mut report = answer(request, &presenter, &groups, &mut cache);
    report.hints = advice::hints(&presenter, &search, &mut cache, report.total);
    report.scattered = scattered;
    report.partial = found.is_partial;
    report.note = found.note.or_else(|| cache.note.take());
    Ok(report)
}

/// What answers, and whether only sessions do, not single passages.
fn look(search: &Search<'_>, cache: &mut Cache) -> Result<(Matches, bool), Error> {
    match &search.parsed.probe {
        Probe::Text(pattern) => Ok((scan::find(search, pattern), false)),
        Probe::Words(query) => {
            let found = indexed::find(search, query, cache)?;
            if !found.files.is_empty() || found.is_partial {
                return Ok((found, false));
            }
            let scattered = scattered::find(search, query, cache)?;
            Ok(scattered.map_or((found, false), |scattered| (scattered, true)))
        }
    }
}

/// What is asked of which files.
struct Search<'a> {
    workspace: &'a Workspace,
    request: &'a Request,
    parsed: &'a ParsedQuery,
    items: &'a [ListedFile<'a>],
    /// The places of the items that are in question; nothing where all are.
    scope: Option<HashSet<usize>>,
}

impl Search<'_> {
    fn has(&self, place: usize) -> bool {
        self.scope.as_ref().is_none_or(|scope| scope.contains(&place))
    }
}

fn answer(request: &Request, presenter: &Presenter<'_>, groups: &Groups<'_>, cache: &mut Cache) -> Report {
    let shown = groups.shown(request.limit);
    let hits: Vec<Vec<Hit>> = shown.par_iter().map(|group| presenter.hits(group, request.each)).collect();
    let sessions = presenter.sessions(cache, shown);
    Report {
        query: request.query.clone(),
        mode: request.mode,
        total: groups.total,
        total_sessions: groups.sessions,
        hits: hits.into_iter().flatten().collect(),
        sessions,
        scattered: false,
        partial: false,
        note: None,
        hints: Vec::new(),
    }
}

/// Whether the time is up.
fn is_late(deadline: Option<Instant>) -> bool {
    deadline.is_some_and(|deadline| Instant::now() >= deadline)
}

/// The session of a file; of a subagent whose session is gone, the one that its records name.
fn session_of<'i>(item: &'i ListedFile<'_>) -> Cow<'i, str> {
    if let Some(session) = &item.session {
        return Cow::Borrowed(session);
    }
    Cow::Owned(project::named_session(item).unwrap_or_else(|| item.name()))
}
