//! Vaults, caches and remotes that were put back from older copies, or lost.

use std::fs;

use steno_testkit::store::MemoryStore;
use steno_vault::Store;
use steno_vault::object_sync::{ObjectSync, last_remote};
use steno_vault::remote::Outcome;

use crate::object_sync::world::{Link, Machine, VAULT, contents, names, put, remove};

#[test]
fn a_lost_cache_costs_a_listing_and_nothing_else() {
    let remote = MemoryStore::new();
    let (one, two) = (Machine::new("one"), Machine::new("two"));
    one.keep("s", 1);
    one.tell(1);
    one.calm(&remote);
    two.keep("t", 1);
    two.calm(&remote);
    one.calm(&remote);
    one.forget();
    let run = one.calm(&remote);
    assert_eq!((run.outcome, run.sent, run.received), (Outcome::UpToDate, 0, 0));
    // A document of the same length, and a segment, that the lost cache never knew.
    one.forget();
    one.tell(2);
    one.keep("s", 2);
    assert_eq!(one.calm(&remote).sent, 2);
    two.calm(&remote);
    assert_eq!(one.shared(), two.shared());
    // What is lost with it comes back.
    let name = one.keep("s", 3);
    one.calm(&remote);
    one.forget();
    fs::remove_file(one.path(&name)).unwrap();
    one.keep("s", 4);
    let run = one.calm(&remote);
    assert_eq!((run.sent, run.received), (1, 1));
    assert!(one.path(&name).is_file());
}

#[test]
fn a_description_that_was_lost_and_made_anew_gives_way_to_the_one_there() {
    for is_changed_there in [false, true] {
        let remote = MemoryStore::new();
        let (one, two) = (Machine::new("one"), Machine::new("two"));
        one.keep("s", 1);
        one.calm(&remote);
        let there = if is_changed_there { VAULT.replace("[]", "[ ]") } else { VAULT.to_owned() };
        put(&remote, "vault.json", there.as_bytes());
        one.write("vault.json", VAULT.replace("0123", "4567").as_bytes());
        one.keep("s", 2);
        one.calm(&remote);
        assert_eq!(one.store.read("vault.json").unwrap(), there.as_bytes());
        assert_eq!(remote.read("vault.json").unwrap(), there.as_bytes());
        assert_eq!(two.calm(&remote).received, 2);
    }
}

#[test]
fn where_it_was_sent_to_is_written_down() {
    let remote = MemoryStore::new();
    let one = Machine::new("one");
    one.keep("s", 1);
    one.calm(&remote);
    let root = one.store.root();
    assert_eq!(last_remote(root).unwrap().endpoint, None);
    // Also where there is nothing to send.
    let elsewhere = |with: ObjectSync<'_>| {
        ObjectSync { endpoint: Some("https://host"), region: Some("here"), ..with }.run().unwrap()
    };
    assert_eq!(one.with(&remote, elsewhere).outcome, Outcome::UpToDate);
    let last = last_remote(root).unwrap();
    assert_eq!((last.endpoint.as_deref(), last.region.as_deref()), (Some("https://host"), Some("here")));
}

#[test]
fn a_lost_record_costs_a_comparison() {
    let remote = MemoryStore::new();
    let one = Machine::new("one");
    one.keep("s", 1);
    one.tell(1);
    one.calm(&remote);
    for (has_cache, torn) in [(true, None), (false, None), (true, Some("{torn"))] {
        fs::remove_file(one.path("exchange.json")).unwrap();
        if let Some(torn) = torn {
            fs::write(one.path("exchange.json"), torn).unwrap();
        }
        if !has_cache {
            one.forget();
        }
        let run = one.calm(&remote);
        assert_eq!((run.outcome, run.sent), (Outcome::UpToDate, 0));
        let link = Link::new(&remote);
        one.calm(&link);
        assert_eq!(link.log(), ["list heads"]);
    }
}

#[test]
fn what_is_gone_or_damaged_here_is_taken_back() {
    let remote = MemoryStore::new();
    let one = Machine::new("one");
    let (first, second, third) = (one.keep("s", 1), one.keep("s", 2), one.keep("s", 3));
    one.tell(1);
    one.calm(&remote);
    let (before, there) = (one.shared(), contents(&remote));
    fs::remove_file(one.path(&first)).unwrap();
    let mut damaged = one.store.read(&second).unwrap();
    let last = damaged.len() - 1;
    damaged[last] ^= 1;
    one.write(&second, &damaged);
    one.write(&third, &crate::object_sync::world::segment("s", "other, but whole"));
    let run = one.run(&remote);
    assert_eq!(
        (run.outcome, run.received, run.warnings.len()),
        (Outcome::UpToDate, 3, 3),
        "{:?}",
        run.warnings
    );
    assert_eq!(one.shared(), before);
    assert_eq!(contents(&remote), there);
    let link = Link::new(&remote);
    one.calm(&link);
    assert_eq!(link.log(), ["list heads"]);
}

#[test]
fn damage_is_never_sent() {
    let remote = MemoryStore::new();
    let one = Machine::new("one");
    let name = one.keep("s", 1);
    let bytes = one.store.read(&name).unwrap();
    one.write(&name, &bytes[..bytes.len() - 3]);
    one.tell(1);
    let run = one.run(&remote);
    assert_eq!((run.outcome, run.sent, run.warnings.len()), (Outcome::Pushed, 1, 1), "{:?}", run.warnings);
    assert!(remote.read(&name).is_err());
    one.write(&name, &bytes);
    one.calm(&remote);
    assert_eq!(remote.read(&name).unwrap(), bytes);
}

#[test]
fn a_vault_that_was_put_back_takes_what_it_had_sent() {
    let remote = MemoryStore::new();
    let one = Machine::new("one");
    one.keep("s", 1);
    one.calm(&remote);
    let old = one.copy();
    one.keep("s", 2);
    one.tell(1);
    one.calm(&remote);
    let run = old.calm(&remote);
    assert_eq!((run.outcome, run.received), (Outcome::UpToDate, 2));
    assert_eq!(old.shared(), one.shared());
    let link = Link::new(&remote);
    old.calm(&link);
    assert_eq!(link.log(), ["list heads"]);
}

#[test]
fn a_vault_that_went_on_from_an_old_copy_is_another() {
    for is_cache_lost in [false, true] {
        let remote = MemoryStore::new();
        let one = Machine::new("one");
        one.keep("s", 1);
        one.calm(&remote);
        let other = one.copy();
        one.keep("s", 2);
        one.calm(&remote);
        let there = contents(&remote);
        // Under the same name with other bytes, and under a name of its own.
        for name in [
            "machines/one/projects/-a/s.jsonl.g1.000002.zst",
            "machines/one/projects/-a/x.jsonl.g1.000001.zst",
        ] {
            let copy = other.copy();
            copy.write(name, &crate::object_sync::world::segment("x", "went on"));
            if is_cache_lost {
                copy.forget();
            }
            let before = copy.shared();
            assert_eq!(copy.run(&remote).outcome, Outcome::SlugTaken, "{name}");
            assert_eq!(contents(&remote), there);
            assert_eq!(copy.shared(), before);
        }
    }
}

#[test]
fn two_copies_that_put_the_same_number_are_told_apart() {
    let remote = MemoryStore::new();
    let one = Machine::new("one");
    one.keep("s", 1);
    one.calm(&remote);
    let other = one.copy();
    one.keep("a", 1);
    one.calm(&remote);
    let heads = names(&remote, "heads/one");
    // As if both had looked before either had put its head.
    let newest = heads.iter().find(|name| name.contains("/00000002-")).unwrap();
    let bytes = remote.read(newest).unwrap();
    remove(&remote, newest);
    put(&remote, "heads/one/00000001-00000000000000aa", &bytes);
    other.keep("b", 1);
    let run = other.run(&remote);
    assert_eq!(run.outcome, Outcome::SlugTaken);
}

#[test]
fn a_remote_that_was_emptied_or_put_back_gets_everything_again() {
    for is_emptied in [true, false] {
        let remote = MemoryStore::new();
        let (one, two) = (Machine::new("one"), Machine::new("two"));
        one.keep("s", 1);
        one.tell(1);
        one.calm(&remote);
        two.keep("t", 1);
        two.calm(&remote);
        let old = contents(&remote);
        one.keep("s", 2);
        one.tell(2);
        one.calm(&remote);
        two.calm(&remote);
        one.calm(&remote);
        let newest = one.shared();
        for name in names(&remote, "") {
            remove(&remote, &name);
        }
        if !is_emptied {
            old.iter().for_each(|(name, bytes)| put(&remote, name, bytes));
        }
        // The one that did not change anything comes first, and must not take older documents.
        two.run(&remote);
        assert_eq!(two.shared(), newest);
        one.run(&remote);
        two.run(&remote);
        for machine in [&one, &two] {
            machine.calm(&remote);
            assert_eq!(machine.shared(), newest);
        }
        for (name, bytes) in newest {
            assert_eq!(remote.read(&name).unwrap(), bytes, "{name}");
        }
    }
}
