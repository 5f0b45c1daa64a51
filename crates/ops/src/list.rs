//! All sessions, newest first.

mod agents;
pub(crate) mod kept;
mod live;

use std::cmp::Reverse;

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use steno_conversation::model::Session;

use crate::cache::Cache;
use crate::claude_dirs::ClaudeDirs;
use crate::error::Error;
use crate::nearest;
use crate::sessions::Sessions;
use crate::status;
use crate::workspace::Workspace;

/// Which sessions, in which order.
#[derive(Debug, Clone, Default)]
pub struct Request {
    /// A part of the project's path or of its directory's name.
    pub project: Option<String>,
    pub since: Option<Timestamp>,
    pub until: Option<Timestamp>,
    /// All, if it is 0.
    pub limit: Option<usize>,
    pub sort: Sort,
    /// Words in the title, ignoring case.
    pub grep: Option<String>,
    /// Only those that are running.
    pub ongoing: bool,
    /// Only those that nobody but the vault still has.
    pub deleted: bool,
    /// List the subagents of each session, too.
    pub agents: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
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
    /// How many sessions there are without the limit.
    pub total: u64,
    /// How many warnings there are; `doctor` names them.
    pub warnings: u64,
    /// Why there is nothing, or what was perhaps meant where no project has the name that was asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hints: Vec<String>,
    /// Whether nothing keeps them yet.
    #[serde(skip)]
    pub lacks_vault: bool,
    /// What happened to the index, where anybody should know.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// Live sessions, and those that only the vault still has, of all machines.
pub fn joined(workspace: &Workspace, request: &Request) -> Result<Report, Error> {
    let all_sessions = Sessions::take(workspace)?;
    let mut cache = Cache::open(workspace);
    let mut listed = live::sessions(&workspace.dirs, &all_sessions, request, &mut cache);
    kept::join(workspace, &all_sessions, request, &mut cache, &mut listed);
    let is_empty = listed.sessions.is_empty();
    let report = report(listed, request);
    let lacks_vault = all_sessions.kept_sessions.is_none() && !all_sessions.is_vault_unread;
    let mut report = Report { note: cache.note, lacks_vault, ..report };
    if is_empty {
        report.hints.push(workspace.dirs.none_here());
    }
    if lacks_vault {
        report.hints.extend(match request.deleted {
            true => Some("there is no vault yet; `steno init` makes one".to_owned()),
            false if report.sessions.is_empty() => None,
            false => about_deletion(workspace),
        });
    }
    Ok(report)
}

/// What Claude Code deletes, which nothing has a copy of.
fn about_deletion(workspace: &Workspace) -> Option<String> {
    let (retention, _, _) = status::unkept(workspace).ok()?;
    let next: Timestamp = retention.next_deletion.as_deref()?.parse().ok()?;
    let first = match next <= workspace.dirs.now {
        true => "the first at its next start".to_owned(),
        false => format!("the first on {}", next.to_zoned(workspace.zone.clone()).strftime("%Y-%m-%d")),
    };
    let soon = match retention.at_risk {
        0 => String::new(),
        soon => format!(", {soon} of them within 7 days, {first}"),
    };
    let days = retention.cleanup_period_days;
    let message = format!("Claude Code deletes sessions {days} days after their last use{soon}");
    Some(format!("{message}; `steno init` backs them up"))
}

/// Live sessions, each of them read.
pub fn run(dirs: &ClaudeDirs, request: &Request) -> Result<Report, Error> {
    let all_sessions = Sessions {
        live_sessions: dirs.live_sessions()?,
        kept_sessions: None,
        is_vault_unread: false,
        is_locked: false,
    };
    Ok(report(live::sessions(dirs, &all_sessions, request, &mut Cache::default()), request))
}

/// Rows, and how many warnings there are about their files.
#[derive(Debug, Default)]
struct Listed {
    sessions: Vec<Session>,
    warnings: u64,
}

fn report(listed: Listed, request: &Request) -> Report {
    let Listed { mut sessions, warnings } = listed;
    let hints = request.project.as_deref().map(|part| nearest::projects(part, projects(&sessions)));
    let hints = hints.unwrap_or_default();
    sessions.retain(|row| matches(row, request));
    sort(&mut sessions, request.sort);
    let total = sessions.len() as u64;
    sessions.truncate(request.limit.filter(|limit| *limit > 0).unwrap_or(usize::MAX));
    Report { sessions, total, warnings, hints, lacks_vault: false, note: None }
}

/// Each by its path, or by what is known of it.
fn projects(sessions: &[Session]) -> impl Iterator<Item = &str> {
    sessions.iter().filter_map(|row| row.profile.cwd.as_deref().or(row.profile.project_hash.as_deref()))
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
        && (!request.deleted || !profile.live)
}

fn sort(sessions: &mut [Session], sort: Sort) {
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
