//! Files that were sealed anew, for other recipients → the same at the remote and with other machines.
//!
//! It is the one time that what was sent once is replaced. `renewed/<machine>/<number>` tells what every object is
//! known by since, so that others find out which of theirs are of before.

use std::collections::BTreeMap;
use std::path::Path;

use super::fetch::document;
use super::kind::SEALED;
use super::record::Record;
use super::run::Run;
use crate::error::Error;
use crate::store::Existing;

pub(super) const RENEWED: &str = "renewed";

/// Writes down that files of the vault at `root` are about to be sealed anew, for other recipients. To be called before
/// they are: whatever differs from what was sent without that counts as damaged, and is taken from the remote again.
pub fn renew(root: &Path) -> Result<(), Error> {
    let mut record = Record::read(root)?;
    record.renewed = record.renewed.saturating_add(1);
    record.write(root)
}

fn name_of(machine: &str, number: u64) -> String {
    format!("{RENEWED}/{machine}/{number:08}")
}

impl Run<'_, '_> {
    /// What differs from what was sent is meant to.
    pub(super) fn is_renewing(&self, name: &str) -> bool {
        self.told.renewed < self.record.renewed && name.ends_with(SEALED)
    }

    /// How often it was before the record was lost.
    pub(super) fn recall_renewed(&mut self, last: u64) {
        let shift = last.saturating_sub(self.told.renewed);
        self.record.renewed = self.record.renewed.saturating_add(shift);
        self.told.renewed = self.told.renewed.max(last);
    }

    /// After the objects, before the head.
    pub(super) fn put_renewed(&mut self) -> Result<(), Error> {
        if self.told.renewed >= self.record.renewed {
            return Ok(());
        }
        self.announce()?;
        let below = format!("machines/{}/", self.with.own);
        let known = self.sent.rows.iter().filter(|(_, row)| !row.hash.is_empty());
        let known: BTreeMap<&str, &str> =
            known.filter_map(|(name, row)| Some((name.strip_prefix(&below)?, row.hash.as_str()))).collect();
        let name = name_of(self.with.own, self.record.renewed);
        let bytes = serde_json::to_vec(&known).map_err(|error| Error::write(&name)(error.into()))?;
        let batch = self.with.remote.batch()?;
        batch.put(&name, &bytes, Existing::Replace)?;
        batch.commit()
    }

    /// What the objects of another machine are known by since they were sealed anew; nothing where it does not tell.
    pub(super) fn renewed_by(
        &mut self,
        machine: &str,
        number: u64,
    ) -> Result<Option<BTreeMap<String, String>>, Error> {
        let name = name_of(machine, number);
        let Some(bytes) = document(self.with.remote, &name)? else { return Ok(None) };
        let renewed = serde_json::from_slice(&bytes).ok();
        if renewed.is_none() {
            self.report.warn(&name, "it makes no sense");
        }
        Ok(renewed)
    }
}
