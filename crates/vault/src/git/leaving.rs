//! Files of other machines that a commit lacks → which of them are removed here, too.
//!
//! Only a tombstone of its own machine removes a file; what a machine lost stays with all others. Of an encrypted file
//! that takes the key: a tombstone counts only if it opens under its name.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use jiff::Timestamp;

use super::blobs::Blobs;
use super::commit::ObjectId;
use super::error::Error;
use super::repository::{Repository, native};
use super::tree::unexpected;
use crate::encryption::{Encryption, is_object};
use crate::header::Header;
use crate::remote::Warning;
use crate::replacement::FileKind;
use crate::tombstones::{Tombstones, machine_of};

#[derive(Debug, Default)]
pub(super) struct Leaving {
    pub(super) removed: Vec<PathBuf>,
    pub(super) stayed: Vec<Warning>,
}

impl Repository {
    /// `paths` are those that the commit lacks. The index is still as it was before.
    pub(super) fn leaving(
        &self,
        commit: &ObjectId,
        paths: &[Vec<u8>],
        encryption: Option<&Encryption>,
    ) -> Result<Leaving, Error> {
        let mut leaving = Leaving::default();
        if paths.is_empty() {
            return Ok(leaving);
        }
        let encryption = encryption.filter(|encryption| encryption.is_open());
        let tombstones = self.tombstones(commit, encryption)?;
        for bytes in paths {
            let Some(path) = native(bytes) else { continue };
            let file = String::from_utf8_lossy(bytes);
            let full = self.root.join(&path);
            let opened = || open(encryption, &file, &full);
            let is_covered = |(name, header): (String, Option<Header>)| {
                let own = machine_of(&name).and_then(|(slug, _)| tombstones.get(slug));
                own.is_some_and(|own| own.cover(&name, header.as_ref()))
            };
            if !is_kept(&file) || !full.exists() || opened().is_some_and(is_covered) {
                leaving.removed.push(path);
            } else if !self.is_left(bytes) && !is_renamed(encryption, &file, &full) {
                let message = match is_object(&file) && encryption.is_none() {
                    true => "it is gone there, and without the key it is unknown why; it stays here",
                    false => "it is gone there, though its machine did not purge it; it stays here",
                };
                leaving.stayed.push(Warning::new(bytes, message));
            }
        }
        Ok(leaving)
    }

    /// The tombstones of a commit, by machine. Shared files go only with a tombstone that is new since the last sync.
    fn tombstones(
        &self,
        commit: &ObjectId,
        encryption: Option<&Encryption>,
    ) -> Result<BTreeMap<String, Tombstones>, Error> {
        let changes = self.staged(commit.as_str(), &["machines/"])?.into_iter();
        let fresh: BTreeSet<Vec<u8>> =
            changes.filter(|change| change.old_mode != "000000").map(|change| change.path).collect();
        let list = self.call(["ls-tree", "-r", "-z", commit.as_str(), "--", "machines/"]).bytes()?;
        let mut all: BTreeMap<String, Tombstones> = BTreeMap::new();
        let mut blobs = None;
        for (id, file) in list.split(|byte| *byte == 0).filter_map(listed) {
            let name =
                match encryption.filter(|_| is_object(&file) && FileKind::of(&file) == FileKind::Document) {
                    None => file.clone(),
                    Some(encryption) => {
                        let blobs = match &mut blobs {
                            Some(blobs) => blobs,
                            None => blobs.insert(Blobs::start(self)?),
                        };
                        let bytes = blobs.read(&id);
                        let bytes = bytes
                            .map_err(|error| unexpected("git cat-file", error.to_string().as_bytes()))?;
                        let Ok((name, _)) = encryption.opened(&file, bytes) else { continue };
                        name
                    }
                };
            let Some((slug, stem)) = machine_of(&name).map(|(slug, _)| slug).zip(stem_of(&name)) else {
                continue;
            };
            let own = all.entry(slug.to_owned()).or_default();
            own.add(stem.to_owned());
            if fresh.contains(file.as_bytes()) {
                own.add_shared(Timestamp::MAX);
            }
        }
        Ok(all)
    }
}

/// The plain name and the header of a file on the disk.
fn open(encryption: Option<&Encryption>, file: &str, path: &Path) -> Option<(String, Option<Header>)> {
    let bytes = read_file(path)?;
    let (name, plain) = match is_object(file) {
        true => encryption?.opened(file, bytes).ok()?,
        false => (file.to_owned(), bytes),
    };
    let header = Header::of(&plain);
    Some((name, header))
}

/// Whether its name is by a key that was given up: its machine has given it another since, or will.
fn is_renamed(encryption: Option<&Encryption>, file: &str, path: &Path) -> bool {
    let Some(encryption) = encryption.filter(|one| !one.former().is_empty() && is_object(file)) else {
        return false;
    };
    let opened = read_file(path).and_then(|bytes| encryption.opened_ever(file, bytes).ok());
    opened.is_some_and(|(name, _)| encryption.object_of(&name) != file)
}

fn read_file(path: &Path) -> Option<Vec<u8>> {
    let is_plain = path.symlink_metadata().is_ok_and(|metadata| metadata.is_file());
    is_plain.then(|| fs::read(path).ok()).flatten()
}

/// Whether a file is kept content of a machine, and no document about the machine itself.
fn is_kept(name: &str) -> bool {
    let is_plain_one = name.ends_with(".zst") || name.ends_with(".gz") || name.contains("/config/");
    name.starts_with("machines/") && (is_plain_one || is_object(name))
}

/// `…/tombstones/<stem>.json`
fn stem_of(name: &str) -> Option<&str> {
    let (directory, leaf) = name.rsplit_once('/')?;
    directory.ends_with("/tombstones").then(|| leaf.strip_suffix(".json")).flatten()
}

/// `<mode> blob <id>\t<path>`
fn listed(line: &[u8]) -> Option<(ObjectId, String)> {
    let (head, path) = std::str::from_utf8(line).ok()?.split_once('\t')?;
    Some((ObjectId::parse(head.rsplit(' ').next()?)?, path.to_owned()))
}
