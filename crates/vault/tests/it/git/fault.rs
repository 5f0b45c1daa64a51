//! Killed anywhere: the next run makes good what was left.

use std::fs;

#[cfg(unix)]
use steno_vault::git::Repository;
use steno_vault::remote::Outcome;

#[cfg(unix)]
use crate::git::record::executable;
#[cfg(unix)]
use crate::git::world::REQUEST;
use crate::git::world::{Machine, World};

fn pair(world: &World) -> (Machine, Machine) {
    let remote = world.bare();
    let (one, two) = (world.machine_at("one", &remote), world.machine_at("two", &remote));
    one.send("projects/a.zst", "a");
    one.send("projects/b.zst", "b");
    two.send("projects/c.zst", "c");
    (one, two)
}

#[test]
fn locks_of_a_killed_git_are_freed() {
    let world = World::new();
    let (one, _) = pair(&world);
    for name in ["index.lock", "HEAD.lock", "refs/heads/main.lock", "packed-refs.lock", "config.lock"] {
        fs::write(one.root.join(".git").join(name), "").unwrap();
    }
    let one = one.reopen(&world);
    one.send("projects/d.zst", "d");
}

#[test]
fn missing_and_damaged_files_of_others_are_written_again() {
    let world = World::new();
    let (one, two) = pair(&world);
    fs::remove_file(two.root.join("machines/one/projects/a.zst")).unwrap();
    two.write("machines/one/projects/b.zst", "damaged");
    fs::create_dir_all(two.root.join(".cache/git")).unwrap();
    two.write(".cache/git/incoming", "half");
    assert_eq!(two.sync().received, 2);
    one.sync();
    assert_eq!(one.files(), two.files());
    fs::remove_dir_all(two.root.join("machines/one")).unwrap();
    fs::rename(world.path("remote.git"), world.path("away")).unwrap();
    let exchange = two.sync();
    assert!(matches!(exchange.outcome, Outcome::Offline { .. }));
    assert_eq!(exchange.received, 2);
    assert_eq!(one.files(), two.files());
}

#[test]
fn an_index_that_is_gone_half_written_or_stale_is_made_anew() {
    let world = World::new();
    let (one, two) = pair(&world);
    let index = two.root.join(".git/index");
    let stale = fs::read(&index).unwrap();
    one.send("projects/d.zst", "d");
    two.sync();
    for (number, wreck) in
        [None, Some(&stale[..stale.len() / 2]), Some(&[][..]), Some(&stale[..])].into_iter().enumerate()
    {
        match wreck {
            Some(bytes) => fs::write(&index, bytes).unwrap(),
            None => fs::remove_file(&index).unwrap(),
        }
        two.keep(&format!("projects/{number}.zst"), "x");
        assert!(two.record());
        assert!(matches!(two.sync().outcome, Outcome::Pushed));
        one.sync();
        assert_eq!(one.files(), two.files());
        assert_eq!(world.plain(&two.root, &["status", "--porcelain"]), "");
    }
}

#[test]
fn a_merge_of_the_users_left_half_way_does_not_stop_us() {
    let world = World::new();
    let (one, two) = pair(&world);
    world.plain(&one.root, &["checkout", "-q", "-b", "side"]);
    one.keep("manifest.json", "side");
    one.record();
    world.plain(&one.root, &["checkout", "-q", "main"]);
    one.keep("manifest.json", "main");
    one.record();
    assert!(!world.try_plain(&one.root, &["merge", "side"]).status.success());
    let one = one.reopen(&world);
    one.keep("manifest.json", "ours");
    assert!(one.record());
    one.sync();
    two.sync();
    assert_eq!(fs::read(two.root.join("machines/one/manifest.json")).unwrap(), b"ours");
}

#[test]
fn commits_on_no_branch_are_sent_too() {
    let world = World::new();
    let (one, two) = pair(&world);
    world.plain(&one.root, &["checkout", "-q", "--detach"]);
    one.send("projects/d.zst", "d");
    two.sync();
    assert_eq!(one.files(), two.files());
}

#[test]
fn a_half_made_repository_is_finished() {
    let world = World::new();
    fs::create_dir_all(world.path("one").join(".git/objects")).unwrap();
    let one = world.machine("one");
    one.keep("a.zst", "a");
    assert!(one.record());
}

/// A git that works so many times and then no more, as for a process that is killed after so many calls.
#[cfg(unix)]
fn mortal(world: &World, calls: usize) -> steno_vault::git::Git {
    let count = world.path("count");
    fs::write(&count, "").unwrap();
    let script = format!(
        "#!/bin/sh\necho >> '{count}'\n[ $(wc -l < '{count}') -le {calls} ] || exit 137\nexec git \"$@\"\n",
        count = count.display()
    );
    executable(&world.path("mortal"), &script);
    let mut git = world.git();
    git.program = world.path("mortal");
    git
}

#[cfg(unix)]
#[test]
fn killed_after_any_call_nothing_is_lost_and_the_next_run_heals() {
    let world = World::new();
    let (one, two) = pair(&world);
    for calls in (0..).step_by(5) {
        fs::remove_file(one.root.join("machines/one/projects/a.zst")).unwrap();
        one.keep("projects/b.zst", calls.to_string());
        one.send(&format!("projects/{calls}.zst"), "x");
        two.keep(&format!("projects/{calls}.zst"), "y");
        let ours = fs::read_dir(two.root.join("machines/two/projects")).unwrap().count();
        let finished =
            Repository::open_or_init(&mortal(&world, calls), &two.root, "two").is_ok_and(|repository| {
                let recorded = repository.record(&["machines/two"], "killed", REQUEST.now);
                recorded.is_ok() && repository.sync(REQUEST).is_ok()
            });
        assert_eq!(fs::read_dir(two.root.join("machines/two/projects")).unwrap().count(), ours);
        let two = two.reopen(&world);
        two.record();
        two.sync();
        one.keep("projects/a.zst", calls.to_string());
        one.record();
        one.sync();
        two.sync();
        assert_eq!(one.files(), two.files(), "after {calls} calls");
        assert_eq!(world.plain(&two.root, &["status", "--porcelain"]), "");
        if finished {
            return;
        }
    }
}
