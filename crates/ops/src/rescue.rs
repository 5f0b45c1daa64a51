//! Live files of one Claude directory → kept, before something else takes their place.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use steno_vault::{Candidate, Keep, Outcome, Tombstone, Volume, Writer, text_of};

use crate::aside;
use crate::candidate::Candidates;
use crate::compare::has_all;
use crate::error::Error;
use crate::home;
use crate::workspace::{Vault, Workspace};

pub(crate) struct Rescue<'a> {
    pub(crate) workspace: &'a Workspace,
    pub(crate) vault: &'a mut Vault,
    pub(crate) writer: &'a mut Writer,
    pub(crate) claude_dir: &'a Path,
}

impl Rescue<'_> {
    pub(crate) fn settle_left(&mut self) -> Result<Vec<PathBuf>, Error> {
        let claude_dir = self.claude_dir;
        aside::recover(claude_dir, &mut |place, file| self.keep_aside(place, file))
    }

    pub(crate) fn keep_aside(&mut self, place: &Path, file: &Path) -> Result<bool, Error> {
        let path = place.strip_prefix(self.claude_dir).ok().and_then(text_of);
        let Some(path) = path else { return Ok(false) };
        if self.holds(&path, file)? {
            return Ok(true);
        }
        if !self.workspace.dirs.paths.iter().any(|own| own == self.claude_dir) {
            return Ok(false);
        }
        let kept = self.keep(&|candidate| candidate.path == path, Some((&path, file)))?;
        Ok(kept.contains(file))
    }

    /// Whether some generation of the file has all of it, read and compared.
    fn holds(&mut self, path: &str, file: &Path) -> Result<bool, Error> {
        let store = self.writer.store().clone();
        let streams = self.writer.catalog()?.streams().filter(|(_, _, stream)| stream.path == path);
        let mut volumes = streams.flat_map(|(machine, _, stream)| {
            let generations = stream.generations.iter();
            generations.map(move |generation| (machine, stream, generation))
        });
        Ok(volumes.any(|(machine, stream, generation)| {
            has_all(&Volume { store: &store, machine, stream, generation }, file).unwrap_or(false)
        }))
    }

    /// Keeps the files of the directory, and gives those of which the vault has every byte then. A file that was set
    /// aside is kept under the path of its place.
    pub(crate) fn keep(
        &mut self,
        compare: &dyn Fn(&Candidate) -> bool,
        aside: Option<(&str, &Path)>,
    ) -> Result<HashSet<PathBuf>, Error> {
        let machine = home::claim(self.workspace, self.vault, self.claude_dir)?;
        let inventory = steno_source::inventory(self.claude_dir)?;
        let mut candidates = Candidates::of(inventory.files, &mut Vec::new());
        let tombstones = Tombstone::all(self.writer.store(), &machine)?;
        let purged: HashSet<String> = tombstones.into_iter().map(|tombstone| tombstone.session).collect();
        candidates.forget(&purged);
        if let Some((path, file)) = aside {
            candidates.files.iter_mut().filter(|one| one.path == path).for_each(|one| put_aside(one, file));
        }
        let compared: HashSet<&str> =
            candidates.files.iter().filter(|one| compare(one)).map(|one| one.path.as_str()).collect();
        let session_of =
            |path: &Path| steno_source::session_of_old_agent(path).map(|session| session.to_string());
        let keep = Keep {
            merge: false,
            session_of: &session_of,
            compare: &|path| compared.contains(path),
            ..Keep::new(&machine, self.workspace.dirs.now, &purged)
        };
        let kept = self.writer.keep(&keep, &candidates.files)?;
        let whole = candidates.files.iter().zip(&kept.outcomes);
        let whole = whole.filter(|(_, outcome)| !matches!(outcome, Outcome::Failed(_)));
        Ok(whole.map(|(file, _)| file.absolute.clone()).collect())
    }
}

fn put_aside(candidate: &mut Candidate, file: &Path) {
    candidate.absolute = file.to_owned();
    if let Ok(metadata) = fs::metadata(file) {
        candidate.len = metadata.len();
        candidate.modified = metadata.modified().unwrap_or(candidate.modified);
        // Another one than that of the file which has the place.
        candidate.inode = None;
    }
}
