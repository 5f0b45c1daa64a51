//! What the ledger guards: a loss that leaves no gap is noticed, and stays noticed.

use crate::desk;

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::time::Duration;

use desk::{Desk, MACHINE};
use steno_vault::{Cached, Catalog, Damage, LedgerEnd, Owners, Tombstone, VaultStore, Writer};

const PATH: &str = "projects/-a/s.jsonl";
const OTHER: &str = "projects/-a/t.jsonl";

fn segment(stream: &str, number: u32) -> String {
    format!("{stream}.g1.{number:06}.zst")
}

/// A session in three segments, gone from the live directory, of which the last one was lost.
fn shortened() -> Desk {
    let desk = Desk::new();
    for line in ["one\n", "two, longer\n", "three\n"] {
        desk.append(PATH, line.as_bytes());
        desk.keep();
    }
    desk.remove(PATH);
    fs::remove_file(desk.vault_path(&segment(PATH, 3))).unwrap();
    desk
}

fn missing(desk: &Desk) -> Vec<Damage> {
    let checked = desk.verify();
    assert_eq!(checked.damaged, []);
    checked.missing
}

/// Its name below the machine, and the bytes that it held.
fn told(damage: &Damage) -> (String, u64, u64) {
    let name = damage.segment.replace(&format!("machines/{MACHINE}/"), "");
    (name, damage.offset.unwrap(), damage.length.unwrap())
}

#[test]
fn a_lost_tail_is_missed_whatever_is_kept_later() {
    let desk = shortened();
    for round in 0..3 {
        if round == 1 {
            desk.drop_cache();
        }
        desk.append(OTHER, &vec![b'x'; 5000]);
        desk.keep();
        let missing = missing(&desk);
        assert_eq!(missing.iter().map(told).collect::<Vec<_>>(), [(segment(PATH, 3), 16, 6)]);
        assert!(desk.try_restore(PATH, None).is_err());
        assert!(desk.writer().catalog().is_ok());
        let mut writer = desk.writer();
        writer.catalog().unwrap();
        assert_eq!(writer.lost().iter().map(told).collect::<Vec<_>>(), [(segment(PATH, 3), 16, 6)]);
    }
}

#[test]
fn several_lost_segments_are_each_named() {
    let desk = shortened();
    fs::remove_file(desk.vault_path(&segment(PATH, 2))).unwrap();
    desk.drop_cache();
    let names: Vec<_> = missing(&desk).iter().map(told).collect();
    assert_eq!(names, [(segment(PATH, 2), 4, 12), (segment(PATH, 3), 16, 6)]);
    fs::remove_file(desk.vault_path(&segment(PATH, 1))).unwrap();
    let missing = missing(&desk);
    assert_eq!(missing.len(), 3, "also where nothing is left of the file");
    assert!(missing.iter().all(|one| one.path == PATH && one.session.as_deref() == Some("s")));
    assert!(desk.try_restore(PATH, None).is_err());
}

#[test]
fn a_lost_last_generation_is_missed() {
    let desk = Desk::new();
    desk.write(PATH, b"first\n");
    desk.keep();
    desk.replace(PATH, b"another\n");
    desk.keep();
    desk.remove(PATH);
    fs::remove_file(desk.vault_path(&format!("{PATH}.g2.000001.zst"))).unwrap();
    desk.drop_cache();
    desk.append(OTHER, &[b'x'; 500]);
    desk.keep();
    assert_eq!(missing(&desk).len(), 1);
    assert!(desk.try_restore(PATH, None).is_err());
    assert_eq!(desk.restore(PATH, Some(1)), b"first\n");
}

#[test]
fn a_tail_that_is_still_live_is_taken_again() {
    let desk = Desk::new();
    for line in ["one\n", "two\n"] {
        desk.append(PATH, line.as_bytes());
        desk.keep();
    }
    for keeps_cache in [true, false] {
        fs::remove_file(desk.vault_path(&segment(PATH, 2))).unwrap();
        if !keeps_cache {
            desk.drop_cache();
        }
        desk.append(PATH, b"more\n");
        desk.keep();
        assert_eq!(missing(&desk), []);
        let stream = desk.catalog().machines[MACHINE].streams[PATH].clone();
        assert_eq!(stream.generations.len(), 1);
        assert_eq!(desk.restore(PATH, None), desk.read(PATH).unwrap());
    }
}

#[test]
fn a_live_file_with_other_bytes_does_not_stand_in_for_a_lost_tail() {
    let desk = Desk::new();
    for line in ["one\n", "two\n"] {
        desk.append(PATH, line.as_bytes());
        desk.keep();
    }
    fs::remove_file(desk.vault_path(&segment(PATH, 2))).unwrap();
    desk.drop_cache();
    desk.write(PATH, b"one\nTWO\nand more\n");
    desk.keep();
    assert_eq!(missing(&desk).iter().map(told).collect::<Vec<_>>(), [(segment(PATH, 2), 4, 4)]);
    assert_eq!(desk.restore(PATH, None), b"one\nTWO\nand more\n", "kept beside it");
}

#[test]
fn another_segment_under_the_name_of_the_last_is_damage() {
    let desk = Desk::new();
    let twin = Desk::new();
    for line in ["one\n", "two\n"] {
        desk.append(PATH, line.as_bytes());
        twin.append(PATH, line.replace("two", "TWO").as_bytes());
        desk.keep();
        twin.keep();
    }
    desk.remove(PATH);
    fs::copy(twin.vault_path(&segment(PATH, 2)), desk.vault_path(&segment(PATH, 2))).unwrap();
    desk.drop_cache();
    assert_eq!(desk.verify().damaged.len(), 1);
}

#[test]
fn a_vault_of_an_older_version_gets_its_ledger_with_the_next_sync() {
    let desk = shortened();
    fs::remove_dir_all(desk.vault_path("ledger")).unwrap();
    desk.drop_cache();
    assert_eq!(missing(&desk), [], "as it was when nothing was recorded");
    desk.keep();
    fs::remove_file(desk.vault_path(&segment(PATH, 2))).unwrap();
    desk.drop_cache();
    assert_eq!(missing(&desk).iter().map(told).collect::<Vec<_>>(), [(segment(PATH, 2), 4, 12)]);
}

#[test]
fn merging_loses_no_record() {
    let desk = Desk::new();
    for _ in 0..40 {
        desk.append(PATH, b"a line\n");
        desk.keep();
    }
    assert_eq!(missing(&desk), []);
    assert!(desk.files().len() < 40, "both were merged: {:?}", desk.files());
    desk.remove(PATH);
    let last = desk.segments().into_iter().rfind(|name| name.starts_with(PATH)).unwrap();
    fs::remove_file(desk.vault_path(&last)).unwrap();
    desk.drop_cache();
    assert!(!missing(&desk).is_empty());
    let lost: u64 = missing(&desk).iter().map(|one| one.length.unwrap()).sum();
    let left = desk.catalog().machines[MACHINE].streams[PATH].generations[0].len();
    assert_eq!(left + lost, 40 * 7);
}

fn look(desk: &Desk, ledgers: BTreeMap<String, LedgerEnd>) -> Catalog {
    let owners = Owners { ledgers, ..Owners::alone(MACHINE) };
    Cached::new(VaultStore::plain(desk.root()), "id", owners).look_again().unwrap().0
}

#[test]
fn a_lost_ledger_is_missed_by_the_manifest() {
    let desk = shortened();
    let reached = LedgerEnd { generation: 1, segment: 3 };
    let ledgers = BTreeMap::from([(MACHINE.to_owned(), reached)]);
    assert_eq!(look(&desk, ledgers.clone()).machines[MACHINE].ledger_end(), Some(reached));
    for number in [3, 2, 1] {
        fs::remove_file(desk.vault_path(&segment("ledger/ends.jsonl", number))).unwrap();
        let catalog = look(&desk, ledgers.clone());
        let store = VaultStore::plain(desk.root());
        let checked = steno_vault::verify(&store, &catalog, None, &|_| {});
        let lost = checked.missing.iter().filter(|one| one.segment.contains("/ledger/"));
        assert_eq!(lost.count(), 1);
    }
}

#[test]
fn a_damaged_ledger_is_continued_in_a_new_generation() {
    let desk = shortened();
    let last = desk.vault_path(&segment("ledger/ends.jsonl", 3));
    fs::write(&last, b"no segment").unwrap();
    desk.drop_cache();
    desk.append(OTHER, b"a line\n");
    desk.keep();
    assert!(desk.vault_path("ledger/ends.jsonl.g2.000001.zst").exists());
    let checked = desk.verify();
    assert_eq!(checked.damaged.len(), 1, "what the ledger lost is not forgotten: {checked:?}");
    fs::remove_file(&last).unwrap();
    desk.drop_cache();
    assert_eq!(missing(&desk).len(), 1);
}

#[test]
fn a_purged_session_is_not_missed_nor_named() {
    let desk = Desk::new();
    for path in [PATH, OTHER] {
        desk.append(path, b"a line\n");
    }
    desk.keep();
    let now = "2026-12-01T12:00:00Z".parse().unwrap();
    let tombstone = Tombstone { session: "s".to_owned(), purged: now, machine: MACHINE.to_owned() };
    desk.writer().purge(&tombstone, &[PATH.to_owned()]).unwrap();
    desk.remove(PATH);
    assert_eq!(missing(&desk), []);
    desk.drop_cache();
    assert_eq!(missing(&desk), []);
    let ledgers = desk.files().into_iter().filter(|name| name.starts_with("ledger/"));
    let ledgers: Vec<String> = ledgers.collect();
    assert_eq!(ledgers, ["ledger/ends.jsonl.g2.000001.zst"]);
    let packed = fs::read(desk.vault_path(&ledgers[0])).unwrap();
    let text = String::from_utf8(zstd::decode_all(&packed[..]).unwrap()).unwrap();
    assert!(text.contains(OTHER) && !text.contains(PATH), "{text}");
    fs::remove_file(desk.vault_path(&segment(OTHER, 1))).unwrap();
    assert_eq!(missing(&desk).len(), 1, "the others are guarded as before");
}

#[test]
fn a_ledger_that_is_lost_piece_by_piece_is_not_forgotten() {
    let desk = Desk::new();
    for path in [OTHER, PATH] {
        desk.append(path, b"a line\n");
        desk.keep();
    }
    desk.remove(PATH);
    fs::remove_file(desk.vault_path(&segment(PATH, 1))).unwrap();
    for number in [1, 2] {
        fs::remove_file(desk.vault_path(&segment("ledger/ends.jsonl", number))).unwrap();
        desk.drop_cache();
        desk.keep();
        let missing = missing(&desk);
        assert!(missing.iter().any(|one| one.path == PATH), "{missing:?}");
        assert!(missing.iter().any(|one| one.segment.contains("/ledger/")), "{missing:?}");
        assert!(desk.catalog().machines[MACHINE].is_unguarded);
    }
}

#[test]
fn a_lost_ledger_is_not_mended_by_an_empty_one() {
    let desk = Desk::new();
    desk.append(PATH, b"a line\n");
    desk.keep();
    let reached = LedgerEnd { generation: 1, segment: 1 };
    let ledgers = BTreeMap::from([(MACHINE.to_owned(), reached)]);
    fs::remove_dir_all(desk.root().join("machines")).unwrap();
    for _ in 0..3 {
        let owners = Owners { ledgers: ledgers.clone(), ..Owners::alone(MACHINE) };
        let store = VaultStore::plain(desk.root());
        let mut writer = Writer::open(store, "id", owners, "a test", Duration::from_secs(10)).unwrap();
        writer.keep(&desk.usual(&HashSet::new()), &desk.candidates()).unwrap();
        assert!(!missing(&desk).is_empty());
    }
}
