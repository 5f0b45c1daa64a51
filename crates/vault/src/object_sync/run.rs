//! One sync, from its first listing to the record for the next.

use std::collections::{BTreeMap, BTreeSet};

use super::fetch::{self, document};
use super::head::{HEADS, Head, HeadName, Heads, claim_of};
use super::record::{Acknowledged, Last, Record};
use super::sent::Sent;
use super::{ObjectSync, compare};
use crate::error::Error;
use crate::header::short_hash;
use crate::remote::{Outcome, Synced};
use crate::replacement::Content;
use crate::store::{Entry, Existing, json_of, put_alone};
use crate::tombstones::Tombstones;

pub(super) struct Run<'a, 'r> {
    pub(super) with: &'a ObjectSync<'a>,
    pub(super) report: &'r mut Synced,
    pub(super) heads: Heads,
    pub(super) record: Record,
    pub(super) acknowledged: Acknowledged,
    pub(super) sent: Sent,
    /// Whether what was sent is known without a listing.
    pub(super) is_remembered: bool,
    /// Everything here that is ours to send.
    pub(super) files: BTreeMap<String, Entry>,
    /// Documents that were not what their machine announced.
    pub(super) doubted: Vec<String>,
    /// While lost files are recovered: what was purged here, and files that stay gone because of that.
    pub(super) tombstones: Tombstones,
    pub(super) purged: BTreeSet<String>,
    /// Files of the machine that is looked at which were encrypted again, and wait for a key.
    pub(super) locked: u64,
    key: String,
}

/// How the remote looks from here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Standing {
    /// The newest head is the one that we put last.
    Current,
    /// Nothing was ever pushed, and the remote has no head of ours.
    First,
    /// Our last head is missing: the remote was emptied, or put back from an older copy.
    Behind,
    /// The remote has a newer head in our name: of a copy of this vault, or of this vault before it was restored from
    /// an older copy.
    Ahead,
}

impl<'a, 'r> Run<'a, 'r> {
    pub(super) fn begin(with: &'a ObjectSync<'a>, report: &'r mut Synced) -> Result<Self, Error> {
        let entries = with.remote.list(HEADS)?;
        let heads = Heads::of(&entries, with.own, report);
        let root = with.local().root();
        let key = short_hash(with.address.as_bytes());
        let record = Record::read(root)?;
        let known = record.remotes.get(&key).cloned().unwrap_or_default();
        let acknowledged = if known.own == with.own { known } else { known.renamed(with.own) };
        let sent = Sent::read(root, &key, with.own);
        let is_remembered = sent.is_some();
        let files = compare::files(with, report)?;
        let sent = sent.unwrap_or_default();
        Ok(Self {
            with,
            report,
            heads,
            record,
            acknowledged,
            sent,
            is_remembered,
            files,
            doubted: Vec::new(),
            tombstones: Tombstones::default(),
            purged: BTreeSet::new(),
            locked: 0,
            key,
        })
    }

    pub(super) fn sync(&mut self) -> Result<Outcome, Error> {
        self.confirm_head()?;
        self.reclaim()?;
        if !self.with.full && self.is_settled()? {
            if self.record.last != Some(self.place()) {
                self.save_record()?;
            }
            return Ok(Outcome::UpToDate);
        }
        self.agree_on_vault()?;
        if !self.claim()? {
            return Ok(Outcome::SlugTaken);
        }
        self.recover_former()?;
        let Some(pushed) = self.send()? else { return Ok(Outcome::SlugTaken) };
        let pushed = self.remove_former()? || pushed;
        self.pull_all()?;
        Ok(if pushed { Outcome::Pushed } else { Outcome::UpToDate })
    }

    /// A head that we did not live to see there.
    fn confirm_head(&mut self) -> Result<(), Error> {
        let Some(next) = &self.acknowledged.next else { return Ok(()) };
        if self.heads.newest(self.with.own) != std::slice::from_ref(next) {
            return Ok(());
        }
        self.acknowledged.head = self.acknowledged.next.take();
        self.save_record()
    }

    pub(super) fn standing(&self) -> Standing {
        let newest = self.heads.newest(self.with.own);
        let highest = newest.first().map(|head| head.number);
        match (&self.acknowledged.head, highest) {
            (None, None) => Standing::First,
            (Some(head), _) if newest == std::slice::from_ref(head) => Standing::Current,
            (Some(head), highest) if highest < Some(head.number) => Standing::Behind,
            _ => Standing::Ahead,
        }
    }

    /// One listing shows that there is nothing to do.
    fn is_settled(&self) -> Result<bool, Error> {
        let is_claimed = self.acknowledged.claimed && self.heads.is_claimed(self.with.own);
        let is_recorded = self.acknowledged.next.is_none()
            && self.acknowledged.gone >= self.last_gone()
            && self.acknowledged.renewed >= self.record.renewed;
        let is_steady = match self.standing() {
            // A run that broke may have left older ones.
            Standing::Current => self.heads.all(self.with.own).len() == 1,
            Standing::First => self.files.is_empty(),
            Standing::Behind | Standing::Ahead => false,
        };
        Ok(is_claimed
            && is_recorded
            && is_steady
            && self.is_remembered
            && self.sent.rows.len() == self.files.len()
            && self.files.values().all(|file| self.sent.rows.get(&file.name).is_some_and(|row| row.is(file)))
            && !self.others_have_news()
            && self.former_there().is_empty()
            && self.is_same_vault()?)
    }

    /// The installation that claimed our name.
    fn claimant(&self) -> Result<Option<String>, Error> {
        let claim = document(self.with.remote, &claim_of(self.with.own))?;
        // A claim that cannot be read is not ours.
        Ok(claim.map(|claim| Head::parse(&claim).map(|head| head.machine).unwrap_or_default()))
    }

    /// Before anything else is put, so that of two machines of one name only one puts anything.
    fn claim(&mut self) -> Result<bool, Error> {
        let is_seen = self.heads.is_claimed(self.with.own);
        if self.acknowledged.claimed && is_seen && self.standing() == Standing::Current {
            return Ok(true);
        }
        let name = claim_of(self.with.own);
        if !is_seen {
            let claim = json_of(&name, &Head::new(self.with.installation, 0))?;
            match put_alone(self.with.remote, &name, &claim, Existing::Refuse) {
                Ok(()) | Err(Error::Exists { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        self.acknowledged.claimed = self.claimant()?.is_some_and(|machine| machine == self.with.installation);
        if self.acknowledged.claimed {
            self.save_record()?;
        }
        Ok(self.acknowledged.claimed)
    }

    /// The newest head of a machine, and whether it makes sense. Of two of one number, what either says.
    pub(super) fn head_of(&mut self, machine: &str) -> Result<Option<Head>, Error> {
        let mut said: Option<Head> = None;
        for name in self.heads.newest(machine) {
            let name = name.of(machine);
            let Some(bytes) = fetch::document(self.with.remote, &name)? else { return Ok(None) };
            let Some(head) = Head::parse(&bytes) else {
                self.report.warn(&name, "it cannot be understood");
                return Ok(None);
            };
            match &mut said {
                Some(said) => said.documents.extend(head.documents),
                None => said = Some(head),
            }
        }
        Ok(said)
    }

    /// Called before anything is put: until the head follows, objects are there that no head announces.
    pub(super) fn reserve_head(&mut self) -> Result<(), Error> {
        let there = self.heads.all(self.with.own).iter().chain(&self.acknowledged.head);
        let highest = there.map(|head| head.number).max().unwrap_or_default();
        if self.acknowledged.next.as_ref().is_some_and(|next| next.number > highest) {
            return Ok(());
        }
        self.acknowledged.next = Some(HeadName::new(highest.saturating_add(1)));
        self.save_record()
    }

    /// The content of a file.
    pub(super) fn content_of(&self, file: &str, bytes: &[u8]) -> Content {
        Content::of(self.with.store.encryption(), file, bytes.to_vec())
    }

    fn place(&self) -> Last {
        let [address, installation] = [self.with.address, self.with.installation].map(str::to_owned);
        let [endpoint, region] = [self.with.endpoint, self.with.region].map(|text| text.map(str::to_owned));
        Last { address, installation, endpoint, region }
    }

    pub(super) fn save_record(&mut self) -> Result<(), Error> {
        self.record.last = Some(self.place());
        self.record.remotes.insert(self.key.clone(), self.acknowledged.clone());
        self.record.write(self.with.local().root())
    }

    pub(super) fn save_sent(&mut self) {
        self.sent.write(self.with.local().root(), &self.key, self.with.own);
    }
}
