//! A live file that is replaced or deleted → set aside, and gone only when every byte of it is kept.
//!
//! A client may write to the file right after any check. So the file is first renamed, then its bytes are compared with
//! the vault, and it is renamed back if the vault lacks a byte. Each file set aside has a directory of its own beside its
//! old path, `.steno-aside-PID-NUMBER`, whose lock is held while the process works. The next restore or sync finishes the
//! work of a process that was killed.

mod print;
mod recover;
mod writers;

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use steno_vault::{exchange, fault, private, rename, rename_new};

use crate::error::{Error, ErrorKind};
pub(crate) use print::Print;
pub(crate) use recover::{Unfinished, is_left, recover};
pub(crate) use writers::wait_until_unwritten;

const ASIDE: &str = ".steno-aside-";
const LOCK: &str = ".steno-lock";
/// The name of the file in that directory, on systems that cannot exchange two files at once.
const SPARE: &str = ".steno-spare";
/// How often to try: a program that appends all the time may write between two checks.
const ATTEMPTS: u32 = 20;

/// Called with the place of a file and where the file is now: takes all of its bytes into the vault, and says whether it did.
pub(crate) type Keeper<'a> = &'a mut dyn FnMut(&Path, &Path) -> Result<bool, Error>;

/// A file that was set aside, until it is deleted or put back.
#[derive(Debug)]
pub(crate) struct Aside {
    directory: PathBuf,
    place: PathBuf,
    /// Holds the lock, where there are locks.
    _lock: File,
}

impl Aside {
    /// Puts a new file at a path and sets the old one aside. None if the old one was gone by itself.
    pub(crate) fn replace(draft: &Path, place: &Path) -> io::Result<Option<Self>> {
        if fs::symlink_metadata(place).is_ok_and(|metadata| metadata.is_dir()) {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        let aside = Self::beside(place)?;
        let outcome = rename(draft, &aside.file()).and_then(|()| aside.swap());
        match outcome {
            Ok(()) => Ok(Some(aside)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let settled = rename_new(&aside.file(), place);
                aside.forget();
                settled.map(|()| None)
            }
            Err(error) => {
                aside.forget();
                Err(error)
            }
        }
    }

    /// Sets a file aside.
    pub(crate) fn take(place: &Path) -> io::Result<Self> {
        let aside = Self::beside(place)?;
        match rename(place, &aside.file()) {
            Ok(()) => Ok(aside),
            Err(error) => {
                aside.forget();
                Err(error)
            }
        }
    }

    fn beside(place: &Path) -> io::Result<Self> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let parent = place.parent().unwrap_or(Path::new("."));
        fault::point();
        loop {
            let number = NUMBER.fetch_add(1, Ordering::Relaxed);
            let directory = parent.join(format!("{ASIDE}{}-{number}", std::process::id()));
            match fs::create_dir(&directory) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
                made => made?,
            }
            fault::point();
            let lock = private::create(&directory.join(LOCK))?;
            let _ = lock.try_lock();
            return Ok(Self { directory, place: place.to_owned(), _lock: lock });
        }
    }

    /// The file, as long as it is set aside.
    pub(crate) fn file(&self) -> PathBuf {
        self.directory.join(self.place.file_name().unwrap_or_default())
    }

    fn swap(&self) -> io::Result<()> {
        let (file, place) = (self.file(), &self.place);
        match exchange(&file, place) {
            Err(error) if error.kind() == io::ErrorKind::Unsupported => {}
            swapped => return swapped,
        }
        self.swap_by_names()
    }

    /// For file systems that cannot exchange two names. A hard link keeps the place filled; some have none of these either.
    fn swap_by_names(&self) -> io::Result<()> {
        let (file, place) = (self.file(), &self.place);
        let spare = self.directory.join(SPARE).join(place.file_name().unwrap_or_default());
        fs::create_dir_all(self.directory.join(SPARE))?;
        fault::point();
        if fs::hard_link(place, &spare).is_err() {
            rename(place, &spare)?;
        }
        if let Err(error) = rename(&file, place) {
            let _ = rename_new(&spare, place);
            return Err(error);
        }
        rename(&spare, &file)
    }

    /// Puts the file back. A file in its place is set aside, and deleted if it is as it was written.
    pub(crate) fn put_back(self, new: Option<Print>) -> io::Result<()> {
        if fs::symlink_metadata(&self.place).is_err() {
            rename_new(&self.file(), &self.place)?;
            self.forget();
            return Ok(());
        }
        self.swap()?;
        // Else the next sync keeps the bytes that were added to it.
        if new.is_some_and(|new| Print::of(&self.file()).is_ok_and(|now| now == new)) {
            self.forget();
        }
        Ok(())
    }

    /// Deletes the file, which is kept.
    pub(crate) fn forget(self) {
        fault::point();
        let _ = fs::remove_file(self.file());
        clear(&self.directory);
    }
}

/// Whether files that were set aside may be deleted: `keeper` has every byte of them, and no program can write to them
/// any more. `held` is what was known of each to be kept before.
pub(crate) fn check<'a>(
    asides: impl Iterator<Item = (&'a Aside, Option<Print>)>,
    keeper: Keeper<'_>,
) -> Result<(), Error> {
    let checked =
        asides.map(|(aside, held)| Checked { file: aside.file(), place: aside.place.clone(), held });
    // A link has no bytes of its own, and its target stays.
    check_all(checked.filter(|one| !one.file.is_symlink()).collect(), keeper)
}

/// A file under the name that it has while it is set aside.
struct Checked {
    file: PathBuf,
    place: PathBuf,
    /// Its state when it was kept.
    held: Option<Print>,
}

impl Checked {
    fn print(&self) -> Result<Print, Error> {
        Print::of(&self.file).map_err(|error| unreadable(&self.place, &error))
    }

    fn is_as_kept(&self) -> Result<bool, Error> {
        Ok(self.held == Some(self.print()?))
    }

    fn keep(&mut self, keeper: Keeper<'_>) -> Result<(), Error> {
        let now = self.print()?;
        if self.held != Some(now) {
            if !keeper(&self.place, &self.file)? {
                return Err(not_kept(&self.place));
            }
            // The next check notices bytes that were added meanwhile.
            self.held = Some(now);
        }
        Ok(())
    }
}

fn check_all(mut files: Vec<Checked>, keeper: Keeper<'_>) -> Result<(), Error> {
    for _ in 0..ATTEMPTS {
        files.iter_mut().try_for_each(|one| one.keep(&mut *keeper))?;
        wait_until_unwritten(files.iter().map(|one| (one.file.as_path(), one.place.as_path())))?;
        let mut is_done = true;
        for one in &files {
            is_done &= one.is_as_kept()?;
        }
        if is_done {
            return Ok(());
        }
    }
    Err(files.first().map_or_else(|| written(Path::new("")), |one| written(&one.place)))
}

/// Removes the directory, if no file is left in it. The lock goes last.
fn clear(directory: &Path) {
    let _ = fs::remove_dir(directory.join(SPARE));
    let is_own = |entry: fs::DirEntry| entry.file_name() == LOCK;
    if fs::read_dir(directory).is_ok_and(|listed| listed.flatten().all(is_own)) {
        let _ = fs::remove_file(directory.join(LOCK));
        let _ = fs::remove_dir(directory);
    }
}

pub(crate) fn not_kept(place: &Path) -> Error {
    let message = format!("{} holds bytes that the vault does not have", place.display());
    Error::new(ErrorKind::Exists, message).hint("`steno sync` keeps them; then run this again")
}

fn written(place: &Path) -> Error {
    let message = format!("another program is writing to {}, and it is not touched", place.display());
    Error::new(ErrorKind::Running, message).hint("end that program first")
}

pub(crate) fn unreadable(path: &Path, error: &io::Error) -> Error {
    Error::new(ErrorKind::Io, format!("cannot read {}: {error}", path.display()))
        .hint("nothing is overwritten that cannot be compared with the vault")
}

#[cfg(test)]
mod tests {
    use super::*;
    use steno_testkit::Home;

    fn pair() -> (Home, PathBuf, PathBuf) {
        let home = Home::new();
        let place = home.file("todos/a.json", "old");
        let draft = home.file("todos/draft", "new");
        (home, place, draft)
    }

    fn text(path: &Path) -> String {
        fs::read_to_string(path).unwrap()
    }

    #[test]
    fn a_replaced_file_comes_back_or_goes() {
        let (_home, place, draft) = pair();
        let new = Print::of(&draft).unwrap();
        let aside = Aside::replace(&draft, &place).unwrap().unwrap();
        assert_eq!((text(&place), text(&aside.file())), ("new".into(), "old".into()));
        let directory = aside.directory.clone();
        aside.put_back(Some(new)).unwrap();
        assert_eq!(text(&place), "old");
        assert!(!directory.exists() && !draft.exists());
        let aside = Aside::take(&place).unwrap();
        assert!(!place.exists());
        let directory = aside.directory.clone();
        aside.forget();
        assert!(!directory.exists());
    }

    #[test]
    fn two_files_change_places_without_help_of_the_system() {
        let (_home, place, draft) = pair();
        let aside = Aside::beside(&place).unwrap();
        fs::rename(&draft, aside.file()).unwrap();
        aside.swap_by_names().unwrap();
        assert_eq!((text(&place), text(&aside.file())), ("new".into(), "old".into()));
    }

    #[test]
    fn a_file_whose_bytes_are_not_kept_is_not_forgotten() {
        let (_home, place, draft) = pair();
        let held = Print::of(&place).unwrap();
        let aside = Aside::replace(&draft, &place).unwrap().unwrap();
        let one = |aside| std::iter::once((aside, Some(held)));
        assert!(check(one(&aside), &mut |_, _| panic!("it is known")).is_ok());
        fs::write(aside.file(), "odd").unwrap();
        let refused = check(one(&aside), &mut |_, _| Ok(false)).unwrap_err();
        assert_eq!(refused.kind, ErrorKind::Exists);
        assert!(check(one(&aside), &mut |_, _| Ok(true)).is_ok());
    }

    #[test]
    fn what_a_killed_process_left_is_settled_by_the_next() {
        let (home, place, draft) = pair();
        let root = home.path();
        let unfinished = Unfinished::begin(&root).unwrap();
        assert!(!is_left(&root), "it is at work");
        let one = Aside::replace(&draft, &place).unwrap().unwrap();
        let other = home.file("plans/p.md", "plan");
        let two = Aside::take(&other).unwrap();
        let directories = [one.directory.clone(), two.directory.clone()];
        drop((one, two, unfinished));
        assert!(is_left(&root));
        let left = recover(&root, &mut |_, _| Ok(false)).unwrap();
        assert_eq!(left.len(), 1, "{left:?}");
        assert_eq!(text(&other), "plan", "its place was empty");
        let mut seen = Vec::new();
        let left = recover(&root, &mut |place, file| {
            seen.push((place.to_owned(), text(file)));
            Ok(true)
        });
        assert_eq!((left.unwrap().len(), seen), (0, vec![(place.clone(), "old".to_owned())]));
        assert!(directories.iter().all(|directory| !directory.exists()) && !is_left(&root));
        assert_eq!(text(&place), "new");
    }
}
