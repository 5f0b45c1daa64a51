//! Sealed files of other machines: what can be told of them, with the key and without.
//!
//! Whoever writes to a remote can put anything there but an object that opens under its name. So only such a one takes
//! the place of another, and only such a tombstone says that something was purged.

use std::fs;
use std::path::Path;

use super::batch::Batch;
use super::commit::ObjectId;
use super::error::Error;
use super::repository::Repository;
use super::tree::unexpected;
use crate::encryption::{Encryption, is_object, is_sound};

pub(super) fn is_sealed(name: &str) -> bool {
    is_object(name)
}

/// Whether what stands stays. Documents change now and then, so that without a key a sound one is taken; a segment is
/// only ever sealed anew, and the old one does as well.
pub(super) fn is_worse(seal: Option<&Encryption>, name: &str, standing: &[u8], incoming: &[u8]) -> bool {
    match seal.and_then(|seal| seal.is_whole(name, incoming)) {
        Some(is_whole) => !is_whole,
        None if is_document(name) && seal.is_none_or(|seal| seal.keyring().keys().is_err()) => {
            !is_sound(incoming)
        }
        None => is_sound(standing) || !is_sound(incoming),
    }
}

/// What a file on the disk is called, and what it holds.
pub(super) fn opened(seal: Option<&Encryption>, name: &str, file: &Path) -> Option<(String, Vec<u8>)> {
    let is_plain = file.symlink_metadata().is_ok_and(|metadata| metadata.is_file());
    let bytes = is_plain.then(|| fs::read(file).ok()).flatten()?;
    seal?.opened(name, bytes).ok()
}

/// Whether its name is by a key that was given up: its machine has given it another since, or will.
pub(super) fn is_renamed(seal: Option<&Encryption>, file: &str, path: &Path) -> bool {
    let Some(seal) = seal.filter(|seal| !seal.former().is_empty() && is_sealed(file)) else { return false };
    let opened = fs::read(path).ok().and_then(|bytes| seal.opened_ever(file, bytes).ok());
    opened.is_some_and(|(name, _)| seal.object_of(&name) != file)
}

impl Repository {
    /// The sealed documents of a commit that open: the names of their files, and their own.
    pub(super) fn documents(
        &self,
        commit: &ObjectId,
        seal: Option<&Encryption>,
    ) -> Result<Vec<(String, String)>, Error> {
        let Some(seal) = seal else { return Ok(Vec::new()) };
        let list = self.call(["ls-tree", "-r", "-z", commit.as_str(), "--", "machines/"]).bytes()?;
        let listed = list.split(|byte| *byte == 0).filter_map(listed);
        let mut batch = Batch::start(self)?;
        let mut documents = Vec::new();
        for (id, file) in listed.filter(|(_, file)| is_sealed(file) && is_document(file)) {
            let mut bytes = Vec::new();
            let copied = batch.copy(&id, &mut bytes).and_then(|copied| copied);
            copied.map_err(|error| unexpected("git cat-file", error.to_string().as_bytes()))?;
            documents.extend(seal.opened(&file, bytes).ok().map(|(name, _)| (file, name)));
        }
        Ok(documents)
    }
}

/// `<mode> blob <id>\t<path>`
fn listed(line: &[u8]) -> Option<(ObjectId, String)> {
    let (head, path) = std::str::from_utf8(line).ok()?.split_once('\t')?;
    Some((ObjectId::parse(head.rsplit(' ').next()?)?, path.to_owned()))
}

fn is_document(name: &str) -> bool {
    name.contains("/documents/")
}
