//! Files of other machines that a commit lacks → which of them may go here, too.
//!
//! A vault only ever grows. What a machine purged goes, and a tombstone of that machine says so; what it merely lost
//! stays with everybody else.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use super::admission::native;
use super::commit::ObjectId;
use super::error::Error;
use super::index::Difference;
use super::repository::Repository;
use super::sealed::{self, is_sealed};
use super::warning::Warning;
use crate::encryption::Encryption;
use crate::header::Header;
use crate::purge::Tombstone;

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
        seal: Option<&Encryption>,
    ) -> Result<Leaving, Error> {
        let mut leaving = Leaving::default();
        if paths.is_empty() {
            return Ok(leaving);
        }
        let seal = seal.filter(|_| paths.iter().any(|path| is_sealed(&String::from_utf8_lossy(path))));
        let graves = self.graves(commit, seal)?;
        for bytes in paths {
            let Some(path) = native(bytes) else { continue };
            let name = String::from_utf8_lossy(bytes);
            let full = self.root.join(&path);
            if !is_kept(&name) || !full.exists() || graves.hold_file(seal, &name, &full) {
                leaving.removed.push(path);
            } else if !self.is_left(bytes) && !sealed::is_renamed(seal, &name, &full) {
                let message = match is_sealed(&name) && !can_tell(seal) {
                    true => "it is gone there, and without the key nobody can tell why; it stays here",
                    false => "it is gone there, though nobody purged it; it stays here",
                };
                leaving.stayed.push(Warning::new(bytes, message));
            }
        }
        Ok(leaving)
    }

    fn graves(&self, commit: &ObjectId, seal: Option<&Encryption>) -> Result<Graves, Error> {
        let call = ["ls-tree", "-r", "-z", "--name-only", commit.as_str(), "--", "machines/"];
        let names = texts(&self.call(call).bytes()?);
        let mut tombstones: Vec<String> = names.into_iter().filter(|name| is_tombstone(name)).collect();
        let mut documents = self.documents(commit, seal)?;
        documents.retain(|(_, name)| is_tombstone(name));
        tombstones.extend(documents.iter().map(|(_, name)| name.clone()));
        let changes = self.staged(commit.as_str(), &["machines/"])?;
        let is_here = |change: &&Difference| change.old_mode != "000000";
        let fresh = changes.iter().filter(is_here).map(|change| String::from_utf8_lossy(&change.path));
        let plain_name = |file: String| match documents.iter().find(|(sealed, _)| *sealed == file) {
            Some((_, name)) => name.clone(),
            None => file,
        };
        let fresh = fresh.map(|name| plain_name(name.into_owned()));
        let fresh = fresh.filter(|name| is_tombstone(name)).map(|name| machine_of(&name).to_owned());
        Ok(Graves { tombstones, fresh: fresh.collect() })
    }
}

/// Who says that something was purged.
struct Graves {
    tombstones: Vec<String>,
    /// Machines that purged something since we last looked.
    fresh: Vec<String>,
}

impl Graves {
    fn hold_file(&self, seal: Option<&Encryption>, name: &str, file: &Path) -> bool {
        if !is_sealed(name) {
            return self.hold(name, header_of(file).as_ref());
        }
        let opened = sealed::opened(seal, name, file);
        opened.is_some_and(|(name, bytes)| self.hold(&name, Header::of(&bytes).as_ref()))
    }

    fn hold(&self, name: &str, header: Option<&Header>) -> bool {
        let machine = machine_of(name);
        let own = || self.tombstones.iter().filter(|tombstone| machine_of(tombstone) == machine);
        if own().any(|tombstone| is_named(name, stem(tombstone))) {
            return true;
        }
        let session = header.and_then(|header| header.session.as_ref());
        if let Some(session) = session {
            return own().any(|tombstone| stem(tombstone) == Tombstone::stem(session));
        }
        // Plans and lists of prompts are nobody's alone, and are rewritten when something is purged.
        let is_shared = header.is_some() || name.ends_with("/history.jsonl.gz");
        is_shared && self.fresh.iter().any(|fresh| fresh == machine)
    }
}

/// What a machine keeps, as opposed to what it says about itself.
fn is_kept(name: &str) -> bool {
    let is_plain_one = name.ends_with(".zst") || name.ends_with(".gz") || name.contains("/config/");
    name.starts_with("machines/") && (is_plain_one || is_sealed(name))
}

fn can_tell(seal: Option<&Encryption>) -> bool {
    seal.is_some_and(|seal| seal.keyring().keys().is_ok())
}

fn is_tombstone(name: &str) -> bool {
    name.ends_with(".json") && name.rsplit('/').nth(1) == Some("tombstones")
}

/// `machines/<slug>/…`
fn machine_of(name: &str) -> &str {
    name.split('/').nth(1).unwrap_or_default()
}

fn stem(tombstone: &str) -> &str {
    let name = tombstone.rsplit('/').next().unwrap_or_default();
    name.strip_suffix(".json").unwrap_or(name)
}

/// Whether a path is one of those that the client builds from a session's id.
fn is_named(path: &str, id: &str) -> bool {
    let is_of = |rest: &str| rest.is_empty() || rest.starts_with('.') || rest.starts_with("-agent-");
    path.split('/').skip(2).any(|part| part.strip_prefix(id).is_some_and(is_of))
}

fn header_of(file: &Path) -> Option<Header> {
    let is_plain = file.symlink_metadata().is_ok_and(|metadata| metadata.is_file());
    let mut reader = is_plain.then(|| File::open(file).ok()).flatten()?;
    Header::read(&mut reader.by_ref()).ok()
}

fn texts(list: &[u8]) -> Vec<String> {
    let names = list.split(|byte| *byte == 0).filter(|name| !name.is_empty());
    names.map(|name| String::from_utf8_lossy(name).into_owned()).collect()
}
