//! What is new here → the remote: segments, documents, then the head that tells of them.

use super::Step;
use super::fetch::{Fetched, Wanted, fetch};
use super::head::Head;
use super::kind::{Kind, hash_of, is_sound};
use super::look::Look;
use super::own::row;
use super::parallel::{each, portions};
use super::run::{Run, Standing};
use crate::error::Error;
use crate::store::{Entry, Existing, Store};

/// How often names that are there already are sorted out of one batch.
const TRIES: usize = 8;
/// The most that is held in memory at a time.
const BYTES: u64 = 64 << 20;
const FILES: usize = 512;

/// A file on its way to the remote.
struct Parcel {
    file: Entry,
    bytes: Vec<u8>,
    hash: String,
    existing: Existing,
    is_document: bool,
}

/// What reading a file has shown.
enum Weighed {
    /// It is there as it is.
    Same {
        hash: String,
    },
    New(Parcel),
    /// A segment that is not what it was.
    Altered,
    /// Gone between listing and reading.
    Vanished,
}

impl Run<'_, '_> {
    /// Whether anything was put; nothing where our name is another's.
    pub(super) fn send(&mut self) -> Result<Option<bool>, Error> {
        let standing = self.standing();
        if self.compare(standing)?.is_none() {
            return Ok(None);
        }
        self.put_new()?;
        self.put_renewed()?;
        self.put_gone()?;
        let newest = self.heads.newest(self.with.own);
        if standing == Standing::Behind || newest.len() > 1 {
            self.announce()?;
        }
        if self.told.next.is_some() {
            self.put_head()?;
            return Ok(Some(true));
        }
        if standing == Standing::Ahead {
            self.told.head = newest.into_iter().next();
            self.save_record()?;
        }
        self.save_sent();
        self.remove_old_heads()?;
        Ok(Some(false))
    }

    /// A run that broke may have left some.
    fn remove_old_heads(&self) -> Result<(), Error> {
        let newest = self.told.head.as_ref().map(|head| head.number).unwrap_or_default();
        let old: Vec<_> = self.heads.all(self.with.own).iter().filter(|old| old.number < newest).collect();
        if old.is_empty() {
            return Ok(());
        }
        let batch = self.with.remote.batch()?;
        old.into_iter().try_for_each(|old| batch.remove(&old.of(self.with.own)))?;
        batch.commit()
    }

    fn put_new(&mut self) -> Result<(), Error> {
        let is_new = |file: &&Entry| !self.sent.rows.get(&file.name).is_some_and(|row| row.is(file));
        let new: Vec<Entry> = self.files.values().filter(is_new).cloned().collect();
        if !new.is_empty() {
            (self.with.progress)(Step::Sending(new.iter().map(|file| file.len).sum()));
        }
        let (documents, segments): (Vec<_>, Vec<_>) =
            new.into_iter().partition(|file| Kind::of(&file.name) == Kind::Document);
        let mut altered = Vec::new();
        let cut = |files| portions(files, (BYTES, FILES), |file: &Entry| file.len);
        for portion in [segments, documents].into_iter().flat_map(cut) {
            let weighed = each(&portion, |file| self.weigh(file));
            let mut parcels = Vec::new();
            for (file, weighed) in portion.into_iter().zip(weighed) {
                match weighed? {
                    Weighed::Same { hash } => {
                        let is_document = is_document(&file.name);
                        self.sent.rows.insert(file.name.clone(), row(&file, hash, is_document));
                    }
                    Weighed::New(parcel) => parcels.push(parcel),
                    Weighed::Altered => altered.push(file.name),
                    Weighed::Vanished => {}
                }
            }
            self.deliver(parcels)?;
            self.save_sent();
        }
        self.mend(altered)
    }

    fn weigh(&self, file: &Entry) -> Result<Weighed, Error> {
        let bytes = match self.with.local().read(&file.name) {
            Ok(bytes) => bytes,
            Err(Error::Missing { .. }) => return Ok(Weighed::Vanished),
            Err(error) => return Err(error),
        };
        let hash = hash_of(&bytes);
        let known = self.sent.rows.get(&file.name);
        let is_older = !file.name.starts_with("machines/");
        let is_renewing = self.is_renewing(&file.name);
        if known.is_some_and(|row| is_older && !is_renewing || row.hash == hash) {
            return Ok(Weighed::Same { hash });
        }
        if !is_sound(&file.name, &bytes) {
            return Ok(Weighed::Altered);
        }
        let kind = Kind::of(&file.name);
        // What could not be opened was not sealed anew, either.
        if kind == Kind::Segment && is_renewing && self.look(&file.name, &bytes) == Look::Damaged {
            return Ok(Weighed::Altered);
        }
        if let Some(row) = known.filter(|_| kind == Kind::Segment && !is_renewing) {
            let is_same = row.hash.is_empty() && row.len == bytes.len() as u64;
            return Ok(if is_same { Weighed::Same { hash } } else { Weighed::Altered });
        }
        let is_document = is_document(&file.name);
        let existing = if is_document || is_renewing { Existing::Replace } else { Existing::Refuse };
        let file = Entry { len: bytes.len() as u64, ..file.clone() };
        Ok(Weighed::New(Parcel { file, bytes, hash, existing, is_document }))
    }

    /// What is there already was put by a run that did not live to remember it; it is compared.
    fn deliver(&mut self, mut parcels: Vec<Parcel>) -> Result<(), Error> {
        for _ in 0..TRIES {
            if parcels.is_empty() {
                return Ok(());
            }
            self.announce()?;
            let batch = self.with.remote.batch()?;
            for parcel in &parcels {
                batch.put(&parcel.file.name, &parcel.bytes, parcel.existing)?;
            }
            match batch.commit() {
                Ok(()) => return self.count_sent(parcels),
                Err(Error::Exists { .. }) => parcels = self.sort_out(parcels)?,
                Err(error) => return Err(error),
            }
        }
        Err(Error::Offline { reason: "names come and go there".to_owned() })
    }

    fn count_sent(&mut self, parcels: Vec<Parcel>) -> Result<(), Error> {
        for parcel in parcels {
            self.report.sent += 1;
            self.report.sent_bytes += parcel.file.len;
            (self.with.progress)(Step::Sent(parcel.file.len));
            self.remember(parcel);
        }
        Ok(())
    }

    fn remember(&mut self, parcel: Parcel) {
        let row = row(&parcel.file, parcel.hash, parcel.is_document);
        self.sent.rows.insert(parcel.file.name, row);
    }

    /// Gives what is still to be put.
    fn sort_out(&mut self, parcels: Vec<Parcel>) -> Result<Vec<Parcel>, Error> {
        let remote = self.with.remote;
        let there = each(&parcels, |parcel| match parcel.existing {
            Existing::Replace => Ok(Fetched::Missing),
            Existing::Refuse => {
                let (name, existing) = (parcel.file.name.clone(), Existing::Refuse);
                fetch(remote, &Wanted { name, len: None, hash: None, is_sure: false, existing })
            }
        });
        let (mut left, mut altered) = (Vec::new(), Vec::new());
        for (parcel, there) in parcels.into_iter().zip(there) {
            let is_older = !parcel.file.name.starts_with("machines/");
            match there? {
                Fetched::Missing => left.push(parcel),
                Fetched::Whole(bytes) if is_older || bytes == parcel.bytes => self.remember(parcel),
                _ if is_older => self.remember(parcel),
                _ if self.look(&parcel.file.name, &parcel.bytes) == Look::Damaged => {
                    altered.push(parcel.file.name);
                }
                _ => {
                    let message = "the remote has something else under this name, which stays as it is there";
                    self.report.warn(&parcel.file.name, message);
                }
            }
        }
        self.mend(altered)?;
        Ok(left)
    }

    fn put_head(&mut self) -> Result<(), Error> {
        self.announce()?;
        let Some(next) = self.told.next.clone() else { return Ok(()) };
        let name = next.of(self.with.own);
        let bytes = serde_json::to_vec(&self.head(next.number));
        let bytes = bytes.map_err(|error| Error::write(&name)(error.into()))?;
        let batch = self.with.remote.batch()?;
        batch.put(&name, &bytes, Existing::Replace)?;
        for old in self.heads.all(self.with.own).iter().filter(|old| old.number < next.number) {
            batch.remove(&old.of(self.with.own))?;
        }
        self.save_sent();
        batch.commit()?;
        self.told.gone = self.last_gone();
        self.told.renewed = self.record.renewed;
        self.told.head = self.told.next.take();
        self.save_record()
    }

    fn head(&self, number: u64) -> Head {
        let below = format!("machines/{}/", self.with.own);
        let rows = &self.sent.rows;
        let ours = || rows.iter().filter_map(|(name, row)| Some((name.strip_prefix(&below)?, row)));
        let documents = ours().filter(|(_, row)| row.is_document);
        let objects = ours().count();
        Head {
            objects: objects as u64,
            older: (rows.len() - objects) as u64,
            gone: self.last_gone(),
            renewed: self.record.renewed,
            documents: documents.map(|(name, row)| (name.to_owned(), row.hash.clone())).collect(),
            ..Head::new(self.with.installation, number)
        }
    }
}

/// What the original tool left is put once, whatever it is.
fn is_document(name: &str) -> bool {
    name.starts_with("machines/") && Kind::of(name) == Kind::Document
}
