//! New files → the remote: segments, documents, then the head that announces them.

use super::Transfer;
use super::compare::row;
use super::fetch::{Fetched, Wanted, fetch};
use super::head::Head;
use super::parallel::{each, portions};
use super::run::{Run, Standing};
use crate::error::Error;
use crate::header::short_hash;
use crate::replacement::{Content, FileKind, is_sound};
use crate::store::{Entry, Existing, json_of, read_if_there};

/// How often names that are there already are sorted out of one batch.
const TRIES: usize = 8;
/// The most that is held in memory at a time.
const BYTES: u64 = 64 << 20;
const FILES: usize = 512;

/// A file on its way to the remote.
struct Upload {
    file: Entry,
    bytes: Vec<u8>,
    hash: String,
    existing: Existing,
    is_document: bool,
}

/// How a file compares with what was sent.
enum Examined {
    /// The remote has it.
    Same {
        hash: String,
    },
    New(Upload),
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
        self.put_reencrypted()?;
        self.put_gone()?;
        let newest = self.heads.newest(self.with.own);
        if standing == Standing::Behind || newest.len() > 1 {
            self.reserve_head()?;
        }
        if self.acknowledged.next.is_some() {
            self.put_head()?;
            return Ok(Some(true));
        }
        if standing == Standing::Ahead {
            self.acknowledged.head = newest.into_iter().next();
            self.save_record()?;
        }
        self.save_sent();
        self.remove_old_heads()?;
        Ok(Some(false))
    }

    /// A run that broke may have left some.
    fn remove_old_heads(&self) -> Result<(), Error> {
        let newest = self.acknowledged.head.as_ref().map(|head| head.number).unwrap_or_default();
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
            (self.with.progress)(Transfer::Sending(new.iter().map(|file| file.len).sum()));
        }
        let (documents, segments): (Vec<_>, Vec<_>) =
            new.into_iter().partition(|file| FileKind::of(&file.name) == FileKind::Document);
        let mut altered = Vec::new();
        let cut = |files| portions(files, (BYTES, FILES), |file: &Entry| file.len);
        for portion in [segments, documents].into_iter().flat_map(cut) {
            let examined = each(&portion, |file| self.examine(file));
            let mut uploads = Vec::new();
            for (file, examined) in portion.into_iter().zip(examined) {
                match examined? {
                    Examined::Same { hash } => {
                        let is_document = is_document(&file.name);
                        self.sent.rows.insert(file.name.clone(), row(&file, hash, is_document));
                    }
                    Examined::New(upload) => uploads.push(upload),
                    Examined::Altered => altered.push(file.name),
                    Examined::Vanished => {}
                }
            }
            self.upload_all(uploads)?;
            self.save_sent();
        }
        self.recover_damaged(altered)
    }

    fn examine(&self, file: &Entry) -> Result<Examined, Error> {
        let bytes = read_if_there(self.with.local(), &file.name)?;
        let Some(bytes) = bytes else { return Ok(Examined::Vanished) };
        let hash = short_hash(&bytes);
        let known = self.sent.rows.get(&file.name);
        let is_older = !file.name.starts_with("machines/");
        let is_reencrypting = self.is_reencrypting(&file.name);
        if known.is_some_and(|row| is_older && !is_reencrypting || row.hash == hash) {
            return Ok(Examined::Same { hash });
        }
        if !is_sound(&file.name, &bytes) {
            return Ok(Examined::Altered);
        }
        let kind = FileKind::of(&file.name);
        // What could not be opened was not encrypted again, either.
        if kind == FileKind::Segment
            && is_reencrypting
            && self.content_of(&file.name, &bytes) == Content::Damaged
        {
            return Ok(Examined::Altered);
        }
        if let Some(row) = known.filter(|_| kind == FileKind::Segment && !is_reencrypting) {
            let is_same = row.hash.is_empty() && row.len == bytes.len() as u64;
            return Ok(if is_same { Examined::Same { hash } } else { Examined::Altered });
        }
        let is_document = is_document(&file.name);
        let existing = if is_document || is_reencrypting { Existing::Replace } else { Existing::Refuse };
        let file = Entry { len: bytes.len() as u64, ..file.clone() };
        Ok(Examined::New(Upload { file, bytes, hash, existing, is_document }))
    }

    /// An object there already was put by a run killed before it recorded it; it is compared.
    fn upload_all(&mut self, mut uploads: Vec<Upload>) -> Result<(), Error> {
        for _ in 0..TRIES {
            if uploads.is_empty() {
                return Ok(());
            }
            self.reserve_head()?;
            let batch = self.with.remote.batch()?;
            for upload in &uploads {
                batch.put(&upload.file.name, &upload.bytes, upload.existing)?;
            }
            match batch.commit() {
                Ok(()) => {
                    uploads.into_iter().for_each(|upload| self.count_sent(upload));
                    return Ok(());
                }
                Err(Error::Exists { .. }) => uploads = self.without_existing(uploads)?,
                Err(error) => return Err(error),
            }
        }
        Err(Error::Offline { reason: "names come and go there".to_owned() })
    }

    fn count_sent(&mut self, upload: Upload) {
        self.report.sent += 1;
        self.report.sent_bytes += upload.file.len;
        (self.with.progress)(Transfer::Sent(upload.file.len));
        self.remember(upload);
    }

    fn remember(&mut self, upload: Upload) {
        let row = row(&upload.file, upload.hash, upload.is_document);
        self.sent.rows.insert(upload.file.name, row);
    }

    /// Gives the uploads whose names are still free.
    fn without_existing(&mut self, uploads: Vec<Upload>) -> Result<Vec<Upload>, Error> {
        let remote = self.with.remote;
        let there = each(&uploads, |upload| match upload.existing {
            Existing::Replace => Ok(Fetched::Missing),
            Existing::Refuse => {
                let (name, existing) = (upload.file.name.clone(), Existing::Refuse);
                fetch(remote, &Wanted { name, len: None, hash: None, is_sure: false, existing })
            }
        });
        let (mut left, mut altered) = (Vec::new(), Vec::new());
        for (upload, there) in uploads.into_iter().zip(there) {
            let is_older = !upload.file.name.starts_with("machines/");
            match there? {
                Fetched::Missing => left.push(upload),
                Fetched::Whole(bytes) if is_older || bytes == upload.bytes => self.remember(upload),
                _ if is_older => self.remember(upload),
                _ if self.content_of(&upload.file.name, &upload.bytes) == Content::Damaged => {
                    altered.push(upload.file.name);
                }
                _ => {
                    let message = "the remote has something else under this name, which stays as it is there";
                    self.report.warn(&upload.file.name, message);
                }
            }
        }
        self.recover_damaged(altered)?;
        Ok(left)
    }

    fn put_head(&mut self) -> Result<(), Error> {
        self.reserve_head()?;
        let Some(next) = self.acknowledged.next.clone() else { return Ok(()) };
        let name = next.of(self.with.own);
        let bytes = json_of(&name, &self.head(next.number))?;
        let batch = self.with.remote.batch()?;
        batch.put(&name, &bytes, Existing::Replace)?;
        for old in self.heads.all(self.with.own).iter().filter(|old| old.number < next.number) {
            batch.remove(&old.of(self.with.own))?;
        }
        self.save_sent();
        batch.commit()?;
        self.acknowledged.gone = self.last_gone();
        self.acknowledged.renewed = self.record.renewed;
        self.acknowledged.head = self.acknowledged.next.take();
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

/// A file of the original tool counts as a segment: it is put once.
fn is_document(name: &str) -> bool {
    name.starts_with("machines/") && FileKind::of(name) == FileKind::Document
}
