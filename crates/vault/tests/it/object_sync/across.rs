//! What one machine keeps, the others have; and nothing is asked or sent twice.

use std::fs;

use steno_testkit::store::MemoryStore;
use steno_vault::object_sync::remote_vault;
use steno_vault::remote::Outcome;
use steno_vault::{Existing, Store};

use crate::object_sync::world::{Link, Machine, VAULT, contents, names, put, remove};

#[test]
fn everything_comes_across() {
    let remote = MemoryStore::new();
    let (one, two) = (Machine::new("one"), Machine::new("two"));
    for number in 1..=30 {
        one.keep("s", number);
        two.keep("t", number);
    }
    one.tell(1);
    let sent = one.calm(&remote);
    assert_eq!((sent.outcome, sent.sent, sent.received), (Outcome::Pushed, 31, 0));
    let bytes: usize =
        one.shared().iter().filter(|(name, _)| *name != "vault.json").map(|(_, b)| b.len()).sum();
    assert_eq!(sent.sent_bytes, bytes as u64);
    let both = two.calm(&remote);
    assert_eq!(
        (both.outcome, both.sent, both.received, both.received_bytes),
        (Outcome::Pushed, 30, 31, bytes as u64)
    );
    let taken = one.calm(&remote);
    assert_eq!((taken.outcome, taken.sent, taken.received), (Outcome::UpToDate, 0, 30));
    assert_eq!(one.shared(), two.shared());
    assert_eq!(remote_vault(&remote).unwrap().unwrap(), VAULT.as_bytes());
}

#[test]
fn an_unchanged_run_asks_for_one_list() {
    let remote = MemoryStore::new();
    let (one, two) = (Machine::new("one"), Machine::new("two"));
    one.keep("s", 1);
    one.tell(1);
    for machine in [&one, &two, &one, &two] {
        machine.calm(&remote);
    }
    for machine in [&one, &two] {
        let link = Link::new(&remote);
        assert_eq!(machine.calm(&link).outcome, Outcome::UpToDate);
        assert_eq!(link.log(), ["list heads"]);
    }
}

#[test]
fn the_name_is_claimed_first_and_the_head_comes_last() {
    let remote = MemoryStore::new();
    let one = Machine::new("one");
    let segments = [one.keep("s", 1), one.keep("s", 2)];
    one.tell(1);
    let link = Link::new(&remote);
    one.calm(&link);
    let puts: Vec<String> =
        link.log().iter().filter_map(|what| what.strip_prefix("put ").map(str::to_owned)).collect();
    assert_eq!(puts[..2], ["vault.json", "heads/one/00000000"]);
    assert_eq!(puts[2..4], segments);
    assert_eq!(puts[4], "machines/one/manifest.json");
    assert!(puts[5].starts_with("heads/one/00000001-") && puts.len() == 6, "{puts:?}");
    one.tell(2);
    let link = Link::new(&remote);
    assert_eq!(one.calm(&link).sent, 1);
    let log = link.log();
    assert_eq!(log[..3], ["list heads", "open vault.json", "put machines/one/manifest.json"]);
    assert!(
        log[3].starts_with("put heads/one/00000002-") && log[4].starts_with("remove heads/one/00000001-")
    );
    assert_eq!(log.len(), 5);
    assert_eq!(names(&remote, "heads").len(), 2);
}

#[test]
fn a_document_of_the_same_length_is_replaced_everywhere() {
    let remote = MemoryStore::new();
    let (one, two) = (Machine::new("one"), Machine::new("two"));
    one.tell(1);
    one.calm(&remote);
    two.calm(&remote);
    one.tell(2);
    one.calm(&remote);
    assert_eq!(two.calm(&remote).received, 1);
    assert_eq!(one.shared(), two.shared());
}

#[test]
fn a_file_that_was_only_touched_is_not_sent() {
    let remote = MemoryStore::new();
    let one = Machine::new("one");
    let name = one.keep("s", 1);
    one.tell(1);
    one.calm(&remote);
    let bytes = one.store.read(&name).unwrap();
    one.write(&name, &bytes);
    one.tell(1);
    let link = Link::new(&remote);
    assert_eq!((one.calm(&link).outcome, link.log().len()), (Outcome::UpToDate, 2));
    let link = Link::new(&remote);
    one.calm(&link);
    assert_eq!(link.log(), ["list heads"]);
}

#[test]
fn files_of_the_original_tool_go_along_and_are_never_replaced() {
    let remote = MemoryStore::new();
    let (one, two) = (Machine::new("one"), Machine::new("two"));
    for name in ["projects/-a/s.jsonl.gz", "config/settings.json", "history.jsonl.gz"] {
        one.write(name, b"first");
    }
    two.write("config/settings.json", b"another");
    one.calm(&remote);
    two.calm(&remote);
    assert_eq!(two.store.read("projects/-a/s.jsonl.gz").unwrap(), b"first");
    assert_eq!(two.store.read("history.jsonl.gz").unwrap(), b"first");
    assert_eq!(two.store.read("config/settings.json").unwrap(), b"another");
    assert_eq!(remote.read("config/settings.json").unwrap(), b"first");
    one.calm(&remote);
    for machine in [&one, &two] {
        machine.calm(&remote);
        let link = Link::new(&remote);
        machine.calm(&link);
        assert_eq!(link.log(), ["list heads"], "{}", machine.own);
    }
}

#[test]
fn a_new_machine_takes_everything() {
    let remote = MemoryStore::new();
    let one = Machine::new("one");
    one.keep("s", 1);
    one.tell(1);
    one.calm(&remote);
    let new = Machine::empty("new");
    assert_eq!(new.run(&remote).received, 2);
    assert_eq!(new.shared(), one.shared());
    // Another machine has that name: nothing of it may look like ours.
    let before = contents(&remote);
    let same = Machine::empty("one");
    assert_eq!(same.run(&remote).outcome, Outcome::SlugTaken);
    assert_eq!(contents(&remote), before);
    assert!(!same.path("machines").exists());
    // The same installation, with nothing left but its id.
    let mut again = Machine::empty("one");
    again.installation.clone_from(&one.installation);
    again.run(&remote);
    assert_eq!(again.shared(), one.shared());
    again.keep("s", 2);
    again.calm(&remote);
    assert_eq!(names(&remote, "machines/one").len(), 3);
}

#[test]
fn a_full_run_puts_again_what_is_missing_there() {
    let remote = MemoryStore::new();
    let one = Machine::new("one");
    let (first, second) = (one.keep("s", 1), one.keep("s", 2));
    one.tell(1);
    one.calm(&remote);
    remove(&remote, &first);
    put(&remote, &one.own("manifest.json"), b"shorter");
    put(&remote, &second, b"other bytes");
    assert_eq!(one.calm(&remote).sent, 0);
    let full = one.full(&remote);
    assert!(full.sent > 0);
    assert_eq!(remote.read(&first).unwrap(), one.store.read(&first).unwrap());
    assert_eq!(
        remote.read(&one.own("manifest.json")).unwrap(),
        one.store.read(&one.own("manifest.json")).unwrap()
    );
    // A segment is never written over: who is right is not ours to decide.
    assert_eq!(remote.read(&second).unwrap(), b"other bytes");
    assert_eq!(full.warnings.len(), 1, "{:?}", full.warnings);
    assert_eq!(full.warnings[0].path, second);
}

#[test]
fn what_is_taken_is_the_owners_alone() {
    let remote = MemoryStore::new();
    let (one, two) = (Machine::new("one"), Machine::new("two"));
    let name = one.keep("s", 1);
    one.calm(&remote);
    two.calm(&remote);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        for name in [name.as_str(), "exchange.json"] {
            let mode = fs::metadata(two.path(name)).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600, "{name}");
        }
    }
    assert!(two.path(&name).is_file());
}

#[test]
fn a_changed_description_of_the_vault_reaches_everybody() {
    let remote = MemoryStore::new();
    let (one, two) = (Machine::new("one"), Machine::new("two"));
    one.calm(&remote);
    two.calm(&remote);
    let changed = VAULT.replace(r#""recipients""#, r#""original":"one","recipients""#);
    one.write("vault.json", changed.as_bytes());
    assert_eq!(one.calm(&remote).outcome, Outcome::Pushed);
    two.calm(&remote);
    assert_eq!(fs::read(two.path("vault.json")).unwrap(), changed.as_bytes());
    let batch = remote.batch().unwrap();
    assert!(batch.put("vault.json", b"", Existing::Refuse).is_ok() && batch.commit().is_err());
}
