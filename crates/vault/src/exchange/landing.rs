//! Objects that are wanted → files of the vault, whole or not at all, and nothing outside of it.
//!
//! Most of the time goes by in waiting, for the remote and for the disk. So whoever has fetched one writes it at once,
//! beside others who fetch, and many are made durable together.

use std::io;
use std::path::Path;

use super::Step;
use super::fetch::{Fetched, Wanted, fetch};
use super::parallel::{Room, portions, try_each};
use super::run::Run;
use crate::error::Error;
use crate::store::{Batch, Store};

/// Requests under way at once.
const WIDTH: usize = 32;
/// The most that is held in memory at a time.
const HELD: u64 = 32 << 20;
/// What is made durable together: so much has to be fetched again by whoever is killed.
const BYTES: u64 = 256 << 20;
const FILES: usize = 4096;

/// What became of one that was wanted.
enum Landing {
    /// As long as it is.
    Put(u64),
    /// It was purged here.
    Buried,
    /// Nothing proves that it belongs where something else is.
    Unproven,
    BehindLink,
    Refused(Fetched),
    /// The name is none for a file here.
    Unfit(Error),
}

type Landings<'w> = Vec<(&'w Wanted, Landing)>;

impl Run<'_, '_> {
    /// `false` where something is to be looked for again. Gives the names that were written.
    pub(super) fn land(&mut self, wanted: Vec<Wanted>) -> Result<(bool, Vec<String>), Error> {
        let mut is_all = true;
        let mut landed = Vec::new();
        let bytes = wanted.iter().filter_map(|wanted| wanted.len).fold(0, u64::saturating_add);
        if !wanted.is_empty() {
            (self.with.progress)(Step::Receiving(bytes));
        }
        for portion in portions(wanted, (BYTES, FILES), |wanted| wanted.len.unwrap_or_default()) {
            let (landings, trouble) = self.bring_all(&portion)?;
            for (wanted, landing) in landings {
                is_all &= self.conclude(wanted, landing, &mut landed);
            }
            if let Some(trouble) = trouble {
                return Err(trouble);
            }
        }
        Ok((is_all, landed))
    }

    /// As far as the remote gives them; then why it gives no more.
    fn bring_all<'w>(&self, portion: &'w [Wanted]) -> Result<(Landings<'w>, Option<Error>), Error> {
        let local = self.with.local();
        let batch = local.batch()?;
        let room = Room::new(HELD);
        let brought = try_each(portion, WIDTH, |wanted| {
            let _held = room.take(wanted.len.unwrap_or_default());
            self.bring(wanted, batch.as_ref())
        });
        let (mut landings, mut trouble) = (Vec::with_capacity(portion.len()), None);
        for (wanted, landing) in portion.iter().zip(brought) {
            match landing {
                Some(Ok(landing)) => landings.push((wanted, landing)),
                Some(Err(error @ (Error::Offline { .. } | Error::Refused { .. }))) => trouble = Some(error),
                Some(Err(error)) => return Err(error),
                None => {}
            }
        }
        match batch.commit() {
            Ok(()) => Ok((landings, trouble)),
            Err(error) if is_the_names_fault(&error) => {
                let alone = portion.iter().map(|wanted| Ok((wanted, self.bring_alone(wanted)?)));
                Ok((alone.collect::<Result<_, Error>>()?, trouble))
            }
            Err(error) => Err(error),
        }
    }

    fn bring(&self, wanted: &Wanted, batch: &dyn Batch) -> Result<Landing, Error> {
        let fetched = fetch(self.with.remote, wanted)?;
        (self.with.progress)(Step::Received(wanted.len.unwrap_or_default()));
        let Fetched::Whole(bytes) = fetched else { return Ok(Landing::Refused(fetched)) };
        let local = self.with.local();
        let put = Landing::Put(bytes.len() as u64);
        match () {
            () if self.is_buried(&bytes) => return Ok(Landing::Buried),
            () if !self.may_land(wanted, &bytes) => return Ok(Landing::Unproven),
            () if leads_through_link(local.root(), &wanted.name) => return Ok(Landing::BehindLink),
            // A first try with others may have got as far as this.
            () if local.read(&wanted.name).is_ok_and(|standing| standing == bytes) => return Ok(put),
            () => {}
        }
        match batch.put(&wanted.name, &bytes, wanted.existing) {
            Ok(()) => Ok(put),
            Err(error) if is_the_names_fault(&error) => Ok(Landing::Unfit(error)),
            Err(error) => Err(error),
        }
    }

    /// Where one of many stood in the way of the others.
    fn bring_alone(&self, wanted: &Wanted) -> Result<Landing, Error> {
        let batch = self.with.local().batch()?;
        let landing = self.bring(wanted, batch.as_ref())?;
        match batch.commit() {
            Ok(()) => Ok(landing),
            Err(error) if is_the_names_fault(&error) => Ok(Landing::Unfit(error)),
            Err(error) => Err(error),
        }
    }

    /// `false` where another look may help: somebody may be writing there right now.
    fn conclude(&mut self, wanted: &Wanted, landing: Landing, landed: &mut Vec<String>) -> bool {
        let name = wanted.name.as_str();
        let (message, is_final) = match landing {
            Landing::Put(bytes) => {
                self.report.received += 1;
                self.report.received_bytes += bytes;
                landed.push(name.to_owned());
                return true;
            }
            Landing::Buried => {
                self.buried.insert(name.to_owned());
                return true;
            }
            Landing::Unproven => ("it does not belong there, and what is here stays", true),
            Landing::BehindLink => ("a link is in the way, and is not followed", true),
            Landing::Unfit(error) => {
                self.report.warn(name, format!("cannot be written here: {error}"));
                return true;
            }
            Landing::Refused(Fetched::Whole(_) | Fetched::Missing) => return false,
            // It may just be writing the next.
            Landing::Refused(Fetched::Other) if wanted.hash.is_some() => {
                self.doubted.push(name.to_owned());
                return false;
            }
            Landing::Refused(Fetched::Other) => {
                ("it has another length than the remote says, and was not taken", false)
            }
            Landing::Refused(Fetched::Damaged) => ("it is damaged there, and was not taken", true),
            Landing::Refused(Fetched::TooLarge) => {
                ("it is larger than anything in a vault, and was not taken", false)
            }
        };
        self.report.warn(name, message);
        is_final
    }
}

pub(super) fn leads_through_link(root: &Path, name: &str) -> bool {
    let is_inside = |parent: &&Path| !parent.as_os_str().is_empty();
    Path::new(name).ancestors().filter(is_inside).any(|parent| root.join(parent).is_symlink())
}

/// As opposed to a full disk, or one that cannot be written to.
fn is_the_names_fault(error: &Error) -> bool {
    use io::ErrorKind as Kind;
    let kinds = [
        Kind::NotADirectory,
        Kind::IsADirectory,
        Kind::DirectoryNotEmpty,
        Kind::InvalidFilename,
        Kind::InvalidInput,
        Kind::AlreadyExists,
    ];
    match error {
        Error::Exists { .. } | Error::BadName { .. } => true,
        Error::Write { source, .. } => kinds.contains(&source.kind()),
        _ => false,
    }
}
