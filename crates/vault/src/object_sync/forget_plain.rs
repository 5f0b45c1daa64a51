//! Removes records of a plain vault once it is encrypted: file names tell of projects and sessions.
//!
//! They are of no use any more: an encrypted vault does not push to a remote that has plain files.

use std::fs;
use std::path::Path;

use super::record::Record;
use super::sent;
use crate::encryption::{is_object, stays_plain};
use crate::error::Error;
use crate::private;

/// The caller holds the vault's lock.
pub fn forget_plain(root: &Path) -> Result<(), Error> {
    let mut record = Record::read(root)?;
    let before = record.gone.len();
    record.gone.retain(|gone| gone.names.iter().all(|name| is_encrypted(name)));
    if record.gone.len() < before {
        record.write(root)?;
    }
    for entry in fs::read_dir(root.join(sent::DIRECTORY)).into_iter().flatten().flatten() {
        let path = entry.path();
        if !sent::names(&path).is_some_and(|names| names.iter().all(|name| is_encrypted(name))) {
            private::remove_all(&path).map_err(Error::write(path))?;
        }
    }
    Ok(())
}

fn is_encrypted(name: &str) -> bool {
    is_object(name) || stays_plain(name)
}
