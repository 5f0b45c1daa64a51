//! This machine's files here and at the remote → those that are to be sent, and those that are recovered.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use super::ObjectSync;
use super::fetch::{Fetched, Wanted, fetch, list_below};
use super::head::Head;
use super::parallel::each;
use super::run::{Run, Standing};
use super::sent::{Row, modified_of};
use crate::admission::OLDER;
use crate::error::Error;
use crate::header::short_hash;
use crate::remote::Synced;
use crate::replacement::{ENCRYPTED, FileKind};
use crate::store::{Entry, Existing, Store};

/// In the name of a temporary file that a killed process left.
const TEMPORARY: &str = "/.steno-";

/// Everything below our directory, and what the original tool left at the root.
pub(super) fn files(with: &ObjectSync<'_>, report: &mut Synced) -> Result<BTreeMap<String, Entry>, Error> {
    let mut files = with.local().list(&format!("machines/{}", with.own))?;
    // Whatever files are there, and whatever `vault.json` says.
    if with.store.is_encrypted() {
        for file in files.extract_if(.., |file| !file.name.ends_with(ENCRYPTED)) {
            report.warn(&file.name, "it is not encrypted, and is not sent");
        }
    }
    for older in older(with) {
        files.extend(at_root(with, older)?);
    }
    files.retain(|file| !file.name.contains(TEMPORARY));
    Ok(files.into_iter().map(|file| (file.name.clone(), file)).collect())
}

/// Names at the root that files of the original tool may have.
pub(super) fn older(with: &ObjectSync<'_>) -> impl Iterator<Item = &'static str> {
    let is_encrypted = with.store.is_encrypted();
    OLDER.iter().copied().filter(move |older| !is_encrypted || *older == "older")
}

fn at_root(with: &ObjectSync<'_>, name: &str) -> Result<Vec<Entry>, Error> {
    match fs::symlink_metadata(with.local().root().join(name)) {
        Ok(metadata) if metadata.is_dir() => with.local().list(name),
        _ => Ok(with.local().entry(name).into_iter().collect()),
    }
}

pub(super) fn row(file: &Entry, hash: String, is_document: bool) -> Row {
    Row { len: file.len, modified: modified_of(file), hash, is_document }
}

impl Run<'_, '_> {
    /// Lists the remote where the record of what was sent cannot be relied on, and recovers files that are missing here.
    /// `None` if another vault puts objects there in our name.
    pub(super) fn compare(&mut self, standing: Standing) -> Result<Option<()>, Error> {
        let is_known = self.is_remembered && !self.with.full;
        if standing == Standing::First
            && !(self.acknowledged.next.is_some() && self.heads.is_claimed(self.with.own))
        {
            // Whatever is remembered was at a remote that is not there any more.
            self.sent.rows.clear();
        }
        if standing == Standing::First || standing == Standing::Current && is_known {
            return self.recover_lost(self.lost()).map(Some);
        }
        let listed = self.listed()?;
        let head = self.head_of(self.with.own)?.unwrap_or_default();
        if standing == Standing::Ahead && self.is_anothers(&listed)? {
            return Ok(None);
        }
        if standing == Standing::Ahead {
            self.recall_gone(head.gone)?;
            self.recall_reencrypted(head.renewed);
        }
        self.sent.rows.retain(|name, _| listed.contains_key(name));
        let trust = standing == Standing::Current && self.is_remembered;
        for file in self.files.clone().into_values() {
            self.settle(&file, listed.get(&file.name).copied(), &head, trust)?;
        }
        let lacking = self.lacking(&listed, standing);
        self.recover_lost(lacking).map(Some)
    }

    /// Our objects there, and their lengths.
    fn listed(&self) -> Result<BTreeMap<String, u64>, Error> {
        let mut entries = list_below(self.with.remote, &format!("machines/{}", self.with.own))?;
        if self.files.keys().any(|name| !name.starts_with("machines/")) {
            entries.extend(self.original_there()?);
        }
        Ok(entries.into_iter().map(|entry| (entry.name, entry.len)).collect())
    }

    /// Sent, and no longer here.
    fn lost(&self) -> Vec<Wanted> {
        let lost = self.sent.rows.iter().filter(|(name, _)| !self.files.contains_key(*name));
        let lost = lost.filter(|(name, _)| !self.is_gone(name));
        lost.map(|(name, row)| wanted(name, Some(row.len), Some(row))).collect()
    }

    /// There, and not here. What we never sent is not ours, if we can tell.
    fn lacking(&mut self, listed: &BTreeMap<String, u64>, standing: Standing) -> Vec<Wanted> {
        let mut lacking = Vec::new();
        let can_tell = self.is_remembered && standing != Standing::Ahead;
        let absent = listed.iter().filter(|(name, _)| !self.files.contains_key(*name) && !self.is_gone(name));
        let absent: Vec<_> = absent.map(|(name, len)| (name.clone(), *len)).collect();
        for (name, len) in absent {
            let row = self.sent.rows.get(&name);
            if row.is_none() && can_tell {
                self.report.warn(&name, "another installation put it into this machine's directory");
            } else {
                lacking.push(wanted(&name, Some(len), row));
            }
        }
        lacking
    }

    /// Decides for one file whether it counts as sent.
    fn settle(&mut self, file: &Entry, there: Option<u64>, head: &Head, trust: bool) -> Result<(), Error> {
        let Some(there) = there else { return Ok(()) };
        let below = format!("machines/{}/", self.with.own);
        let said = file.name.strip_prefix(&below).and_then(|name| head.documents.get(name));
        let is_document = FileKind::of(&file.name) == FileKind::Document;
        if self.sent.rows.get(&file.name).is_some_and(|row| row.len == there) && (trust || !is_document) {
            return Ok(());
        }
        self.sent.rows.remove(&file.name);
        if file.len != there {
            return Ok(());
        }
        if !is_document {
            self.sent.rows.insert(file.name.clone(), row(file, String::new(), false));
        } else if let Some(said) = said
            && self.with.local().read(&file.name).is_ok_and(|bytes| short_hash(&bytes) == *said)
        {
            self.sent.rows.insert(file.name.clone(), row(file, said.clone(), true));
        }
        Ok(())
    }

    /// Only this vault puts objects below its name. Another vault uses the name if the remote has segments that we lack
    /// while we have some that were not sent, or has other bytes under a name of ours.
    fn is_anothers(&self, listed: &BTreeMap<String, u64>) -> Result<bool, Error> {
        let below = format!("machines/{}/", self.with.own);
        let is_segment = |name: &str| name.starts_with(&below) && FileKind::of(name) == FileKind::Segment;
        let ours: BTreeSet<&str> =
            self.files.keys().map(String::as_str).filter(|name| is_segment(name)).collect();
        let is_lacking =
            |name: &str| !self.files.contains_key(name) && !self.is_gone(name) && is_segment(name);
        let lacks = listed.keys().any(|name| is_lacking(name));
        if lacks && ours.iter().any(|name| !listed.contains_key(*name)) {
            return Ok(true);
        }
        let mut unsure = Vec::new();
        for (name, len) in ours.iter().filter_map(|name| Some((*name, *listed.get(*name)?))) {
            if self.files.get(name).is_some_and(|file| file.len != len) {
                return Ok(true);
            }
            if self.is_remembered && !self.sent.rows.contains_key(name) {
                unsure.push(wanted(name, Some(len), None));
            }
        }
        let same = each(&unsure, |wanted| -> Result<bool, Error> {
            let Fetched::Whole(there) = fetch(self.with.remote, wanted)? else { return Ok(false) };
            Ok(self.with.local().read(&wanted.name)? == there)
        });
        same.into_iter().try_fold(false, |other, same| Ok(other | !same?))
    }
}

pub(super) fn wanted(name: &str, len: Option<u64>, row: Option<&Row>) -> Wanted {
    let hash = row.map(|row| row.hash.clone()).filter(|hash| !hash.is_empty());
    let is_sure = hash.is_some();
    Wanted { name: name.to_owned(), len, hash, is_sure, existing: Existing::Refuse }
}
