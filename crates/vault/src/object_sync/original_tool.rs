//! Files of the original tool at the root of the vault: shared by all machines, put where missing, never replaced.

use super::compare;
use super::fetch::{document, list_below};
use super::run::Run;
use crate::admission::{Admission, Admissions};
use crate::error::Error;
use crate::store::Entry;

impl Run<'_, '_> {
    pub(super) fn pull_original(&mut self) -> Result<bool, Error> {
        let admissions = Admissions::new(self.with.own);
        let there = self.original_there()?.into_iter();
        let there: Vec<Entry> =
            there.filter(|entry| admissions.of(entry.name.as_bytes()) == Admission::Older).collect();
        let (here, missing): (Vec<_>, Vec<_>) =
            there.into_iter().partition(|entry| self.files.contains_key(&entry.name));
        let wanted = missing.iter().map(|entry| compare::wanted(&entry.name, Some(entry.len), None));
        let (is_all, written) = self.download(wanted.collect())?;
        for name in here.into_iter().map(|entry| entry.name).chain(written) {
            if !self.sent.rows.contains_key(&name) {
                self.note_received(&name);
            }
        }
        Ok(is_all)
    }

    pub(super) fn original_there(&self) -> Result<Vec<Entry>, Error> {
        let mut there = Vec::new();
        for name in compare::older(self.with) {
            if !name.contains('.') {
                there.extend(list_below(self.with.remote, name)?);
            } else if let Some(bytes) = document(self.with.remote, name)? {
                let len = bytes.len() as u64;
                there.push(Entry { name: name.to_owned(), len, modified: None });
            }
        }
        Ok(there)
    }
}
