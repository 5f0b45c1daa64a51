//! Sessions → a temporary Claude directory with every file in its place.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::{Session, clock};

/// A home directory that goes away with the test; the Claude directory is `.claude` in it.
#[derive(Debug)]
pub struct Home {
    directory: TempDir,
}

impl Home {
    pub fn new() -> Self {
        let directory = TempDir::new().expect("a temporary directory");
        fs::create_dir_all(directory.path().join(".claude/projects")).expect("a Claude directory");
        Self { directory }
    }

    /// The Claude directory.
    pub fn path(&self) -> PathBuf {
        self.root().join(".claude")
    }

    /// The home directory around it.
    pub fn root(&self) -> &Path {
        self.directory.path()
    }

    /// Where the sessions of a project stand.
    pub fn project_path(&self, cwd: &str) -> PathBuf {
        self.path().join("projects").join(encode_project(cwd))
    }

    /// Puts the transcript, its agents and its tool results in their places; gives the transcript's path.
    pub fn write(&self, session: &Session) -> PathBuf {
        let built = session.build();
        let project = self.project_path(&built.cwd);
        for (path, bytes) in built.files() {
            put(&project.join(path), &bytes);
        }
        project.join(format!("{}.jsonl", built.id))
    }

    /// Adds bytes to the end of a session's transcript, as a running client does.
    pub fn append(&self, session: &Session, bytes: &[u8]) {
        use std::io::Write;
        let path = self.project_path(session.project()).join(format!("{}.jsonl", session.id()));
        let mut file = fs::OpenOptions::new().append(true).open(path).expect("a transcript to append to");
        file.write_all(bytes).expect("appended");
    }

    /// Any file below the Claude directory.
    pub fn file(&self, path: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path().join(path);
        put(&path, bytes.as_ref());
        path
    }

    pub fn settings(&self, settings: &Value) -> PathBuf {
        self.file("settings.json", settings.to_string())
    }

    /// An entry of the live registry: `status` is `busy` or `idle`.
    pub fn registry(&self, session: &Session, pid: u32, status: &str) -> PathBuf {
        let proc_start = process_start(pid).unwrap_or_else(|| "1".to_owned());
        let entry = json!({
            "pid": pid, "sessionId": session.id(), "cwd": session.project(), "startedAt": 1_794_729_783_964_u64,
            "procStart": proc_start, "version": "2.1.325", "kind": "interactive", "entrypoint": "cli",
            "status": status, "updatedAt": 1_794_729_965_996_u64,
        });
        self.file(&format!("sessions/{pid}.json"), entry.to_string())
    }

    /// An entry whose process has another start time: what a killed client leaves behind.
    pub fn stale_registry(&self, session: &Session, pid: u32) -> PathBuf {
        let entry = json!({
            "pid": pid, "sessionId": session.id(), "cwd": session.project(), "procStart": "1", "status": "busy",
        });
        self.file(&format!("sessions/{pid}.json"), entry.to_string())
    }

    /// A line of `history.jsonl`.
    pub fn history(&self, session: &Session, prompt: &str, timestamp: &str) {
        let line = json!({
            "display": prompt, "pastedContents": {}, "timestamp": clock::millis(timestamp),
            "project": session.project(), "sessionId": session.id(),
        });
        let path = self.path().join("history.jsonl");
        let mut bytes = fs::read(&path).unwrap_or_default();
        bytes.extend_from_slice(line.to_string().as_bytes());
        bytes.push(b'\n');
        put(&path, &bytes);
    }
}

impl Default for Home {
    fn default() -> Self {
        Self::new()
    }
}

/// The directory name of a project, without the shortening of very long ones.
pub fn encode_project(cwd: &str) -> String {
    let plain = |unit: u16| char::from_u32(u32::from(unit)).filter(char::is_ascii_alphanumeric);
    cwd.encode_utf16().map(|unit| plain(unit).unwrap_or('-')).collect()
}

fn put(path: &Path, bytes: &[u8]) {
    fs::create_dir_all(path.parent().expect("a file has a directory")).expect("a directory");
    fs::write(path, bytes).expect("a file");
}

/// Field 22 of `/proc/<pid>/stat`, where there is one.
fn process_start(pid: u32) -> Option<String> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let after_name = stat.rsplit_once(") ")?.1;
    after_name.split(' ').nth(19).map(str::to_owned)
}
