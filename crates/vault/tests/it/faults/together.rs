//! Two processes that keep at once, and one that reads while another merges.

use crate::desk::Desk;
use crate::faults::growth::{Promises, work};
use crate::other;

#[test]
fn two_that_keep_at_once_do_it_one_after_the_other() {
    if let Some(arguments) = other::role("two") {
        let worker = arguments[1].parse().unwrap();
        return work(arguments[0].as_ref(), worker, worker, 25);
    }
    let desk = Desk::new();
    let directory = desk.directory().to_str().unwrap();
    let test = "faults::together::two_that_keep_at_once_do_it_one_after_the_other";
    let children: Vec<_> =
        ["1", "2"].into_iter().map(|worker| other::start(test, "two", &[directory, worker])).collect();
    let mut promises = Promises::default();
    for child in children {
        let (said, is_good) = child.finish();
        assert!(is_good, "{said:?}");
        promises.hear(&said);
    }
    promises.check(&desk);
    desk.drop_cache();
    promises.check(&desk);
}

#[test]
fn a_reader_sees_everything_while_segments_are_merged() {
    if let Some(arguments) = other::role("merge") {
        let desk = Desk::of(arguments[0].as_ref());
        for number in 0..150 {
            desk.append("projects/-a/s1.jsonl", format!("line {number}\n").as_bytes());
            desk.keep();
            other::say(&number.to_string());
        }
        return;
    }
    let desk = Desk::new();
    let directory = desk.directory().to_str().unwrap();
    let test = "faults::together::a_reader_sees_everything_while_segments_are_merged";
    let mut child = other::start(test, "merge", &[directory]);
    while let Some(number) = child.next_line() {
        let least: String =
            (0..=number.parse::<u32>().unwrap()).map(|number| format!("line {number}\n")).collect();
        for _ in 0..3 {
            let read = desk.restore("projects/-a/s1.jsonl", None);
            assert!(read.starts_with(least.as_bytes()), "{} of {} bytes", read.len(), least.len());
            let checked = desk.verify();
            assert!(checked.damaged.is_empty() && checked.missing.is_empty(), "{checked:?}");
        }
    }
    assert!(child.finish().1);
}

/// What a reader holds may be older than what lies there.
#[test]
fn a_catalogue_from_before_the_merging_still_reads() {
    let desk = Desk::new();
    let mut catalogs = Vec::new();
    let mut all = Vec::new();
    for number in 0..40 {
        let line = format!("line {number}\n");
        all.extend_from_slice(line.as_bytes());
        desk.append("projects/-a/s1.jsonl", line.as_bytes());
        desk.keep();
        catalogs.push((desk.catalog(), all.clone()));
    }
    let cached = desk.cached();
    for (catalog, expected) in &catalogs {
        let (machine, _, stream) = catalog.streams().next().unwrap();
        let generation = stream.latest().unwrap();
        let volume = steno_vault::Volume { store: cached.store(), machine, stream, generation };
        let mut bytes = Vec::new();
        volume.copy(&mut bytes).unwrap();
        // Where the merging took in what came later, there is more.
        assert!(bytes.starts_with(expected), "{} of {} bytes", bytes.len(), expected.len());
        let checked = steno_vault::verify(cached.store(), catalog, None, &|_| {});
        assert!(checked.damaged.is_empty() && checked.missing.is_empty(), "{checked:?}");
    }
}

/// The names were read before the last pieces came, what is known after, and then all were merged.
#[test]
fn pieces_that_came_and_were_merged_since_the_look_are_not_missed() {
    let desk = Desk::new();
    let mut catalogs = Vec::new();
    for number in 0..40 {
        desk.append("projects/-a/s1.jsonl", format!("line {number}\n").as_bytes());
        desk.keep();
        catalogs.push(desk.catalog());
    }
    let cached = desk.cached();
    for pair in catalogs.windows(2) {
        let [looked, known] = pair else { unreachable!("windows of two") };
        let checked = steno_vault::verify(cached.store(), looked, Some(known), &|_| {});
        assert!(checked.damaged.is_empty() && checked.missing.is_empty(), "{checked:?}");
    }
}
