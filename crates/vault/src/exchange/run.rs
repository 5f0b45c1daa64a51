//! One exchange, from the listing that begins it to what is remembered for the next.

use std::collections::{BTreeMap, BTreeSet};

use super::fetch::{self, document};
use super::head::{HEADS, Head, HeadName, Heads, claim_of};
use super::kind::hash_of;
use super::record::{Last, Record, Told};
use super::sent::Sent;
use super::{Exchanged, Exchanging, State, own};
use crate::error::Error;
use crate::store::{Entry, Existing};

pub(super) struct Run<'a, 'r> {
    pub(super) with: &'a Exchanging<'a>,
    pub(super) report: &'r mut Exchanged,
    pub(super) heads: Heads,
    pub(super) record: Record,
    pub(super) told: Told,
    pub(super) sent: Sent,
    /// Whether what was sent is known without a listing.
    pub(super) is_remembered: bool,
    /// Everything here that is ours to send.
    pub(super) files: BTreeMap<String, Entry>,
    /// Documents that were not what their machine told of.
    pub(super) doubted: Vec<String>,
    /// Sessions that were purged here, and files that were not taken back because of that.
    pub(super) graves: BTreeSet<String>,
    pub(super) buried: BTreeSet<String>,
    /// Files of the machine that is looked at which were sealed anew, and wait for a key.
    pub(super) locked: u64,
    key: String,
}

/// How the remote looks from here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Standing {
    /// The newest head is the one that we put last.
    Current,
    /// Nothing was ever put, and nothing is there.
    First,
    /// What we put last is not there: the remote was emptied, or put back from an older copy.
    Behind,
    /// Somebody put a head in our name: a copy of this vault, or this vault before it was put back from an older
    /// copy.
    Ahead,
}

impl<'a, 'r> Run<'a, 'r> {
    pub(super) fn begin(with: &'a Exchanging<'a>, report: &'r mut Exchanged) -> Result<Self, Error> {
        let entries = with.remote.list(HEADS)?;
        let heads = Heads::of(&entries, with.own, report);
        let root = with.local().root();
        let key = hash_of(with.address.as_bytes());
        let record = Record::read(root)?;
        let told = record.remotes.get(&key).cloned().unwrap_or_default();
        let told = if told.own == with.own { told } else { told.moved(with.own) };
        let sent = Sent::read(root, &key, with.own);
        let is_remembered = sent.is_some();
        let files = own::files(with, report)?;
        let sent = sent.unwrap_or_default();
        Ok(Self {
            with,
            report,
            heads,
            record,
            told,
            sent,
            is_remembered,
            files,
            doubted: Vec::new(),
            graves: BTreeSet::new(),
            buried: BTreeSet::new(),
            locked: 0,
            key,
        })
    }

    pub(super) fn exchange(&mut self) -> Result<State, Error> {
        self.acknowledge()?;
        self.reclaim()?;
        if !self.with.full && self.is_settled()? {
            if self.record.last != Some(self.place()) {
                self.save_record()?;
            }
            return Ok(State::UpToDate);
        }
        self.meet()?;
        if !self.claim()? {
            return Ok(State::SlugTaken);
        }
        self.take_along()?;
        let Some(pushed) = self.send()? else { return Ok(State::SlugTaken) };
        let pushed = self.leave()? || pushed;
        self.take_from_others()?;
        Ok(if pushed { State::Pushed } else { State::UpToDate })
    }

    /// A head that we did not live to see there.
    fn acknowledge(&mut self) -> Result<(), Error> {
        let Some(next) = &self.told.next else { return Ok(()) };
        if self.heads.newest(self.with.own) != std::slice::from_ref(next) {
            return Ok(());
        }
        self.told.head = self.told.next.take();
        self.save_record()
    }

    pub(super) fn standing(&self) -> Standing {
        let newest = self.heads.newest(self.with.own);
        let highest = newest.first().map(|head| head.number);
        match (&self.told.head, highest) {
            (None, None) => Standing::First,
            (Some(head), _) if newest == std::slice::from_ref(head) => Standing::Current,
            (Some(head), highest) if highest < Some(head.number) => Standing::Behind,
            _ => Standing::Ahead,
        }
    }

    /// One listing has told that there is nothing to do.
    fn is_settled(&self) -> Result<bool, Error> {
        let is_claimed = self.told.claimed && self.heads.is_claimed(self.with.own);
        let is_told = self.told.next.is_none()
            && self.told.gone >= self.last_gone()
            && self.told.renewed >= self.record.renewed;
        let is_steady = match self.standing() {
            // A run that broke may have left older ones.
            Standing::Current => self.heads.all(self.with.own).len() == 1,
            Standing::First => self.files.is_empty(),
            Standing::Behind | Standing::Ahead => false,
        };
        Ok(is_claimed
            && is_told
            && is_steady
            && self.is_remembered
            && self.sent.rows.len() == self.files.len()
            && self.files.values().all(|file| self.sent.rows.get(&file.name).is_some_and(|row| row.is(file)))
            && !self.others_have_news()
            && self.left_there().is_empty()
            && self.is_same_vault()?)
    }

    /// Whose name it is there.
    fn claimant(&self) -> Result<Option<String>, Error> {
        let claim = document(self.with.remote, &claim_of(self.with.own))?;
        // One that makes no sense is nobody's, and so not ours.
        Ok(claim.map(|claim| Head::parse(&claim).map(|head| head.machine).unwrap_or_default()))
    }

    /// Before anything else is put, so that of two machines of one name only one puts anything.
    fn claim(&mut self) -> Result<bool, Error> {
        let is_seen = self.heads.is_claimed(self.with.own);
        if self.told.claimed && is_seen && self.standing() == Standing::Current {
            return Ok(true);
        }
        let name = claim_of(self.with.own);
        let claim = serde_json::to_vec(&Head::new(self.with.installation, 0));
        let claim = claim.map_err(|error| Error::write(&name)(error.into()))?;
        if !is_seen {
            let batch = self.with.remote.batch()?;
            batch.put(&name, &claim, Existing::Refuse)?;
            match batch.commit() {
                Ok(()) | Err(Error::Exists { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        self.told.claimed = self.claimant()?.is_some_and(|machine| machine == self.with.installation);
        if self.told.claimed {
            self.save_record()?;
        }
        Ok(self.told.claimed)
    }

    /// The newest head of a machine, and whether it makes sense. Of two of one number, what either says.
    pub(super) fn head_of(&mut self, machine: &str) -> Result<Option<Head>, Error> {
        let mut said: Option<Head> = None;
        for name in self.heads.newest(machine) {
            let name = name.of(machine);
            let Some(bytes) = fetch::document(self.with.remote, &name)? else { return Ok(None) };
            let Some(head) = Head::parse(&bytes) else {
                self.report.warn(&name, "it makes no sense");
                return Ok(None);
            };
            match &mut said {
                Some(said) => said.documents.extend(head.documents),
                None => said = Some(head),
            }
        }
        Ok(said)
    }

    /// From here on something may be there that no head tells of.
    pub(super) fn announce(&mut self) -> Result<(), Error> {
        let there = self.heads.all(self.with.own).iter().chain(&self.told.head);
        let highest = there.map(|head| head.number).max().unwrap_or_default();
        if self.told.next.as_ref().is_some_and(|next| next.number > highest) {
            return Ok(());
        }
        self.told.next = Some(HeadName::new(highest.saturating_add(1)));
        self.save_record()
    }

    fn place(&self) -> Last {
        let [address, installation] = [self.with.address, self.with.installation].map(str::to_owned);
        let [endpoint, region] = [self.with.endpoint, self.with.region].map(|text| text.map(str::to_owned));
        Last { address, installation, endpoint, region }
    }

    pub(super) fn save_record(&mut self) -> Result<(), Error> {
        self.record.last = Some(self.place());
        self.record.remotes.insert(self.key.clone(), self.told.clone());
        self.record.write(self.with.local().root())
    }

    pub(super) fn save_sent(&mut self) {
        self.sent.write(self.with.local().root(), &self.key, self.with.own);
    }
}
