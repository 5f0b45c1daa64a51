//! Many small segments → one.
//!
//! Small ones compress badly, and each costs a file. The merged one is durable before its pieces go.

use jiff::Timestamp;

use crate::catalog::segment_of;
use crate::error::Error;
use crate::header::{FORMAT, Hash, Header};
use crate::ledger::{End, LEDGER, Target};
use crate::name::SegmentName;
use crate::reading::{Volume, header_of};
use crate::segment::{self, LARGEST};
use crate::store::{Existing, Store};
use crate::stream::{Codec, Generation, Segment, Stream};
use crate::work::Writer;

/// So many small segments at the end of a generation become one.
const MANY: usize = 16;
/// A segment of so many bytes is left alone.
const SMALL: u64 = 4 << 20;

/// Streams whose latest segments are damaged, or few, stay as they are. Gives the files that came. The ledger, which
/// records the others, has to be merged apart from them.
pub(crate) fn streams(
    writer: &mut Writer,
    (machine, now): (&str, Timestamp),
    names: &[String],
) -> Result<Vec<String>, Error> {
    let store = &writer.store().clone();
    let (_, catalog) = writer.parts()?;
    let Some(kept) = catalog.machines.get(machine) else { return Ok(Vec::new()) };
    let (mut merged, mut ends) = (Vec::new(), Vec::new());
    let batch = store.batch()?;
    for name in names {
        let Some(stream) = kept.stream(name) else { continue };
        let Some(generation) = stream.latest() else { continue };
        let pieces = small_ones(generation);
        if pieces.len() < MANY || !generation.is_contiguous() {
            continue;
        }
        let volume = Volume { store, machine, stream, generation };
        let Ok(whole) = join(&volume, name, pieces) else { continue };
        batch.put(&whole.segment.file, &whole.packed, Existing::Refuse)?;
        for piece in pieces {
            batch.remove(&piece.file)?;
        }
        if name != LEDGER {
            ends.push(End::with(&volume, name, &whole.segment, Some(whole.after)));
        }
        merged.push((name.clone(), pieces.len(), whole.segment));
    }
    if merged.is_empty() {
        return Ok(Vec::new());
    }
    let kept = writer.loaded().machines.entry(machine.to_owned()).or_default();
    let mut came = Target { store, batch: batch.as_ref(), machine, now }.append(kept, ends)?;
    writer.commit(batch)?;
    came.extend(merged.iter().map(|(_, _, segment)| segment.file.clone()));
    let Some(kept) = writer.loaded().machines.get_mut(machine) else { return Ok(came) };
    for (name, count, segment) in merged {
        let latest = kept.stream_mut(&name).and_then(|stream: &mut Stream| stream.generations.last_mut());
        if let Some(generation) = latest {
            generation.segments.truncate(generation.segments.len().saturating_sub(count));
            generation.segments.push(segment);
        }
    }
    Ok(came)
}

/// The run of small segments at the end, as long as one segment can hold it.
fn small_ones(generation: &Generation) -> &[Segment] {
    let mut sum = 0;
    let small = generation.segments.iter().rev().take_while(|segment| {
        sum += segment.len;
        segment.codec == Codec::Zstd && segment.len < SMALL && sum <= LARGEST
    });
    let start = generation.segments.len() - small.count();
    generation.segments.get(start..).unwrap_or_default()
}

struct Whole {
    segment: Segment,
    after: Hash,
    packed: Vec<u8>,
}

fn join(volume: &Volume<'_>, name: &str, pieces: &[Segment]) -> Result<Whole, Error> {
    let missing = || Error::Missing { name: name.to_owned() };
    let (first, last) = pieces.first().zip(pieces.last()).ok_or_else(missing)?;
    let mut bytes = Vec::new();
    let before = header_of(volume, first)?.before;
    pieces.iter().try_fold(before, |chain, piece| append(volume, piece, chain, &mut bytes))?;
    let last_header = header_of(volume, last)?;
    let header = Header {
        format: FORMAT,
        offset: first.offset,
        length: bytes.len() as u64,
        blake3: Hash::of(&bytes),
        before,
        ..last_header
    };
    let generation = volume.generation.number;
    let own = SegmentName { stream: name.to_owned(), generation, first: first.first, last: last.last };
    let file = format!("machines/{}/{own}", volume.machine);
    let packed = segment::pack(&header, &bytes).map_err(Error::write(&file))?;
    let segment = segment_of(file, packed.len() as u64, &own, &header);
    Ok(Whole { segment, after: header.after, packed })
}

/// Appends the bytes of a piece that is whole and continues the one before it. Gives the chain with it.
fn append(volume: &Volume<'_>, piece: &Segment, before: Hash, bytes: &mut Vec<u8>) -> Result<Hash, Error> {
    let read = volume.read_segment(piece, volume.store.open(&piece.file)?, Some(before));
    let (own, after) = read.map_err(|reason| volume.damage(piece, reason))?;
    bytes.extend(own);
    Ok(after)
}
