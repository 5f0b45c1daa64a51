//! Every transcript, read once on all cores → what occurs in it, its faults, and where it was made.

use std::ops::ControlFlow;
use std::path::Path;
use std::time::SystemTime;

use rayon::prelude::*;
use steno_conversation::{Census, Fault, Inspector};
use steno_source::{AgentFile, SessionFiles};
use steno_transcript::{AgentId, Shape};

use super::finding::{self, Advice, Finding, Severity};
use super::place::{SessionPlace, Whereabouts};
use crate::claude_dirs::ClaudeDirs;
use crate::error::Error;
use crate::file::SessionFile;
use crate::live::LiveSessions;
use crate::warning;
use crate::workspace::Workspace;

#[derive(Default)]
pub(super) struct Examined {
    pub(super) files: u64,
    pub(super) census: Census,
    pub(super) findings: Vec<Finding>,
    /// Where each session was made.
    pub(super) places: Vec<SessionPlace>,
}

pub(super) fn examine(workspace: &Workspace, live_sessions: &LiveSessions) -> Examined {
    let files = transcripts(live_sessions);
    let progress = workspace.progress.as_ref();
    progress.begin("Reading", files.iter().map(|file| file.len).sum());
    let each = files.par_iter().enumerate().with_max_len(1).fold(
        Gathered::default,
        |mut gathered, (order, file)| {
            gathered.add(order, file);
            progress.advance(file.len);
            gathered
        },
    );
    let gathered = each.reduce(Gathered::default, Gathered::merge);
    progress.end();
    let Gathered { census, files: mut found } = gathered;
    found.sort_by_key(|one| one.order);
    let mut examined = Examined { files: files.len() as u64, census, ..Examined::default() };
    for one in found {
        let Some(file) = files.get(one.order) else { continue };
        examined.findings.extend(findings(workspace, file, one.faults, one.error.as_ref()));
        examined.places.extend(one.place);
    }
    examined
}

struct File<'a> {
    path: &'a Path,
    len: u64,
    modified: SystemTime,
    /// Whose it is.
    session: Option<&'a SessionFiles>,
    /// Nothing for the session's own transcript.
    agent: Option<&'a AgentId>,
}

impl<'a> File<'a> {
    fn of_agent(agent: &'a AgentFile, session: Option<&'a SessionFiles>) -> Self {
        let (path, id) = (agent.path.as_path(), Some(&agent.id));
        Self { path, len: agent.len, modified: agent.modified, session, agent: id }
    }

    fn of_session(session: &'a SessionFiles) -> Self {
        let (path, len, modified) = (session.transcript.as_path(), session.len, session.modified);
        Self { path, len, modified, session: Some(session), agent: None }
    }

    /// Opens the session there.
    fn show(&self, session: &SessionFiles, line: u64) -> Advice {
        let at = self.agent.map_or_else(|| line.to_string(), |agent| format!("{agent}:{line}"));
        Advice::Show { session: session.id.to_string(), at }
    }
}

/// Sessions with their subagents, then the subagents that have none.
fn transcripts(live_sessions: &LiveSessions) -> Vec<File<'_>> {
    let mut files = Vec::new();
    for session in &live_sessions.sessions {
        files.push(File::of_session(session));
        files.extend(session.agents.iter().map(|agent| File::of_agent(agent, Some(session))));
    }
    files.extend(live_sessions.orphans.iter().map(|orphan| File::of_agent(&orphan.agent, None)));
    files
}

/// What some of the files hold.
#[derive(Default)]
struct Gathered {
    census: Census,
    files: Vec<FileFindings>,
}

/// What there is to say about one file.
struct FileFindings {
    /// Threads take the files as they come.
    order: usize,
    faults: Vec<Fault>,
    error: Option<Error>,
    place: Option<SessionPlace>,
}

impl Gathered {
    fn add(&mut self, order: usize, file: &File<'_>) {
        let found = examine_file(order, file, &mut self.census);
        if !found.faults.is_empty() || found.error.is_some() || found.place.is_some() {
            self.files.push(found);
        }
    }

    fn merge(mut self, other: Self) -> Self {
        self.census.merge(other.census);
        self.files.extend(other.files);
        self
    }
}

fn examine_file(order: usize, file: &File<'_>, census: &mut Census) -> FileFindings {
    let mut version = String::new();
    let mut inspector = Inspector::default();
    let mut whereabouts = file.session.filter(|_| file.agent.is_none()).and_then(Whereabouts::of);
    let outcome = SessionFile::at(file.path).pieces(|piece| {
        let mut troubles = piece.troubles;
        if let Shape::Record(record) = &piece.shape {
            census.observe(record, &mut version, &mut troubles);
            if let (Some(whereabouts), Some(cwd)) = (&mut whereabouts, record.envelope.cwd.as_deref()) {
                whereabouts.observe(cwd);
            }
        }
        inspector.observe(&piece, troubles);
        ControlFlow::Continue(())
    });
    let place = whereabouts.and_then(Whereabouts::finish);
    FileFindings { order, faults: inspector.finish(), error: outcome.err(), place }
}

fn findings(
    workspace: &Workspace,
    file: &File<'_>,
    faults: Vec<Fault>,
    error: Option<&Error>,
) -> Vec<Finding> {
    let faults = faults.into_iter().map(|fault| {
        let severity = severity(&workspace.dirs, file, fault.kind);
        let message = match (fault.kind, severity) {
            ("torn-line", Severity::Warning) => CUT_OFF.to_owned(),
            _ => fault.message,
        };
        let found = Finding::new(severity, fault.kind, message).at(file.path).times(fault.count);
        Finding { line: Some(fault.line), ..found }
    });
    let unread = error.map(|error| Finding::of(&warning::unreadable(file.path, error)));
    let own = |found: Finding| match file.session {
        Some(session) => {
            let line = found.line.filter(|_| found.severity == Severity::Warning && has_record(&found.kind));
            found.session(session.id.as_str()).helped_by(line.map(|line| file.show(session, line)))
        }
        None => found,
    };
    faults.chain(unread).map(own).collect()
}

const CUT_OFF: &str = "the last line is cut off; what a client writes next would be glued to it";

/// Whether a conversation can be opened at the line; only records have a place in one.
fn has_record(kind: &str) -> bool {
    !matches!(kind, "torn-line" | "not-json" | "not-an-object" | "too-long" | "too-many-values")
}

/// Half a line in a file that grows will soon be a whole one.
fn severity(dirs: &ClaudeDirs, file: &File<'_>, kind: &str) -> Severity {
    let is_being_written = kind == "torn-line" && dirs.is_fresh(file.modified);
    if is_being_written { Severity::Info } else { finding::severity(kind, "") }
}
