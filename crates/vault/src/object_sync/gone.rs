//! Files that were erased on purpose → gone at the remote, and from other machines.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::fetch::{document, list_below};
use super::record::{Gone, Record};
use super::run::Run;
use crate::error::Error;
use crate::private::leads_through_link;
use crate::store::{Entry, Existing, Store, json_of};
use crate::tombstones::AllTombstones;

pub(super) const GONE: &str = "gone";

pub(super) fn name_of(machine: &str, number: u64) -> String {
    format!("{GONE}/{machine}/{number:08}")
}

/// Writes down that files of ours, in the vault at `root`, are erased on purpose. To be called before they are removed:
/// whatever is missing without that counts as lost, and is taken from the remote again.
pub fn record_gone(root: &Path, own: &str, names: &[String]) -> Result<(), Error> {
    let mut record = Record::read(root)?;
    let below = format!("machines/{own}/");
    let is_new = |name: &&String| {
        name.starts_with(&below) && !record.gone.iter().any(|gone| gone.names.contains(name))
    };
    let names: Vec<String> = names.iter().filter(is_new).cloned().collect();
    if names.is_empty() {
        return Ok(());
    }
    let number = record.gone.last().map_or(1, |last| last.number.saturating_add(1));
    record.gone.push(Gone { number, names });
    record.write(root)
}

impl Run<'_, '_> {
    pub(super) fn is_gone(&self, name: &str) -> bool {
        self.record.gone.iter().any(|gone| gone.names.iter().any(|gone| gone == name))
    }

    /// A file here again is not gone: it was kept anew, or the process that was to erase it was killed.
    pub(super) fn reclaim(&mut self) -> Result<(), Error> {
        let mut changed = None;
        for gone in &mut self.record.gone {
            let before = gone.names.len();
            gone.names.retain(|name| !self.files.contains_key(name));
            if gone.names.len() != before {
                changed = changed.or(Some(gone.number));
            }
        }
        let Some(first) = changed else { return Ok(()) };
        let last_unchanged = first.saturating_sub(1);
        for remote in self.record.remotes.values_mut().chain([&mut self.acknowledged]) {
            remote.gone = remote.gone.min(last_unchanged);
        }
        self.save_record()
    }

    pub(super) fn last_gone(&self) -> u64 {
        self.record.gone.last().map_or(0, |last| last.number)
    }

    /// Puts the lists first: an object that is missing without one counts as lost.
    pub(super) fn put_gone(&mut self) -> Result<(), Error> {
        let unsent = self.record.gone.iter().filter(|gone| gone.number > self.acknowledged.gone);
        let unsent: Vec<Gone> = unsent.cloned().collect();
        if unsent.is_empty() {
            return Ok(());
        }
        self.reserve_head()?;
        let batch = self.with.remote.batch()?;
        let below = format!("machines/{}/", self.with.own);
        for mut gone in unsent {
            gone.names.retain(|name| name.starts_with(&below));
            let name = name_of(self.with.own, gone.number);
            batch.put(&name, &json_of(&name, &gone)?, Existing::Replace)?;
            for name in &gone.names {
                batch.remove(name)?;
                self.sent.rows.remove(name);
            }
        }
        batch.commit()
    }

    /// The lists of a machine that make sense.
    fn lists_of(&mut self, machine: &str) -> Result<Vec<Gone>, Error> {
        let directory = format!("{GONE}/{machine}");
        let below = format!("machines/{machine}/");
        let mut found = Vec::new();
        for entry in list_below(self.with.remote, &directory)? {
            let Some(bytes) = document(self.with.remote, &entry.name)? else { continue };
            match serde_json::from_slice::<Gone>(&bytes) {
                Ok(mut gone) => {
                    gone.names.retain(|name| name.starts_with(&below));
                    found.push(gone);
                }
                Err(_) => self.report.warn(&entry.name, "it cannot be understood"),
            }
        }
        Ok(found)
    }

    /// Recalls what this vault erased before its record was lost, or it was put back from an older copy. Lists that the
    /// remote has not heard of follow those that it has.
    pub(super) fn recall_gone(&mut self, last: u64) -> Result<(), Error> {
        if last <= self.acknowledged.gone {
            return Ok(());
        }
        let shift = last - self.acknowledged.gone;
        let known = self.acknowledged.gone;
        let mut lists = self.lists_of(self.with.own)?;
        lists.retain(|gone| gone.number <= last);
        lists.sort_by_key(|gone| gone.number);
        if lists.last().is_none_or(|gone| gone.number < last) {
            lists.push(Gone { number: last, names: Vec::new() });
        }
        for gone in &mut lists {
            gone.names.retain(|name| !self.files.contains_key(name));
        }
        let unsent = self.record.gone.drain(..).filter(|gone| gone.number > known);
        lists.extend(unsent.map(|gone| Gone { number: gone.number.saturating_add(shift), ..gone }));
        self.record.gone = lists;
        self.acknowledged.gone = last;
        self.save_record()
    }

    /// Every name in a machine's lists.
    pub(super) fn gone_from(&mut self, machine: &str) -> Result<BTreeSet<String>, Error> {
        Ok(self.lists_of(machine)?.into_iter().flat_map(|gone| gone.names).collect())
    }

    /// Anyone with write access can put a list there: only files that a tombstone of the machine covers are removed.
    pub(super) fn erase(
        &mut self,
        machine: &str,
        names: &BTreeSet<String>,
        here: &BTreeMap<&str, &Entry>,
    ) -> Result<(), Error> {
        let root = self.with.local().root();
        let is_here = |name: &&str| here.contains_key(name) && !leads_through_link(root, name);
        let named: Vec<&str> = names.iter().map(String::as_str).filter(is_here).collect();
        if named.is_empty() {
            return Ok(());
        }
        let mut tombstones = AllTombstones::of(self.with.store);
        let purged: Vec<&str> = named.iter().copied().filter(|file| tombstones.cover_file(file)).collect();
        let batch = self.with.local().batch()?;
        purged.iter().try_for_each(|name| batch.remove(name))?;
        batch.commit()?;
        self.report.removed += purged.len() as u64;
        let stay = named.len() - purged.len();
        if stay > 0 {
            let message =
                format!("no tombstone of that machine speaks of {stay} files in it; they stay here");
            self.report.warn(&format!("{GONE}/{machine}"), message);
        }
        Ok(())
    }
}
