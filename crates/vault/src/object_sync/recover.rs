//! Files of ours that are gone or damaged here → as they were sent.

use std::collections::BTreeSet;

use super::compare::{row, wanted};
use super::fetch::Wanted;
use super::run::Run;
use crate::error::Error;
use crate::header::{Header, short_hash};
use crate::replacement::FileKind;
use crate::store::{Entry, Existing, Store};
use crate::tombstones::Tombstones;

impl Run<'_, '_> {
    pub(super) fn recover_lost(&mut self, lost: Vec<Wanted>) -> Result<(), Error> {
        if lost.is_empty() {
            return Ok(());
        }
        self.tombstones = Tombstones::read(self.with.local(), self.with.own)?;
        self.tombstones.forget_shared();
        let names: Vec<String> = lost.iter().map(|wanted| wanted.name.clone()).collect();
        let (_, written) = self.download(lost)?;
        self.tombstones = Tombstones::default();
        self.doubted.clear();
        let written: BTreeSet<String> = written.into_iter().collect();
        for name in names {
            let was_sent = self.sent.rows.contains_key(&name);
            if written.contains(&name) {
                self.note_received(&name);
                if was_sent {
                    self.report
                        .warn(&name, "it was gone from the vault, and was taken from the remote again");
                }
            } else if self.sent.rows.remove(&name).is_some() && !self.purged.remove(&name) {
                self.report
                    .warn(&name, "it is gone from the vault, and the remote does not have what was sent");
            }
        }
        self.save_sent();
        Ok(())
    }

    /// A damaged segment is not sent; the remote's copy replaces it.
    pub(super) fn recover_damaged(&mut self, names: Vec<String>) -> Result<(), Error> {
        let replacing = |name: &String| {
            let row = self.sent.rows.get(name);
            Wanted { existing: Existing::Replace, ..wanted(name, row.map(|row| row.len), row) }
        };
        let damaged: Vec<Wanted> = names.iter().map(replacing).collect();
        if damaged.is_empty() {
            return Ok(());
        }
        let (_, written) = self.download(damaged)?;
        self.doubted.clear();
        for name in names {
            if written.contains(&name) {
                self.note_received(&name);
                self.report.warn(&name, "it was damaged, and was taken from the remote again");
            } else {
                self.report.warn(&name, "it is damaged, and is not sent");
            }
        }
        Ok(())
    }

    /// A purged segment stays gone, whether or not the remote has heard of the purge.
    pub(super) fn is_purged(&self, name: &str, bytes: &[u8]) -> bool {
        Header::of(bytes).is_some_and(|header| self.tombstones.cover(name, Some(&header)))
    }

    /// Enters a file that was pulled.
    pub(super) fn note_file(&mut self, name: &str) -> Option<Entry> {
        let file = self.with.local().entry(name)?;
        self.files.insert(name.to_owned(), file.clone());
        Some(file)
    }

    /// The same, and it is there under this name.
    pub(super) fn note_received(&mut self, name: &str) {
        let Some(file) = self.note_file(name) else { return };
        let known = self.sent.rows.get(name);
        let is_document = FileKind::of(name) == FileKind::Document;
        let hash = match known {
            Some(row) if !row.hash.is_empty() => row.hash.clone(),
            _ if is_document => {
                self.with.local().read(name).map(|bytes| short_hash(&bytes)).unwrap_or_default()
            }
            _ => String::new(),
        };
        self.sent.rows.insert(name.to_owned(), row(&file, hash, is_document));
    }
}
