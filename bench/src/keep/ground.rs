//! A cached home → a copy of it that may grow and shrink again, a place for stores, and what a restore must give.

use std::fs::{self, OpenOptions};
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::Error;
use crate::append::append;
use crate::files::{Transcript, sessions, transcripts, visit};
use crate::generate::{Order, Summary};
use crate::keep::job::Job;

/// What the targets speak of.
const APPENDED: Order = Order { bytes: 825_000, files: 20, seed: 2 };

#[derive(Debug)]
pub(crate) struct Ground {
    /// Beside the cached homes: on a real disk, which the directory for temporary files need not be.
    scratch: TempDir,
    home: PathBuf,
    before: Vec<Transcript>,
    /// A session of the median size: the one that is restored alone.
    chosen: Transcript,
}

impl Ground {
    pub(crate) fn new(cache: &Path, cached: &Path) -> Result<Self, Error> {
        let scratch = tempfile::Builder::new().prefix("keep-").tempdir_in(cache);
        let scratch = scratch.map_err(Error::file("create a directory in", cache))?;
        let home = scratch.path().join("home");
        copy(&cached.join("projects"), &home.join("projects"))?;
        let mut sessions = sessions(&home)?;
        sessions.sort_by_key(|session| session.bytes);
        let middle = sessions.len() / 2;
        let chosen = sessions.into_iter().nth(middle).ok_or_else(|| Error::NoTranscripts(home.clone()))?;
        Ok(Self { before: transcripts(&home)?, scratch, home, chosen })
    }

    pub(crate) fn home(&self) -> &Path {
        &self.home
    }

    /// Where a tool may keep what it likes.
    pub(crate) fn place(&self, slug: &str) -> PathBuf {
        self.scratch.path().join(slug)
    }

    pub(crate) fn session(&self) -> String {
        self.chosen.path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// How the paths of that session's files begin, from the home.
    pub(crate) fn prefix(&self) -> String {
        let path = self.chosen.path.strip_prefix(&self.home).unwrap_or(&self.chosen.path);
        path.with_extension("").display().to_string()
    }

    pub(crate) fn grow(&self) -> Result<Summary, Error> {
        append(&self.home, &APPENDED)
    }

    /// Takes back what was appended.
    pub(crate) fn shrink(&self) -> Result<(), Error> {
        let now = transcripts(&self.home)?;
        for (before, _) in self.before.iter().zip(&now).filter(|(before, now)| before.bytes != now.bytes) {
            let file = OpenOptions::new().write(true).open(&before.path);
            let file = file.map_err(Error::file("open", &before.path))?;
            file.set_len(before.bytes).map_err(Error::file("shorten", &before.path))?;
        }
        Ok(())
    }

    /// Why the files in `target` are not those that were asked for, if so; a tool that is quick because it does nothing must
    /// not look quick.
    pub(crate) fn missing(&self, job: Job, target: &Path) -> Result<Option<String>, Error> {
        let (found, due) = (transcripts(target)?, transcripts(&self.home)?);
        let bytes = |all: &[Transcript]| all.iter().map(|transcript| transcript.bytes).sum::<u64>();
        if job == Job::RestoreAll {
            let whole = found.len() == due.len() && bytes(&found) == bytes(&due);
            return Ok((!whole).then(|| {
                let (files, held) = (found.len(), bytes(&found));
                format!("restored {files} of {} transcripts, {held} of {} bytes", due.len(), bytes(&due))
            }));
        }
        let here =
            found.iter().find(|transcript| transcript.path.file_name() == self.chosen.path.file_name());
        let whole = here.is_some_and(|transcript| transcript.bytes == self.chosen.bytes);
        Ok((!whole).then(|| "the session was not restored".to_owned()))
    }
}

fn copy(from: &Path, to: &Path) -> Result<(), Error> {
    visit(from, &mut |path, _| {
        let copy = to.join(path.strip_prefix(from).unwrap_or(path));
        if let Some(parent) = copy.parent() {
            fs::create_dir_all(parent).map_err(Error::file("create", parent))?;
        }
        fs::copy(path, &copy).map_err(Error::file("copy", path))?;
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::generate;

    fn ground(cache: &Path) -> Ground {
        let home = cache.join("cached");
        generate(&home, &Order { bytes: 900_000, files: 25, seed: 1 }).unwrap();
        Ground::new(cache, &home).unwrap()
    }

    #[test]
    fn it_grows_and_shrinks_back_and_grows_alike() {
        let cache = tempfile::tempdir().unwrap();
        let ground = ground(cache.path());
        let sizes = || -> Vec<u64> {
            transcripts(&ground.home).unwrap().iter().map(|transcript| transcript.bytes).collect()
        };
        let before = sizes();
        let grown = ground.grow().unwrap();
        assert_eq!(grown.sessions, 20);
        assert_eq!(sizes().iter().sum::<u64>(), before.iter().sum::<u64>() + grown.bytes);
        ground.shrink().unwrap();
        assert_eq!(sizes(), before);
        assert_eq!(ground.grow().unwrap(), grown);
        // The home that other rows are measured on has not changed.
        let cached = transcripts(&cache.path().join("cached")).unwrap();
        assert_eq!(cached.iter().map(|transcript| transcript.bytes).collect::<Vec<_>>(), before);
    }

    #[test]
    fn a_restore_that_lacks_something_is_seen() {
        let cache = tempfile::tempdir().unwrap();
        let ground = ground(cache.path());
        let target = cache.path().join("target");
        copy(&ground.home, &target).unwrap();
        for job in [Job::RestoreOne, Job::RestoreAll] {
            assert_eq!(ground.missing(job, &target).unwrap(), None);
        }
        fs::remove_file(target.join(format!("{}.jsonl", ground.prefix()))).unwrap();
        for job in [Job::RestoreOne, Job::RestoreAll] {
            assert!(ground.missing(job, &target).unwrap().is_some());
        }
    }
}
