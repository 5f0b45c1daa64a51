//! Objects of other machines → files of the vault, without those that their machines erased.

use std::collections::{BTreeMap, BTreeSet};

use super::fetch::Wanted;
use super::head::{HEADS, Head, Heads};
use super::run::Run;
use super::sent::Pulled;
use crate::admission::{Admission, Admissions};
use crate::error::Error;
use crate::header::short_hash;
use crate::name::SegmentName;
use crate::remote::Synced;
use crate::replacement::{Content, ENCRYPTED, FileKind, is_sound};
use crate::store::{Entry, Existing, Store};

/// How often machines are looked at that write while they are read.
const ROUNDS: usize = 3;

impl Run<'_, '_> {
    pub(super) fn others_have_news(&self) -> bool {
        let is_vanished = |machine: &String| self.heads.newest(machine).is_empty();
        self.others().iter().any(|machine| self.has_news(machine)) || self.sent.taken.keys().any(is_vanished)
    }

    fn others(&self) -> Vec<String> {
        let mut machines = self.heads.machines();
        // A removed recipient can still make files for a directory that a former key named for us.
        let former = self.with.store.former_directories();
        let is_ours = |machine: &String| machine == self.with.own || former.contains(machine);
        machines.retain(|machine| !is_ours(machine) && !self.heads.newest(machine).is_empty());
        machines
    }

    fn has_news(&self, machine: &str) -> bool {
        self.sent.taken.get(machine).is_none_or(|taken| taken.heads != self.heads.newest(machine))
    }

    pub(super) fn pull_all(&mut self) -> Result<(), Error> {
        self.warn_vanished();
        let is_due = |run: &Self, machine: &String| run.with.full || run.has_news(machine);
        let mut due: Vec<String> = self.others();
        due.retain(|machine| is_due(self, machine));
        for _ in 0..ROUNDS {
            self.doubted.clear();
            for machine in &due {
                self.pull_machine(machine)?;
            }
            if self.doubted.is_empty() || !self.look_again(&mut due)? {
                break;
            }
        }
        self.save_sent();
        for name in std::mem::take(&mut self.doubted) {
            self.report.warn(&name, "it is not what its machine announced; the next sync looks again");
        }
        Ok(())
    }

    /// Whether a machine has put a newer head since.
    fn look_again(&mut self, due: &mut Vec<String>) -> Result<bool, Error> {
        let entries = self.with.remote.list(HEADS)?;
        let heads = Heads::of(&entries, self.with.own, &mut Synced::default());
        let before = std::mem::replace(&mut self.heads, heads);
        due.retain(|machine| before.newest(machine) != self.heads.newest(machine));
        Ok(!due.is_empty())
    }

    /// Warns once per machine; its files stay here.
    fn warn_vanished(&mut self) {
        let known: Vec<String> = self.sent.taken.keys().cloned().collect();
        for machine in known.into_iter().filter(|machine| self.heads.newest(machine).is_empty()) {
            self.sent.taken.remove(&machine);
            if self.with.store.is_renamed(&format!("machines/{machine}")) {
                continue;
            }
            let message = "the remote no longer has this machine; what is here of it stays";
            self.report.warn(&format!("machines/{machine}"), message);
        }
    }

    fn pull_machine(&mut self, machine: &str) -> Result<(), Error> {
        let newest = self.heads.newest(machine);
        let was = self.sent.taken.get(machine).cloned().unwrap_or_default();
        let number = newest.first().map(|head| head.number).unwrap_or_default();
        let announced = self.head_of(machine)?;
        let mut is_all = announced.is_some();
        let head = announced.unwrap_or_default();
        let directory = format!("machines/{machine}");
        let listed = self.with.remote.list(&directory)?;
        if (listed.len() as u64) < head.objects {
            self.doubted.push(directory.clone());
            is_all = false;
        }
        let here = self.with.local().list(&directory)?;
        let here: BTreeMap<&str, &Entry> = here.iter().map(|entry| (entry.name.as_str(), entry)).collect();
        let is_gone_new = head.gone > was.gone || self.with.full && head.gone > 0;
        let gone = if is_gone_new { self.gone_from(machine)? } else { BTreeSet::new() };
        let known = self.known_by(machine, &head, &was)?;
        is_all &= known.is_some();
        let source = Source {
            below: format!("{directory}/"),
            known: known.unwrap_or_default(),
            is_older: number < was.number,
        };
        self.locked = 0;
        let mut wanted = Vec::new();
        for entry in self.admitted(listed, &source.below) {
            if !gone.contains(&entry.name) {
                wanted.extend(self.want(&entry, here.get(entry.name.as_str()).copied(), &source));
            }
        }
        let (documents, segments) =
            wanted.into_iter().partition(|wanted: &Wanted| FileKind::of(&wanted.name) == FileKind::Document);
        // Tombstones are among them.
        is_all &= self.download(documents)?.0;
        self.erase(machine, &gone, &here)?;
        is_all &= self.download(segments)?.0;
        if head.older != was.older || self.with.full && head.older > 0 {
            is_all &= self.pull_original()?;
        }
        if is_all {
            let renewed = if self.is_locked(machine) { was.renewed } else { head.renewed };
            let (gone, older) = (head.gone, head.older);
            let taken = Pulled { heads: newest, number: number.max(was.number), gone, renewed, older };
            self.sent.taken.insert(machine.to_owned(), taken);
            self.save_sent();
        }
        Ok(())
    }

    /// The hashes of objects that may have changed since they were pulled; `None` where the remote does not tell.
    fn known_by(
        &mut self,
        machine: &str,
        head: &Head,
        was: &Pulled,
    ) -> Result<Option<BTreeMap<String, String>>, Error> {
        let mut known = BTreeMap::new();
        if head.renewed > was.renewed {
            let Some(renewed) = self.reencrypted_by(machine, head.renewed)? else { return Ok(None) };
            known = renewed;
        }
        let is_document =
            |name: &str| FileKind::of(&format!("machines/{machine}/{name}")) == FileKind::Document;
        known.extend(head.documents.clone().into_iter().filter(|(name, _)| is_document(name)));
        Ok(Some(known))
    }

    /// Warned of when there is something new; a later sync that has a key takes them.
    fn is_locked(&mut self, machine: &str) -> bool {
        if self.locked > 0 {
            let message =
                format!("{} files were encrypted again; without a key they stay as they are", self.locked);
            self.report.warn(&format!("machines/{machine}"), message);
        }
        self.locked > 0
    }

    /// A remote may list anything.
    fn admitted(&mut self, mut listed: Vec<Entry>, below: &str) -> Vec<Entry> {
        let admissions = Admissions::new(self.with.own);
        listed.retain(|entry| {
            let reason = match admissions.of(entry.name.as_bytes()) {
                Admission::Theirs if entry.name.starts_with(below) => return true,
                Admission::Refused(reason) => reason,
                _ => "not below its machine's directory",
            };
            self.report.warn(&entry.name, reason);
            false
        });
        listed
    }

    fn want(&mut self, entry: &Entry, here: Option<&Entry>, source: &Source) -> Option<Wanted> {
        let said = entry.name.strip_prefix(&source.below).and_then(|name| source.known.get(name));
        let wanted = |existing| {
            // A segment that is not here is known by what it says of itself, however often it was encrypted.
            let is_new_segment =
                existing == Existing::Refuse && FileKind::of(&entry.name) == FileKind::Segment;
            let (name, hash) = (entry.name.clone(), said.filter(|_| !is_new_segment).cloned());
            Some(Wanted { name, len: Some(entry.len), hash, is_sure: false, existing })
        };
        let Some(here) = here else { return wanted(Existing::Refuse) };
        let stands = || self.with.local().read(&entry.name).unwrap_or_default();
        if let Some(said) = said {
            // A remote that was put back from an older copy has older documents than we do.
            let standing = stands();
            if source.is_older || short_hash(&standing) == *said {
                return None;
            }
            let is_segment =
                FileKind::of(&entry.name) == FileKind::Segment && is_sound(&entry.name, &standing);
            if is_segment && self.content_of(&entry.name, &standing) == Content::Locked {
                self.locked += 1;
                return None;
            }
            return wanted(Existing::Replace);
        }
        if here.len == entry.len {
            return None;
        }
        let says_of_itself = entry.name.ends_with(ENCRYPTED) || SegmentName::parse(&entry.name).is_some();
        let standing = stands();
        if says_of_itself && !is_sound(&entry.name, &standing) {
            return wanted(Existing::Replace);
        }
        // Two machines that encrypt the same bytes make two objects of different lengths: the content decides.
        if entry.name.ends_with(ENCRYPTED) && FileKind::of(&entry.name) == FileKind::Segment {
            if self.content_of(&entry.name, &standing) != Content::Locked {
                return wanted(Existing::Replace);
            }
            self.locked += 1;
            return None;
        }
        self.report.warn(&entry.name, "it has another length there; what is here stays");
        None
    }
}

/// A machine that is taken from.
struct Source {
    below: String,
    /// The hashes of objects that may have changed since we pulled them.
    known: BTreeMap<String, String>,
    /// We have seen a later head of it.
    is_older: bool,
}
