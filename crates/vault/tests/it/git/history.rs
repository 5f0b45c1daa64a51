//! Histories that never met, that were rewritten elsewhere, or that belong to somebody of the same name.

use std::fs;

use steno_vault::git::{Error, remote_vault};
use steno_vault::remote::Outcome;

use crate::git::world::{Machine, REQUEST, World};

#[test]
fn a_vault_with_a_past_joins_another_with_a_past() {
    let world = World::new();
    let remote = world.bare();
    let one = world.machine_at("one", &remote);
    one.write("vault.json", "first");
    one.send("a.zst", "a");
    let two = world.machine("two");
    two.write("vault.json", "second");
    two.keep("b.zst", "b");
    two.record_as("before");
    two.write(".gitignore", "/.cache/\n/.lock\n/manifest.json\n*.swp\n");
    two.write("machines/older/c.zst", "c");
    world.plain(&two.root, &["add", "-f", "machines/older"]);
    world.plain(&two.root, &["commit", "-q", "-m", "by hand"]);
    two.record();
    two.repository.set_remote(remote.to_str().unwrap()).unwrap();
    assert!(matches!(two.sync().outcome, Outcome::Pushed));
    one.sync();
    assert_eq!(one.files(), two.files());
    assert_eq!(one.files().len(), 3);
    for machine in [&one, &two] {
        assert_eq!(fs::read_to_string(machine.root.join("vault.json")).unwrap(), "first");
        assert!(fs::read_to_string(machine.root.join(".gitignore")).unwrap().ends_with("*.swp\n"));
    }
    let log = world.plain(&remote, &["log", "--format=%s", "main"]);
    assert!(log.contains("before") && log.contains("by hand") && log.contains("two joins"), "{log}");
    two.send("more.zst", "x");
    one.send("more.zst", "x");
}

#[test]
fn a_history_rewritten_elsewhere_does_not_come_back() {
    let world = World::new();
    let remote = world.bare();
    let (one, two) = (world.machine_at("one", &remote), world.machine_at("two", &remote));
    one.send("secret.zst", "secret");
    let blob = world.plain(&one.root, &["rev-parse", "HEAD:machines/one/secret.zst"]);
    two.send("b.zst", "b");
    two.keep("c.zst", "c");
    two.record_as("not sent yet");
    fs::remove_file(one.root.join("machines/one/secret.zst")).unwrap();
    one.keep("tombstones/secret.json", "{}");
    assert!(one.record());
    let exchange = one.repository.rewrite_history("purged", REQUEST).unwrap();
    assert!(matches!(exchange.outcome, Outcome::Pushed));
    assert!(one.has("machines/two/b.zst"));
    assert!(matches!(two.sync().outcome, Outcome::Pushed));
    assert_eq!(world.plain(&remote, &["log", "--format=%s", "main"]), "not sent yet\npurged");
    assert!(!two.has("machines/one/secret.zst"));
    let reachable = world.plain(&remote, &["rev-list", "--objects", "--all"]);
    assert!(!reachable.contains(&blob));
    one.sync();
    assert_eq!(one.files(), two.files());
    // Also not by way of leaving the remote and coming back to it.
    two.repository.remove_remote().unwrap();
    assert_eq!(two.repository.remote().unwrap(), None);
    one.repository.rewrite_history("purged again", REQUEST).unwrap();
    two.repository.set_remote(remote.to_str().unwrap()).unwrap();
    two.send("d.zst", "d");
    assert_eq!(world.plain(&remote, &["log", "--format=%s", "main"]), "a sync\npurged again");
}

#[test]
fn a_second_machine_of_our_name_is_noticed() {
    let world = World::new();
    let remote = world.bare();
    let one = world.machine_at("one", &remote);
    one.send("a.zst", "a");
    let same = Machine::new(&world, "other", "one");
    same.repository.set_remote(remote.to_str().unwrap()).unwrap();
    same.keep("b.zst", "b");
    same.record();
    let before = world.plain(&same.root, &["rev-parse", "HEAD"]);
    assert_eq!(same.sync().outcome, Outcome::SlugTaken);
    assert_eq!(world.plain(&same.root, &["rev-parse", "HEAD"]), before);
    let same = Machine::new(&world, "other", "one-x7");
    fs::rename(same.root.join("machines/one"), same.root.join("machines/one-x7")).unwrap();
    same.record();
    assert!(matches!(same.sync().outcome, Outcome::Pushed));
    assert!(world.plain(&remote, &["ls-tree", "-r", "--name-only", "main"]).contains("machines/one/a.zst"));
}

#[test]
fn a_vault_put_back_from_an_older_copy_catches_up() {
    let world = World::new();
    let remote = world.bare();
    let one = world.machine_at("one", &remote);
    one.send("a.zst", "a");
    let copied = std::process::Command::new("cp").arg("-a").arg(&one.root).arg(world.path("copy")).status();
    assert!(copied.unwrap().success());
    one.send("b.zst", "b");
    fs::remove_dir_all(&one.root).unwrap();
    fs::rename(world.path("copy"), &one.root).unwrap();
    let one = one.reopen(&world);
    assert_eq!(one.sync().outcome, Outcome::UpToDate);
    assert!(one.has("machines/one/b.zst"));
    assert!(!one.record());
}

#[test]
fn a_remote_with_another_branch_and_one_that_is_new() {
    let world = World::new();
    let remote = world.bare();
    let one = world.machine_at("one", &remote);
    one.send("a.zst", "a");
    world.plain(&remote, &["branch", "-m", "main", "master"]);
    world.plain(&remote, &["symbolic-ref", "HEAD", "refs/heads/master"]);
    one.send("b.zst", "b");
    assert_eq!(world.plain(&remote, &["for-each-ref", "--format=%(refname)"]), "refs/heads/master");
    fs::remove_dir_all(&remote).unwrap();
    world.bare();
    assert!(matches!(one.sync().outcome, Outcome::Pushed));
    assert_eq!(world.plain(&remote, &["rev-list", "--count", "main"]), "2");
}

#[test]
fn the_vaults_description_is_whose_change_came_first() {
    let world = World::new();
    let remote = world.bare();
    let (one, two) = (world.machine_at("one", &remote), world.machine_at("two", &remote));
    one.write("vault.json", "1");
    one.send("a.zst", "a");
    two.send("b.zst", "b");
    one.write("vault.json", "changed by one");
    one.send("c.zst", "c");
    two.sync();
    assert_eq!(fs::read(two.root.join("vault.json")).unwrap(), b"changed by one");
    one.write("vault.json", "changed again");
    one.keep("d.zst", "d");
    one.record();
    two.write("vault.json", "changed by two");
    two.send("d.zst", "d");
    one.sync();
    for machine in [&one, &two] {
        assert_eq!(fs::read(machine.root.join("vault.json")).unwrap(), b"changed by two");
    }
}

#[test]
fn a_repository_with_longer_names_works_as_well() {
    let world = World::new();
    let remote = world.path("remote.git");
    let make = |path: &std::path::Path, arguments: &[&str]| {
        fs::create_dir(path).unwrap();
        world.plain(path, &[&["init", "-q", "-b", "main", "--object-format=sha256"], arguments].concat());
    };
    make(&remote, &["--bare"]);
    for slug in ["one", "two"] {
        make(&world.path(slug), &[]);
        world.machine_at(slug, &remote).send("a.zst", slug);
    }
    let one = world.machine("one");
    one.sync();
    assert_eq!(one.files(), world.machine("two").files());
}

#[test]
fn a_repository_of_something_else_is_refused_and_left_alone() {
    let world = World::new();
    let remote = world.bare();
    let somebody = world.path("somebody");
    world.plain(&world.path(""), &["clone", "-q", remote.to_str().unwrap(), somebody.to_str().unwrap()]);
    let add = |name: &str| {
        fs::create_dir_all(somebody.join(name).parent().unwrap()).unwrap();
        fs::write(somebody.join(name), "theirs").unwrap();
        world.plain(&somebody, &["add", "-A"]);
        world.plain(&somebody, &["commit", "-q", "-m", "theirs"]);
        world.plain(&somebody, &["push", "-q", "origin", "HEAD:main"]);
    };
    add("README.md");
    add(".gitignore");
    let one = world.machine_at("one", &remote);
    one.keep("a.zst", "a");
    one.record();
    add("src/main.c");
    let refused = |outcome: Outcome| matches!(outcome, Outcome::Refused { reason } if reason.contains("src"));
    assert!(refused(one.sync().outcome));
    assert!(refused(one.repository.rewrite_history("x", REQUEST).unwrap().outcome));
    assert!(refused(one.sync().outcome));
    assert!(!world.plain(&remote, &["ls-tree", "-r", "--name-only", "main"]).contains("machines"));
    assert_eq!(world.plain(&one.root, &["log", "--format=%s"]), "a sync");
    add("manifest.json");
    assert!(matches!(one.sync().outcome, Outcome::Pushed), "a directory of the original tool");
}

#[test]
fn an_empty_remote_gets_the_branch_it_stands_on() {
    let world = World::new();
    let remote = world.bare();
    world.plain(&remote, &["symbolic-ref", "HEAD", "refs/heads/trunk"]);
    let (one, two) = (world.machine_at("one", &remote), world.machine_at("two", &remote));
    one.send("a.zst", "a");
    two.send("b.zst", "b");
    assert_eq!(world.plain(&remote, &["for-each-ref", "--format=%(refname)"]), "refs/heads/trunk");
}

#[test]
fn the_description_of_a_remote_is_read_without_a_vault() {
    let world = World::new();
    let remote = world.bare();
    let look = || remote_vault(&world.git(), &world.path("aside"), remote.to_str().unwrap());
    assert_eq!(look().unwrap(), None);
    let one = world.machine_at("one", &remote);
    one.write("vault.json", "{}");
    one.send("a.zst", "a");
    assert_eq!(look().unwrap().as_deref(), Some(&b"{}"[..]));
    fs::remove_dir_all(&remote).unwrap();
    assert!(matches!(look(), Err(Error::Offline { .. })));
    assert!(matches!(
        remote_vault(&world.git(), &world.path("aside"), "--upload-pack=x"),
        Err(Error::BadAddress { .. })
    ));
}
