//! A file → its length and hash: two that are equal have the same bytes, whatever their times say.

use std::fs::File;
use std::io;
use std::path::Path;

use steno_vault::Hash;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Print {
    len: u64,
    hash: Hash,
}

impl Print {
    pub(crate) fn of(path: &Path) -> io::Result<Self> {
        let mut file = File::open(path)?;
        if !file.metadata()?.is_file() {
            return Err(io::Error::other("it is no file"));
        }
        let (len, hash) = Hash::of_reader(&mut file)?;
        Ok(Self { len, hash })
    }
}
