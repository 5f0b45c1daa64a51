//! The client's file history → the content of files before the session touched them.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::path::Path;

use memchr::memmem;
use serde::Deserialize;
use steno_conversation::changes::Originals;
use steno_sessions::session::OpenSession;

/// A copy larger than that is not read.
const LARGEST: u64 = 16 * 1024 * 1024;

/// A record of the file history: the client copies a file before it edits it for the first time.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Record {
    #[serde(default)]
    snapshot: Snapshot,
    tracking_path: Option<String>,
    backup: Option<Backup>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase")]
struct Snapshot {
    #[serde(default)]
    tracked_file_backups: HashMap<String, Backup>,
}

#[derive(Deserialize, Clone)]
#[serde(rename_all = "camelCase")]
struct Backup {
    /// None: there was no file.
    backup_file_name: Option<String>,
    version: u64,
}

/// By absolute path. A copy that is missing, too large or no text is left out, and so is a transcript that cannot be
/// read: the reader of the session is told.
pub(super) fn originals(session: &OpenSession, cwd: Option<&str>) -> Originals {
    let mut first: HashMap<String, Backup> = HashMap::new();
    let _ = session.lines(|line| {
        if memmem::find(line.bytes, b"\"file-history-").is_none() {
            return;
        }
        let Ok(record) = serde_json::from_slice::<Record>(line.bytes) else { return };
        let delta = record.tracking_path.zip(record.backup);
        for (path, backup) in record.snapshot.tracked_file_backups.into_iter().chain(delta) {
            match first.entry(path) {
                Entry::Occupied(mut known) if backup.version < known.get().version => {
                    known.insert(backup);
                }
                Entry::Occupied(_) => {}
                Entry::Vacant(unknown) => {
                    unknown.insert(backup);
                }
            }
        }
    });
    // Only the first version is the content before the session.
    let first = first.into_iter().filter(|(_, backup)| backup.version <= 1);
    first.filter_map(|(path, backup)| Some((absolute(&path, cwd), backup.content(session)?))).collect()
}

impl Backup {
    fn content(&self, session: &OpenSession) -> Option<Option<String>> {
        let Some(name) = &self.backup_file_name else { return Some(None) };
        session.backup(name, LARGEST).map(Some)
    }
}

fn absolute(path: &str, cwd: Option<&str>) -> String {
    match cwd {
        Some(cwd) if !Path::new(path).has_root() && !path.contains(":\\") => {
            format!("{}/{path}", cwd.trim_end_matches('/'))
        }
        _ => path.to_owned(),
    }
}
