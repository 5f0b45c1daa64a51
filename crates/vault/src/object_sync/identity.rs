//! The `vault.json` there and the one here → whether they are of one vault, and the same on both sides.

use serde_json::Value;

use super::fetch::document;
use super::gone::GONE;
use super::head::HEADS;
use super::reencrypted::RENEWED;
use super::run::Run;
use crate::admission::{Admission, Admissions};
use crate::error::Error;
use crate::header::short_hash;
use crate::store::{Existing, Store, put_alone, read_if_there};

pub(super) const VAULT: &str = "vault.json";

/// The `vault.json` at a remote.
pub fn remote_vault(remote: &dyn Store) -> Result<Option<Vec<u8>>, Error> {
    document(remote, VAULT)
}

impl Run<'_, '_> {
    /// Runs before anything is pulled or pushed. Of two changes since both were the same, the remote's wins.
    pub(super) fn agree_on_vault(&mut self) -> Result<(), Error> {
        let ours = self.our_vault()?;
        let theirs = match remote_vault(self.with.remote)? {
            Some(theirs) => theirs,
            None => match &ours {
                Some(ours) => self.create_vault(ours)?,
                None => return Err(refused("there is no vault")),
            },
        };
        self.check_objection(&theirs)?;
        if ours.as_ref() == Some(&theirs) {
            return self.agree(&theirs);
        }
        let is_theirs_known = self.acknowledged.vault.as_ref() == Some(&short_hash(&theirs));
        let is_one = ours.as_deref().and_then(id_of) == id_of(&theirs);
        let was_one =
            is_theirs_known || self.acknowledged.id.is_some() && self.acknowledged.id == id_of(&theirs);
        if self.acknowledged.vault.is_some() && !is_one && !was_one {
            return Err(refused("it holds another vault than it did before"));
        }
        // A `vault.json` that was lost and made anew here does not count.
        match ours.filter(|_| is_theirs_known && is_one) {
            Some(ours) => {
                self.reserve_head()?;
                put_alone(self.with.remote, VAULT, &ours, Existing::Replace)?;
                self.agree(&ours)
            }
            None => {
                put_alone(self.with.local(), VAULT, &theirs, Existing::Replace)?;
                self.agree(&theirs)
            }
        }
    }

    /// `false` when there is one to be sent, or none to compare with.
    pub(super) fn is_same_vault(&self) -> Result<bool, Error> {
        let ours = self.our_vault()?;
        Ok(ours.is_some_and(|ours| self.acknowledged.vault == Some(short_hash(&ours))))
    }

    fn our_vault(&self) -> Result<Option<Vec<u8>>, Error> {
        read_if_there(self.with.local(), VAULT)
    }

    fn agree(&mut self, vault: &[u8]) -> Result<(), Error> {
        let (hash, id) = (Some(short_hash(vault)), id_of(vault));
        if self.acknowledged.vault == hash && self.acknowledged.id == id {
            return Ok(());
        }
        (self.acknowledged.vault, self.acknowledged.id) = (hash, id);
        self.save_record()
    }

    fn check_objection(&self, theirs: &[u8]) -> Result<(), Error> {
        if id_of(theirs).is_none() {
            return Err(refused("its vault.json cannot be understood"));
        }
        match (self.with.objection)(theirs) {
            Some(reason) => Err(Error::Refused { reason }),
            None => Ok(()),
        }
    }

    /// Makes a vault where there is none, and gives the one that is there then.
    fn create_vault(&mut self, ours: &[u8]) -> Result<Vec<u8>, Error> {
        if let Some(reason) = (self.with.objection)(&[]) {
            return Err(Error::Refused { reason });
        }
        let admissions = Admissions::new(self.with.own);
        let is_strange = |name: &str| {
            let first = name.split('/').next().unwrap_or_default();
            !matches!(first, HEADS | GONE | RENEWED)
                && matches!(admissions.of(name.as_bytes()), Admission::Refused(_))
        };
        if self.with.remote.list("")?.iter().any(|entry| is_strange(&entry.name)) {
            return Err(refused("it holds other things than a vault"));
        }
        match put_alone(self.with.remote, VAULT, ours, Existing::Refuse) {
            Ok(()) => Ok(ours.to_owned()),
            Err(Error::Exists { .. }) => {
                remote_vault(self.with.remote)?.ok_or_else(|| refused("its vault.json comes and goes"))
            }
            Err(error) => Err(error),
        }
    }
}

fn refused(reason: &str) -> Error {
    Error::Refused { reason: reason.to_owned() }
}

fn id_of(vault: &[u8]) -> Option<String> {
    let document: Value = serde_json::from_slice(vault).ok()?;
    document.get("id")?.as_str().map(str::to_owned)
}
