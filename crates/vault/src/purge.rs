//! Streams of a purged session → erased, with a tombstone in their place.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::ledger::{End, Ledger, Target};
use crate::store::{Batch, Entry, Existing, Store, json_of};
use crate::work::Writer;

/// The mark left of a purged session: the next sync does not take it again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tombstone {
    pub session: String,
    pub purged: Timestamp,
    pub machine: String,
}

impl Tombstone {
    fn name(machine: &str, session: &str) -> String {
        format!("machines/{machine}/tombstones/{}.json", Self::stem(session))
    }

    /// The name of a session's tombstone, without its ending.
    pub(crate) fn stem(session: &str) -> String {
        let is_plain = session.len() <= 100
            && session.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
        if is_plain { session.to_owned() } else { blake3::hash(session.as_bytes()).to_hex().to_string() }
    }

    fn named(entry: &Entry, machine: &str) -> Option<Self> {
        let stem = entry.name.rsplit('/').next()?.strip_suffix(".json")?;
        let purged = entry.modified.and_then(|time| Timestamp::try_from(time).ok());
        let purged = purged.unwrap_or(Timestamp::UNIX_EPOCH);
        Some(Self { session: stem.to_owned(), purged, machine: machine.to_owned() })
    }

    /// All sessions that were purged here.
    pub fn all(store: &dyn Store, machine: &str) -> Result<Vec<Self>, Error> {
        let mut tombstones = Vec::new();
        for entry in store.list(&format!("machines/{machine}/tombstones"))? {
            match store.read(&entry.name) {
                Ok(bytes) => tombstones.extend(serde_json::from_slice::<Self>(&bytes).ok()),
                // Without the key the name has to do.
                Err(Error::Locked { .. }) => tombstones.extend(Self::named(&entry, machine)),
                Err(error) => return Err(error),
            }
        }
        Ok(tombstones)
    }
}

impl Writer {
    /// Removes all segments of some streams of a machine. Gives the number of files removed.
    pub fn purge(&mut self, tombstone: &Tombstone, streams: &[String]) -> Result<u64, Error> {
        let machine = tombstone.machine.as_str();
        let store = self.store.clone();
        let (_, catalog) = self.parts()?;
        let batch = store.batch()?;
        let name = Tombstone::name(machine, &tombstone.session);
        batch.put(&name, &json_of(&name, tombstone)?, Existing::Replace)?;
        let mut removed = 0;
        let kept = catalog.machines.get(machine);
        for stream in streams.iter().filter_map(|name| kept?.streams.get(name)) {
            for file in stream.files() {
                batch.remove(file)?;
                removed += 1;
            }
        }
        self.forget_ends(batch.as_ref(), (machine, tombstone.purged), |end| streams.contains(&end.stream))?;
        self.commit(batch)?;
        let mut checkpoints = self.cache.checkpoints(machine);
        if let Some(kept) = self.loaded().machines.get_mut(machine) {
            kept.streams.retain(|name, stream| {
                let stays = !streams.contains(name);
                if !stays {
                    checkpoints.files.remove(&stream.path);
                }
                stays
            });
        }
        self.cache.save_checkpoints(machine, &checkpoints)?;
        self.save()?;
        Ok(removed)
    }

    /// Removes generations of a stream that must not be read again. The stream itself stays.
    pub fn remove_generations(
        &mut self,
        machine: &str,
        stream: &str,
        numbers: &[u32],
        now: Timestamp,
    ) -> Result<(), Error> {
        let store = self.store.clone();
        let batch = store.batch()?;
        let (_, catalog) = self.parts()?;
        let kept = catalog.machines.get(machine).and_then(|kept| kept.streams.get(stream));
        let generations = kept.into_iter().flat_map(|kept| &kept.generations);
        for segment in generations.filter(|one| numbers.contains(&one.number)).flat_map(|one| &one.segments) {
            batch.remove(&segment.file)?;
        }
        self.forget_ends(batch.as_ref(), (machine, now), |end| {
            end.stream == stream && numbers.contains(&end.generation)
        })?;
        self.commit(batch)?;
        self.refresh()
    }

    /// Writes the ledger anew without some records, so that it does not even name what was purged.
    fn forget_ends(
        &mut self,
        batch: &dyn Batch,
        (machine, now): (&str, Timestamp),
        is_forgotten: impl Fn(&End) -> bool,
    ) -> Result<(), Error> {
        let store = self.store.clone();
        let (_, catalog) = self.parts()?;
        let Some(kept) = catalog.machines.get_mut(machine) else { return Ok(()) };
        let ledger = match Ledger::read(&store, kept) {
            Ok(ledger) => ledger,
            // The tombstone says that it is gone on purpose; the records stay until the key is there.
            Err(Error::Locked { .. }) => return Ok(()),
            Err(error) => return Err(error),
        };
        Target { store: &store, batch, machine, now }.replace(kept, &ledger, is_forgotten)?;
        Ok(())
    }
}
