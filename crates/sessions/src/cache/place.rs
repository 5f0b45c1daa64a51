//! Where the cache of some Claude directories and a vault is.
//!
//! Each set of directories has a cache of its own: a question about other directories takes nothing from it.

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::error::{Error, ErrorKind};
use crate::sources::Sources;
use crate::vault::text_of;

/// Below the directory for caches.
const INDEXES: &str = "index";
/// Names the directories that a cache is about.
const ABOUT: &str = "about.json";

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct About {
    claude_dirs: Vec<String>,
    vault: String,
}

impl About {
    fn of(sources: &dyn Sources) -> Self {
        let mut claude_dirs: Vec<String> = sources.dirs().paths.iter().map(|path| text_of(path)).collect();
        claude_dirs.sort();
        Self { claude_dirs, vault: text_of(sources.vault()) }
    }

    /// Whether all of it is gone, as a temporary directory is for good.
    fn is_gone(&self) -> bool {
        self.claude_dirs.iter().chain([&self.vault]).all(|path| !Path::new(path).exists())
    }
}

/// None where nothing may be stored.
pub(super) fn of(sources: &dyn Sources) -> Option<PathBuf> {
    let about = About::of(sources);
    let parts = about.claude_dirs.iter().chain([&about.vault]);
    let name = steno_index::name_of(parts.map(String::as_str));
    sources.cache().as_ref().map(|cache| cache.join(INDEXES).join(name))
}

/// Describes a new cache, and removes others whose directories are gone. False where there was one before.
pub(super) fn describe(sources: &dyn Sources, directory: &Path) -> bool {
    if directory.join(ABOUT).exists() {
        return false;
    }
    if let Ok(text) = serde_json::to_vec(&About::of(sources)) {
        let _ = fs::write(directory.join(ABOUT), text);
    }
    for other in cache_directories(sources).into_iter().filter(|other| other != directory) {
        let about = fs::read(other.join(ABOUT)).ok();
        let about = about.and_then(|text| serde_json::from_slice::<About>(&text).ok());
        if about.is_some_and(|about| about.is_gone()) {
            let _ = fs::remove_dir_all(other);
        }
    }
    true
}

/// The caches of this user, whatever they are about.
pub fn cache_directories(sources: &dyn Sources) -> Vec<PathBuf> {
    let indexes = sources.cache().as_ref().map(|cache| cache.join(INDEXES));
    let entries = indexes.and_then(|indexes| fs::read_dir(indexes).ok());
    entries.into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path())).collect()
}

/// Removes all caches: any of them may hold words of a session.
pub fn remove_all(sources: &dyn Sources) -> Result<(), Error> {
    let Some(indexes) = sources.cache().as_ref().map(|cache| cache.join(INDEXES)) else { return Ok(()) };
    match fs::remove_dir_all(&indexes) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            let message = format!("cannot remove the index at {}: {error}", indexes.display());
            Err(Error::new(ErrorKind::Io, message).hint("remove that directory: it can be made again"))
        }
        _ => Ok(()),
    }
}
