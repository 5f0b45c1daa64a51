//! Offline is told from refused, and neither loses anything.

use std::fs;
use std::net::TcpListener;
use std::time::Duration;

use steno_vault::git::{Error, Git, Repository};
use steno_vault::remote::Outcome;

use crate::git::record::executable;
use crate::git::world::{Daemon, World};

#[test]
fn a_daemon_that_is_gone_is_offline_and_what_was_kept_goes_later() {
    let world = World::new();
    let remote = world.bare();
    let daemon = Daemon::serve(&world, remote.parent().unwrap());
    let one = world.machine("one");
    one.repository.set_remote(&daemon.url).unwrap();
    one.send("a.zst", "a");
    drop(daemon);
    one.keep("b.zst", "b");
    one.record();
    assert!(matches!(one.sync().outcome, Outcome::Offline { .. }));
    let daemon = Daemon::serve(&world, remote.parent().unwrap());
    one.repository.set_remote(&daemon.url).unwrap();
    assert!(matches!(one.sync().outcome, Outcome::Pushed));
    assert_eq!(world.plain(&remote, &["rev-list", "--count", "main"]), "2");
}

#[test]
fn a_directory_that_is_not_mounted_is_offline() {
    let world = World::new();
    let one = world.machine_at("one", &world.path("nowhere.git"));
    one.keep("a.zst", "a");
    one.record();
    let Outcome::Offline { reason } = one.sync().outcome else { panic!("not offline") };
    assert!(reason.ends_with("nowhere.git is not there"), "{reason}");
    fs::create_dir(world.path("nowhere.git")).unwrap();
    assert!(matches!(one.sync().outcome, Outcome::Offline { .. }));
}

#[test]
fn a_host_that_does_not_answer_is_offline() {
    let world = World::new();
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let mut git = world.git();
    git.timeout = Duration::from_millis(300);
    fs::create_dir(world.path("one")).unwrap();
    let one = Repository::open_or_init(&git, &world.path("one"), "one").unwrap();
    one.set_remote(&format!("git://127.0.0.1:{}/x.git", silent.local_addr().unwrap().port())).unwrap();
    let exchange = one.sync(crate::git::world::REQUEST).unwrap();
    assert!(matches!(exchange.outcome, Outcome::Offline { reason } if reason.starts_with("no answer")));
}

#[test]
fn a_hook_that_declines_is_a_refusal() {
    let world = World::new();
    let remote = world.bare();
    executable(&remote.join("hooks/pre-receive"), "#!/bin/sh\necho 'not today' >&2\nexit 1\n");
    let one = world.machine_at("one", &remote);
    one.keep("a.zst", "a");
    one.record();
    let Outcome::Refused { reason } = one.sync().outcome else { panic!("not refused") };
    assert!(
        reason.contains("not today") && reason.contains("hook declined") && !reason.contains('\n'),
        "{reason}"
    );
    fs::remove_file(remote.join("hooks/pre-receive")).unwrap();
    assert!(matches!(one.sync().outcome, Outcome::Pushed));
}

#[test]
fn what_is_no_repository_or_may_not_be_pushed_to_is_a_refusal() {
    let world = World::new();
    let one = world.machine_at("one", &world.path(""));
    assert!(matches!(one.sync().outcome, Outcome::Refused { .. }));
    let checked_out = world.path("checked-out");
    world.plain(&world.path(""), &["init", "-q", "-b", "main", checked_out.to_str().unwrap()]);
    one.repository.set_remote(checked_out.to_str().unwrap()).unwrap();
    one.keep("a.zst", "a");
    one.record();
    assert!(matches!(one.sync().outcome, Outcome::Refused { .. }));
}

#[test]
fn without_git_or_a_remote_it_says_so() {
    let world = World::new();
    let nothing = Git::new(world.path("no-such-git"));
    assert!(matches!(nothing.version(), Err(Error::NotInstalled { .. })));
    assert!(world.git().version().unwrap().starts_with(char::is_numeric));
    assert!(matches!(world.machine("one").repository.sync(crate::git::world::REQUEST), Err(Error::NoRemote)));
}
