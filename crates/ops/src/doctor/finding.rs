//! One thing that is not as it should be: how bad it is, where it is, and what helps.

use std::path::Path;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use steno_conversation::{ByVersion, CensusReport, Warning};
use steno_render::{count, dollars};

use super::Request;
use crate::stats::ClientCount;

/// The most severe first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Severity {
    /// Something is lost, cannot be read, or is deleted soon and not kept.
    Error,
    /// Something does not work: it cannot be resumed as it was, or is not backed up by itself.
    Warning,
    /// Strange, and harmless.
    Info,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Finding {
    pub severity: Severity,
    pub kind: String,
    pub message: String,
    pub file: Option<String>,
    /// The first place in the file, counted from 1.
    pub line: Option<u64>,
    pub session: Option<String>,
    /// How many there are of the kind in the place.
    pub count: u64,
    /// A command line that helps.
    pub help: Option<String>,
    /// A command of ours that helps: the face writes it as a line of `help`.
    #[serde(skip)]
    pub advice: Option<Advice>,
}

/// A command of ours that helps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Advice {
    Init,
    Sync,
    /// Send, although something looks like a secret.
    Push,
    Verify,
    Repair,
    ScheduleDaily,
    Census,
    /// Put a session back, in another directory if one is named.
    Restore {
        session: String,
        cwd: Option<String>,
    },
    /// Open a session at a line.
    Show {
        session: String,
        at: String,
    },
}

impl Finding {
    pub(super) fn new(severity: Severity, kind: &str, message: impl Into<String>) -> Self {
        Self {
            severity,
            kind: kind.to_owned(),
            message: message.into(),
            file: None,
            line: None,
            session: None,
            count: 1,
            help: None,
            advice: None,
        }
    }

    pub(super) fn of(warning: &Warning) -> Self {
        let finding = Self::new(severity(&warning.kind, &warning.file), &warning.kind, &*warning.message);
        Self { file: Some(warning.file.clone()), line: warning.line, ..finding }
    }

    pub(super) fn at(self, path: &Path) -> Self {
        Self { file: Some(path.display().to_string()), ..self }
    }

    pub(super) fn session(self, id: impl Into<String>) -> Self {
        Self { session: Some(id.into()), ..self }
    }

    pub(super) fn times(self, count: u64) -> Self {
        Self { count, ..self }
    }

    pub(super) fn helped_by(self, advice: impl Into<Option<Advice>>) -> Self {
        Self { advice: advice.into(), ..self }
    }
}

/// Of a kind of warning that others give too.
pub(super) fn severity(kind: &str, file: &str) -> Severity {
    // The client deletes nothing, and does much else differently, while it cannot load its settings.
    let is_settings =
        Path::new(file).file_name().is_some_and(|name| name.to_string_lossy().contains("settings"));
    match kind {
        "unreadable" | "lost" => Severity::Error,
        "bad-sidecar" | "not-a-file" if is_settings => Severity::Warning,
        "torn-line"
        | "glued-objects"
        | "not-json"
        | "not-an-object"
        | "too-long"
        | "too-many-values"
        | "broken-chain"
        | "parent-cycle"
        | "duplicate-uuid"
        | "result-without-tool"
        | "missing-directory"
        | "dangling-link"
        | "cyclic-link"
        | "lost-document"
        | "original-job" => Severity::Warning,
        _ => Severity::Info,
    }
}

/// One for each type.
/// What the client counted, and no record tells.
pub(super) fn unrecorded(client: Option<&ClientCount>) -> Option<Finding> {
    let client = client.filter(|client| client.unrecorded.tokens.context() > 0)?;
    let [total, recorded, unrecorded] = [&client.total, &client.recorded, &client.unrecorded];
    let message = format!(
        "Claude Code counts {} for its sessions, of which records have {}: {} tokens ({}), as of compactions \
         and titles, are in no record; `steno stats --explain` says more",
        dollars(total.cost_usd),
        dollars(recorded.cost_usd),
        count(unrecorded.tokens.context()),
        dollars(unrecorded.cost_usd)
    );
    Some(Finding {
        count: client.sessions - client.forks,
        ..Finding::new(Severity::Info, "unrecorded", message)
    })
}

pub(super) fn unknown_types(census: &CensusReport, request: Request) -> Vec<Finding> {
    let told = |name: &String| {
        let versions = census.record_types.get(name)?;
        let message = format!("records of type `{name}`, from {}", span(versions));
        let finding = Finding::new(Severity::Info, "unknown-type", message).times(versions.values().sum());
        Some(finding.helped_by((!request.census).then_some(Advice::Census)))
    };
    census.unknown.record_types.iter().filter_map(told).collect()
}

/// From the oldest to the newest client that wrote it.
fn span(versions: &ByVersion) -> String {
    let mut names: Vec<&str> = versions.keys().map(String::as_str).filter(|name| *name != "-").collect();
    names.sort_by_key(|name| name.split('.').map(|part| part.parse().unwrap_or(0)).collect::<Vec<u64>>());
    match names.as_slice() {
        [] => "clients that do not say their version".to_owned(),
        [only] => format!("client {only}"),
        [first, .., last] => format!("clients {first} to {last}"),
    }
}
