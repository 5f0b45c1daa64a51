//! A store that somebody else writes to, or that lies: nothing here is harmed, and it is told.

use std::fs;

use steno_testkit::store::MemoryStore;
use steno_vault::object_sync::ObjectSync;
use steno_vault::remote::Outcome;
use steno_vault::{Entry, Store};

use crate::object_sync::world::{Link, Machine, VAULT, contents, names, put, segment};

fn entry(name: &str, len: u64) -> Entry {
    Entry { name: name.to_owned(), len, modified: None }
}

fn told(run: &steno_vault::remote::Synced, path: &str) -> bool {
    run.warnings.iter().any(|warning| warning.path == path)
}

#[test]
fn names_that_lead_elsewhere_are_refused() {
    let remote = MemoryStore::new();
    let (one, two) = (Machine::new("one"), Machine::new("two"));
    one.keep("s", 1);
    one.calm(&remote);
    two.keep("t", 1);
    let before = two.shared();
    let strange = [
        "../outside",
        "/tmp/outside",
        "machines/one/../../outside",
        "machines/one//twice",
        "machines/one/.git/config",
        "machines/two/projects/-a/t.jsonl.g1.000001.zst",
        "machines/TWO/a",
        "vault.json",
        "manifest.json",
        ".cache/state",
        "machines/one/\u{200d}/a",
        "",
    ];
    let link = Link::lying(&remote, move |below, mut listed| {
        if below == "machines/one" {
            listed.extend(strange.map(|name| entry(name, 4)));
        }
        listed
    });
    let run = two.run(&link);
    for name in strange {
        assert!(told(&run, name), "{name}: {:?}", run.warnings);
    }
    assert_eq!(run.warnings.len(), strange.len());
    let mut after = two.shared();
    after.retain(|name, _| !name.starts_with("machines/one/"));
    assert_eq!(after, before);
    assert_eq!(run.received, 1);
}

#[test]
fn what_cannot_be_here_does_not_stop_the_rest() {
    let remote = MemoryStore::new();
    let (one, two) = (Machine::new("one"), Machine::new("two"));
    one.keep("s", 1);
    one.calm(&remote);
    put(&remote, "machines/one/a", b"a file");
    put(&remote, "machines/one/a/b", b"a file below a file");
    put(&remote, &format!("machines/one/{}", "n".repeat(300)), b"too long");
    let run = two.run(&remote);
    assert_eq!(
        (run.outcome, run.received, run.warnings.len()),
        (Outcome::UpToDate, 2, 2),
        "{:?}",
        run.warnings
    );
    assert!(names(&two.store, "machines/one").iter().any(|name| name.ends_with(".zst")));
}

#[test]
fn a_damaged_segment_is_not_taken() {
    let remote = MemoryStore::new();
    let (one, two) = (Machine::new("one"), Machine::new("two"));
    let (first, second, third) = (one.keep("s", 1), one.keep("s", 2), one.keep("s", 3));
    one.calm(&remote);
    // Other bytes of the same length, before and after it was taken.
    let mut bytes = remote.read(&first).unwrap();
    let last = bytes.len() - 2;
    bytes[last] ^= 1;
    put(&remote, &first, &bytes);
    let run = two.run(&remote);
    assert!(told(&run, &first) && run.received == 2 && !two.path(&first).exists(), "{run:?}");
    put(&remote, &second, &vec![0; bytes.len()]);
    put(&remote, &third, b"shorter");
    one.keep("s", 4);
    one.calm(&remote);
    let run = two.run(&remote);
    assert!(told(&run, &third) && run.received == 1, "{run:?}");
    for name in [&second, &third] {
        assert_eq!(two.store.read(name).unwrap(), one.store.read(name).unwrap());
    }
    // A damaged one here is replaced by a whole one.
    put(&remote, &third, &one.store.read(&third).unwrap());
    two.write(&third, b"damaged here");
    two.full(&remote);
    assert_eq!(two.store.read(&third).unwrap(), one.store.read(&third).unwrap());
}

#[test]
fn lengths_that_are_lies_are_noticed() {
    let remote = MemoryStore::new();
    let one = Machine::new("one");
    let name = one.keep("s", 1);
    one.tell(1);
    one.calm(&remote);
    for len in [0_u64, 1, 1 << 20, u64::MAX] {
        let link = Link::lying(&remote, move |below, mut listed| {
            if below == "machines/one" {
                listed.iter_mut().for_each(|entry| entry.len = len);
            }
            listed
        });
        let two = Machine::new(&format!("two-{len}"));
        let run = two.run(&link);
        assert!(
            told(&run, &name) && told(&run, "machines/one/manifest.json") && run.received == 0,
            "{run:?}"
        );
        assert!(!two.path("machines/one").exists());
        two.calm(&remote);
        assert_eq!(two.shared(), one.shared());
    }
}

#[test]
fn our_own_directory_is_ours_whoever_writes_there() {
    let remote = MemoryStore::new();
    let (one, two) = (Machine::new("one"), Machine::new("two"));
    let name = one.keep("s", 1);
    one.tell(1);
    one.calm(&remote);
    let before = one.shared();
    put(&remote, "machines/one/projects/-a/planted.jsonl.g1.000001.zst", &segment("p", "planted"));
    put(&remote, &name, &segment("s", "replaced"));
    put(&remote, "machines/one/manifest.json", b"replaced");
    two.keep("t", 1);
    two.run(&remote);
    one.calm(&remote);
    let full = one.full(&remote);
    assert!(told(&full, "machines/one/projects/-a/planted.jsonl.g1.000001.zst"), "{full:?}");
    let mut after = one.shared();
    after.retain(|name, _| !name.starts_with("machines/two/"));
    assert_eq!(after, before);
    // A head in our name, of which we know nothing, with everything that it claims.
    put(&remote, "heads/one/00000099-00000000000000aa", b"nonsense");
    one.keep("s", 2);
    assert_eq!(one.run(&remote).outcome, Outcome::SlugTaken);
}

#[test]
fn heads_that_make_no_sense_are_told() {
    let remote = MemoryStore::new();
    let (one, two) = (Machine::new("one"), Machine::new("two"));
    one.keep("s", 1);
    one.tell(1);
    one.calm(&remote);
    two.calm(&remote);
    let before = two.shared();
    for (name, bytes) in [
        ("heads/one/00000005-00000000000000aa", b"{".as_slice()),
        ("heads/three/00000001-00000000000000aa", br#"{"format":1,"machine":"x","number":1,"objects":99}"#),
        ("heads/../00000001-00000000000000aa", b""),
        ("heads/ONE", b""),
        ("heads/two/latest", b""),
    ] {
        if !name.contains("..") {
            put(&remote, name, bytes);
        }
    }
    let run = two.run(&remote);
    for path in ["heads/one/00000005-00000000000000aa", "heads/ONE", "heads/two/latest", "machines/three"] {
        assert!(told(&run, path), "{path}: {:?}", run.warnings);
    }
    assert_eq!(two.shared(), before);
}

#[test]
fn another_vault_is_refused() {
    let other = VAULT.replace("0123", "4567");
    let newer = VAULT.replace("\"format\":1", "\"format\":9");
    for vault in ["", "nonsense", "[]", "{\"format\":1}", &newer] {
        let remote = MemoryStore::new();
        put(&remote, "vault.json", vault.as_bytes());
        let there = contents(&remote);
        let one = Machine::new("one");
        one.keep("s", 1);
        let before = one.shared();
        let objection = |bytes: &[u8]| {
            bytes.windows(10).any(|part| part == b"\"format\":9").then(|| "too new".to_owned())
        };
        let run = one.with(&remote, |with| ObjectSync { objection: &objection, ..with }.run()).unwrap();
        assert!(matches!(run.outcome, Outcome::Refused { .. }), "{vault}: {run:?}");
        assert_eq!((one.shared(), contents(&remote)), (before, there));
    }
    // One that was ours becomes another's.
    let remote = MemoryStore::new();
    let one = Machine::new("one");
    one.keep("s", 1);
    one.calm(&remote);
    put(&remote, "vault.json", other.as_bytes());
    one.keep("s", 2);
    assert!(matches!(one.run(&remote).outcome, Outcome::Refused { .. }));
    assert_eq!(fs::read(one.path("vault.json")).unwrap(), VAULT.as_bytes());
    // One that is met for the first time is joined, if nobody objects.
    let joining = Machine::new("joining");
    joining.keep("j", 1);
    assert_eq!(joining.calm(&remote).outcome, Outcome::Pushed);
    assert_eq!(fs::read(joining.path("vault.json")).unwrap(), other.as_bytes());
}

#[test]
fn a_store_that_holds_other_things_is_refused() {
    let remote = MemoryStore::new();
    put(&remote, "holiday/beach.jpg", b"sand");
    let one = Machine::new("one");
    one.keep("s", 1);
    assert!(matches!(one.run(&remote).outcome, Outcome::Refused { .. }));
    assert_eq!(names(&remote, ""), ["holiday/beach.jpg"]);
}

#[cfg(unix)]
#[test]
fn a_link_in_the_way_is_not_followed() {
    let remote = MemoryStore::new();
    let (one, two) = (Machine::new("one"), Machine::new("two"));
    let outside = tempfile::tempdir().unwrap();
    fs::create_dir_all(two.path("machines")).unwrap();
    std::os::unix::fs::symlink(outside.path(), two.path("machines/one")).unwrap();
    let name = one.keep("s", 1);
    one.calm(&remote);
    let run = two.run(&remote);
    assert!(told(&run, &name), "{run:?}");
    assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 0);
}
