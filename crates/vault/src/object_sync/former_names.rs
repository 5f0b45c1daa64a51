//! Our directory under a key that was given up → gone from the remote, once all is there under its new name.
//!
//! The heads go last: as long as one of them is there, the listing that every sync begins with says that something
//! is left to do.

use super::compare;
use super::fetch::{Fetched, document, fetch, list_below};
use super::gone::GONE;
use super::head::{HEADS, Head, claim_of};
use super::parallel::each;
use super::reencrypted::RENEWED;
use super::run::Run;
use crate::error::Error;
use crate::store::{Existing, Store, put_alone};

const OLDER: &str = "older";

impl Run<'_, '_> {
    /// Our former directories that the remote still has.
    pub(super) fn former_there(&self) -> Vec<String> {
        let there = self.heads.machines();
        self.with.store.former_directories().into_iter().filter(|left| there.contains(left)).collect()
    }

    /// A file that was lost here before it got its new name is recovered, if the remote has it as it was encrypted here.
    /// A holder of the old key can make other objects, and those stay where they are.
    pub(super) fn recover_former(&mut self) -> Result<(), Error> {
        let store = self.with.store;
        for directory in self.former_there() {
            if !self.is_own_former(&directory)? {
                continue;
            }
            for entry in self.with.remote.list(&format!("machines/{directory}"))? {
                let object = &entry.name;
                if store.remembered(object).is_none() || !self.is_lacking(object)? {
                    continue;
                }
                let wanted = compare::wanted(object, Some(entry.len), None);
                let Fetched::Whole(bytes) = fetch(self.with.remote, &wanted)? else { continue };
                let opened = Some(bytes).filter(|bytes| store.was_encrypted_here(object, bytes));
                let Some((name, plain)) = opened.and_then(|bytes| store.open_file(object, bytes)) else {
                    continue;
                };
                put_alone(store, &name, &plain, Existing::Refuse)?;
                self.note_file(&store.next_file_of(&name));
                self.report.received += 1;
                self.report.warn(&name, "it was gone from the vault, and was taken from the remote again");
            }
        }
        Ok(())
    }

    /// Two machines may have used one name. Without the key it is unknown what the objects hold.
    fn is_own_former(&self, directory: &str) -> Result<bool, Error> {
        let claim = document(self.with.remote, &claim_of(directory))?;
        let claim = claim.and_then(|claim| Head::parse(&claim));
        Ok(self.with.store.is_open() && claim.is_none_or(|claim| claim.machine == self.with.installation))
    }

    /// Whether anything had to go.
    pub(super) fn remove_former(&mut self) -> Result<bool, Error> {
        let mut is_any = false;
        for directory in self.former_there() {
            if !self.is_own_former(&directory)? {
                continue;
            }
            is_any = true;
            if self.remove_objects(&directory)? {
                self.remove_older()?;
                self.remove_below(&[GONE, RENEWED].map(|place| format!("{place}/{directory}")))?;
                self.remove_below(&[format!("{HEADS}/{directory}")])?;
            }
        }
        Ok(is_any)
    }

    /// Whether nothing stays. What was lost here must not be lost there, too.
    fn remove_objects(&mut self, directory: &str) -> Result<bool, Error> {
        let remote = self.with.remote;
        let listed = list_below(remote, &format!("machines/{directory}"))?;
        let stays = each(&listed, |entry| self.is_lacking(&entry.name));
        let batch = remote.batch()?;
        let mut is_all = true;
        for (entry, stays) in listed.iter().zip(stays) {
            if stays? {
                is_all = false;
                self.report.warn(&entry.name, "it is not here under its new name, and stays there");
            } else {
                batch.remove(&entry.name)?;
            }
        }
        batch.commit()?;
        Ok(is_all)
    }

    /// Whether what an object holds is not here, and not gone on purpose either.
    fn is_lacking(&self, object: &str) -> Result<bool, Error> {
        if self.is_gone(object) {
            return Ok(false);
        }
        let name = match self.with.store.remembered(object) {
            Some(known) => Some(known.name),
            None => self.name_there(object)?,
        };
        Ok(name.is_some_and(|name| {
            let next = self.with.store.next_file_of(&name);
            // What was purged after it got its new name was never sent under that.
            !self.files.contains_key(&*next) && !self.is_gone(&next)
        }))
    }

    /// `None` where it does not open.
    fn name_there(&self, object: &str) -> Result<Option<String>, Error> {
        let wanted = compare::wanted(object, None, None);
        match fetch(self.with.remote, &wanted)? {
            Fetched::Whole(bytes) => Ok(self.with.store.open_file(object, bytes).map(|(name, _)| name)),
            _ => Ok(None),
        }
    }

    fn remove_below(&self, places: &[String]) -> Result<(), Error> {
        let remote = self.with.remote;
        let batch = remote.batch()?;
        for place in places {
            for entry in list_below(remote, place)? {
                batch.remove(&entry.name)?;
            }
        }
        batch.commit()
    }

    /// The files of the original tool are in no machine's directory.
    fn remove_older(&self) -> Result<(), Error> {
        let Some(encryption) = self.with.store.encryption() else { return Ok(()) };
        let ours = self.files.keys().filter(|file| file.starts_with(OLDER));
        let names: Vec<String> = ours.filter_map(|file| self.with.store.name_of(file)).collect();
        if names.is_empty() {
            return Ok(());
        }
        let there = self.with.remote.list(OLDER)?;
        let former = names.iter().flat_map(|name| encryption.former_objects_of(name));
        let former = former.filter(|object| !self.files.contains_key(object));
        let batch = self.with.remote.batch()?;
        for object in former.filter(|object| there.iter().any(|entry| entry.name == *object)) {
            batch.remove(&object)?;
        }
        batch.commit()
    }
}
