//! Live files that change between the listing and the reading, a clock that goes backwards, and a vault that somebody
//! else changes.

use std::fs;

use steno_vault::{Keep, Outcome, Trouble};

use crate::desk::Desk;

const PATH: &str = "projects/-a/s1.jsonl";
const OTHER: &str = "projects/-a/s2.jsonl";

/// Two kept sessions, both grown, and one of them changed after it was listed.
fn after_listing(change: impl Fn(&Desk)) -> (Desk, Vec<Outcome>) {
    let desk = Desk::new();
    desk.write(PATH, b"one\n");
    desk.write(OTHER, b"other\n");
    desk.keep();
    desk.append(PATH, b"two\n");
    desk.append(OTHER, b"more\n");
    let candidates = desk.candidates();
    change(&desk);
    let outcomes = desk.keep_these(&candidates);
    assert_eq!(outcomes[1], Outcome::Grown { bytes: 5 });
    assert_eq!(desk.restore(OTHER, None), b"other\nmore\n");
    assert!(desk.everything().iter().any(|kept| kept.starts_with(b"one\n")), "what was kept before is lost");
    let checked = desk.verify();
    assert!(checked.damaged.is_empty() && checked.missing.is_empty(), "{checked:?}");
    (desk, outcomes)
}

#[test]
fn a_file_that_vanishes_is_said() {
    let (_, outcomes) = after_listing(|desk| desk.remove(PATH));
    assert_eq!(outcomes[0], Outcome::Failed(Trouble::Vanished));
}

#[test]
fn a_file_that_shrinks_is_kept_as_it_is_now() {
    let (desk, outcomes) = after_listing(|desk| desk.write(PATH, b"on"));
    assert_eq!(outcomes[0], Outcome::Rewritten { bytes: 2, generation: 2 });
    assert_eq!(desk.restore(PATH, Some(1)), b"one\n");
    assert_eq!(desk.restore(PATH, None), b"on");
}

#[test]
fn a_file_that_grows_is_kept_up_to_its_size_when_it_was_opened() {
    let (desk, outcomes) = after_listing(|desk| desk.append(PATH, b"three\n"));
    assert_eq!(outcomes[0], Outcome::Grown { bytes: 10 });
    assert_eq!(desk.restore(PATH, None), b"one\ntwo\nthree\n");
}

#[cfg(unix)]
#[test]
fn a_directory_in_the_place_of_a_file_is_said() {
    let (desk, outcomes) = after_listing(|desk| {
        desk.remove(PATH);
        fs::create_dir(desk.live(PATH)).unwrap();
    });
    assert_eq!(outcomes[0], Outcome::Failed(Trouble::Changed));
    fs::remove_dir(desk.live(PATH)).unwrap();
    desk.write(PATH, b"one\ntwo\n");
    assert_eq!(desk.keep()[0], Outcome::Grown { bytes: 4 });
}

#[test]
fn a_file_whose_end_vanishes_while_it_is_read_is_not_kept_in_part() {
    let desk = Desk::new();
    // More than one segment: after the first the file is cut.
    let bytes: Vec<u8> = (0..5_u32 << 20).flat_map(u32::to_le_bytes).collect();
    desk.write(PATH, &bytes);
    let purged = std::collections::HashSet::new();
    let cut = |_| desk.truncate(PATH, 1000);
    let keep = Keep { progress: &cut, ..desk.usual(&purged) };
    let kept = desk.writer().keep(&keep, &desk.candidates()).unwrap();
    assert_eq!(kept.outcomes, [Outcome::Failed(Trouble::Changed)]);
    assert_eq!(desk.verify().damaged, []);
    assert_eq!(desk.keep().len(), 1);
    assert_eq!(desk.restore(PATH, None), bytes[..1000]);
    assert_eq!(desk.verify().damaged, []);
}

#[test]
fn a_clock_that_goes_backwards_changes_no_order() {
    let desk = Desk::new();
    desk.write(PATH, b"one\n");
    assert_eq!(desk.keep_at("2026-12-01T12:00:00Z"), [Outcome::Added { bytes: 4 }]);
    desk.append(PATH, b"two\n");
    assert_eq!(desk.keep_at("2020-01-01T00:00:00Z"), [Outcome::Grown { bytes: 4 }]);
    desk.write(PATH, b"rewritten\n");
    assert_eq!(desk.keep_at("1970-01-01T00:00:00Z"), [Outcome::Rewritten { bytes: 10, generation: 2 }]);
    desk.append(PATH, b"more\n");
    assert_eq!(desk.keep_at("2019-01-01T00:00:00Z"), [Outcome::Grown { bytes: 5 }]);
    for _ in 0..2 {
        assert_eq!(desk.restore(PATH, Some(1)), b"one\ntwo\n");
        assert_eq!(desk.restore(PATH, None), b"rewritten\nmore\n");
        desk.drop_cache();
    }
    assert_eq!(desk.keep_at("2026-12-01T12:00:00Z"), [Outcome::Unchanged]);
}

/// The catalogue is read again by whoever comes first; what is remembered of live files must follow.
#[test]
fn a_segment_somebody_deleted_is_missed_by_whoever_keeps_later() {
    let desk = Desk::new();
    desk.write(PATH, b"one\n");
    desk.keep();
    fs::remove_file(desk.vault_path(&format!("{PATH}.g1.000001.zst"))).unwrap();
    desk.writer().refresh().unwrap();
    assert_eq!(desk.writer().catalog().unwrap().streams().map(|(_, _, kept)| kept.packed()).sum::<u64>(), 0);
    assert_eq!(desk.keep(), [Outcome::Unchanged], "it was taken again before");
    assert_eq!(desk.restore(PATH, None), b"one\n");
}

#[test]
fn what_somebody_adds_is_seen() {
    let (desk, other) = (Desk::new(), Desk::new());
    desk.write(PATH, b"one\n");
    desk.keep();
    other.write("projects/-b/s3.jsonl", b"three\n");
    other.keep();
    // A directory that held nothing before, below one that holds no segments itself.
    fs::rename(other.vault_path("projects/-b"), desk.vault_path("projects/-b")).unwrap();
    assert_eq!(desk.restore("projects/-b/s3.jsonl", None), b"three\n");
    let laptop = desk.root().join("machines/laptop");
    fs::rename(other.root().join("machines").join(crate::desk::MACHINE), &laptop).unwrap();
    other.write("projects/-c/s4.jsonl", b"four\n");
    other.keep();
    fs::rename(other.vault_path("projects"), laptop.join("projects")).unwrap();
    assert_eq!(desk.restore("projects/-c/s4.jsonl", None), b"four\n");
}

/// Even within one tick of the clock.
#[test]
fn a_change_right_after_the_last_one_is_seen() {
    for round in 0..50 {
        let desk = Desk::new();
        desk.write(PATH, b"one\n");
        desk.keep();
        fs::remove_file(desk.vault_path(&format!("{PATH}.g1.000001.zst"))).unwrap();
        assert_eq!(
            desk.catalog().streams().flat_map(|(_, _, kept)| kept.files()).count(),
            0,
            "round {round}"
        );
    }
}
