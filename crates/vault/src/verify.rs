//! Every kept byte → whether it is what was kept.

use std::collections::HashSet;
use std::io::Read;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::catalog::Catalog;
use crate::damage::{Damage, Reason};
use crate::error::Error;
use crate::header::{Hash, Unreadable};
use crate::reading::Volume;
use crate::segment::Unpacking;
use crate::store::Store;
use crate::stream::{Codec, Segment};

#[derive(Debug, Default)]
pub struct Checked {
    /// Kept files, of all machines and generations.
    pub files: u64,
    pub segments: u64,
    /// Unpacked.
    pub bytes: u64,
    pub damaged: Vec<Damage>,
    /// Segments that should be there.
    pub missing: Vec<Damage>,
}

/// `known` is what was there before, so that what vanished is missed. `progress` is called with bytes read.
pub fn verify(
    store: &dyn Store,
    catalog: &Catalog,
    known: Option<&Catalog>,
    progress: &(dyn Fn(u64) + Sync),
) -> Checked {
    let volumes: Vec<Volume<'_>> = volumes(store, catalog).collect();
    let next = AtomicUsize::new(0);
    let all: Mutex<Checked> = Mutex::default();
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(16);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(volume) = volumes.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let checked = check(volume, progress);
                    all.lock().unwrap_or_else(std::sync::PoisonError::into_inner).add(checked);
                }
            });
        }
    });
    let mut all = all.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    all.missing.extend(known.into_iter().flat_map(|known| vanished(store, known, catalog)));
    let by_place = |damage: &Damage| (damage.segment.clone(), damage.offset);
    all.damaged.sort_by_key(by_place);
    all.missing.sort_by_key(by_place);
    all.missing.dedup_by(|one, two| one.segment == two.segment);
    all
}

fn volumes<'a>(store: &'a dyn Store, catalog: &'a Catalog) -> impl Iterator<Item = Volume<'a>> {
    catalog.streams().flat_map(move |(machine, _, stream)| {
        let generations = stream.generations.iter();
        generations.map(move |generation| Volume { store, machine, stream, generation })
    })
}

impl Checked {
    fn add(&mut self, other: Self) {
        self.files += other.files;
        self.segments += other.segments;
        self.bytes += other.bytes;
        self.damaged.extend(other.damaged);
        self.missing.extend(other.missing);
    }
}

fn check(volume: &Volume<'_>, progress: &(dyn Fn(u64) + Sync)) -> Checked {
    let mut checked = Checked { files: 1, ..Checked::default() };
    let (missing, damaged) = volume.gaps().into_iter().partition(|damage| damage.reason == Reason::Gone);
    (checked.missing, checked.damaged) = (missing, damaged);
    let mut chain = Some(Hash::ZERO);
    let mut end = 0;
    for segment in &volume.generation.segments {
        checked.segments += 1;
        // Nothing is known of the chain after a gap.
        let before = chain.filter(|_| end == segment.offset);
        match check_segment(volume, segment, before) {
            Ok(after) => {
                checked.bytes += segment.len;
                chain = Some(after);
            }
            Err(reason) => {
                checked.damaged.push(volume.damage(segment, reason));
                chain = None;
            }
        }
        end = segment.end();
        progress(segment.packed);
    }
    checked
}

fn check_segment(volume: &Volume<'_>, segment: &Segment, before: Option<Hash>) -> Result<Hash, Reason> {
    let reader = volume.store.open(&segment.file).map_err(|error| match error {
        Error::Missing { .. } => Reason::Gone,
        _ => Reason::Unreadable,
    })?;
    if segment.codec == Codec::Gzip {
        let hash = unzip(reader, segment.len)?;
        return Ok(Hash::ZERO.then(hash));
    }
    let mut unpacking = Unpacking::open(reader).map_err(|unreadable| match unreadable {
        Unreadable::Io => Reason::Unreadable,
        Unreadable::Damaged | Unreadable::Newer(_) => Reason::Header,
    })?;
    std::io::copy(&mut unpacking, &mut std::io::sink()).map_err(|_| Reason::Unpack)?;
    let header = &unpacking.header;
    if !unpacking.is_whole() {
        return Err(Reason::Hash);
    }
    let is_own = header.offset == segment.offset && header.generation == volume.generation.number;
    let is_merged = segment.first != segment.last;
    let is_linked = is_merged || header.after == header.before.then(header.blake3);
    if !is_own || !is_linked || before.is_some_and(|before| header.before != before) {
        return Err(Reason::Chain);
    }
    Ok(header.after)
}

fn unzip(reader: Box<dyn Read + Send>, len: u64) -> Result<Hash, Reason> {
    let mut decoder = flate2::read::MultiGzDecoder::new(std::io::BufReader::new(reader));
    let mut hasher = blake3::Hasher::new();
    let read = std::io::copy(&mut decoder, &mut hasher).map_err(|_| Reason::Unpack)?;
    if read == len { Ok(hasher.finalize().into()) } else { Err(Reason::Hash) }
}

/// Segments that were there, are not, and that no merged one covers.
fn vanished<'a>(store: &'a dyn Store, known: &'a Catalog, catalog: &'a Catalog) -> Vec<Damage> {
    let there: HashSet<&str> = catalog.streams().flat_map(|(_, _, stream)| stream.files()).collect();
    let mut gone = Vec::new();
    for (machine, name, stream) in known.streams() {
        let now = catalog.machines.get(machine).and_then(|kept| kept.streams.get(name));
        for generation in &stream.generations {
            let volume = Volume { store, machine, stream, generation };
            let merged = now.and_then(|now| now.generation(generation.number));
            let is_covered = |segment: &Segment| {
                let whole = merged.into_iter().flat_map(|merged| &merged.segments);
                whole.into_iter().any(|one| one.first <= segment.first && segment.last <= one.last)
            };
            let lost = generation
                .segments
                .iter()
                .filter(|one| !there.contains(one.file.as_str()) && !is_covered(one));
            gone.extend(lost.map(|segment| volume.damage(segment, Reason::Gone)));
        }
    }
    gone
}
