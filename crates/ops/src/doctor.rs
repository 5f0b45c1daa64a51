//! `doctor`: everything that is not as it should be, each with a place and the command that helps.
//!
//! Looks at the client's files, at the vault, and at the automation that fills it; changes nothing. A place that
//! cannot be looked at is a finding like others.

mod automation;
mod disk;
mod examination;
mod finding;
mod health;
mod index;
mod keeping;
mod loss;
mod place;

use std::collections::HashSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use steno_conversation::CensusReport;

use crate::error::{Error, ErrorKind};
use crate::live::LiveSessions;
use crate::stats;
use crate::status::Retention;
use crate::workspace::Workspace;
pub use finding::{Advice, Finding, Severity};

#[derive(Debug, Clone, Copy, Default)]
pub struct Request {
    /// Report what occurs, not only what is strange.
    pub census: bool,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// Whether there is neither an error nor a warning.
    pub ok: bool,
    /// Transcripts, subagents included.
    pub files: u64,
    pub records: u64,
    /// The most severe first.
    pub findings: Vec<Finding>,
    pub retention: Retention,
    /// Record types that this program does not know.
    pub unknown_types: Vec<String>,
    /// Only where it was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub census: Option<CensusReport>,
}

/// Every transcript of the library, subagents included, those without a session too; and all that is around them.
pub fn run(workspace: &Workspace, request: &Request) -> Result<Report, Error> {
    let mut findings = Vec::new();
    let live_sessions = match workspace.dirs.live_sessions() {
        Ok(live_sessions) => live_sessions,
        Err(error) if error.kind == ErrorKind::Io || workspace.dirs.is_default => {
            let finding = Finding::new(Severity::Error, "unreadable", error.to_string());
            findings.extend(workspace.dirs.paths.first().map(|first| finding.at(first)));
            LiveSessions::default()
        }
        Err(error) => return Err(error),
    };
    let keeping = keeping::look(workspace)?;
    findings.extend(keeping.findings);
    findings.extend(disk::findings(workspace, &live_sessions, &keeping.kept));
    let examined = examination::examine(workspace, &live_sessions);
    findings.extend(examined.findings);
    findings.extend(place::findings(&examined.places, &keeping.kept));
    findings.extend(index::findings(workspace));
    findings.extend(finding::unrecorded(stats::client_of_all(workspace).ok().flatten().as_ref()));
    let files = examined.files;
    let records = examined.census.records();
    let census = examined.census.report();
    findings.extend(finding::unknown_types(&census, *request));
    let findings = in_order(findings);
    let report = Report {
        ok: findings.iter().all(|finding| finding.severity == Severity::Info),
        files,
        records,
        findings,
        retention: keeping.retention,
        unknown_types: census.unknown.record_types.clone(),
        census: request.census.then_some(census),
    };
    Ok(report)
}

/// The most severe first, else as they were found; what several looks found is said once.
fn in_order(findings: Vec<Finding>) -> Vec<Finding> {
    let mut seen = HashSet::new();
    let place = |finding: &Finding| (finding.kind.clone(), finding.file.clone(), finding.line);
    let mut findings: Vec<Finding> = findings
        .into_iter()
        .filter(|finding| finding.file.is_none() || seen.insert(place(finding)))
        .collect();
    findings.sort_by_key(|finding| finding.severity);
    findings
}
