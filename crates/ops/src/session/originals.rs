//! The client's file history → the content of files before the session touched them.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fs;
use std::path::Path;

use memchr::memmem;
use serde::Deserialize;
use steno_conversation::changes::Originals;
use steno_source::SessionFiles;

use crate::reading;

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
pub(super) fn originals(files: &SessionFiles, cwd: Option<&str>) -> Originals {
    let mut first: HashMap<String, Backup> = HashMap::new();
    let _ = reading::lines(&files.transcript, |line| {
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
    let Some(directory) = directory_of(files) else { return Originals::new() };
    // Only the first version is the content before the session.
    let first = first.into_iter().filter(|(_, backup)| backup.version <= 1);
    first.filter_map(|(path, backup)| Some((absolute(&path, cwd), backup.content(&directory)?))).collect()
}

impl Backup {
    fn content(&self, directory: &Path) -> Option<Option<String>> {
        let Some(name) = &self.backup_file_name else { return Some(None) };
        // A name from a transcript leads nowhere else.
        let name = Path::new(name).file_name().filter(|last| *last == name.as_str())?;
        let path = directory.join(name);
        let is_small = fs::metadata(&path).is_ok_and(|file| file.is_file() && file.len() <= LARGEST);
        is_small.then(|| fs::read_to_string(&path).ok()).flatten().map(Some)
    }
}

fn directory_of(files: &SessionFiles) -> Option<std::path::PathBuf> {
    let claude_dir = match &files.claude_dir {
        Some(directory) => directory.as_path(),
        // projects/PROJECT/SESSION.jsonl
        None => files.transcript.ancestors().nth(3)?,
    };
    Some(claude_dir.join("file-history").join(files.id.as_str()))
}

fn absolute(path: &str, cwd: Option<&str>) -> String {
    match cwd {
        Some(cwd) if !Path::new(path).has_root() && !path.contains(":\\") => {
            format!("{}/{path}", cwd.trim_end_matches('/'))
        }
        _ => path.to_owned(),
    }
}
