//! A file, and what is to take its place → whether it may.
//!
//! Whoever can write to a remote can put anything there, and say what they like about it. What is here goes only for
//! what opens under the name, and a segment only for the same bytes.

use super::fetch::Wanted;
use super::kind::{Kind, SEALED, is_sound};
use super::run::Run;
use crate::encryption::Encryption;
use crate::error::Error;
use crate::store::{Existing, Store, VaultStore};
use crate::whole::is_whole;

/// What opening a file shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Look {
    /// The hash of what it holds.
    Whole(blake3::Hash),
    Damaged,
    /// Nobody here can tell.
    Locked,
}

/// What a file is called when it is open, and what it holds then. Nobody is asked for a passphrase.
pub(super) fn open(chest: &VaultStore, file: &str, bytes: Vec<u8>) -> Result<(String, Vec<u8>), Look> {
    open_by(Encryption::opened, chest, file, bytes)
}

type Opening = fn(&Encryption, &str, Vec<u8>) -> Result<(String, Vec<u8>), Error>;

fn open_by(how: Opening, chest: &VaultStore, file: &str, bytes: Vec<u8>) -> Result<(String, Vec<u8>), Look> {
    let Some(seal) = chest.encryption().filter(|_| file.ends_with(SEALED)) else {
        return Ok((file.to_owned(), bytes));
    };
    if !chest.is_open() {
        return Err(Look::Locked);
    }
    how(seal, file, bytes).map_err(|error| match error {
        Error::Locked { .. } => Look::Locked,
        _ => Look::Damaged,
    })
}

impl Run<'_, '_> {
    pub(super) fn look(&self, file: &str, bytes: &[u8]) -> Look {
        seen(open(self.with.chest, file, bytes.to_vec()))
    }

    /// What nothing stands in the way of may always.
    pub(super) fn may_land(&self, wanted: &Wanted, bytes: &[u8]) -> bool {
        if wanted.existing == Existing::Refuse || wanted.is_sure {
            return true;
        }
        let Ok(standing) = self.with.local().read(&wanted.name) else { return true };
        let new = self.look(&wanted.name, bytes);
        // What has its name by a former key was let in when that counted; nothing new by it takes its place.
        let stands =
            || seen(open_by(Encryption::opened_ever, self.with.chest, &wanted.name, standing.clone()));
        match Kind::of(&wanted.name) {
            Kind::Document => new != Look::Damaged || !matches!(stands(), Look::Whole(_)),
            Kind::Segment if !is_sound(&wanted.name, &standing) => new != Look::Damaged,
            Kind::Segment => {
                let standing = stands();
                matches!(new, Look::Whole(_)) && (standing == new || !matches!(standing, Look::Whole(_)))
            }
        }
    }
}

fn seen(opened: Result<(String, Vec<u8>), Look>) -> Look {
    match opened {
        Ok((name, plain)) if is_whole(&name, &plain) => Look::Whole(blake3::hash(&plain)),
        Ok(_) => Look::Damaged,
        Err(look) => look,
    }
}
