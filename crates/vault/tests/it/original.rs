//! Directories of the original tool are read, continued, and never rewritten.

use crate::desk;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use desk::{Desk, MACHINE};
use flate2::Compression;
use flate2::write::GzEncoder;
use steno_vault::{
    Cached, Codec, Identity, Outcome, Owners, Reason, RepairSource, Tombstone, VaultStore, verify,
};

const TRANSCRIPT: &str = "projects/-a/s1.jsonl";
const AGENT: &str = "projects/-a/s1/subagents/agent-1.jsonl";

fn zipped(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn place(desk: &Desk, name: &str, bytes: &[u8]) -> PathBuf {
    let path = desk.root().join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, bytes).unwrap();
    path
}

fn zip(desk: &Desk, name: &str, bytes: &[u8]) -> PathBuf {
    place(desk, name, &zipped(bytes))
}

fn machine(path: &str) -> String {
    format!("machines/{MACHINE}/{path}.gz")
}

/// What must not change.
fn state(paths: &[PathBuf]) -> Vec<(Vec<u8>, SystemTime)> {
    paths
        .iter()
        .map(|path| (fs::read(path).unwrap(), fs::metadata(path).unwrap().modified().unwrap()))
        .collect()
}

fn damages(desk: &Desk) -> Vec<(String, Reason)> {
    let checked = desk.verify();
    checked.damaged.into_iter().chain(checked.missing).map(|one| (one.segment, one.reason)).collect()
}

struct Lends<'a>(&'a Desk, bool);

impl RepairSource for Lends<'_> {
    fn live(&self, _: &str, path: &str) -> Option<fs::File> {
        fs::File::open(self.0.live(path)).ok()
    }

    fn sent(&self, segment: &str) -> Option<Vec<u8>> {
        self.1.then(|| fs::read(self.0.root().parent().unwrap().join("remote").join(segment)).ok()).flatten()
    }
}

fn repair(desk: &Desk, is_sent: bool) -> bool {
    let checked = desk.verify();
    let damages: Vec<_> = checked.damaged.into_iter().chain(checked.missing).collect();
    assert!(!damages.is_empty());
    let now = "2026-12-02T00:00:00Z".parse().unwrap();
    desk.writer().repair(&damages, &Lends(desk, is_sent), now).unwrap().remaining.is_empty()
}

#[test]
fn every_layout_is_listed_as_first_generations() {
    let desk = Desk::new();
    zip(&desk, &machine(TRANSCRIPT), b"one\n");
    zip(&desk, &machine(AGENT), b"agent\n");
    zip(&desk, "machines/laptop/projects/-b/s2.jsonl.gz", b"two\n");
    zip(&desk, "projects/-c/s3.jsonl.gz", b"three\n");
    zip(&desk, "history.jsonl.gz", b"history\n");
    place(&desk, "config/settings.json", b"{}");
    place(&desk, "projects/stray.gz", b"no project");
    let catalog = desk.catalog();
    let all: Vec<(&str, &str, Option<&str>, u64)> = catalog
        .streams()
        .map(|(machine, _, stream)| {
            assert_eq!(stream.generations.len(), 1);
            let first = &stream.generations[0];
            assert_eq!((first.number, first.segments.len(), first.segments[0].codec), (1, 1, Codec::Gzip));
            (machine, stream.path.as_str(), stream.session.as_deref(), first.len())
        })
        .collect();
    let expected = [
        (MACHINE, "history.jsonl", None, 8),
        (MACHINE, TRANSCRIPT, Some("s1"), 4),
        (MACHINE, AGENT, Some("s1"), 6),
        (MACHINE, "projects/-c/s3.jsonl", Some("s3"), 6),
        ("laptop", "projects/-b/s2.jsonl", Some("s2"), 4),
    ];
    assert_eq!(all, expected);
    for (path, bytes) in
        [(TRANSCRIPT, "one\n"), ("projects/-c/s3.jsonl", "three\n"), ("history.jsonl", "history\n")]
    {
        assert_eq!(desk.restore(path, None), bytes.as_bytes());
    }
    assert_eq!(damages(&desk), []);
}

#[test]
fn files_that_know_of_no_machine_belong_to_the_one_that_continued_them() {
    let desk = Desk::new();
    zip(&desk, "projects/-a/s1.jsonl.gz", b"one\n");
    desk.write(TRANSCRIPT, b"one\ntwo\n");
    assert_eq!(desk.keep(), [Outcome::Grown { bytes: 4 }]);
    let owners = Owners { own: "laptop".into(), original: Some(MACHINE.into()), ..Owners::alone("laptop") };
    let elsewhere = Cached::new(VaultStore::plain(desk.root()), "id", owners);
    let catalog = elsewhere.catalog().unwrap();
    let streams: Vec<_> = catalog.streams().collect();
    assert_eq!(streams.len(), 1);
    assert_eq!((streams[0].0, streams[0].2.latest().unwrap().len()), (MACHINE, 8));
    let checked = verify(elsewhere.store(), &catalog, None, &|_| {});
    assert!(checked.damaged.is_empty() && checked.missing.is_empty(), "{checked:?}");
}

#[test]
fn who_has_no_right_to_them_does_not_believe_a_cache_that_said_so() {
    let desk = Desk::new();
    zip(&desk, "projects/-a/s1.jsonl.gz", b"one\n");
    drop(desk.keep());
    let owners = Owners { own: MACHINE.into(), original: Some("laptop".into()), ..Owners::alone(MACHINE) };
    let catalog = Cached::new(VaultStore::plain(desk.root()), "id", owners).catalog().unwrap();
    assert_eq!(catalog.machines.keys().collect::<Vec<_>>(), ["laptop"]);
}

#[test]
fn a_file_without_a_time_in_it_has_its_own() {
    let desk = Desk::new();
    let path = zip(&desk, &machine(TRANSCRIPT), b"one\n");
    let time = SystemTime::UNIX_EPOCH + Duration::from_secs(1_772_161_200);
    fs::File::options().append(true).open(&path).unwrap().set_modified(time).unwrap();
    let catalog = desk.catalog();
    let (_, _, stream) = catalog.streams().next().unwrap();
    let latest = stream.latest().unwrap();
    let told = Some("2026-02-27T03:00:00Z".parse().unwrap());
    assert_eq!((latest.taken(), latest.modified()), (told, told));
}

#[test]
fn a_description_keeps_what_others_wrote_into_it_and_is_refused_only_where_it_is_newer() {
    let desk = Desk::new();
    let put = |text: &str| place(&desk, "vault.json", text.as_bytes());
    put(r#"{"format":1,"id":"a","created":"2026-12-01T12:00:00Z","colour":"blue"}"#);
    let mut identity = Identity::read(&desk.root()).unwrap().unwrap();
    identity.original = Some(MACHINE.into());
    identity.write(&desk.root()).unwrap();
    assert_eq!(Identity::read(&desk.root()).unwrap(), Some(identity.clone()));
    assert_eq!(identity.others["colour"], "blue");
    put(r#"{"format":2,"name":7}"#);
    assert!(matches!(Identity::read(&desk.root()), Err(steno_vault::Error::Newer { format: 2, .. })));
    put("");
    assert!(matches!(Identity::read(&desk.root()), Err(steno_vault::Error::Document { .. })));
}

#[test]
fn what_a_killed_process_was_writing_is_swept() {
    let desk = Desk::new();
    let left =
        [".cache/.steno-1-catalog.jsonl".to_owned(), format!("machines/{MACHINE}/.steno-1-manifest.json")];
    let left: Vec<PathBuf> = left.iter().map(|name| place(&desk, name, b"{")).collect();
    drop(desk.writer());
    assert!(left.iter().all(|path| !path.exists()));
}

#[test]
fn members_one_after_the_other_are_one_file() {
    let desk = Desk::new();
    let bytes = [zipped(b"one\n"), zipped(b""), zipped(b"two\n")].concat();
    place(&desk, &machine(TRANSCRIPT), &bytes);
    assert_eq!(desk.restore(TRANSCRIPT, None), b"one\ntwo\n");
    desk.write(TRANSCRIPT, b"one\ntwo\nthree\n");
    assert_eq!(desk.keep(), [Outcome::Grown { bytes: 6 }]);
    assert_eq!(desk.restore(TRANSCRIPT, None), b"one\ntwo\nthree\n");
    assert_eq!(damages(&desk), []);
}

#[test]
fn an_empty_one_is_an_empty_file() {
    let desk = Desk::new();
    zip(&desk, &machine(TRANSCRIPT), b"");
    assert_eq!(desk.restore(TRANSCRIPT, None), b"");
    desk.write(TRANSCRIPT, b"one\n");
    assert_eq!(desk.keep(), [Outcome::Grown { bytes: 4 }]);
    desk.drop_cache();
    assert_eq!(desk.restore(TRANSCRIPT, None), b"one\n");
    assert_eq!(damages(&desk), []);
}

#[test]
fn nothing_that_is_done_rewrites_them() {
    let desk = Desk::new();
    let paths = [
        zip(&desk, &machine(TRANSCRIPT), b"one\n"),
        zip(&desk, "projects/-c/s3.jsonl.gz", b"three\n"),
        zip(&desk, "history.jsonl.gz", b"history\n"),
        place(&desk, &machine("projects/-a/torn.jsonl"), &zipped(b"torn apart")[..15]),
    ];
    let before = state(&paths);
    desk.write(TRANSCRIPT, b"one\nmore\n");
    desk.write("projects/-c/s3.jsonl", b"rewritten\n");
    desk.write("history.jsonl", b"history\n");
    desk.write("projects/-d/s4.jsonl", b"four\n");
    for _ in 0..20 {
        desk.append(TRANSCRIPT, b"more\n");
        desk.keep();
    }
    assert_eq!(damages(&desk), [(machine("projects/-a/torn.jsonl"), Reason::Unpack)]);
    assert!(!repair(&desk, false));
    let tombstone = Tombstone {
        session: "s4".to_owned(),
        purged: "2026-12-02T00:00:00Z".parse().unwrap(),
        machine: MACHINE.to_owned(),
    };
    assert_eq!(desk.writer().purge(&tombstone, &["projects/-d/s4.jsonl".to_owned()]).unwrap(), 1);
    desk.drop_cache();
    desk.keep_full();
    assert_eq!(state(&paths), before);
    assert_eq!(desk.restore("projects/-c/s3.jsonl", Some(1)), b"three\n");
    assert_eq!(desk.restore("projects/-c/s3.jsonl", Some(2)), b"rewritten\n");
    assert_eq!(desk.restore(TRANSCRIPT, Some(1)), desk.read(TRANSCRIPT).unwrap());
}

#[test]
fn a_live_file_that_grew_adds_only_its_new_bytes() {
    for layout in [machine(TRANSCRIPT), format!("{TRANSCRIPT}.gz")] {
        let desk = Desk::new();
        zip(&desk, &layout, b"one\n");
        desk.write(TRANSCRIPT, b"one\n");
        assert_eq!(desk.keep(), [Outcome::Unchanged], "{layout}");
        desk.append(TRANSCRIPT, b"two\n");
        assert_eq!(desk.keep(), [Outcome::Grown { bytes: 4 }], "{layout}");
        desk.append(TRANSCRIPT, b"three\n");
        assert_eq!(desk.keep(), [Outcome::Grown { bytes: 6 }], "{layout}");
        for _ in 0..2 {
            assert_eq!(desk.restore(TRANSCRIPT, None), b"one\ntwo\nthree\n");
            assert_eq!(damages(&desk), []);
            assert_eq!(desk.keep_full(), [Outcome::Unchanged]);
            desk.drop_cache();
        }
        assert_eq!(desk.catalog().streams().count(), 1);
    }
}

#[test]
fn a_live_file_that_differs_starts_the_second_generation() {
    for live in [b"eno\n".as_slice(), b"on", b""] {
        let desk = Desk::new();
        zip(&desk, &machine(TRANSCRIPT), b"one\n");
        desk.write(TRANSCRIPT, live);
        assert_eq!(desk.keep(), [Outcome::Rewritten { bytes: live.len() as u64, generation: 2 }]);
        assert_eq!(desk.restore(TRANSCRIPT, Some(1)), b"one\n");
        assert_eq!(desk.restore(TRANSCRIPT, None), live);
        assert_eq!(damages(&desk), []);
    }
}

#[test]
fn both_layouts_of_one_session_are_kept_apart() {
    let desk = Desk::new();
    zip(&desk, &machine(TRANSCRIPT), b"one\ntwo\n");
    zip(&desk, &format!("{TRANSCRIPT}.gz"), b"one\n");
    let before = std::time::SystemTime::now() - std::time::Duration::from_secs(3600);
    let older = fs::File::options().append(true).open(desk.root().join(format!("{TRANSCRIPT}.gz"))).unwrap();
    older.set_modified(before).unwrap();
    desk.write(TRANSCRIPT, b"one\ntwo\nthree\n");
    assert_eq!(desk.keep(), [Outcome::Grown { bytes: 6 }]);
    for _ in 0..2 {
        let kept = desk.everything();
        assert!(
            kept.contains(&b"one\n".to_vec()) && kept.contains(&b"one\ntwo\nthree\n".to_vec()),
            "{kept:?}"
        );
        desk.drop_cache();
    }
}

#[test]
fn a_torn_one_is_named_and_its_file_kept_anew() {
    let desk = Desk::new();
    let whole: Vec<u8> = (0..2000_u32).flat_map(u32::to_le_bytes).collect();
    let bytes = zipped(&whole);
    place(&desk, &machine(TRANSCRIPT), &bytes[..bytes.len() / 2]);
    zip(&desk, &machine("projects/-a/s2.jsonl"), b"two\n");
    assert_eq!(damages(&desk), [(machine(TRANSCRIPT), Reason::Unpack)]);
    assert_eq!(desk.verify().damaged[0].session.as_deref(), Some("s1"));
    assert!(desk.try_restore(TRANSCRIPT, None).is_err());
    assert_eq!(desk.restore("projects/-a/s2.jsonl", None), b"two\n");
    desk.write(TRANSCRIPT, &whole);
    assert_eq!(desk.keep(), [Outcome::Rewritten { bytes: 8000, generation: 2 }]);
    assert_eq!(desk.restore(TRANSCRIPT, None), whole);
}

#[test]
fn it_is_measured_once() {
    let desk = Desk::new();
    let path = zip(&desk, &machine(TRANSCRIPT), b"one\n");
    desk.keep();
    let before = desk.catalog();
    // Whoever unpacked it again would see that.
    let time = fs::metadata(&path).unwrap().modified().unwrap();
    let spoiled = vec![b'x'; fs::read(&path).unwrap().len()];
    fs::write(&path, spoiled).unwrap();
    fs::File::open(&path).unwrap().set_modified(time).unwrap();
    assert_eq!(desk.catalog(), before);
    fs::remove_file(desk.root().join(".cache/shelves.json")).unwrap();
    assert_eq!(desk.catalog(), before);
    desk.keep();
    assert_eq!(desk.catalog(), before);
    assert_eq!(damages(&desk).len(), 1);
    desk.drop_cache();
    assert_ne!(desk.catalog(), before);
}

/// Its own job may still run: it writes the whole transcript anew, in place.
#[test]
fn what_the_original_tool_writes_anew_is_still_continued() {
    let desk = Desk::new();
    for layout in [machine(TRANSCRIPT), "history.jsonl.gz".to_owned()] {
        zip(&desk, &layout, b"one\n");
    }
    for path in [TRANSCRIPT, "history.jsonl"] {
        desk.write(path, b"one\ntwo\n");
    }
    assert_eq!(desk.keep(), [Outcome::Grown { bytes: 4 }, Outcome::Grown { bytes: 4 }]);
    for layout in [machine(TRANSCRIPT), "history.jsonl.gz".to_owned()] {
        zip(&desk, &layout, b"one\ntwo\nthree\n");
    }
    for path in [TRANSCRIPT, "history.jsonl"] {
        assert_eq!(desk.restore(path, None), b"one\ntwo\n");
        desk.append(path, b"three\n");
    }
    assert_eq!(damages(&desk), []);
    desk.drop_cache();
    assert_eq!(damages(&desk), []);
    desk.keep();
    for path in [TRANSCRIPT, "history.jsonl"] {
        assert_eq!(desk.restore(path, None), b"one\ntwo\nthree\n");
    }
    assert_eq!(damages(&desk), []);
}

#[test]
fn one_that_is_written_anew_before_it_is_continued_is_read_as_it_is_now() {
    let desk = Desk::new();
    zip(&desk, &machine(TRANSCRIPT), b"one\n");
    zip(&desk, "history.jsonl.gz", b"one\n");
    desk.keep();
    for name in [machine(TRANSCRIPT), "history.jsonl.gz".to_owned()] {
        zip(&desk, &name, b"one\ntwo\n");
    }
    assert_eq!(desk.restore(TRANSCRIPT, None), b"one\ntwo\n");
    assert_eq!(desk.restore("history.jsonl", None), b"one\ntwo\n");
}

#[test]
fn a_damaged_one_is_repaired_where_that_can_be_proven() {
    let whole: Vec<u8> = (0..2000_u32).flat_map(u32::to_le_bytes).collect();
    for is_continued in [false, true] {
        for is_sent in [false, true] {
            for harm in 0..5 {
                let desk = Desk::new();
                let path = zip(&desk, &machine(TRANSCRIPT), &whole);
                let remote = desk.root().parent().unwrap().join("remote").join(machine(TRANSCRIPT));
                fs::create_dir_all(remote.parent().unwrap()).unwrap();
                fs::copy(&path, &remote).unwrap();
                desk.write(TRANSCRIPT, &whole);
                desk.keep();
                if is_continued {
                    desk.append(TRANSCRIPT, b"more\n");
                    desk.keep();
                }
                let expected = desk.restore(TRANSCRIPT, None);
                spoil(&path, harm);
                if is_sent {
                    desk.remove(TRANSCRIPT);
                }
                let told = damages(&desk);
                assert_eq!(told.len(), 1, "harm {harm}, continued {is_continued}: {told:?}");
                assert_eq!(told[0].0, machine(TRANSCRIPT), "harm {harm}, continued {is_continued}");
                assert!(repair(&desk, is_sent), "harm {harm}, continued {is_continued}, sent {is_sent}");
                assert_eq!(damages(&desk), []);
                assert_eq!(desk.restore(TRANSCRIPT, None), expected);
                desk.drop_cache();
                assert_eq!(damages(&desk), []);
                assert_eq!(desk.restore(TRANSCRIPT, None), expected);
            }
        }
    }
}

#[test]
fn a_live_file_that_differs_repairs_no_damaged_one() {
    let whole: Vec<u8> = (0..2000_u32).flat_map(u32::to_le_bytes).collect();
    for is_continued in [false, true] {
        for harm in 0..5 {
            let desk = Desk::new();
            let path = zip(&desk, &machine(TRANSCRIPT), &whole);
            desk.write(TRANSCRIPT, &whole);
            desk.keep();
            if is_continued {
                desk.append(TRANSCRIPT, b"more\n");
                desk.keep();
            }
            let mut other = desk.read(TRANSCRIPT).unwrap();
            other[4000] ^= 1;
            desk.write(TRANSCRIPT, &other);
            spoil(&path, harm);
            assert!(!repair(&desk, false), "harm {harm}, continued {is_continued}");
        }
    }
}

fn spoil(path: &Path, harm: u8) {
    let mut bytes = fs::read(path).unwrap();
    let middle = bytes.len() / 2;
    match harm {
        0 => bytes[0] ^= 1,
        1 => bytes[middle] ^= 4,
        2 => bytes.truncate(middle),
        3 => bytes.clear(),
        _ => return fs::remove_file(path).unwrap(),
    }
    fs::write(path, bytes).unwrap();
}
