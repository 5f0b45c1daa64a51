//! The name of an object → its bytes, if they are what was asked for.

use crate::error::Error;
use crate::header::short_hash;
use crate::replacement::is_sound;
use crate::store::{Entry, Existing, Store};

/// No kept file is larger, but a remote may claim any length.
const LARGEST: u64 = 1 << 30;
/// Documents of ours at a remote.
const LARGEST_DOCUMENT: u64 = 64 << 20;

#[derive(Debug, Clone)]
pub(super) struct Wanted {
    pub(super) name: String,
    /// By the listing, where there was one.
    pub(super) len: Option<u64>,
    /// The start of the hash, where it is known.
    pub(super) hash: Option<String>,
    /// The hash is of what this machine sent itself.
    pub(super) is_sure: bool,
    /// Whether it may replace a file here.
    pub(super) existing: Existing,
}

#[derive(Debug)]
pub(super) enum Fetched {
    Whole(Vec<u8>),
    /// The remote has no such object.
    Missing,
    /// Not what was said to be there.
    Other,
    Damaged,
    TooLarge,
}

pub(super) fn fetch(remote: &dyn Store, wanted: &Wanted) -> Result<Fetched, Error> {
    let most = wanted.len.unwrap_or(LARGEST);
    if most > LARGEST {
        return Ok(Fetched::TooLarge);
    }
    let Some(bytes) = read(remote, &wanted.name, most)? else { return Ok(Fetched::Missing) };
    let is_said = wanted.len.is_none_or(|len| len == bytes.len() as u64)
        && wanted.hash.as_ref().is_none_or(|hash| *hash == short_hash(&bytes));
    Ok(match () {
        () if bytes.len() as u64 > most && wanted.len.is_none() => Fetched::TooLarge,
        () if !is_said => Fetched::Other,
        () if !is_sound(&wanted.name, &bytes) => Fetched::Damaged,
        () => Fetched::Whole(bytes),
    })
}

/// One byte more than `most` at most.
fn read(remote: &dyn Store, name: &str, most: u64) -> Result<Option<Vec<u8>>, Error> {
    match remote.read_within(name, most) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(Error::Missing { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

/// All objects below a place; a remote may list others.
pub(super) fn list_below(remote: &dyn Store, place: &str) -> Result<Vec<Entry>, Error> {
    let mut listed = remote.list(place)?;
    listed.retain(|entry| entry.name.strip_prefix(place).is_some_and(|rest| rest.starts_with('/')));
    Ok(listed)
}

/// A head, list or `vault.json`; `None` where there is none, or it is far too large.
pub(super) fn document(remote: &dyn Store, name: &str) -> Result<Option<Vec<u8>>, Error> {
    Ok(read(remote, name, LARGEST_DOCUMENT)?.filter(|bytes| bytes.len() as u64 <= LARGEST_DOCUMENT))
}
