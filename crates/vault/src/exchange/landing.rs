//! Objects that are wanted → files of the vault, whole or not at all, and nothing outside of it.

use std::io;
use std::path::Path;

use super::Step;
use super::fetch::{Fetched, Wanted, fetch};
use super::parallel::{each, portions};
use super::run::Run;
use crate::error::Error;
use crate::store::{Existing, Store};

/// Bytes on their way into the vault.
struct Parcel {
    name: String,
    bytes: Vec<u8>,
    existing: Existing,
}

impl Run<'_, '_> {
    /// `false` where something is to be looked for again. Gives the names that were written.
    pub(super) fn land(&mut self, wanted: Vec<Wanted>) -> Result<(bool, Vec<String>), Error> {
        let mut is_all = true;
        let mut landed = Vec::new();
        let bytes = wanted.iter().filter_map(|wanted| wanted.len).fold(0, u64::saturating_add);
        if !wanted.is_empty() {
            (self.with.progress)(Step::Receiving(bytes));
        }
        for portion in portions(wanted, |wanted| wanted.len.unwrap_or_default()) {
            let (remote, progress) = (self.with.remote, self.with.progress);
            let fetched = each(&portion, |wanted| {
                let fetched = fetch(remote, wanted);
                progress(Step::Received(wanted.len.unwrap_or_default()));
                fetched
            });
            let mut parcels = Vec::new();
            for (wanted, fetched) in portion.into_iter().zip(fetched) {
                match fetched? {
                    Fetched::Whole(bytes) if self.is_buried(&wanted.name, &bytes) => {}
                    Fetched::Whole(bytes) if !self.may_land(&wanted, &bytes) => {
                        self.report.warn(&wanted.name, "it does not belong there, and what is here stays");
                    }
                    Fetched::Whole(bytes) => {
                        parcels.push(Parcel { name: wanted.name, bytes, existing: wanted.existing });
                    }
                    refused => is_all &= self.refuse(&wanted, &refused),
                }
            }
            self.write(parcels, &mut landed)?;
        }
        Ok((is_all, landed))
    }

    /// `false` where another look may help: somebody may be writing there right now.
    fn refuse(&mut self, wanted: &Wanted, fetched: &Fetched) -> bool {
        let (message, is_final) = match fetched {
            Fetched::Whole(_) | Fetched::Missing => return false,
            Fetched::Other if wanted.hash.is_some() => return self.doubt(wanted),
            Fetched::Other => ("it has another length than the remote says, and was not taken", false),
            Fetched::Damaged => ("it is damaged there, and was not taken", true),
            Fetched::TooLarge => ("it is larger than anything in a vault, and was not taken", false),
        };
        self.report.warn(&wanted.name, message);
        is_final
    }

    /// A document that is not the one that its machine told of: it may just be writing the next.
    fn doubt(&mut self, wanted: &Wanted) -> bool {
        self.doubted.push(wanted.name.clone());
        false
    }

    fn write(&mut self, parcels: Vec<Parcel>, landed: &mut Vec<String>) -> Result<(), Error> {
        let root = self.with.local().root();
        let (ready, through_links): (Vec<_>, Vec<_>) =
            parcels.into_iter().partition(|parcel| !leads_through_link(root, &parcel.name));
        for parcel in through_links {
            self.report.warn(&parcel.name, "a link is in the way, and is not followed");
        }
        match self.put(&ready) {
            Ok(()) => ready.iter().for_each(|parcel| self.count_received(parcel, landed)),
            Err(error) if is_the_names_fault(&error) => {
                for parcel in ready {
                    self.write_one(&parcel, landed)?;
                }
            }
            Err(error) => return Err(error),
        }
        Ok(())
    }

    fn write_one(&mut self, parcel: &Parcel, landed: &mut Vec<String>) -> Result<(), Error> {
        // A first try with others may have got as far as this.
        let is_there = || self.with.local().read(&parcel.name).is_ok_and(|bytes| bytes == parcel.bytes);
        match self.put(std::slice::from_ref(parcel)) {
            Ok(()) => self.count_received(parcel, landed),
            Err(Error::Exists { .. }) if is_there() => self.count_received(parcel, landed),
            Err(error) if is_the_names_fault(&error) => {
                self.report.warn(&parcel.name, format!("cannot be written here: {error}"));
            }
            Err(error) => return Err(error),
        }
        Ok(())
    }

    fn put(&self, parcels: &[Parcel]) -> Result<(), Error> {
        let batch = self.with.local().batch()?;
        for parcel in parcels {
            batch.put(&parcel.name, &parcel.bytes, parcel.existing)?;
        }
        batch.commit()
    }

    fn count_received(&mut self, parcel: &Parcel, landed: &mut Vec<String>) {
        self.report.received += 1;
        self.report.received_bytes += parcel.bytes.len() as u64;
        landed.push(parcel.name.clone());
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
