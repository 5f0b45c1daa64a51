//! Damaged segments → the same segments, taken again from where their bytes still are.
//!
//! A segment is replaced only by bytes that are proven to be the same: by its own hash, or by the chain and by all
//! other segments of its generation.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};

use jiff::Timestamp;

use crate::damage::{Damage, Reason};
use crate::error::Error;
use crate::header::{FORMAT, Hash, Header};
use crate::name::SegmentName;
use crate::reading::{Volume, header_of};
use crate::segment::{LARGEST, Packer, Unpacking};
use crate::store::{Existing, Store};
use crate::stream::{Codec, Segment};
use crate::work::Writer;

/// Who may still have the bytes.
pub trait Lender {
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
        lender: &dyn Lender,
        now: Timestamp,
    ) -> Result<Repaired, Error> {
        self.look_again()?;
        let mut repaired = Repaired::default();
        for damage in damages {
            let bytes = match self.sent(damage, lender) {
                Some(bytes) => Some(bytes),
                None => self.taken_from_live(damage, lender, now)?,
            };
            let Some(bytes) = bytes else {
                repaired.remaining.push(damage.clone());
                continue;
            };
            let batch = self.store.batch()?;
            batch.put(&damage.segment, &bytes, Existing::Replace)?;
            self.commit(batch)?;
            self.look_again()?;
            repaired.repaired.push(damage.clone());
        }
        Ok(repaired)
    }

    /// What was sent is good if it is whole, and the right part.
    fn sent(&self, damage: &Damage, lender: &dyn Lender) -> Option<Vec<u8>> {
        let bytes = lender.sent(&damage.segment)?;
        if damage.segment.ends_with(".gz") {
            let mut decoder = flate2::read::MultiGzDecoder::new(bytes.as_slice());
            return std::io::copy(&mut decoder, &mut std::io::sink()).is_ok().then_some(bytes);
        }
        let mut unpacking = Unpacking::open(bytes.as_slice()).ok()?;
        std::io::copy(&mut unpacking, &mut std::io::sink()).ok()?;
        let header = &unpacking.header;
        let is_right = damage.offset.is_none_or(|offset| header.offset == offset);
        let is_right = is_right && header.generation == damage.generation;
        (is_right && unpacking.is_whole()).then_some(bytes)
    }

    fn taken_from_live(
        &mut self,
        damage: &Damage,
        lender: &dyn Lender,
        now: Timestamp,
    ) -> Result<Option<Vec<u8>>, Error> {
        let Some(mut live) = lender.live(&damage.machine, &damage.path) else { return Ok(None) };
        let Some(name) = SegmentName::parse(&damage.segment) else { return Ok(None) };
        let (store, catalog) = self.parts()?;
        let stream_name = name.stream.splitn(3, '/').nth(2).unwrap_or_default();
        let kept = catalog.machines.get(&damage.machine);
        let Some(stream) = kept.and_then(|kept| kept.streams.get(stream_name)) else { return Ok(None) };
        let Some(generation) = stream.generation(damage.generation) else { return Ok(None) };
        let volume = Volume { store, machine: &damage.machine, stream, generation };
        let mut rebuild = Rebuild { volume, name, damage, now };
        Ok(rebuild.from(&mut live).and_then(|(header, bytes)| Packer::new().ok()?.pack(&header, &bytes).ok()))
    }
}

struct Rebuild<'a> {
    volume: Volume<'a>,
    name: SegmentName,
    damage: &'a Damage,
    now: Timestamp,
}

impl Rebuild<'_> {
    fn from(&mut self, live: &mut File) -> Option<(Header, Vec<u8>)> {
        let own = self.volume.generation.segments.iter().find(|segment| segment.file == self.damage.segment);
        match own.and_then(|segment| header_of(&self.volume, segment).ok()) {
            Some(header) if self.damage.reason != Reason::Chain => {
                let bytes = bytes_at(live, header.offset, header.length)?;
                (Hash::of(&bytes) == header.blake3).then_some((header, bytes))
            }
            _ => self.without_header(live),
        }
    }

    /// Its neighbours tell where it was, and prove with the live file that its bytes are the same.
    fn without_header(&self, live: &mut File) -> Option<(Header, Vec<u8>)> {
        let others = || {
            let segments = self.volume.generation.segments.iter();
            segments.filter(|segment| segment.file != self.damage.segment)
        };
        if !others().all(|segment| self.is_live(segment, live)) {
            return None;
        }
        let previous = others().rfind(|segment| segment.last < self.name.first);
        let next = others().find(|segment| segment.first > self.name.last);
        let offset = previous.map_or(0, Segment::end);
        let end = match (next, self.damage.length) {
            (Some(next), _) => next.offset,
            (None, Some(length)) => offset.checked_add(length)?,
            (None, None) => live.metadata().ok()?.len().min(offset.checked_add(LARGEST)?),
        };
        let bytes = bytes_at(live, offset, end.checked_sub(offset)?)?;
        let before = match previous {
            None => Hash::ZERO,
            Some(previous) => header_of(&self.volume, previous).ok()?.after,
        };
        let blake3 = Hash::of(&bytes);
        let own_after = before.then(blake3);
        let is_merged = self.name.first != self.name.last;
        let after = match next.map(|next| header_of(&self.volume, next).map(|header| header.before)) {
            None => own_after,
            Some(Ok(after)) if is_merged || after == own_after => after,
            Some(_) => return None,
        };
        let neighbour = previous.or(next);
        let header = Header {
            format: FORMAT,
            path: self.damage.path.clone(),
            session: self.volume.stream.session.clone(),
            generation: self.name.generation,
            offset,
            length: bytes.len() as u64,
            blake3,
            before,
            after,
            modified: neighbour.map_or(self.now, |segment| segment.modified),
            taken: self.now,
            machine: self.damage.machine.clone(),
        };
        Some((header, bytes))
    }

    fn is_live(&self, segment: &Segment, live: &mut File) -> bool {
        if segment.codec == Codec::Gzip {
            return false;
        }
        let kept = header_of(&self.volume, segment).ok().map(|header| header.blake3);
        let there = bytes_at(live, segment.offset, segment.len).map(|bytes| Hash::of(&bytes));
        kept.is_some() && kept == there
    }
}

fn bytes_at(file: &mut File, offset: u64, length: u64) -> Option<Vec<u8>> {
    file.seek(SeekFrom::Start(offset)).ok()?;
    let mut bytes = Vec::new();
    file.take(length).read_to_end(&mut bytes).ok()?;
    (bytes.len() as u64 == length).then_some(bytes)
}
