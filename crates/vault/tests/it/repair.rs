//! What is damaged is named, harms nothing else, and comes back as it was or not at all.

use crate::desk;

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use desk::{Desk, MACHINE};
use proptest::prelude::*;
use steno_vault::{Damage, Error, Outcome, Reason, RepairSource, Repaired};

const TRANSCRIPT: &str = "projects/-a/s1.jsonl";
const OTHER: &str = "projects/-a/s2.jsonl";

/// A live directory and a remote, where they are.
struct Lends {
    live: Option<PathBuf>,
    sent: Option<PathBuf>,
}

const NOTHING: Lends = Lends { live: None, sent: None };

impl RepairSource for Lends {
    fn live(&self, machine: &str, path: &str) -> Option<File> {
        assert_eq!(machine, MACHINE);
        File::open(self.live.as_ref()?.join(path)).ok()
    }

    fn sent(&self, segment: &str) -> Option<Vec<u8>> {
        fs::read(self.sent.as_ref()?.join(segment)).ok()
    }
}

fn live(desk: &Desk) -> Lends {
    Lends { live: Some(desk.live("")), sent: None }
}

/// A copy of the vault as it is now.
fn sent(desk: &Desk) -> Lends {
    let to = desk.root().parent().unwrap().join("remote");
    copy(&desk.root().join("machines"), &to.join("machines"));
    Lends { live: None, sent: Some(to) }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let to = to.join(entry.file_name());
        match entry.metadata().unwrap().is_dir() {
            true => copy(&entry.path(), &to),
            false => drop(fs::copy(entry.path(), to).unwrap()),
        }
    }
}

fn text(number: usize, len: usize) -> Vec<u8> {
    let line = format!("{{\"type\":\"user\",\"number\":{number}}} and some more text\n");
    line.bytes().cycle().enumerate().map(|(place, byte)| byte ^ (place / 777 % 2) as u8).take(len).collect()
}

/// Two sessions; the first of four segments.
fn desk() -> Desk {
    let desk = Desk::new();
    desk.write(OTHER, b"the other session\n");
    for number in 0..4 {
        desk.append(TRANSCRIPT, &text(number, 300 + number * 100));
        desk.keep();
    }
    desk
}

fn segment(number: u32) -> String {
    format!("{TRANSCRIPT}.g1.{number:06}.zst")
}

fn damages(desk: &Desk) -> Vec<Damage> {
    let checked = desk.verify();
    checked.damaged.into_iter().chain(checked.missing).collect()
}

fn repair(desk: &Desk, lender: &Lends) -> Repaired {
    let damages = damages(desk);
    assert!(!damages.is_empty(), "nothing is damaged");
    desk.writer().repair(&damages, lender, "2026-12-02T00:00:00Z".parse().unwrap()).unwrap()
}

fn assert_repaired(desk: &Desk, lender: &Lends, expected: &[u8]) {
    let repaired = repair(desk, lender);
    assert!(repaired.remaining.is_empty(), "{repaired:?}");
    assert_eq!(damages(desk), []);
    assert_eq!(desk.restore(TRANSCRIPT, Some(1)), expected);
    desk.drop_cache();
    assert_eq!(damages(desk), []);
    assert_eq!(desk.restore(TRANSCRIPT, Some(1)), expected);
    assert_eq!(desk.try_restore(OTHER, None).unwrap(), b"the other session\n");
}

fn assert_not_repaired(desk: &Desk, lender: &Lends) {
    let before = desk.snapshot();
    let repaired = repair(desk, lender);
    assert!(repaired.repaired.is_empty(), "{repaired:?}");
    assert_eq!(desk.snapshot(), before);
    assert!(!damages(desk).is_empty());
}

fn flip(path: &Path, place: usize, bit: u8) {
    let mut bytes = fs::read(path).unwrap();
    bytes[place] ^= 1 << bit;
    fs::write(path, bytes).unwrap();
}

type Harm = (&'static str, fn(&Path));

/// The first two leave what is packed as it was.
fn harms() -> [Harm; 7] {
    [
        ("a bit of the magic number", |path| flip(path, 0, 3)),
        ("a quote of the header", |path| flip(path, 9, 0)),
        ("a bit of the last byte", |path| flip(path, fs::read(path).unwrap().len() - 1, 0)),
        ("a bit of the payload", |path| flip(path, fs::read(path).unwrap().len() - 12, 5)),
        ("its second half", |path| {
            let bytes = fs::read(path).unwrap();
            fs::write(path, &bytes[..bytes.len() - 30]).unwrap();
        }),
        ("all bytes", |path| fs::write(path, b"").unwrap()),
        ("the file", |path| fs::remove_file(path).unwrap()),
    ]
}

#[test]
fn each_harm_to_each_segment_is_named_and_repaired_from_a_live_file_that_nobody_touched() {
    for (harm, act) in harms() {
        for number in 1..=4 {
            let desk = desk();
            let whole = desk.restore(TRANSCRIPT, None);
            act(&desk.vault_path(&segment(number)));
            let damages = damages(&desk);
            assert_eq!(damages.len(), 1, "{harm} of {number}: {damages:?}");
            let offset: u64 = (1..number).map(|number| 200 + u64::from(number) * 100).sum();
            let damage = &damages[0];
            assert_eq!(damage.segment, format!("machines/{MACHINE}/{}", segment(number)), "{harm}");
            assert_eq!((damage.session.as_deref(), damage.path.as_str()), (Some("s1"), TRANSCRIPT), "{harm}");
            let range = (Some(offset), Some(200 + u64::from(number) * 100));
            assert_eq!((damage.offset, damage.length), range, "{harm} of {number}");
            assert!(desk.try_restore(TRANSCRIPT, None).is_err(), "{harm} of {number}");
            assert_eq!(desk.restore(OTHER, None), b"the other session\n");
            assert_repaired(&desk, &live(&desk), &whole);
        }
    }
}

#[test]
fn each_harm_is_repaired_by_what_was_sent() {
    for (_, act) in harms() {
        for number in 1..=4 {
            let desk = desk();
            let whole = desk.restore(TRANSCRIPT, None);
            let sent = sent(&desk);
            desk.remove(TRANSCRIPT);
            act(&desk.vault_path(&segment(number)));
            desk.drop_cache();
            assert_repaired(&desk, &sent, &whole);
        }
    }
}

#[test]
fn a_directory_in_the_place_of_a_segment_stays_and_the_others_are_repaired() {
    let desk = desk();
    let place = desk.vault_path(&segment(2));
    fs::remove_file(&place).unwrap();
    fs::create_dir(&place).unwrap();
    fs::remove_file(desk.vault_path(&segment(4))).unwrap();
    let repaired = repair(&desk, &live(&desk));
    assert_eq!((repaired.repaired.len(), repaired.remaining.len()), (1, 1), "{repaired:?}");
    assert!(place.is_dir());
    assert_eq!(desk.restore(OTHER, None), b"the other session\n");
}

#[test]
fn what_nobody_has_remains_damaged() {
    for (_, act) in harms().into_iter().skip(2) {
        for number in 1..=4 {
            let desk = desk();
            desk.remove(TRANSCRIPT);
            act(&desk.vault_path(&segment(number)));
            assert_not_repaired(&desk, &live(&desk));
            assert_not_repaired(&desk, &NOTHING);
            assert_eq!(desk.restore(OTHER, None), b"the other session\n");
        }
    }
}

#[test]
fn a_live_file_that_differs_there_is_not_used() {
    for (_, act) in harms().into_iter().skip(2) {
        for number in 1..=4 {
            let desk = desk();
            let mut other = desk.read(TRANSCRIPT).unwrap();
            let place = (1..number).map(|number| 200 + number as usize * 100).sum::<usize>() + 50;
            other[place] ^= 1;
            desk.write(TRANSCRIPT, &other);
            act(&desk.vault_path(&segment(number)));
            assert_not_repaired(&desk, &live(&desk));
        }
    }
}

#[test]
fn a_live_file_that_grew_repairs_what_can_be_proven() {
    for (_, act) in harms() {
        for number in 1..=4 {
            let desk = desk();
            let whole = desk.restore(TRANSCRIPT, None);
            desk.append(TRANSCRIPT, b"more\n");
            act(&desk.vault_path(&segment(number)));
            assert_repaired(&desk, &live(&desk), &whole);
        }
    }
}

#[test]
fn a_damaged_header_is_written_anew_from_what_is_packed_behind_it() {
    for number in 1..=4 {
        for (_, act) in harms().into_iter().take(2) {
            for with_cache in [true, false] {
                let desk = desk();
                let whole = desk.restore(TRANSCRIPT, None);
                desk.remove(TRANSCRIPT);
                act(&desk.vault_path(&segment(number)));
                if !with_cache {
                    desk.drop_cache();
                }
                assert_repaired(&desk, &NOTHING, &whole);
            }
        }
    }
}

#[test]
fn two_that_are_damaged_at_once_are_both_repaired() {
    for (one, act_one) in harms() {
        for (two, act_two) in harms() {
            let places = if one == two { [(1, 2), (2, 3), (3, 4), (1, 4)].as_slice() } else { &[(2, 3)] };
            for (first, second) in places {
                let desk = desk();
                let whole = desk.restore(TRANSCRIPT, None);
                act_one(&desk.vault_path(&segment(*first)));
                act_two(&desk.vault_path(&segment(*second)));
                assert_eq!(damages(&desk).len(), 2, "{one} of {first}, {two} of {second}");
                assert_repaired(&desk, &live(&desk), &whole);
            }
        }
    }
}

#[test]
fn neighbours_that_are_gone_are_proven_together() {
    let desk = desk();
    let whole = desk.restore(TRANSCRIPT, None);
    desk.append(TRANSCRIPT, b"more\n");
    fs::remove_file(desk.vault_path(&segment(2))).unwrap();
    fs::remove_file(desk.vault_path(&segment(3))).unwrap();
    assert_repaired(&desk, &live(&desk), &whole);
}

#[test]
fn the_only_segment_is_repaired() {
    for (harm, act) in harms() {
        let desk = Desk::new();
        desk.write(OTHER, b"the other session\n");
        desk.write(TRANSCRIPT, &text(1, 5000));
        desk.keep();
        act(&desk.vault_path(&segment(1)));
        let damages = damages(&desk);
        assert_eq!(damages.len(), 1, "{harm}");
        assert_eq!(damages[0].session.as_deref(), Some("s1"), "{harm}");
        assert_eq!((damages[0].offset, damages[0].length), (Some(0), Some(5000)), "{harm}");
        assert_repaired(&desk, &live(&desk), &text(1, 5000));
    }
}

#[test]
fn the_only_segment_is_not_repaired_from_a_later_generation() {
    for (_, act) in harms().into_iter().skip(2) {
        let desk = Desk::new();
        desk.write(TRANSCRIPT, &text(1, 5000));
        desk.keep();
        desk.write(TRANSCRIPT, &text(2, 5000));
        assert_eq!(desk.keep_full(), [Outcome::Rewritten { bytes: 5000, generation: 2 }]);
        act(&desk.vault_path(&segment(1)));
        assert_not_repaired(&desk, &live(&desk));
        assert_eq!(desk.restore(TRANSCRIPT, None), text(2, 5000));
    }
}

#[test]
fn what_was_sent_must_be_the_same_segment() {
    for (_, act) in harms().into_iter().skip(2) {
        for number in 1..=4 {
            let other = Desk::new();
            for number in 0..4 {
                other.append(TRANSCRIPT, &text(9 - number, 300 + number * 100));
                other.keep();
            }
            let sent = sent(&other);
            let desk = desk();
            desk.remove(TRANSCRIPT);
            act(&desk.vault_path(&segment(number)));
            assert_not_repaired(&desk, &sent);
            let garbage = sent.sent.as_ref().unwrap().join("machines").join(MACHINE).join(segment(number));
            fs::write(garbage, b"garbage").unwrap();
            assert_not_repaired(&desk, &sent);
        }
    }
}

#[test]
fn a_merged_segment_is_repaired() {
    for (harm, act) in harms() {
        let desk = Desk::new();
        desk.write(OTHER, b"the other session\n");
        for number in 0..18 {
            desk.append(TRANSCRIPT, &text(number, 100));
            desk.keep();
        }
        let whole = desk.restore(TRANSCRIPT, None);
        let name = format!("{TRANSCRIPT}.g1.000001-000016.zst");
        assert!(desk.segments().contains(&name), "{:?}", desk.segments());
        act(&desk.vault_path(&name));
        let damages = damages(&desk);
        assert_eq!(damages.len(), 1, "{harm}: {damages:?}");
        assert_eq!(damages[0].segment, format!("machines/{MACHINE}/{name}"), "{harm}");
        assert_eq!((damages[0].offset, damages[0].length), (Some(0), Some(1600)), "{harm}");
        assert_repaired(&desk, &live(&desk), &whole);
        // It can be continued.
        desk.append(TRANSCRIPT, b"more\n");
        assert!(matches!(desk.keep()[0], Outcome::Grown { bytes: 5 }));
        assert_eq!(self::damages(&desk), []);
    }
}

#[test]
fn without_the_cache_a_range_is_told_by_the_neighbours() {
    let desk = desk();
    fs::write(desk.vault_path(&segment(2)), b"").unwrap();
    fs::write(desk.vault_path(&segment(4)), b"").unwrap();
    desk.drop_cache();
    let damages = damages(&desk);
    let ranges: Vec<_> = damages.iter().map(|damage| (damage.offset, damage.length)).collect();
    assert_eq!(ranges, [(Some(300), Some(400)), (Some(1200), None)]);
    assert!(damages.iter().all(|damage| damage.session.as_deref() == Some("s1")), "{damages:?}");
    assert!(damages.iter().all(|damage| damage.reason == Reason::Header), "{damages:?}");
}

#[test]
fn a_move_that_is_forgotten_is_repaired_without_anybody() {
    let desk = Desk::new();
    desk.write(OTHER, b"the other session\n");
    desk.write(TRANSCRIPT, b"one\n");
    desk.keep();
    desk.rename(TRANSCRIPT, "projects/-b/s1.jsonl");
    desk.keep();
    desk.append("projects/-b/s1.jsonl", b"two\n");
    desk.keep();
    desk.rename("projects/-b/s1.jsonl", TRANSCRIPT);
    desk.keep();
    assert_eq!(desk.segments().len(), 5);
    desk.remove(TRANSCRIPT);
    fs::remove_file(desk.vault_path(&segment(2))).unwrap();
    assert_eq!(damages(&desk).len(), 1);
    assert_repaired(&desk, &NOTHING, b"one\ntwo\n");
}

#[test]
fn a_second_home_of_a_machine_is_repaired_too() {
    let desk = Desk::at(&format!("{MACHINE}/homes/work"));
    desk.write(TRANSCRIPT, b"one\n");
    desk.keep();
    desk.append(TRANSCRIPT, b"two\n");
    desk.keep();
    fs::write(desk.vault_path(&segment(1)), b"").unwrap();
    let damages = damages(&desk);
    assert_eq!(damages.len(), 1);
    assert_eq!(damages[0].machine, format!("{MACHINE}/homes/work"));
    struct Home(PathBuf);
    impl RepairSource for Home {
        fn live(&self, _: &str, path: &str) -> Option<File> {
            File::open(self.0.join(path)).ok()
        }

        fn sent(&self, _: &str) -> Option<Vec<u8>> {
            None
        }
    }
    let now = "2026-12-02T00:00:00Z".parse().unwrap();
    let repaired = desk.writer().repair(&damages, &Home(desk.live("")), now).unwrap();
    assert_eq!(repaired.remaining, []);
    assert_eq!(desk.restore(TRANSCRIPT, None), b"one\ntwo\n");
}

#[test]
fn what_was_put_right_meanwhile_is_left_alone() {
    let desk = desk();
    let path = desk.vault_path(&segment(2));
    let good = fs::read(&path).unwrap();
    fs::write(&path, b"").unwrap();
    let damages = damages(&desk);
    fs::write(&path, &good).unwrap();
    let now = "2026-12-02T00:00:00Z".parse().unwrap();
    let repaired = desk.writer().repair(&damages, &NOTHING, now).unwrap();
    assert_eq!(repaired.remaining, []);
    assert_eq!(fs::read(&path).unwrap(), good);
}

#[test]
fn a_merged_segment_that_is_damaged_gives_way_to_its_pieces() {
    for harm in [0, 9, 570] {
        let desk = Desk::new();
        for number in 0..15 {
            desk.append(TRANSCRIPT, &text(number, 100));
            desk.keep();
        }
        let pieces: Vec<(PathBuf, Vec<u8>)> = desk
            .segments()
            .into_iter()
            .map(|name| (desk.vault_path(&name), fs::read(desk.vault_path(&name)).unwrap()))
            .collect();
        desk.append(TRANSCRIPT, &text(15, 100));
        desk.keep();
        assert_eq!(desk.segments(), [format!("{TRANSCRIPT}.g1.000001-000016.zst")]);
        // As if it had been killed before it removed them all, and the disk had lost a bit since.
        for (path, bytes) in &pieces {
            fs::write(path, bytes).unwrap();
        }
        flip(&desk.vault_path(&format!("{TRANSCRIPT}.g1.000001-000016.zst")), harm, 2);
        desk.drop_cache();
        desk.keep();
        let kept = desk.everything_readable();
        let expected: Vec<u8> = (0..16).flat_map(|number| text(number, 100)).collect();
        assert!(kept.contains(&expected), "{harm}: {:?}", desk.segments());
    }
}

/// As a newer version would write it.
fn make_newer(path: &Path) {
    let bytes = fs::read(path).unwrap();
    let end = 8 + u32::from_le_bytes(bytes[4..8].try_into().unwrap()) as usize;
    let json = String::from_utf8(bytes[8..end].to_vec()).unwrap().replace("\"format\":1", "\"format\":2");
    let json = match json.split_once(",\"check\":") {
        Some((fields, _)) => {
            format!("{fields},\"check\":\"{}\"}}", &blake3::hash(fields.as_bytes()).to_hex()[..16])
        }
        None => json,
    };
    fs::write(path, [&bytes[..8], json.as_bytes(), &bytes[end..]].concat()).unwrap();
}

#[test]
fn what_a_newer_version_wrote_is_left_alone() {
    let desk = desk();
    let laptop = desk.root().join("machines/laptop");
    copy(&desk.root().join("machines").join(MACHINE), &laptop);
    make_newer(&laptop.join(segment(2)));
    assert_eq!(damages(&desk), []);
    let damages = desk.verify().newer;
    assert_eq!(damages.len(), 1, "{damages:?}");
    let before = desk.snapshot();
    let now = "2026-12-02T00:00:00Z".parse().unwrap();
    let repaired = desk.writer().repair(&damages, &NOTHING, now).unwrap();
    assert_eq!(repaired.remaining, damages);
    assert_eq!(desk.snapshot(), before);
    // Of this machine itself nothing is touched by an older version.
    make_newer(&desk.vault_path(&segment(2)));
    desk.drop_cache();
    let before = desk.snapshot();
    assert!(matches!(desk.cached().catalog(), Err(Error::Newer { format: 2, .. })));
    assert!(matches!(desk.try_keep(&desk.candidates()), Err(Error::Newer { format: 2, .. })));
    assert!(matches!(desk.writer().repair(&damages, &NOTHING, now), Err(Error::Newer { format: 2, .. })));
    assert_eq!(desk.snapshot(), before);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]
    #[test]
    fn any_flipped_bit_in_what_is_packed_is_seen_and_mended(
        number in 1..=4_u32,
        place in any::<prop::sample::Index>(),
        bit in 0..8_u8,
    ) {
        thread_local!(static DESK: Desk = desk());
        DESK.with(|desk| {
            let path = desk.vault_path(&segment(number));
            let good = fs::read(&path).unwrap();
            let header = 8 + u32::from_le_bytes(good[4..8].try_into().unwrap()) as usize;
            flip(&path, header + place.index(good.len() - header), bit);
            let damages = damages(desk);
            // A bit that zstd does not use changes nothing.
            let is_same = desk.try_restore(TRANSCRIPT, None).is_ok_and(|bytes| bytes == desk.read(TRANSCRIPT).unwrap());
            prop_assert_eq!(damages.is_empty(), is_same);
            if is_same {
                fs::write(&path, &good).unwrap();
                return Ok(());
            }
            prop_assert_eq!(damages.len(), 1);
            prop_assert_eq!(damages[0].session.as_deref(), Some("s1"));
            prop_assert_eq!(damages[0].length, Some(200 + u64::from(number) * 100));
            prop_assert_eq!(desk.restore(OTHER, None), b"the other session\n");
            let repaired = repair(desk, &live(desk));
            prop_assert!(repaired.remaining.is_empty());
            prop_assert_eq!(fs::read(&path).unwrap(), good);
            Ok(())
        })?;
    }
}
