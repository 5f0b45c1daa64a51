//! All segments of a vault → those that are damaged or missing.

use std::collections::{HashMap, HashSet};
use std::io;

use rayon::prelude::*;

use crate::catalog::Catalog;
use crate::damage::{Damage, Reason};
use crate::error::Error;
use crate::header::Hash;
use crate::ledger::{End, LEDGER, Ledger};
use crate::reading::Volume;
use crate::store::Store;
use crate::stream::{Generation, Segment, Stream};

#[derive(Debug, Default)]
pub struct Checked {
    /// KeptGeneration files, of all machines and generations.
    pub files: u64,
    pub segments: u64,
    /// Unpacked.
    pub bytes: u64,
    pub damaged: Vec<Damage>,
    /// Segments that should be there.
    pub missing: Vec<Damage>,
    /// Segments that only a newer version, or another key, can check.
    pub newer: Vec<Damage>,
}

/// `known` is what was there before, so that what vanished is missed. `progress` is called with bytes read.
pub fn verify(
    store: &dyn Store,
    catalog: &Catalog,
    known: Option<&Catalog>,
    progress: &(dyn Fn(u64) + Sync),
) -> Checked {
    let kept: Vec<KeptGeneration<'_>> = kept(catalog, known).collect();
    let read = |(machine, kept): (&'_ String, &_)| Some((machine.clone(), Ledger::read(store, kept).ok()?));
    let ledgers: HashMap<String, Ledger> = catalog.machines.iter().filter_map(read).collect();
    let checked = kept.par_iter().map(|one| one.check(store, ledgers.get(one.machine), progress));
    let mut all = checked.reduce(Checked::default, Checked::add);
    all.missing.extend(known.into_iter().flat_map(|known| vanished(store, known, catalog)));
    let is_for_others = |damage: &Damage| matches!(damage.reason, Reason::Newer | Reason::Locked);
    let (newer, damaged) = all.damaged.into_iter().partition(is_for_others);
    (all.newer, all.damaged) = (newer, damaged);
    let by_place = |damage: &Damage| (damage.segment.clone(), damage.offset);
    all.damaged.sort_by_key(by_place);
    all.missing.sort_by_key(by_place);
    all.missing.dedup_by(|one, two| one.segment == two.segment);
    all
}

/// One generation, and what was known of it.
struct KeptGeneration<'a> {
    machine: &'a str,
    name: &'a str,
    stream: &'a Stream,
    generation: &'a Generation,
    known: Option<&'a Stream>,
}

fn kept<'a>(catalog: &'a Catalog, known: Option<&'a Catalog>) -> impl Iterator<Item = KeptGeneration<'a>> {
    let machines = catalog.machines.iter();
    let streams = machines.flat_map(|(machine, kept)| kept.all().map(move |one| (machine.as_str(), one)));
    streams.flat_map(move |(machine, (name, stream))| {
        let known = known.and_then(|known| known.machines.get(machine)?.stream(name));
        stream.generations.iter().map(move |generation| KeptGeneration {
            machine,
            name,
            stream,
            generation,
            known,
        })
    })
}

impl Checked {
    fn add(mut self, other: Self) -> Self {
        self.files += other.files;
        self.segments += other.segments;
        self.bytes += other.bytes;
        self.damaged.extend(other.damaged);
        self.missing.extend(other.missing);
        self
    }
}

impl KeptGeneration<'_> {
    fn check(&self, store: &dyn Store, ledger: Option<&Ledger>, progress: &(dyn Fn(u64) + Sync)) -> Checked {
        // Where no header can be read, the name of the stream says less than what was known.
        let is_told = self.stream.segments().next().is_some();
        let stream = self.known.filter(|_| !is_told).unwrap_or(self.stream);
        let volume = Volume { store, machine: self.machine, stream, generation: self.generation };
        let known = self.known.and_then(|known| known.generation(self.generation.number));
        let recorded = |number| ledger?.end(self.name, self.generation.number, number);
        let mut checked = check_segments(&volume, &recorded, progress);
        if self.name == LEDGER {
            // It is no kept file.
            (checked.files, checked.segments, checked.bytes) = (0, 0, 0);
        }
        for gap in volume.gaps(known) {
            let list = if gap.reason == Reason::Gone { &mut checked.missing } else { &mut checked.damaged };
            if list.iter().all(|damage| damage.segment != gap.segment) {
                list.push(gap);
            }
        }
        checked
    }
}

/// `recorded` is what the ledger knows of a segment, by its last number.
fn check_segments<'a>(
    volume: &Volume<'_>,
    recorded: &dyn Fn(u32) -> Option<&'a End>,
    progress: &(dyn Fn(u64) + Sync),
) -> Checked {
    let mut checked = Checked { files: 1, ..Checked::default() };
    let mut chain = Some(Hash::ZERO);
    let (mut end, mut number) = (0, 0);
    for segment in &volume.generation.segments {
        checked.segments += 1;
        // Nothing is known of the chain after a gap.
        let before = chain.filter(|_| end == segment.offset && segment.first <= number + 1);
        let is_recorded = |after: Option<Hash>| {
            let end = recorded(segment.last).filter(|end| end.end == segment.end());
            end.and_then(|end| end.after).zip(after).is_none_or(|(recorded, after)| recorded == after)
        };
        chain = match check_segment(volume, segment, before) {
            Ok(after) if !is_recorded(after) => {
                checked.damaged.push(volume.damage(segment, Reason::Chain));
                after
            }
            Ok(after) => {
                checked.bytes += segment.len;
                after
            }
            Err(Reason::Gone) => {
                checked.missing.push(volume.damage(segment, Reason::Gone));
                None
            }
            Err(reason) => {
                checked.damaged.push(volume.damage(segment, reason));
                None
            }
        };
        (end, number) = (segment.end(), segment.last);
        progress(segment.packed);
    }
    checked
}

/// The chain after the segment, where it is known.
pub(crate) fn check_segment(
    volume: &Volume<'_>,
    segment: &Segment,
    before: Option<Hash>,
) -> Result<Option<Hash>, Reason> {
    let reader = match volume.store.open(&segment.file) {
        Ok(reader) => reader,
        Err(Error::Missing { .. }) => return check_cover(volume, segment),
        Err(Error::Locked { .. }) => return Err(Reason::Locked),
        Err(_) => return Err(Reason::Unreadable),
    };
    let mut open = volume.unpack(segment, reader, before)?;
    io::copy(&mut open, &mut io::sink()).map_err(|_| Reason::Unpack)?;
    open.finish().map(Some)
}

/// It may have been merged while we looked.
fn check_cover(volume: &Volume<'_>, segment: &Segment) -> Result<Option<Hash>, Reason> {
    let cover = volume.cover(segment).ok_or(Reason::Gone)?;
    let after = check_segment(volume, &cover, None)?;
    Ok(after.filter(|_| cover.last == segment.last))
}

/// Segments that were there, are not, and that no merged one covers.
pub(crate) fn vanished<'a>(store: &'a dyn Store, known: &'a Catalog, catalog: &'a Catalog) -> Vec<Damage> {
    let there: HashSet<&str> = catalog.streams().flat_map(|(_, _, stream)| stream.files()).collect();
    let mut gone = Vec::new();
    for (machine, name, stream) in known.streams() {
        let now = catalog.machines.get(machine).and_then(|kept| kept.streams.get(name));
        for generation in &stream.generations {
            let volume = Volume { store, machine, stream, generation };
            let merged = now.and_then(|now| now.generation(generation.number));
            let is_covered = |segment: &Segment| {
                let mut whole = merged.into_iter().flat_map(|merged| &merged.segments);
                whole.any(|one| one.first <= segment.first && segment.last <= one.last)
            };
            let lost = generation.segments.iter().filter(|one| {
                let is_listed = there.contains(one.file.as_str()) || is_covered(one);
                // It may have come since the names were read, and may have been merged since it came.
                !is_listed
                    && matches!(store.open(&one.file), Err(Error::Missing { .. }))
                    && volume.cover(one).is_none()
            });
            gone.extend(lost.map(|segment| volume.damage(segment, Reason::Gone)));
        }
    }
    gone
}
