//! Objects at the remote → files of the vault.
//!
//! Many threads fetch and write at the same time, because most of the time is spent waiting for the network and the
//! disk. Many files are made durable together.

use super::Transfer;
use super::fetch::{Fetched, Wanted, fetch};
use super::parallel::{Room, portions, try_each};
use super::run::Run;
use crate::error::Error;
use crate::receive::{Received, Receiver, is_bad_name};
use crate::store::{Batch, Store};

/// Requests under way at once.
const WIDTH: usize = 32;
/// The most that is held in memory at a time.
const HELD: u64 = 32 << 20;
/// How much is made durable together: a killed run has to fetch it again.
const BYTES: u64 = 256 << 20;
const FILES: usize = 4096;

/// The outcome for a wanted object.
enum Downloaded {
    Received {
        outcome: Received,
        bytes: u64,
    },
    /// Its session was purged here.
    Purged,
    Refused(Fetched),
}

type Downloads<'w> = Vec<(&'w Wanted, Downloaded)>;

impl Run<'_, '_> {
    /// `false` where something is to be looked for again. Gives the names that were written.
    pub(super) fn download(&mut self, wanted: Vec<Wanted>) -> Result<(bool, Vec<String>), Error> {
        let mut is_all = true;
        let mut written = Vec::new();
        let bytes = wanted.iter().filter_map(|wanted| wanted.len).fold(0, u64::saturating_add);
        if !wanted.is_empty() {
            (self.with.progress)(Transfer::Receiving(bytes));
        }
        for portion in portions(wanted, (BYTES, FILES), |wanted| wanted.len.unwrap_or_default()) {
            let (downloads, trouble) = self.download_portion(&portion)?;
            for (wanted, downloaded) in downloads {
                is_all &= self.conclude(wanted, downloaded, &mut written);
            }
            if let Some(trouble) = trouble {
                return Err(trouble);
            }
        }
        Ok((is_all, written))
    }

    /// As far as the remote gives them; then why it gives no more.
    fn download_portion<'w>(&self, portion: &'w [Wanted]) -> Result<(Downloads<'w>, Option<Error>), Error> {
        let local = self.with.local();
        let batch = local.batch()?;
        let room = Room::new(HELD);
        let brought = try_each(portion, WIDTH, |wanted| {
            let _held = room.take(wanted.len.unwrap_or_default());
            self.download_one(wanted, batch.as_ref())
        });
        let (mut downloads, mut trouble) = (Vec::with_capacity(portion.len()), None);
        for (wanted, downloaded) in portion.iter().zip(brought) {
            match downloaded {
                Some(Ok(downloaded)) => downloads.push((wanted, downloaded)),
                Some(Err(error @ (Error::Offline { .. } | Error::Refused { .. }))) => trouble = Some(error),
                Some(Err(error)) => return Err(error),
                None => {}
            }
        }
        match batch.commit() {
            Ok(()) => Ok((downloads, trouble)),
            Err(error) if is_bad_name(&error) => {
                let alone = portion.iter().map(|wanted| Ok((wanted, self.download_alone(wanted)?)));
                Ok((alone.collect::<Result<_, Error>>()?, trouble))
            }
            Err(error) => Err(error),
        }
    }

    fn download_one(&self, wanted: &Wanted, batch: &dyn Batch) -> Result<Downloaded, Error> {
        let fetched = fetch(self.with.remote, wanted)?;
        (self.with.progress)(Transfer::Received(wanted.len.unwrap_or_default()));
        let Fetched::Whole(bytes) = fetched else { return Ok(Downloaded::Refused(fetched)) };
        if self.is_purged(&wanted.name, &bytes) {
            return Ok(Downloaded::Purged);
        }
        let target = (wanted.name.as_str(), wanted.existing);
        let outcome = self.receiver().put(batch, target, &bytes, wanted.is_sure)?;
        Ok(Downloaded::Received { outcome, bytes: bytes.len() as u64 })
    }

    fn download_alone(&self, wanted: &Wanted) -> Result<Downloaded, Error> {
        let downloaded = self.receiver().put_alone(|batch| self.download_one(wanted, batch))?;
        Ok(downloaded.unwrap_or_else(|outcome| Downloaded::Received { outcome, bytes: 0 }))
    }

    fn receiver(&self) -> Receiver<'_> {
        Receiver { files: self.with.local(), encryption: self.with.store.encryption() }
    }

    /// `false` where another look may help: its machine may be pushing right now.
    fn conclude(&mut self, wanted: &Wanted, downloaded: Downloaded, written: &mut Vec<String>) -> bool {
        let name = wanted.name.as_str();
        let (message, is_final) = match downloaded {
            Downloaded::Received { outcome, bytes } => {
                match outcome.objection() {
                    Some(objection) => self.report.warn(name, objection),
                    None => {
                        self.report.received += 1;
                        self.report.received_bytes += bytes;
                        written.push(name.to_owned());
                    }
                }
                return true;
            }
            Downloaded::Purged => {
                self.purged.insert(name.to_owned());
                return true;
            }
            Downloaded::Refused(Fetched::Whole(_) | Fetched::Missing) => return false,
            // It may just be writing the next.
            Downloaded::Refused(Fetched::Other) if wanted.hash.is_some() => {
                self.doubted.push(name.to_owned());
                return false;
            }
            Downloaded::Refused(Fetched::Other) => {
                ("it has another length than the remote says, and was not taken", false)
            }
            Downloaded::Refused(Fetched::Damaged) => ("it is damaged there, and was not taken", true),
            Downloaded::Refused(Fetched::TooLarge) => {
                ("it is larger than anything in a vault, and was not taken", false)
            }
        };
        self.report.warn(name, message);
        is_final
    }
}
