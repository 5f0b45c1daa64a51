//! Kept files → files under temporary names → all of a session's at once under their own.
//!
//! A name in the Claude directory has all of its bytes or none: whatever goes wrong on the way, temporary files and the
//! directories that were made for them are removed again.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use steno_transcript::patch::Rehome;
use steno_vault::{Volume, private};

use super::compare::Compare;
use super::{Action, Options};
use crate::error::{Error, ErrorKind};
use crate::progress::Progress;
use crate::shelf::{Slugs, unwrapped};

#[derive(Debug)]
pub(super) struct Stage<'a> {
    pub(super) dry_run: bool,
    pub(super) original_times: bool,
    pub(super) progress: &'a dyn Progress,
    staged: Vec<Staged>,
    /// Directories that were made, the outer ones first.
    made: Vec<PathBuf>,
}

#[derive(Debug)]
struct Staged {
    temporary: PathBuf,
    place: PathBuf,
    overwrites: bool,
}

/// A kept file on its way to a place.
#[derive(Debug)]
pub(super) struct Copy<'a> {
    pub(super) volume: Volume<'a>,
    pub(super) patch: Option<&'a Rehome>,
    pub(super) place: PathBuf,
}

impl Copy<'_> {
    /// Writes all bytes, which are good only when this succeeds.
    fn to(&self, target: &mut dyn Write) -> Result<(), steno_vault::Error> {
        let mut target = Target { inner: target, failure: None };
        let outcome = match self.patch {
            None => self.volume.copy(&mut target).map(drop),
            Some(patch) => {
                let copied = patch.copy(self.volume.reader(), &mut target).map(drop);
                copied.map_err(|error| unwrapped(error, &self.volume.stream.path))
            }
        };
        match target.failure {
            Some(source) => Err(self.unwritten(source)),
            None => outcome,
        }
    }

    /// Whether the same bytes are there already.
    pub(super) fn is_there(&self) -> Result<bool, steno_vault::Error> {
        let Ok(metadata) = fs::symlink_metadata(&self.place) else { return Ok(false) };
        let has_length = self.patch.is_some() || metadata.len() == self.volume.generation.len();
        let compare = if metadata.is_file() && has_length { Compare::with(&self.place).ok() } else { None };
        let Some(mut compare) = compare else { return Ok(false) };
        self.to(&mut compare)?;
        Ok(compare.finish().unwrap_or(false))
    }

    fn unwritten(&self, source: io::Error) -> steno_vault::Error {
        steno_vault::Error::Write { path: self.place.clone(), source }
    }
}

/// Remembers why it could not be written to.
struct Target<'a> {
    inner: &'a mut dyn Write,
    failure: Option<io::Error>,
}

impl Write for Target<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.inner.write(bytes).map_err(|error| {
            let kind = error.kind();
            self.failure = Some(error);
            kind.into()
        })
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

impl<'a> Stage<'a> {
    pub(super) fn new(options: &Options, progress: &'a dyn Progress) -> Self {
        let Options { dry_run, original_times, .. } = *options;
        Self { dry_run, original_times, progress, staged: Vec::new(), made: Vec::new() }
    }

    /// Takes all bytes of a file, checked; slugs are looked for on the way.
    pub(super) fn put(
        &mut self,
        copy: &Copy<'_>,
        action: Action,
        slugs: Option<&mut Slugs>,
    ) -> Result<(), steno_vault::Error> {
        let file = if self.dry_run { None } else { Some(self.create(copy, action)?) };
        let mut target: Box<dyn Write + '_> = match &file {
            Some(file) => Box::new(file),
            None => Box::new(io::sink()),
        };
        match slugs {
            Some(slugs) => copy.to(&mut slugs.writing(target))?,
            None => copy.to(&mut target)?,
        }
        let generation = copy.volume.generation;
        if let (Some(file), Some(modified)) = (&file, generation.modified().filter(|_| self.original_times)) {
            file.set_modified(modified.into()).map_err(|error| copy.unwritten(error))?;
        }
        self.progress.advance(generation.len());
        Ok(())
    }

    /// A new file beside the place.
    fn create(&mut self, copy: &Copy<'_>, action: Action) -> Result<File, steno_vault::Error> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let directory = copy.place.parent().unwrap_or(Path::new("."));
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let temporary = directory.join(format!(".steno-{}-{number}", std::process::id()));
        self.make(directory).map_err(|error| copy.unwritten(error))?;
        let created = match private::create(&temporary) {
            // Another session did not succeed, and removed the directory that it had made.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                self.make(directory).and_then(|()| private::create(&temporary))
            }
            created => created,
        };
        let file = created.map_err(|error| copy.unwritten(error))?;
        let place = copy.place.clone();
        self.staged.push(Staged { temporary, place, overwrites: action == Action::Overwrite });
        Ok(file)
    }

    fn make(&mut self, directory: &Path) -> io::Result<()> {
        if directory.is_dir() {
            return Ok(());
        }
        let missing = directory.ancestors().take_while(|directory| !directory.exists());
        let mut missing: Vec<PathBuf> = missing.map(Path::to_owned).collect();
        missing.reverse();
        self.made.extend(missing);
        private::create_dir_all(directory)
    }

    /// Gives all files their names, the first one last: where the transcript is, everything is.
    pub(super) fn commit(mut self) -> Result<(), Error> {
        while let Some(staged) = self.staged.pop() {
            let Staged { temporary, place, overwrites } = &staged;
            let is_taken = !overwrites && fs::symlink_metadata(place).is_ok();
            let outcome = match (is_taken, self.staged.is_empty()) {
                (false, _) => rename(temporary, place),
                (true, true) => Err(taken(place)),
                // Another session has the same plan, and was faster.
                (true, false) => fs::remove_file(temporary).map_err(unwritten(temporary)),
            };
            if let Err(error) = outcome {
                self.staged.push(staged);
                return Err(error);
            }
        }
        self.made.clear();
        Ok(())
    }
}

impl Drop for Stage<'_> {
    fn drop(&mut self) {
        for staged in &self.staged {
            let _ = fs::remove_file(&staged.temporary);
        }
        // Only empty ones go.
        for directory in self.made.iter().rev() {
            let _ = fs::remove_dir(directory);
        }
    }
}

fn rename(from: &Path, to: &Path) -> Result<(), Error> {
    fs::rename(from, to).map_err(unwritten(to))
}

fn unwritten(path: &Path) -> impl FnOnce(io::Error) -> Error {
    let path = path.to_owned();
    move |source| steno_vault::Error::Write { path, source }.into()
}

pub(super) fn taken(place: &Path) -> Error {
    Error::new(ErrorKind::Exists, "File already exists. Use --force to overwrite.")
        .hint(format!("it is {}", place.display()))
}
