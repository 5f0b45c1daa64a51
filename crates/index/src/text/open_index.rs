//! A directory → an index that is right, made anew where it is not.

use std::fs;
use std::path::{Path, PathBuf};

use tantivy::directory::error::LockError;
use tantivy::directory::{DirectoryLock, Lock, MmapDirectory};
use tantivy::{Directory, Index, IndexReader, ReloadPolicy, Searcher, SegmentReader};

use super::guard;
use super::schema::{self, Fields};
use super::seal::{self, Look, Seal, Sealed, names};
use crate::error::Error;
use crate::file::Origin;
use crate::private;

/// Held while a process makes the index.
const MAKING: &str = ".making.lock";
/// Held while a process feeds it.
const FEEDING: &str = ".feeding.lock";
/// How often the list may change under one's eyes.
const TRIES: usize = 8;

/// An index that was looked at.
pub(super) struct OpenIndex {
    reader: IndexReader,
    /// The list of segments that was read.
    list: u64,
}

/// Why there is no index.
enum Lack {
    Absent,
    OtherVersion,
    Damaged(String),
    Refused(Error),
}

pub(super) fn open(path: &Path) -> Result<(OpenIndex, Origin), Error> {
    private::directory(path)?;
    match OpenIndex::examine(path) {
        Ok(open_index) => return Ok((open_index, Origin::Kept)),
        Err(Lack::Refused(error)) => return Err(error),
        Err(_) => {}
    }
    let _making = lock(path, Lock { filepath: PathBuf::from(MAKING), is_blocking: true })?;
    // Another process may have made it meanwhile.
    let origin = match OpenIndex::examine(path) {
        Ok(open_index) => return Ok((open_index, Origin::Kept)),
        Err(Lack::Refused(error)) => return Err(error),
        Err(Lack::Absent) => Origin::New,
        Err(Lack::OtherVersion) => Origin::OtherVersion,
        Err(Lack::Damaged(_)) => Origin::Damaged,
    };
    make(path)?;
    match OpenIndex::examine(path) {
        Ok(open_index) => Ok((open_index, origin)),
        Err(Lack::Damaged(message)) => Err(guard::damaged(path, message)),
        Err(Lack::Refused(error)) => Err(error),
        Err(Lack::Absent | Lack::OtherVersion) => Err(guard::damaged(path, "it vanished")),
    }
}

/// An index without passages, in the place of whatever was there.
fn make(path: &Path) -> Result<(), Error> {
    let Some(_feeding) = feeding(path)? else {
        return Err(guard::damaged(path, "another process is writing it"));
    };
    clear(path).map_err(|error| guard::unwritable(path, error))?;
    guard::writing(path, || {
        Index::create(MmapDirectory::open(path)?, schema::schema(), schema::settings()).map(drop)
    })?;
    Seal::new().write(path)
}

/// Locks stay: a process may hold one of them.
fn clear(path: &Path) -> std::io::Result<()> {
    for entry in fs::read_dir(path)? {
        let entry = entry?;
        let is_lock = entry.file_name().to_string_lossy().ends_with(".lock");
        if entry.file_type()?.is_dir() {
            fs::remove_dir_all(entry.path())?;
        } else if !is_lock {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

/// The right to change the index, unless a process has it.
pub(super) fn feeding(path: &Path) -> Result<Option<DirectoryLock>, Error> {
    lock(path, Lock { filepath: PathBuf::from(FEEDING), is_blocking: false })
}

/// A lock, unless a process has it; waits for it if it is blocking.
fn lock(path: &Path, lock: Lock) -> Result<Option<DirectoryLock>, Error> {
    let directory = guard::writing(path, || Ok(MmapDirectory::open(path)?))?;
    match directory.acquire_lock(&lock) {
        Ok(lock) => Ok(Some(lock)),
        Err(LockError::LockBusy) => Ok(None),
        Err(error) => Err(guard::unwritable(path, error)),
    }
}

/// The index in a directory, whatever its state.
pub(super) fn index(path: &Path) -> tantivy::Result<Index> {
    let mut index = Index::open(MmapDirectory::open(path)?)?;
    schema::equip(&mut index);
    Ok(index)
}

impl OpenIndex {
    /// The index on disk, if it is intact.
    fn examine(path: &Path) -> Result<Self, Lack> {
        match Seal::read(path) {
            Sealed::Not if !path.join(seal::LIST).exists() => return Err(Lack::Absent),
            Sealed::Not => return Err(Lack::Damaged("nothing says what it is".to_owned())),
            Sealed::OtherVersion => return Err(Lack::OtherVersion),
            Sealed::Broken => return Err(Lack::Damaged("its seal cannot be read".to_owned())),
            Sealed::With(_) => {}
        }
        let list = seal::list(path).unwrap_or_default();
        let opened = guard::reading(path, || {
            let index = index(path)?;
            if index.schema() != schema::schema() {
                return Err(tantivy::TantivyError::SchemaError("other fields".to_owned()));
            }
            index.reader_builder().reload_policy(ReloadPolicy::Manual).try_into()
        });
        let mut open_index = Self { reader: opened.map_err(Lack::from)?, list };
        open_index.check(path).map_err(Lack::from)?;
        Ok(open_index)
    }

    /// Takes notice of what was committed since.
    pub(super) fn refresh(&mut self, path: &Path) -> Result<(), Error> {
        let Some(list) = seal::list(path) else { return Err(guard::damaged(path, "it is gone")) };
        if list == self.list {
            return Ok(());
        }
        self.reload(path, list)?;
        self.check(path)
    }

    pub(super) fn searcher(&self) -> Searcher {
        self.reader.searcher()
    }

    fn reload(&mut self, path: &Path, list: u64) -> Result<(), Error> {
        // The next call notices a commit in between.
        guard::reading(path, || self.reader.reload())?;
        self.list = list;
        Ok(())
    }

    /// Looks at all files; again, where another process replaced them meanwhile.
    fn check(&mut self, path: &Path) -> Result<(), Error> {
        for _ in 0..TRIES {
            let (wrong, is_all_sealed) = self.wrong(path)?;
            let list = seal::list(path).unwrap_or_default();
            match wrong {
                None if is_all_sealed => return Ok(()),
                None => {
                    // Who cannot write checks again the next time.
                    let _ = self.seal(path);
                    return Ok(());
                }
                Some(name) if list == self.list => {
                    return Err(guard::damaged(path, format!("{name} is not what it was")));
                }
                Some(_) => self.reload(path, list)?,
            }
        }
        Err(guard::damaged(path, "it changes all the time"))
    }

    /// A file that is missing or wrong, and whether all were known to be right without reading them.
    fn wrong(&self, path: &Path) -> Result<(Option<String>, bool), Error> {
        let Sealed::With(seal) = Seal::read(path) else {
            return Ok((Some("the seal".to_owned()), false));
        };
        let searcher = self.searcher();
        let directory = searcher.index().directory();
        let fields = Fields::new();
        let mut is_all_sealed = true;
        for segment in searcher.segment_readers() {
            if !is_whole(segment, &fields) {
                return Ok((Some(seal::LIST.to_owned()), false));
            }
            for name in names(segment.segment_id(), segment.delete_opstamp()) {
                let Some(look) = Look::of(&path.join(&name)) else { return Ok((Some(name), false)) };
                if seal.knows(&name, look) {
                    continue;
                }
                is_all_sealed = false;
                let is_right = guard::reading(path, || Ok(directory.validate_checksum(Path::new(&name))?));
                if !matches!(is_right, Ok(true)) {
                    return Ok((Some(name), false));
                }
            }
        }
        Ok((None, is_all_sealed))
    }

    /// Notes that all files are right.
    fn seal(&self, path: &Path) -> Result<(), Error> {
        let searcher = self.searcher();
        let segments = searcher.segment_readers().iter();
        let names = segments.flat_map(|segment| names(segment.segment_id(), segment.delete_opstamp()));
        let looks = names.filter_map(|name| Look::of(&path.join(&name)).map(|look| (name, look)));
        Seal::present(path)?.with(looks.collect()).write(path)
    }
}

/// Whether a segment has as many passages as the list of segments says, which has no checksum.
fn is_whole(segment: &SegmentReader, fields: &Fields) -> bool {
    let lengths = segment.get_fieldnorms_reader(fields.words);
    lengths.is_ok_and(|lengths| lengths.num_docs() == segment.max_doc())
}

impl From<Error> for Lack {
    fn from(error: Error) -> Self {
        match error {
            Error::Damaged { message, .. } => Self::Damaged(message),
            error => Self::Refused(error),
        }
    }
}
