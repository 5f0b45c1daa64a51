//! Files that were encrypted again, for other recipients → the same at the remote and with other machines.
//!
//! Only then are objects at a remote replaced. `renewed/<machine>/<number>` has the hash of every object since, so
//! that other machines find out which of their copies are old.

use std::collections::BTreeMap;
use std::path::Path;

use super::fetch::document;
use super::record::Record;
use super::run::Run;
use crate::error::Error;
use crate::replacement::ENCRYPTED;
use crate::store::{Existing, json_of, put_alone};

pub(super) const RENEWED: &str = "renewed";

/// Writes down that files of the vault at `root` are about to be encrypted again, for other recipients. To be called before
/// they are: whatever differs from what was sent without that counts as damaged, and is taken from the remote again.
pub fn record_reencryption(root: &Path) -> Result<(), Error> {
    let mut record = Record::read(root)?;
    record.renewed = record.renewed.saturating_add(1);
    record.write(root)
}

fn name_of(machine: &str, number: u64) -> String {
    format!("{RENEWED}/{machine}/{number:08}")
}

impl Run<'_, '_> {
    /// Whether a file may differ from what was sent.
    pub(super) fn is_reencrypting(&self, name: &str) -> bool {
        self.acknowledged.renewed < self.record.renewed && name.ends_with(ENCRYPTED)
    }

    /// How often it was before the record was lost.
    pub(super) fn recall_reencrypted(&mut self, last: u64) {
        let shift = last.saturating_sub(self.acknowledged.renewed);
        self.record.renewed = self.record.renewed.saturating_add(shift);
        self.acknowledged.renewed = self.acknowledged.renewed.max(last);
    }

    /// After the objects, before the head.
    pub(super) fn put_reencrypted(&mut self) -> Result<(), Error> {
        if self.acknowledged.renewed >= self.record.renewed {
            return Ok(());
        }
        self.reserve_head()?;
        let below = format!("machines/{}/", self.with.own);
        let known = self.sent.rows.iter().filter(|(_, row)| !row.hash.is_empty());
        let known: BTreeMap<&str, &str> =
            known.filter_map(|(name, row)| Some((name.strip_prefix(&below)?, row.hash.as_str()))).collect();
        let name = name_of(self.with.own, self.record.renewed);
        put_alone(self.with.remote, &name, &json_of(&name, &known)?, Existing::Replace)
    }

    /// The hashes of another machine's objects since they were encrypted again; `None` where it does not tell.
    pub(super) fn reencrypted_by(
        &mut self,
        machine: &str,
        number: u64,
    ) -> Result<Option<BTreeMap<String, String>>, Error> {
        let name = name_of(machine, number);
        let Some(bytes) = document(self.with.remote, &name)? else { return Ok(None) };
        let renewed = serde_json::from_slice(&bytes).ok();
        if renewed.is_none() {
            self.report.warn(&name, "it cannot be understood");
        }
        Ok(renewed)
    }
}
