//! The lines of a ledger, and the segments of its machine → the segments that are missing.

use std::collections::{BTreeMap, HashSet};

use super::{End, LEDGER, Ledger, LedgerEnd};
use crate::Reason;
use crate::catalog::Machine;
use crate::name::SegmentName;
use crate::purge::Tombstone;
use crate::store::Store;
use crate::stream::{Broken, Generation, Segment, Stream};

/// Marks every recorded segment that is not there as [`Reason::Gone`], and whatever has its name and is another one as
/// [`Reason::Chain`]. Purged sessions are gone on purpose.
pub(crate) fn mark(store: &dyn Store, machine: &str, kept: &mut Machine, ledger: &Ledger) {
    if let Some(own) = &mut kept.ledger {
        for generation in &mut own.generations {
            take_for_broken(generation, Reason::Hash, |segment| ledger.damaged.contains(&segment.file));
        }
    }
    for (name, stream) in &mut kept.streams {
        set_apart(name, stream, ledger);
    }
    let mut purged = None;
    for ((name, number), ends) in &ledger.ends {
        let generation = kept.stream(name).and_then(|stream| stream.generation(*number));
        let missing = missing(machine, generation, ends);
        let Some(last) = ends.values().next_back().filter(|_| !missing.is_empty()) else { continue };
        let purged = purged.get_or_insert_with(|| tombstones(store, machine, ledger));
        if last.session.as_ref().is_some_and(|session| purged.contains(session)) {
            continue;
        }
        add(kept, last, missing);
    }
    let is_whole = |own: &Stream| own.generations.iter().all(Generation::is_contiguous);
    kept.is_unguarded = !kept.ledger.as_ref().is_none_or(is_whole);
}

/// Gives whether there were any.
fn take_for_broken(
    generation: &mut Generation,
    reason: Reason,
    is_broken: impl Fn(&Segment) -> bool,
) -> bool {
    let (broken, whole) = std::mem::take(&mut generation.segments).into_iter().partition(is_broken);
    generation.segments = whole;
    let broken: Vec<Segment> = broken;
    let is_any = !broken.is_empty();
    let broken = broken.iter().map(|one| Broken::new(&one.file, (one.first, one.last), one.packed, reason));
    generation.broken.extend(broken);
    is_any
}

/// Takes segments for broken that are whole and do not have the chain that is recorded.
fn set_apart(name: &str, stream: &mut Stream, ledger: &Ledger) {
    let mut last = None;
    for generation in &mut stream.generations {
        let Some(ends) = ledger.ends.get(&(name.to_owned(), generation.number)) else { continue };
        let is_another = |segment: &Segment| {
            let recorded = ends.get(&segment.last).and_then(|end| Some((end.end, end.after?.start())));
            recorded.is_some_and(|recorded| recorded != (segment.end(), segment.chain))
        };
        if take_for_broken(generation, Reason::Chain, is_another) {
            last = ends.values().next_back();
        }
    }
    // The stream may have got its path and session from a segment that is not part of it.
    if let Some(last) = last {
        stream.path = last.path.clone().unwrap_or_else(|| name.to_owned());
        stream.session.clone_from(&last.session);
    }
}

/// Marks missing segments of the ledger itself, by how far a manifest says that it reached.
pub(crate) fn mark_ledger(machine: &str, kept: &mut Machine, reached: LedgerEnd) {
    let latest = kept.ledger.as_ref().and_then(Stream::latest);
    let has = latest.map_or(LedgerEnd::default(), LedgerEnd::of);
    if has >= reached {
        return;
    }
    let there = if has.generation == reached.generation { has.segment } else { 0 };
    let end = End::of_ledger(reached, 0);
    let broken = gone(machine, &end, there.saturating_add(1), None);
    add(kept, &end, vec![broken]);
}

/// Sessions that may be missing, because they were purged.
fn tombstones(store: &dyn Store, machine: &str, ledger: &Ledger) -> HashSet<String> {
    let recorded = ledger.sessions();
    let all = Tombstone::all(store, machine).unwrap_or_default().into_iter();
    all.map(|tombstone| tombstone.session).filter(|session| recorded.contains(session.as_str())).collect()
}

fn missing(machine: &str, generation: Option<&Generation>, ends: &BTreeMap<u32, End>) -> Vec<Broken> {
    let mut missing = Vec::new();
    // The number and the end of the segment before, there or recorded.
    let mut before = (0, 0);
    for end in ends.values() {
        let covering = generation.and_then(|generation| covering(generation, end.segment));
        let below = generation.map_or((0, 0), |generation| highest_below(generation, end.segment));
        before = before.max(below);
        if covering.is_none() {
            // Of the ledger itself only the numbers are recorded.
            let range = (before.1, end.end.saturating_sub(before.1));
            let range = Some(range).filter(|_| end.stream != LEDGER);
            missing.push(gone(machine, end, before.0.saturating_add(1).min(end.segment), range));
        }
        before = before.max((end.segment, end.end));
    }
    missing.extend(shortened(machine, generation, ends).filter(|_| missing.is_empty()));
    missing
}

/// All numbers are there, and the bytes end before they should.
fn shortened(machine: &str, generation: Option<&Generation>, ends: &BTreeMap<u32, End>) -> Option<Broken> {
    let generation = generation.filter(|generation| generation.broken.is_empty())?;
    let last = ends.values().max_by_key(|end| end.end)?;
    let length = last.end.checked_sub(generation.len()).filter(|length| *length > 0)?;
    let number = generation.last_number().saturating_add(1);
    let lost = End { segment: number, ..last.clone() };
    Some(gone(machine, &lost, number, Some((generation.len(), length))))
}

/// Whether something has this number, readable or not.
fn covering(generation: &Generation, number: u32) -> Option<()> {
    let whole = generation.segments.iter().map(|segment| (segment.first, segment.last));
    let mut all = whole.chain(generation.broken.iter().map(|broken| (broken.first, broken.last)));
    all.any(|(first, last)| first <= number && number <= last).then_some(())
}

/// The number and the end of the last readable segment before a number.
fn highest_below(generation: &Generation, number: u32) -> (u32, u64) {
    let below = generation.segments.iter().rfind(|segment| segment.last < number);
    below.map_or((0, 0), |segment| (segment.last, segment.end()))
}

fn gone(machine: &str, end: &End, first: u32, bytes: Option<(u64, u64)>) -> Broken {
    let name =
        SegmentName { stream: end.stream.clone(), generation: end.generation, first, last: end.segment };
    // The one segment without a number is a file of the original tool.
    let file = if end.segment == 0 { format!("{}.gz", end.stream) } else { name.to_string() };
    let file = format!("machines/{machine}/{file}");
    Broken { bytes, ..Broken::new(&file, (first, end.segment), 0, Reason::Gone) }
}

/// Adds to the generation of a record, which may have to be made: nothing else may be left of it.
fn add(kept: &mut Machine, end: &End, broken: Vec<Broken>) {
    let stream = kept.stream_or_insert(&end.stream, || Stream {
        path: end.path.clone().unwrap_or_else(|| end.stream.clone()),
        session: end.session.clone(),
        generations: Vec::new(),
    });
    let place = stream.generations.partition_point(|one| one.number < end.generation);
    if stream.generations.get(place).is_none_or(|one| one.number != end.generation) {
        stream.generations.insert(place, Generation::empty(end.generation));
    }
    if let Some(generation) = stream.generations.get_mut(place) {
        generation.broken.extend(broken);
    }
}
