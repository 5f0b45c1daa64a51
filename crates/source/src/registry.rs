//! `<claude dir>/sessions/<pid>.json` → the clients that say they run.
//!
//! An entry outlives a client that was killed: ask [`is_alive`](crate::is_alive). The `.key` files beside the
//! entries are secrets and never opened.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use steno_live::{ClientId, ClientStatus, Millis, Observation, SeenBy, Status, What};
use steno_transcript::SessionId;

use crate::directory::{Kind, list};
use crate::document::{Document, bad};
use crate::warning::Warning;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Registry {
    pub entries: Vec<LiveEntry>,
    pub warnings: Vec<Warning>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LiveEntry {
    pub pid: u32,
    /// When the process started, in the words of its system; on Linux in clock ticks after boot.
    pub proc_start: Option<String>,
    /// Where the pid means something: a process in another container has another namespace.
    pub pid_domain: Option<String>,
    pub session_id: SessionId,
    pub cwd: Option<PathBuf>,
    /// `busy`, `shell`, `idle` or `waiting`. Clients before 2.1.3xx write none.
    pub status: Option<String>,
    pub waiting_for: Option<String>,
    pub status_updated_at_ms: Option<i64>,
    /// `cli`, or `sdk-cli` of `claude -p`.
    pub entrypoint: Option<String>,
    pub version: Option<String>,
    pub started_at_ms: Option<i64>,
    pub updated_at_ms: Option<i64>,
    pub path: PathBuf,
}

impl LiveEntry {
    pub fn client(&self) -> ClientId {
        ClientId { pid: self.pid, start: self.proc_start.clone().unwrap_or_default() }
    }

    /// What the entry says of its session. An unknown status is none: other sources have to tell.
    pub fn observation(&self) -> Observation {
        let at = self.updated_at_ms.or(self.started_at_ms).unwrap_or_default();
        let status = ClientStatus {
            status: self.status.as_deref().and_then(status_of),
            waiting_for: self.waiting_for.clone(),
            since: self.status_updated_at_ms.unwrap_or(at),
            headless: self.entrypoint.as_deref() == Some("sdk-cli"),
        };
        self.observe(at, SeenBy::Registry, What::Status(status))
    }

    /// The process ended; one that was killed left this entry behind.
    pub(crate) fn gone(&self, at: Millis, killed: bool) -> Observation {
        self.observe(at, SeenBy::Processes, What::Gone { killed })
    }

    fn observe(&self, at: Millis, seen_by: SeenBy, what: What) -> Observation {
        Observation { session: self.session_id.clone(), at, seen_by, client: Some(self.client()), what }
    }
}

fn status_of(word: &str) -> Option<Status> {
    match word {
        "busy" => Some(Status::Busy),
        "shell" => Some(Status::Shell),
        "idle" => Some(Status::Idle),
        "waiting" => Some(Status::Waiting),
        _ => None,
    }
}

pub fn live(claude_dir: &Path) -> Registry {
    let mut registry = Registry::default();
    // Discovery warns about a Claude directory that is none.
    if !claude_dir.is_dir() {
        return registry;
    }
    for entry in list(&claude_dir.join("sessions"), &mut registry.warnings) {
        if entry.kind == Kind::File && entry.path.extension() == Some(OsStr::new("json")) {
            registry.entries.extend(read(&entry.path, &mut registry.warnings));
        }
    }
    registry
}

fn read(path: &Path, warnings: &mut Vec<Warning>) -> Option<LiveEntry> {
    let document = Document::read(path, warnings)?;
    let pid = document.integer("pid").and_then(|pid| u32::try_from(pid).ok());
    let (Some(pid), Some(session_id)) = (pid, document.text("sessionId")) else {
        warnings.push(bad(path, "names no pid and sessionId"));
        return None;
    };
    Some(LiveEntry {
        pid,
        session_id: SessionId::new(session_id),
        proc_start: document.digits("procStart"),
        pid_domain: document.text("pidDomain"),
        cwd: document.text("cwd").map(PathBuf::from),
        status: document.text("status"),
        waiting_for: document.text("waitingFor"),
        status_updated_at_ms: document.integer("statusUpdatedAt"),
        entrypoint: document.text("entrypoint"),
        version: document.text("version"),
        started_at_ms: document.integer("startedAt"),
        updated_at_ms: document.integer("updatedAt"),
        path: path.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::warning::WarningKind;

    #[test]
    fn no_registry_is_an_empty_one() {
        let home = tempfile::tempdir().unwrap();
        assert_eq!(live(home.path()), Registry::default());
    }

    #[test]
    fn entries_are_read_and_malformed_ones_are_warnings() {
        let home = tempfile::tempdir().unwrap();
        let sessions = home.path().join("sessions");
        std::fs::create_dir(&sessions).unwrap();
        let entry = r#"{"pid":12,"procStart":"345","sessionId":"s1","cwd":"/w","status":"busy","version":"2.1.0",
            "statusUpdatedAt":1700000000000,"entrypoint":"cli",
            "startedAt":1700000000000,"updatedAt":1700000000001,"unknown":[]}"#;
        std::fs::write(sessions.join("12.json"), entry).unwrap();
        std::fs::write(sessions.join("13.json"), r#"{"pid":13}"#).unwrap();
        std::fs::write(sessions.join("14.json"), "{\"pid\":14,").unwrap();
        std::fs::write(sessions.join("12.key"), "secret").unwrap();

        let registry = live(home.path());

        let expected = LiveEntry {
            pid: 12,
            proc_start: Some("345".into()),
            pid_domain: None,
            session_id: "s1".into(),
            cwd: Some("/w".into()),
            status: Some("busy".into()),
            waiting_for: None,
            status_updated_at_ms: Some(1_700_000_000_000),
            entrypoint: Some("cli".into()),
            version: Some("2.1.0".into()),
            started_at_ms: Some(1_700_000_000_000),
            updated_at_ms: Some(1_700_000_000_001),
            path: sessions.join("12.json"),
        };
        assert_eq!(registry.entries, [expected]);
        let warned: Vec<_> = registry.warnings.iter().map(|warning| (&warning.path, warning.kind)).collect();
        let bad = WarningKind::BadSidecar;
        assert_eq!(warned, [(&sessions.join("13.json"), bad), (&sessions.join("14.json"), bad)]);
    }
}
