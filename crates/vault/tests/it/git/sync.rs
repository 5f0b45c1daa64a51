//! Several machines, one remote: everybody sees everything, and nobody's push gets in anybody's way.

use std::path::Path;
use std::thread;

use steno_vault::remote::Outcome;

use crate::git::world::{Daemon, Machine, World};

#[test]
fn two_machines_take_turns() {
    let world = World::new();
    let remote = world.bare();
    let (one, two) = (world.machine_at("one", &remote), world.machine_at("two", &remote));
    for round in 0..4 {
        one.send(&format!("{round}.zst"), format!("one {round}"));
        two.send(&format!("{round}.zst"), format!("two {round}"));
    }
    assert_eq!(one.sync().outcome, Outcome::UpToDate);
    assert_eq!(one.files().len(), 8);
    assert_eq!(one.files(), two.files());
    assert_eq!(world.plain(&one.root, &["status", "--porcelain"]), "");
}

#[test]
fn two_machines_at_once_over_a_directory() {
    let world = World::new();
    let remote = world.bare();
    at_once(&world, remote.to_str().unwrap(), 20);
    assert_eq!(world.plain(&remote, &["fsck", "--no-dangling"]), "");
}

#[test]
fn two_machines_at_once_over_a_daemon() {
    let world = World::new();
    let remote = world.bare();
    let daemon = Daemon::serve(&world, remote.parent().unwrap());
    at_once(&world, &daemon.url, 6);
}

fn at_once(world: &World, url: &str, rounds: usize) {
    let machines = ["one", "two"].map(|slug| world.machine_at(slug, Path::new(url)));
    thread::scope(|scope| {
        for machine in &machines {
            scope.spawn(|| {
                for round in 0..rounds {
                    machine.send(&format!("{round}.zst"), format!("{} {round}", machine.slug));
                }
            });
        }
    });
    machines.iter().for_each(|machine| drop(machine.sync()));
    let [one, two] = &machines;
    assert_eq!(one.files().len(), 2 * rounds);
    assert_eq!(one.files(), two.files());
    for machine in &machines {
        let log = world.plain(&machine.root, &["log", "--format=%s", "HEAD"]);
        assert_eq!(log.lines().filter(|line| *line == "a sync").count(), 2 * rounds);
    }
}

#[test]
fn commits_made_offline_are_sent_one_by_one_and_many_as_one() {
    let world = World::new();
    let remote = world.bare();
    let (one, two) = (world.machine_at("one", &remote), world.machine_at("two", &remote));
    one.send("0.zst", "0");
    two.send("0.zst", "0");
    for number in 1..4 {
        one.keep(&format!("{number}.zst"), "x");
        assert!(one.record_as(&format!("offline {number}")));
    }
    assert!(matches!(one.sync().outcome, Outcome::Pushed));
    let subjects = world.plain(&remote, &["log", "--format=%s", "-3", "main"]);
    assert_eq!(subjects, "offline 3\noffline 2\noffline 1");
    for number in 0..51 {
        two.keep(&format!("many{number}.zst"), "x");
        assert!(two.record_as(&format!("many {number}")));
    }
    two.sync();
    assert_eq!(world.plain(&remote, &["log", "--format=%s", "-2", "main"]), "many 50\noffline 3");
    one.sync();
    assert_eq!(one.files(), two.files());
    assert_eq!(one.files().len(), 1 + 3 + 1 + 51);
}

#[test]
fn files_that_another_machine_purged_go_here_too() {
    let world = World::new();
    let remote = world.bare();
    let (one, two) = (world.machine_at("one", &remote), world.machine_at("two", &remote));
    one.send("projects/p/gone.jsonl.g1.000001.zst", "x");
    one.send("projects/q/stays.zst", "y");
    assert_eq!(two.sync().received, 2);
    std::fs::remove_file(one.root.join("machines/one/projects/p/gone.jsonl.g1.000001.zst")).unwrap();
    one.send("tombstones/gone.json", "{}");
    let exchange = two.sync();
    assert_eq!((exchange.received, exchange.removed), (1, 1));
    assert!(!two.has("machines/one/projects/p"));
    assert_eq!(one.files(), two.files());
}

#[test]
fn files_that_another_machine_lost_stay_here() {
    let world = World::new();
    let remote = world.bare();
    let [one, two, three] = ["one", "two", "three"].map(|slug| world.machine_at(slug, &remote));
    for name in [
        "projects/p/a.jsonl.g1.000001.zst",
        "projects/p/b.jsonl.gz",
        "config/settings.json",
        "tombstones/c.json",
    ] {
        one.send(name, "x");
    }
    // Only who kept it can say that it is purged.
    three.send("tombstones/a.json", "{}");
    two.sync();
    std::fs::remove_dir_all(one.root.join("machines/one/projects")).unwrap();
    std::fs::remove_dir_all(one.root.join("machines/one/config")).unwrap();
    one.send("tombstones/c.json", "a purge of something else");
    let before = two.files();
    let exchange = two.sync();
    assert_eq!((exchange.removed, exchange.warnings.len()), (0, 3), "{:?}", exchange.warnings);
    assert_eq!(two.files().keys().collect::<Vec<_>>(), before.keys().collect::<Vec<_>>());
    two.send("d.zst", "d");
    assert!(two.sync().warnings.is_empty());
    let held = world.plain(&remote, &["ls-tree", "-r", "--name-only", "main"]);
    assert!(!held.contains("machines/one/projects"), "what is another's is not sent again");
    // They come back, and are the same.
    one.keep("projects/p/a.jsonl.g1.000001.zst", "x");
    one.send("config/settings.json", "x");
    assert!(two.sync().warnings.is_empty());
}

#[test]
fn what_we_have_not_recorded_is_never_touched() {
    let world = World::new();
    let remote = world.bare();
    let (one, two) = (world.machine_at("one", &remote), world.machine_at("two", &remote));
    one.send("a.zst", "old");
    two.send("b.zst", "b");
    one.keep("a.zst", "changed");
    one.keep("new.zst", "untracked");
    one.write("notes.txt", "the user's");
    one.write("machines/three/x.zst", "unknown");
    std::fs::create_dir_all(one.root.join(".cache/git")).unwrap();
    one.sync();
    assert_eq!(std::fs::read(one.root.join("machines/one/a.zst")).unwrap(), b"changed");
    for path in ["machines/one/new.zst", "notes.txt", "machines/three/x.zst", "machines/two/b.zst"] {
        assert!(one.has(path), "{path}");
    }
    assert_eq!(two.repository.read("machines/one/a.zst").unwrap().unwrap(), b"old");
}

#[test]
fn a_machine_joins_and_another_comes_back() {
    let world = World::new();
    let remote = world.bare();
    let url = remote.to_str().unwrap();
    let one = world.machine_at("one", &remote);
    let exchange = one.sync();
    assert_eq!((exchange.outcome, exchange.received), (Outcome::UpToDate, 0));
    one.write("vault.json", r#"{"format":1,"id":"first"}"#);
    one.send("a.zst", "a");
    let two = world.machine_at("two", &remote);
    two.sync();
    assert_eq!(std::fs::read_to_string(two.root.join("vault.json")).unwrap(), r#"{"format":1,"id":"first"}"#);
    two.send("b.zst", "b");
    // The disk of the first is lost; under its old name it gets everything again, and deletes nothing.
    let again = Machine::new(&world, "new", "one");
    again.repository.set_remote(url).unwrap();
    assert_eq!(again.sync().received, 3);
    assert!(!again.record());
    assert_eq!(again.files(), two.files());
    assert_eq!(world.plain(&again.root, &["status", "--porcelain"]), "");
}

#[cfg(unix)]
#[test]
fn what_comes_in_is_private() {
    use std::os::unix::fs::PermissionsExt;
    let world = World::new();
    let remote = world.bare();
    let (one, two) = (world.machine_at("one", &remote), world.machine_at("two", &remote));
    one.send("projects/a.zst", "a");
    two.sync();
    let mode = |path: &str| two.root.join(path).metadata().unwrap().permissions().mode() & 0o777;
    assert_eq!(
        (mode("machines/one/projects"), mode("machines/one/projects/a.zst"), mode(".git")),
        (0o700, 0o600, 0o700)
    );
}
