//! Kept files → files under temporary names → all of a session's at once under their own.
//!
//! A name in the Claude directory has all of its bytes or none: whatever goes wrong on the way, temporary files and the
//! directories that were made for them are removed again.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use steno_edit::rewrite::PathRewriter;
use steno_vault::{Hole, Salvage, Volume, private};

use super::Options;
use crate::aside::{Aside, Keeper, Print, check};
use crate::compare::Compare;
use crate::draft::{self, First};
use crate::error::{Error, ErrorKind};
use crate::kept::{Slugs, unwrapped};
use crate::place::become_new;
use crate::progress::Progress;

#[derive(Debug)]
pub(crate) struct Stage<'a> {
    pub(super) dry_run: bool,
    pub(super) original_times: bool,
    pub(super) progress: &'a dyn Progress,
    staged: Vec<Staged>,
    first: Option<First>,
    /// Directories that were made, the outer ones first.
    made: Vec<PathBuf>,
}

#[derive(Debug)]
struct Staged {
    temporary: PathBuf,
    place: PathBuf,
    over: Option<Over>,
}

/// What is known of a file that is overwritten.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Over {
    /// How it looked when the vault had all of it.
    pub(super) held: Option<Print>,
}

/// A file that was replaced, and is not gone yet.
struct Replaced {
    aside: Aside,
    held: Option<Print>,
    /// Of what took its place.
    new: Option<Print>,
}

/// A kept file on its way to a place.
#[derive(Debug)]
pub(super) struct Copy<'a> {
    pub(super) volume: Volume<'a>,
    pub(super) patch: Option<&'a PathRewriter>,
    pub(super) place: PathBuf,
    /// Whether to skip damaged parts.
    pub(super) partial: bool,
    /// Where a file is there and is to be overwritten.
    pub(super) over: Option<Over>,
}

impl Copy<'_> {
    /// Writes all bytes, which are good only when this succeeds. Gives what is missing.
    fn to(&self, target: &mut dyn Write) -> Result<Vec<Hole>, steno_vault::Error> {
        let mut target = Target { inner: target, failure: None };
        let mut salvage = self.partial.then(|| self.volume.salvage());
        let failed = |error| unwrapped(error, &self.volume.stream.path);
        let outcome = match (self.patch, &mut salvage) {
            (None, Some(salvage)) => io::copy(salvage, &mut target).map(drop).map_err(failed),
            (Some(patch), Some(salvage)) => patch.copy(salvage, &mut target).map(drop).map_err(failed),
            (None, None) => self.volume.copy(&mut target).map(drop),
            (Some(patch), None) => patch.copy(self.volume.reader(), &mut target).map(drop).map_err(failed),
        };
        match target.failure {
            Some(source) => Err(self.unwritten(source)),
            None => outcome.map(|()| salvage.map(Salvage::into_holes).unwrap_or_default()),
        }
    }

    /// Reads the bytes without writing them, and looks for slugs in them. Returns the stretches that the vault has lost.
    pub(super) fn read(&self, slugs: Option<&mut Slugs>) -> Result<Vec<Hole>, steno_vault::Error> {
        match slugs {
            Some(slugs) => self.to(&mut slugs.writing(io::sink())),
            None => self.to(&mut io::sink()),
        }
    }

    /// Whether the same bytes are there already.
    pub(super) fn is_there(&self) -> Result<bool, steno_vault::Error> {
        let Ok(metadata) = fs::symlink_metadata(&self.place) else { return Ok(false) };
        let has_length =
            self.patch.is_some() || self.partial || metadata.len() == self.volume.generation.len();
        let compare = if metadata.is_file() && has_length { Compare::with(&self.place).ok() } else { None };
        let Some(mut compare) = compare else { return Ok(false) };
        self.to(&mut compare)?;
        Ok(compare.finish().unwrap_or(false))
    }

    /// Whether nothing is there of a file that held something.
    pub(super) fn is_lost(&self) -> Result<bool, steno_vault::Error> {
        let is_damaged = || self.volume.holes().map(|holes| !holes.is_empty());
        let failed = |error| unwrapped(error, &self.volume.stream.path);
        Ok(self.volume.salvage().read(&mut [0]).map_err(failed)? == 0 && is_damaged()?)
    }

    fn unwritten(&self, source: io::Error) -> steno_vault::Error {
        unwritten_at(&self.place, source)
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
    pub(crate) fn new(options: &Options, progress: &'a dyn Progress) -> Self {
        let Options { dry_run, original_times, .. } = *options;
        Self { dry_run, original_times, progress, staged: Vec::new(), first: None, made: Vec::new() }
    }

    /// Takes all bytes of a file, checked; slugs are looked for on the way. Gives what is missing.
    pub(super) fn put(
        &mut self,
        copy: &Copy<'_>,
        slugs: Option<&mut Slugs>,
    ) -> Result<Vec<Hole>, steno_vault::Error> {
        let file = if self.dry_run { None } else { Some(self.create(&copy.place, copy.over)?) };
        let mut target: Box<dyn Write + '_> = match &file {
            Some(file) => Box::new(file),
            None => Box::new(io::sink()),
        };
        let holes = match slugs {
            Some(slugs) => copy.to(&mut slugs.writing(target))?,
            None => copy.to(&mut target)?,
        };
        let generation = copy.volume.generation;
        if let (Some(file), Some(modified)) = (&file, generation.modified().filter(|_| self.original_times)) {
            file.set_modified(modified.into()).map_err(|error| copy.unwritten(error))?;
        }
        self.progress.advance(generation.len());
        Ok(holes)
    }

    /// A new file beside the place.
    pub(crate) fn create(&mut self, place: &Path, over: Option<Over>) -> Result<File, steno_vault::Error> {
        let directory = place.parent().unwrap_or(Path::new("."));
        self.make(directory).map_err(|error| unwritten_at(place, error))?;
        let created = match draft::create(directory, &mut self.first) {
            // Another session did not succeed, and removed the directory that it had made.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                self.make(directory).and_then(|()| draft::create(directory, &mut self.first))
            }
            created => created,
        };
        let (temporary, file) = created.map_err(|error| unwritten_at(place, error))?;
        self.staged.push(Staged { temporary, place: place.to_owned(), over });
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

    /// Gives all files their names, the first one last: where the transcript is, everything is. Gives the places that
    /// somebody else took meanwhile, and keeps. What is replaced goes only when `keeper` has all of it; otherwise
    /// everything that was replaced comes back.
    pub(crate) fn commit(mut self, keeper: Keeper<'_>) -> Result<BTreeSet<PathBuf>, Error> {
        let (mut taken, mut replaced) = (BTreeSet::new(), Vec::new());
        while let Some(staged) = self.staged.pop() {
            match staged.settle(&mut replaced) {
                Ok(()) => {}
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists && staged.over.is_none() => {
                    let _ = fs::remove_file(&staged.temporary);
                    taken.insert(staged.place);
                }
                Err(error) => {
                    let error = unwritten_at(&staged.place, error);
                    self.staged.push(staged);
                    put_back(replaced);
                    return Err(error.into());
                }
            }
        }
        self.made.clear();
        if let Err(error) = check(replaced.iter().map(|one| (&one.aside, one.held)), keeper) {
            put_back(replaced);
            return Err(error);
        }
        replaced.into_iter().for_each(|one| one.aside.forget());
        Ok(taken)
    }
}

/// What cannot come back stays where it was set aside, and the next sync settles it.
fn put_back(replaced: Vec<Replaced>) {
    for one in replaced {
        let _ = one.aside.put_back(one.new);
    }
}

impl Staged {
    fn settle(&self, replaced: &mut Vec<Replaced>) -> io::Result<()> {
        let Some(Over { held }) = self.over else {
            become_new(&self.temporary, &self.place)?;
            steno_vault::fault::point();
            let _ = fs::remove_file(&self.temporary);
            return Ok(());
        };
        let new = Print::of(&self.temporary).ok();
        let aside = Aside::replace(&self.temporary, &self.place)?;
        replaced.extend(aside.map(|aside| Replaced { aside, held, new }));
        Ok(())
    }
}

impl Drop for Stage<'_> {
    fn drop(&mut self) {
        // The first one last: the others are known by it.
        for staged in self.staged.iter().rev() {
            let _ = fs::remove_file(&staged.temporary);
        }
        // Only empty ones go.
        for directory in self.made.iter().rev() {
            let _ = fs::remove_dir(directory);
        }
    }
}

fn unwritten_at(path: &Path, source: io::Error) -> steno_vault::Error {
    steno_vault::Error::Write { path: path.to_owned(), source }
}

pub(super) fn taken(place: &Path) -> Error {
    Error::new(ErrorKind::Exists, "File already exists. Use --force to overwrite.")
        .hint(format!("it is {}", place.display()))
}
