//! Files of ours that are gone or damaged here → as they were sent.

use std::collections::BTreeSet;
use std::fs;

use super::fetch::Wanted;
use super::kind::{Kind, hash_of};
use super::own::{row, wanted};
use super::run::Run;
use crate::error::Error;
use crate::header::Header;
use crate::purge::Tombstone;
use crate::store::{Entry, Existing, Store};

impl Run<'_, '_> {
    pub(super) fn take_back(&mut self, lost: Vec<Wanted>) -> Result<(), Error> {
        if lost.is_empty() {
            return Ok(());
        }
        let tombstones = Tombstone::all(self.with.local(), self.with.own)?;
        self.graves = tombstones.into_iter().map(|tombstone| tombstone.session).collect();
        let names: Vec<String> = lost.iter().map(|wanted| wanted.name.clone()).collect();
        let (_, landed) = self.land(lost)?;
        self.graves.clear();
        self.doubted.clear();
        let landed: BTreeSet<String> = landed.into_iter().collect();
        for name in names {
            let was_sent = self.sent.rows.contains_key(&name);
            if landed.contains(&name) {
                self.welcome(&name);
                if was_sent {
                    self.report
                        .warn(&name, "it was gone from the vault, and was taken from the remote again");
                }
            } else if self.sent.rows.remove(&name).is_some() && !self.buried.remove(&name) {
                self.report
                    .warn(&name, "it is gone from the vault, and the remote does not have what was sent");
            }
        }
        self.save_sent();
        Ok(())
    }

    /// Whoever finds a segment damaged does not send it: what was sent first stays what it is.
    pub(super) fn mend(&mut self, names: Vec<String>) -> Result<(), Error> {
        let replacing = |name: &String| {
            let row = self.sent.rows.get(name);
            Wanted { existing: Existing::Replace, ..wanted(name, row.map(|row| row.len), row) }
        };
        let damaged: Vec<Wanted> = names.iter().map(replacing).collect();
        if damaged.is_empty() {
            return Ok(());
        }
        let (_, landed) = self.land(damaged)?;
        self.doubted.clear();
        for name in names {
            if landed.contains(&name) {
                self.welcome(&name);
                self.report.warn(&name, "it was damaged, and was taken from the remote again");
            } else {
                self.report.warn(&name, "it is damaged, and is not sent");
            }
        }
        Ok(())
    }

    /// A purge removes what it was told to, whether or not the remote has heard of it.
    pub(super) fn is_buried(&self, bytes: &[u8]) -> bool {
        let session = Header::of(bytes).and_then(|header| header.session);
        session.is_some_and(|session| self.graves.contains(&session))
    }

    /// What came from the remote is here.
    pub(super) fn welcome_unsent(&mut self, name: &str) -> Option<Entry> {
        let metadata = fs::symlink_metadata(self.with.local().root().join(name)).ok()?;
        let (len, modified) = (metadata.len(), metadata.modified().ok());
        let file = Entry { name: name.to_owned(), len, modified };
        self.files.insert(name.to_owned(), file.clone());
        Some(file)
    }

    /// The same, and it is there under this name.
    pub(super) fn welcome(&mut self, name: &str) {
        let Some(file) = self.welcome_unsent(name) else { return };
        let known = self.sent.rows.get(name);
        let is_document = Kind::of(name) == Kind::Document;
        let hash = match known {
            Some(row) if !row.hash.is_empty() => row.hash.clone(),
            _ if is_document => self.with.local().read(name).map(|bytes| hash_of(&bytes)).unwrap_or_default(),
            _ => String::new(),
        };
        self.sent.rows.insert(name.to_owned(), row(&file, hash, is_document));
    }
}
