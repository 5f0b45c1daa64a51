//! After a purge with its history, no object of it is left, here or at the remote.

use std::fs;
use std::path::Path;

use steno_vault::remote::Outcome;

use crate::git::record::executable;
use crate::git::world::{REQUEST, World};

fn holds(world: &World, directory: &Path, id: &str) -> bool {
    world.try_plain(directory, &["cat-file", "-e", id]).status.success()
}

#[test]
fn purged_bytes_are_gone_without_a_remote() {
    let world = World::new();
    let one = world.machine("one");
    one.keep("secret.zst", "secret");
    one.keep("stays.zst", "stays");
    one.record();
    let blob = world.plain(&one.root, &["rev-parse", "HEAD:machines/one/secret.zst"]);
    world.plain(&one.root, &["tag", "old"]);
    world.plain(&one.root, &["branch", "side"]);
    world.plain(&one.root, &["gc", "-q"]);
    fs::remove_file(one.root.join("machines/one/secret.zst")).unwrap();
    one.record();
    assert!(holds(&world, &one.root, &blob));
    let exchange = one.repository.rewrite_history("purged", REQUEST).unwrap();
    assert_eq!(exchange.outcome, Outcome::UpToDate);
    assert!(!holds(&world, &one.root, &blob));
    assert_eq!(world.plain(&one.root, &["log", "--format=%s"]), "purged");
    assert_eq!(world.plain(&one.root, &["status", "--porcelain"]), "");
    assert!(one.has("machines/one/stays.zst"));
    assert!(!one.record());
}

#[test]
fn purged_bytes_are_gone_from_the_remote() {
    let world = World::new();
    let remote = world.bare();
    let (one, two) = (world.machine_at("one", &remote), world.machine_at("two", &remote));
    one.send("secret.zst", "secret");
    let blob = world.plain(&one.root, &["rev-parse", "HEAD:machines/one/secret.zst"]);
    two.send("b.zst", "b");
    world.plain(&remote, &["tag", "old", "main"]);
    fs::remove_file(one.root.join("machines/one/secret.zst")).unwrap();
    one.record();
    let exchange = one.repository.rewrite_history("purged", REQUEST).unwrap();
    assert!(matches!(exchange.outcome, Outcome::Pushed));
    assert_eq!(
        exchange.warnings.iter().map(|warning| warning.path.as_str()).collect::<Vec<_>>(),
        ["refs/tags/old"]
    );
    assert!(one.has("machines/two/b.zst"));
    assert!(!holds(&world, &one.root, &blob));
    assert_eq!(world.plain(&remote, &["log", "--format=%s", "main"]), "purged");
    assert_eq!(one.sync().outcome, Outcome::UpToDate);
}

#[test]
fn a_remote_that_does_not_allow_it_leaves_all_as_it_was() {
    let world = World::new();
    let remote = world.bare();
    world.plain(&remote, &["config", "receive.denyNonFastForwards", "true"]);
    let one = world.machine_at("one", &remote);
    one.send("a.zst", "a");
    let head = world.plain(&one.root, &["rev-parse", "HEAD"]);
    let exchange = one.repository.rewrite_history("purged", REQUEST).unwrap();
    assert!(matches!(exchange.outcome, Outcome::Refused { .. }), "{:?}", exchange.outcome);
    assert_eq!(world.plain(&one.root, &["rev-parse", "HEAD"]), head);
    fs::rename(&remote, world.path("away")).unwrap();
    let exchange = one.repository.rewrite_history("purged", REQUEST).unwrap();
    assert!(matches!(exchange.outcome, Outcome::Offline { .. }));
}

#[test]
fn a_push_that_comes_in_between_is_not_lost() {
    let world = World::new();
    let remote = world.bare();
    let (one, two) = (world.machine_at("one", &remote), world.machine_at("two", &remote));
    one.send("a.zst", "a");
    two.send("b.zst", "b");
    one.sync();
    two.keep("late.zst", "late");
    two.record();
    two.sync();
    // The remote goes on once more while the rewritten history arrives.
    let later = world.plain(&remote, &["commit-tree", "-p", "main", "-m", "later", "main^{tree}"]);
    let script = format!(
        "#!/bin/sh\n[ -e done ] || {{ touch done; unset GIT_QUARANTINE_PATH; git update-ref refs/heads/main {later}; }}\n"
    );
    executable(&remote.join("hooks/pre-receive"), &script);
    let exchange = one.repository.rewrite_history("purged", REQUEST).unwrap();
    assert!(matches!(exchange.outcome, Outcome::Pushed), "{:?}", exchange.outcome);
    assert!(remote.join("done").exists());
    assert_eq!(world.plain(&remote, &["log", "--format=%s", "main"]), "purged");
    assert!(one.has("machines/two/late.zst"));
}
