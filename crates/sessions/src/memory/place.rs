//! Where the index of these directories and this vault lies.
//!
//! Each set of directories has one of its own, so that a look at another one takes nothing from it.

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::error::{Error, ErrorKind};
use crate::sources::Sources;
use crate::vault::text_of;

/// What all indexes lie below.
const INDEXES: &str = "index";
/// Says what an index is about.
const ABOUT: &str = "about.json";
const ATLAS: &str = "atlas";

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

    /// A temporary directory that is gone will not come back.
    fn is_gone(&self) -> bool {
        self.claude_dirs.iter().chain([&self.vault]).all(|path| !Path::new(path).exists())
    }
}

/// None where there is no place for it.
pub(super) fn of(sources: &dyn Sources) -> Option<PathBuf> {
    let about = About::of(sources);
    let parts = about.claude_dirs.iter().chain([&about.vault]);
    let name = steno_index::name_of(parts.map(String::as_str));
    sources.cache().as_ref().map(|cache| cache.join(INDEXES).join(name))
}

/// Where it is remembered what the live directories held.
pub fn atlas_place(sources: &dyn Sources) -> Option<PathBuf> {
    of(sources).map(|directory| directory.join(ATLAS))
}

/// Says what a new index is about, and takes the occasion to drop those that are about nothing any more. False where
/// there was one before.
pub(super) fn describe(sources: &dyn Sources, directory: &Path) -> bool {
    if directory.join(ABOUT).exists() {
        return false;
    }
    if let Ok(text) = serde_json::to_vec(&About::of(sources)) {
        let _ = fs::write(directory.join(ABOUT), text);
    }
    for other in remembered_places(sources).into_iter().filter(|other| other != directory) {
        let about = fs::read(other.join(ABOUT)).ok();
        let about = about.and_then(|text| serde_json::from_slice::<About>(&text).ok());
        if about.is_some_and(|about| about.is_gone()) {
            let _ = fs::remove_dir_all(other);
        }
    }
    true
}

/// The indexes of this user, whatever they are about.
pub fn remembered_places(sources: &dyn Sources) -> Vec<PathBuf> {
    let indexes = sources.cache().as_ref().map(|cache| cache.join(INDEXES));
    let entries = indexes.and_then(|indexes| fs::read_dir(indexes).ok());
    entries.into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path())).collect()
}

/// Drops all indexes: words of a session may stand in any of them.
pub fn forget_everything(sources: &dyn Sources) -> Result<(), Error> {
    let Some(indexes) = sources.cache().as_ref().map(|cache| cache.join(INDEXES)) else { return Ok(()) };
    match fs::remove_dir_all(&indexes) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            let message = format!("cannot remove the index at {}: {error}", indexes.display());
            Err(Error::new(ErrorKind::Io, message).hint("remove that directory: it can be made again"))
        }
        _ => Ok(()),
    }
}
