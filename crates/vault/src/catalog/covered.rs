//! A merged segment beside its pieces → the merged one, or the pieces where it cannot be read to its end.
//!
//! A process may be killed after it merged and before it removed the pieces. They are about to be removed for the
//! merged one: only here is it worth to read it first.

use super::{Catalog, segment_of};
use crate::Reason;
use crate::error::Error;
use crate::header::Header;
use crate::name::SegmentName;
use crate::segment;
use crate::store::Store;
use crate::stream::{Broken, Codec, Generation, Segment};

/// A merged segment is durable before its pieces are removed; pieces that are still there are ignored.
pub(super) fn set_aside(generation: &mut Generation, covered: &mut Vec<String>) {
    generation.segments.sort_by_key(|segment| (segment.first, std::cmp::Reverse(segment.last)));
    let mut end = None;
    generation.segments.retain(|segment| {
        let is_covered = end.is_some_and(|end| segment.last <= end);
        if is_covered {
            covered.push(segment.file.clone());
        } else {
            end = Some(segment.last);
        }
        !is_covered
    });
    let whole = &generation.segments;
    // Also a merged one that is broken, and whose pieces are all there.
    let has = |number| whole.iter().any(|segment| segment.first <= number && number <= segment.last);
    generation.broken.retain(|broken| {
        let is_covered = (broken.first..=broken.last).all(has);
        if is_covered {
            covered.push(broken.file.clone());
        }
        !is_covered
    });
    clip_original(generation);
}

/// The original tool may have written its file anew, with what we have taken since.
fn clip_original(generation: &mut Generation) {
    if let [original, next, ..] = generation.segments.as_mut_slice()
        && original.codec == Codec::Gzip
        && next.offset < original.len
    {
        original.len = next.offset;
    }
}

/// Replaces damaged merged segments by their pieces.
pub(super) fn doubt(store: &dyn Store, catalog: &mut Catalog) {
    let Catalog { machines, covered, .. } = catalog;
    if covered.is_empty() {
        return;
    }
    let generations = machines.values_mut().flat_map(super::Machine::all_mut);
    for generation in generations.flat_map(|stream| &mut stream.generations) {
        while let Some(place) = generation.segments.iter().position(|whole| !is_good(store, whole, covered)) {
            let whole = generation.segments.remove(place);
            give_back(store, generation, &whole, covered);
        }
    }
}

/// Only what has pieces is read.
fn is_good(store: &dyn Store, whole: &Segment, covered: &[String]) -> bool {
    if whole.first == whole.last || !covered.iter().any(|piece| covers(whole, piece)) {
        return true;
    }
    let opened = store.open(&whole.file);
    // The merged one was read when it was made.
    if matches!(opened, Err(Error::Locked { .. })) {
        return true;
    }
    opened.is_ok_and(|reader| segment::check(reader).is_ok())
}

fn covers(whole: &Segment, piece: &str) -> bool {
    let names = SegmentName::parse(&whole.file).zip(SegmentName::parse(piece));
    names.is_some_and(|(whole, piece)| {
        whole.stream == piece.stream
            && whole.generation == piece.generation
            && whole.first <= piece.first
            && piece.last <= whole.last
    })
}

fn give_back(store: &dyn Store, generation: &mut Generation, whole: &Segment, covered: &mut Vec<String>) {
    let (pieces, others) = std::mem::take(covered).into_iter().partition(|piece| covers(whole, piece));
    *covered = others;
    let pieces: Vec<String> = pieces;
    for file in pieces {
        match describe(store, &file) {
            Ok(piece) => generation.segments.push(piece),
            Err(piece) => generation.broken.push(piece),
        }
    }
    let numbers = (whole.first, whole.last);
    generation.broken.push(Broken::new(&whole.file, numbers, whole.packed, Reason::Unpack));
    set_aside(generation, covered);
}

fn describe(store: &dyn Store, file: &str) -> Result<Segment, Broken> {
    let name = SegmentName::parse(file);
    let numbers = name.as_ref().map_or((0, 0), |name| (name.first, name.last));
    let bytes = store.read(file).unwrap_or_default();
    let packed = bytes.len() as u64;
    match name.zip(Header::read(&mut bytes.as_slice()).ok()) {
        Some((name, header)) => Ok(segment_of(file.to_owned(), packed, &name, &header)),
        None => Err(Broken::new(file, numbers, packed, Reason::Unpack)),
    }
}
