//! The vault while one process changes it: its lock, its catalogue, and the order in which things become true.

use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

use crate::cache::{Cache, Checkpoints};
use crate::catalog::{Catalog, Machine, Owners};
use crate::damage::Damage;
use crate::error::Error;
use crate::ledger::{End, Ledger, LedgerEnd, Target};
use crate::lock::Lock;
use crate::private;
use crate::reading::Volume;
use crate::store::{Batch, Store, VaultStore};
use crate::verify::vanished;

/// The vault for readers.
#[derive(Debug)]
pub struct Cached {
    store: VaultStore,
    cache: Cache,
    owners: Owners,
}

impl Cached {
    /// `vault` is the vault's id.
    pub fn new(store: VaultStore, vault: &str, owners: Owners) -> Self {
        Self { cache: Cache::new(&store, vault, &owners), store, owners }
    }

    pub fn store(&self) -> &VaultStore {
        &self.store
    }

    /// Every kept file, from the cache where that is true.
    pub fn catalog(&self) -> Result<Catalog, Error> {
        let known = self.cache.catalog();
        match known {
            Some(catalog) if self.cache.is_current() => Ok(catalog),
            known => Catalog::read(&self.store, known.as_ref(), &self.owners),
        }
    }

    /// The cached catalogue, whether or not it is current.
    pub fn remembered(&self) -> Option<Catalog> {
        self.cache.catalog()
    }

    /// The machines whose live files were taken here, as far as that is remembered.
    pub fn taken_here(&self) -> Vec<String> {
        self.cache.machines()
    }

    /// The segments that the cache remembers and that are not there any more; `catalog` is what there is.
    pub fn vanished(&self, catalog: &Catalog) -> Vec<Damage> {
        let known = if self.cache.is_current() { None } else { self.cache.catalog() };
        known.map(|known| vanished(&self.store, &known, catalog)).unwrap_or_default()
    }

    /// Every kept file as read from the disk, and what the cache remembers.
    pub fn look_again(&self) -> Result<(Catalog, Option<Catalog>), Error> {
        Ok((Catalog::read(&self.store, None, &self.owners)?, self.cache.catalog()))
    }
}

/// The one process that changes the vault.
#[derive(Debug)]
pub struct Writer {
    pub(crate) store: VaultStore,
    pub(crate) cache: Cache,
    pub(crate) owners: Owners,
    /// `None` until something needs it.
    catalog: Option<Catalog>,
    /// Segments that were there when the vault was last used.
    lost: Vec<Damage>,
    _lock: Lock,
}

impl Writer {
    /// `holder` is shown to processes that wait.
    pub fn open(
        store: VaultStore,
        vault: &str,
        owners: Owners,
        holder: &str,
        patience: Duration,
    ) -> Result<Self, Error> {
        let lock = Lock::take(store.root(), holder, patience)?;
        Self::holding(lock, store, vault, owners)
    }

    /// By a lock that is held already.
    pub fn holding(lock: Lock, store: VaultStore, vault: &str, owners: Owners) -> Result<Self, Error> {
        store.files().sweep()?;
        let cache = Cache::new(&store, vault, &owners);
        cache.sweep();
        // Only the holder of the lock writes these.
        private::sweep_of(store.root(), "-exchange.json");
        private::sweep_of(store.root(), "-manifest.json");
        private::sweep(&store.root().join("machines").join(store.directory_of(&owners.own)));
        Ok(Self { store, cache, owners, catalog: None, lost: Vec::new(), _lock: lock })
    }

    pub fn store(&self) -> &VaultStore {
        &self.store
    }

    /// The checkpoints of live files, by machine. If another process has changed the vault, those of files it no
    /// longer has are forgotten.
    pub(crate) fn checkpoints(&mut self) -> Result<HashMap<String, Checkpoints>, Error> {
        let mut checkpoints = self.cache.all_checkpoints();
        if !self.cache.is_current() {
            if self.catalog.is_some() {
                self.refresh()?;
            }
            let catalog = self.catalog()?;
            for (machine, checkpoints) in &mut checkpoints {
                checkpoints.forget_what_is_gone(catalog.machines.get(machine));
            }
        }
        Ok(checkpoints)
    }

    /// Every kept file.
    pub fn catalog(&mut self) -> Result<&Catalog, Error> {
        self.load()?;
        Ok(self.loaded())
    }

    /// Segments that vanished since the vault was last used.
    pub fn lost(&self) -> &[Damage] {
        &self.lost
    }

    /// How far the ledgers of this machine reach, by Claude directory; nothing if nothing was read or written.
    pub fn ledger_ends(&self) -> BTreeMap<String, LedgerEnd> {
        let machines = self.catalog.iter().flat_map(|catalog| &catalog.machines);
        let own = machines.filter(|(machine, _)| self.owners.is_own(machine));
        own.filter_map(|(machine, kept)| Some((machine.clone(), kept.ledger_end()?))).collect()
    }

    pub(crate) fn forget_lost(&mut self, found: &[Damage]) {
        self.lost.retain(|lost| found.iter().all(|found| found.segment != lost.segment));
    }

    pub(crate) fn loaded(&mut self) -> &mut Catalog {
        self.catalog.get_or_insert_default()
    }

    /// The store beside the catalogue.
    pub(crate) fn parts(&mut self) -> Result<(&VaultStore, &mut Catalog), Error> {
        self.load()?;
        Ok((&self.store, self.catalog.get_or_insert_default()))
    }

    fn load(&mut self) -> Result<(), Error> {
        if self.catalog.is_some() {
            return Ok(());
        }
        let known = self.cache.catalog();
        let is_current = known.is_some() && self.cache.is_current();
        self.catalog = match known {
            Some(catalog) if is_current => Some(catalog),
            known => {
                let mut catalog = Catalog::read(&self.store, known.as_ref(), &self.owners)?;
                self.tidy(&catalog)?;
                let vanished = known.map(|known| vanished(&self.store, &known, &catalog));
                let mut vanished = vanished.unwrap_or_default();
                self.record_ends(&mut catalog, &vanished)?;
                self.lost = catalog.gone(&self.store);
                vanished.retain(|one| self.lost.iter().all(|lost| lost.segment != one.segment));
                self.lost.extend(vanished);
                Some(catalog)
            }
        };
        if !is_current {
            self.save()?;
        }
        Ok(())
    }

    /// Segments that a merged one covers are left over from a process that was killed before it removed them.
    fn tidy(&self, catalog: &Catalog) -> Result<(), Error> {
        if catalog.covered.is_empty() {
            return Ok(());
        }
        let batch = self.store.batch()?;
        for name in &catalog.covered {
            batch.remove(name)?;
        }
        batch.commit()
    }

    /// Brings the ledgers of this machine up to date: a killed process, or an older version, wrote segments that they do
    /// not record yet, and where the ledger was lost, only the cache remembers what else is gone. Removes generations of
    /// a ledger that a later one replaces.
    fn record_ends(&self, catalog: &mut Catalog, vanished: &[Damage]) -> Result<(), Error> {
        let own = catalog.machines.iter_mut().filter(|(machine, _)| self.owners.is_own(machine));
        let batch = self.store.batch()?;
        let mut is_changed = false;
        for (machine, kept) in own {
            // Without its key it is left as it is; the cache stays unbelieved until it was compared.
            let Ok(ledger) = Ledger::read(&self.store, kept) else { continue };
            is_changed |= remove_replaced(batch.as_ref(), kept, &ledger)?;
            let mut now = None;
            // What a whole ledger does not have went on purpose.
            let is_whole = kept.ledger.is_some() && !kept.is_unguarded;
            let lost = vanished.iter().filter(|lost| lost.machine == *machine && !is_whole);
            let lost = lost.filter_map(End::of_lost);
            let is_new = |lost: &End| ledger.end(&lost.stream, lost.generation, lost.segment).is_none();
            let mut ends: Vec<End> = lost.filter(is_new).collect();
            for (name, stream, generation, segment) in ledger.unrecorded(kept) {
                let volume = Volume { store: &self.store, machine, stream, generation };
                ends.extend(End::of(&volume, name, segment).ok());
                now = now.max(Some(segment.taken));
            }
            let now = now.unwrap_or(jiff::Timestamp::UNIX_EPOCH);
            let target = Target { store: &self.store, batch: batch.as_ref(), machine, now };
            is_changed |= !target.append(kept, ends)?.is_empty();
        }
        if is_changed { self.cache.begin().and_then(|()| batch.commit()) } else { Ok(()) }
    }

    /// Reads the directories again, after git or a download changed them.
    pub fn refresh(&mut self) -> Result<(), Error> {
        let known = self.catalog.take().or_else(|| self.cache.catalog());
        self.catalog = Some(Catalog::read(&self.store, known.as_ref(), &self.owners)?);
        self.save()
    }

    /// This machine goes by another name from now on; its directory was renamed.
    pub fn rename(&mut self, own: &str) -> Result<(), Error> {
        if self.owners.original.as_ref() == Some(&self.owners.own) {
            self.owners.original = Some(own.to_owned());
        }
        let old = std::mem::replace(&mut self.owners.own, own.to_owned());
        let ledgers = std::mem::take(&mut self.owners.ledgers).into_iter();
        self.owners.ledgers = ledgers.map(|(name, end)| (name.replacen(&old, own, 1), end)).collect();
        self.store = self.store.clone().of_machine(own);
        self.refresh()
    }

    /// Reads everything anew.
    pub(crate) fn look_again(&mut self) -> Result<(), Error> {
        self.catalog = Some(Catalog::read(&self.store, None, &self.owners)?);
        self.save()
    }

    pub(crate) fn save(&mut self) -> Result<(), Error> {
        let catalog = self.catalog.get_or_insert_default();
        self.cache.save(catalog)
    }

    /// The same, after files were written or removed, and with new checkpoints.
    pub(crate) fn save_written(
        &mut self,
        checkpoints: &HashMap<String, Checkpoints>,
        written: &[String],
    ) -> Result<(), Error> {
        let catalog = self.catalog.get_or_insert_default();
        self.cache.save_written(catalog, checkpoints, written)
    }

    /// A commit that fails may have made a part true: then nothing that was known is believed.
    pub(crate) fn commit(&mut self, batch: Box<dyn Batch + '_>) -> Result<(), Error> {
        let outcome = self.cache.begin().and_then(|()| batch.commit());
        if outcome.is_err() {
            self.catalog = None;
        }
        outcome
    }
}

/// A purge that was killed after it wrote the new generation left the old ones.
fn remove_replaced(batch: &dyn Batch, kept: &mut Machine, ledger: &Ledger) -> Result<bool, Error> {
    let Some(stream) = kept.ledger.as_mut().filter(|_| !ledger.replaced.is_empty()) else { return Ok(false) };
    let (old, left) = std::mem::take(&mut stream.generations)
        .into_iter()
        .partition(|generation| ledger.replaced.contains(&generation.number));
    stream.generations = left;
    let old: Vec<crate::Generation> = old;
    for segment in old.iter().flat_map(|generation| &generation.segments) {
        batch.remove(&segment.file)?;
    }
    Ok(true)
}
