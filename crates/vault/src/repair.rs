//! Damaged segments → the same segments, taken again from where their bytes still are.
//!
//! A segment is replaced only by bytes that are proven to be the same: by its own hash, as far as that can still be
//! read, by the chain that its neighbours hold, or by a live file that is unchanged since it was kept.

mod evidence;
mod original;
mod remnant;

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

use jiff::Timestamp;

use crate::cache::{Checkpoint, inode_of, nanoseconds};
use crate::catalog::{Catalog, Machine};
use crate::damage::{Damage, Reason};
use crate::error::Error;
use crate::header::{Header, Unreadable};
use crate::ledger::Ledger;
use crate::name::SegmentName;
use crate::reading::Volume;
use crate::store::{Existing, Store};
use crate::stream::{Generation, Stream};
use crate::verify;
use crate::work::Writer;
use evidence::Evidence;

/// A place that may still have the bytes.
pub trait RepairSource {
    /// The live file at a path of the Claude directory.
    fn live(&self, machine: &str, path: &str) -> Option<File>;

    /// A segment, by its name, as it was sent somewhere.
    fn sent(&self, segment: &str) -> Option<Vec<u8>>;
}

#[derive(Debug, Default)]
pub struct Repaired {
    pub repaired: Vec<Damage>,
    pub remaining: Vec<Damage>,
}

impl Writer {
    pub fn repair(
        &mut self,
        damages: &[Damage],
        source: &dyn RepairSource,
        now: Timestamp,
    ) -> Result<Repaired, Error> {
        let known = self.cache.catalog().unwrap_or_default();
        *self.loaded() = Catalog::read(&self.store, None, &self.owners)?;
        let mut repaired = Repaired { repaired: Vec::new(), remaining: damages.to_vec() };
        // One that is repaired may prove its neighbour.
        loop {
            let before = repaired.remaining.len();
            for damage in std::mem::take(&mut repaired.remaining) {
                let is_repaired = self.mend(&damage, &known, source, now)?;
                if is_repaired { &mut repaired.repaired } else { &mut repaired.remaining }.push(damage);
            }
            if repaired.remaining.is_empty() || repaired.remaining.len() == before {
                break;
            }
        }
        // The cache is the last record of lost segments: it is renewed only when none are left.
        if repaired.remaining.is_empty() {
            self.look_again()?;
        }
        Ok(repaired)
    }

    fn mend(
        &mut self,
        damage: &Damage,
        known: &Catalog,
        source: &dyn RepairSource,
        now: Timestamp,
    ) -> Result<bool, Error> {
        let checkpoint = self.cache.checkpoints(&damage.machine).files.get(&damage.path).copied();
        let (store, catalog) = self.parts()?;
        let Some(place) = Location::find(damage, catalog, known) else { return Ok(false) };
        let generation = place.generation();
        let volume =
            Volume { store, machine: &damage.machine, stream: place.stream, generation: &generation };
        if is_well(&volume, damage) {
            return Ok(true);
        }
        if is_newer(store, &damage.segment) {
            return Ok(false);
        }
        let file = source.live(&damage.machine, &damage.path);
        let live = file.map(|file| Live::new(file, checkpoint.filter(|_| place.is_latest)));
        let recorded = catalog.machines.get(&damage.machine).and_then(|kept| {
            let name = SegmentName::parse(&damage.segment)?;
            Ledger::read(store, kept).ok()?.end(&place.name, damage.generation, name.last)?.after
        });
        let bytes = match Evidence::gather(volume, damage, (place.was, recorded), now) {
            Some(evidence) => evidence.mended(source, live),
            None => original::mended(&volume, damage, source, live),
        };
        let Some(bytes) = bytes else { return Ok(false) };
        let store = self.store.clone();
        let batch = store.batch()?;
        batch.put(&damage.segment, &bytes, Existing::Replace)?;
        match self.commit(batch) {
            // It is not ours to remove, and nothing else waits for it.
            Err(Error::Write { source, .. }) if source.kind() == io::ErrorKind::IsADirectory => {
                return Ok(false);
            }
            committed => committed?,
        }
        self.look_after(damage)?;
        Ok(true)
    }

    /// The catalogue learns of a segment that was replaced.
    fn look_after(&mut self, damage: &Damage) -> Result<(), Error> {
        let mut known = std::mem::take(self.loaded());
        let streams = known.machines.values_mut().flat_map(Machine::all_mut);
        for generation in streams.flat_map(|stream| &mut stream.generations) {
            generation.segments.retain(|segment| segment.file != damage.segment);
        }
        *self.loaded() = Catalog::read(&self.store, Some(&known), &self.owners)?;
        Ok(())
    }
}

/// Another process may have repaired or merged it since it was found.
fn is_well(volume: &Volume<'_>, damage: &Damage) -> bool {
    let mut segments = volume.generation.segments.iter();
    if let Some(own) = segments.clone().find(|segment| segment.file == damage.segment) {
        let is_whole = verify::check_segment(volume, own, None).is_ok();
        return is_whole
            && damage.reason != Reason::Chain
            && volume.gaps(None).iter().all(|gap| gap.segment != damage.segment);
    }
    let name = SegmentName::parse(&damage.segment);
    name.is_some_and(|name| segments.any(|one| one.first <= name.first && name.last <= one.last))
}

/// A segment of a newer version only seems damaged.
fn is_newer(store: &dyn Store, segment: &str) -> bool {
    let header = store.open(segment).map(|mut reader| Header::read(&mut reader));
    matches!(header, Ok(Err(Unreadable::Newer(_))))
}

/// The generation that the damaged segment belongs to.
struct Location<'a> {
    name: String,
    stream: &'a Stream,
    generation: Option<&'a Generation>,
    number: u32,
    is_latest: bool,
    /// The generation, as it once was.
    was: Option<&'a Generation>,
}

impl<'a> Location<'a> {
    fn find(damage: &Damage, catalog: &'a Catalog, known: &'a Catalog) -> Option<Self> {
        let name = stream_name(damage, [catalog, known])?;
        let stream_in = |catalog: &'a Catalog| catalog.machines.get(&damage.machine)?.stream(&name);
        let (now, was) = (stream_in(catalog), stream_in(known));
        let stream = now.or(was)?;
        let number = damage.generation;
        let newest =
            [now, was].into_iter().flatten().filter_map(Stream::latest).map(|latest| latest.number).max();
        Some(Self {
            name: name.clone(),
            stream,
            generation: now.and_then(|now| now.generation(number)),
            number,
            is_latest: newest == Some(number),
            was: was.and_then(|was| was.generation(number)),
        })
    }

    /// Empty where none of its segments is left.
    fn generation(&self) -> Generation {
        self.generation.cloned().unwrap_or_else(|| Generation::empty(self.number))
    }
}

/// The stream that has the segment, or else the one that the segment's name tells.
fn stream_name(damage: &Damage, catalogs: [&Catalog; 2]) -> Option<String> {
    let streams = catalogs.into_iter().filter_map(|one| one.machines.get(&damage.machine));
    let mut streams = streams.flat_map(Machine::all);
    if let Some((name, _)) = streams.find(|(_, stream)| stream.files().any(|file| file == damage.segment)) {
        return Some(name.to_owned());
    }
    let parsed = SegmentName::parse(&damage.segment).map(|name| name.stream);
    let name = parsed.or_else(|| damage.segment.strip_suffix(".gz").map(str::to_owned))?;
    Some(name.strip_prefix(&format!("machines/{}/", damage.machine)).unwrap_or(&name).to_owned())
}

/// The live file of a damaged segment.
struct Live {
    file: File,
    /// Its stat is that of the file when it was last kept.
    is_unchanged: bool,
}

impl Live {
    fn new(file: File, checkpoint: Option<Checkpoint>) -> Self {
        let looks_like = |checkpoint: Checkpoint| {
            let metadata = file.metadata().ok()?;
            let modified = nanoseconds(metadata.modified().ok()?);
            let now = (metadata.len(), modified, inode_of(&metadata));
            Some(now == (checkpoint.len, checkpoint.modified, checkpoint.inode))
        };
        let is_unchanged = checkpoint.and_then(looks_like).unwrap_or_default();
        Self { file, is_unchanged }
    }

    fn bytes(&mut self, offset: u64, length: u64) -> Option<Vec<u8>> {
        self.file.seek(SeekFrom::Start(offset)).ok()?;
        let mut bytes = Vec::new();
        self.file.by_ref().take(length).read_to_end(&mut bytes).ok()?;
        (bytes.len() as u64 == length).then_some(bytes)
    }

    /// The file is unchanged and at least as long: its bytes before `end` are those that were kept.
    fn vouches_for(&self, end: u64) -> bool {
        self.is_unchanged && self.file.metadata().is_ok_and(|metadata| end <= metadata.len())
    }
}
