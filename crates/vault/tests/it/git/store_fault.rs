//! A git remote as a store, when git is killed, the remote moves, refuses or is gone: a batch is there as a whole, or
//! not at all, and who wrote it knows which.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use steno_testkit::executable;
use steno_testkit::store::conformance;
use steno_vault::git::{Git, GitStore};
use steno_vault::{EncryptedStore, Error, Existing, Store};

use crate::git::fault::mortal;
use crate::git::store::{Held, names, put, seal, store};
use crate::git::world::World;

/// A git that counts its calls, and does something before or after them.
fn disturbed(world: &World, before: &str, after: &str) -> Git {
    let count = world.path("count");
    fs::write(&count, "").unwrap();
    let count = count.display();
    let script = format!(
        "#!/bin/sh\necho >> '{count}'\nnumber=$(wc -l < '{count}')\n{before}\ngit \"$@\"\nstatus=$?\n{after}\nexit $status\n"
    );
    executable(&world.path("disturbed"), &script);
    let mut git = world.git();
    git.program = world.path("disturbed");
    git
}

/// Shell that commits a file to the remote, as somebody else would.
fn intrude(remote: &Path, name: &str) -> String {
    format!(
        "(cd '{}'; export GIT_INDEX_FILE=$PWD/other.index; git read-tree main; \
         blob=$(echo theirs | git hash-object -w --stdin); git update-index --add --cacheinfo \"100644,$blob,{name}\"; \
         git update-ref refs/heads/main $(git -c user.name=X -c user.email=x@y commit-tree -m theirs -p main $(git write-tree))) </dev/null >/dev/null",
        remote.display()
    )
}

fn change(store: &dyn Store, mark: &str) -> Result<(), Error> {
    let batch = store.batch()?;
    batch.put("one", mark.as_bytes(), Existing::Replace)?;
    batch.put(&format!("marks/{mark}"), mark.as_bytes(), Existing::Refuse)?;
    batch.remove("two")?;
    batch.commit()
}

/// As a whole or not at all.
fn has_changed(witness: &GitStore, mark: &str) -> bool {
    let store = witness.still().unwrap();
    let parts = [
        store.read("one").is_ok_and(|bytes| bytes == mark.as_bytes()),
        store.open(&format!("marks/{mark}")).is_ok(),
        store.open("two").is_err(),
    ];
    assert!(parts == [true; 3] || parts == [false; 3], "{mark}: {parts:?}");
    parts[0]
}

/// Where somebody else was first.
fn begun(world: &World) -> (PathBuf, GitStore) {
    let remote = world.bare();
    let witness = store(world, "witness", remote.to_str().unwrap());
    put(&witness, "one", "at first").unwrap();
    (remote, witness)
}

/// How often git was called.
fn calls(world: &World) -> usize {
    fs::read(world.path("count")).unwrap().len()
}

/// With a git that fails later and later, until it does not fail any more.
fn until_it_works(git: impl Fn(&World, usize) -> Git) {
    let world = World::new();
    let (remote, witness) = begun(&world);
    let (url, scratch) = (remote.to_str().unwrap(), world.path("scratch"));
    for call in 1.. {
        let _ = put(&witness, "two", "two");
        let mark = call.to_string();
        let store = GitStore::open(&git(&world, call), &scratch, url);
        let is_made = store.is_ok_and(|store| change(&store, &mark).is_ok());
        assert_eq!(is_made, has_changed(&witness, &mark), "call {call}");
        // Whatever was left behind does not disturb the next one.
        let healthy = GitStore::open(&world.git(), &scratch, url).unwrap();
        assert_eq!(names(&healthy, ""), names(&witness, ""));
        if calls(&world) < call {
            assert!(is_made);
            break;
        }
    }
    assert_eq!(world.plain(&remote, &["fsck", "--no-dangling"]), "");
}

#[test]
fn killed_before_any_call_it_is_whole_or_not_there() {
    until_it_works(|world, call| mortal(world, call - 1));
}

#[test]
fn an_answer_that_is_lost_is_asked_for_again() {
    let lost = |call| format!("[ $number = {call} ] && exec >/dev/null 2>&1");
    until_it_works(|world, call| disturbed(world, &lost(call), &format!("[ $number = {call} ] && exit 137")));
}

/// Of three pushes one is overtaken, the answer to one is lost, and one goes well.
fn troubled(world: &World, remote: &Path) -> GitStore {
    let (pushes, remote) = (world.path("pushes"), remote.display());
    fs::write(&pushes, "").unwrap();
    let overtake = format!(
        "(cd '{remote}'; if git rev-parse -q --verify main; then tree=main^{{tree}}; parent='-p main'; \
         else tree=$(git mktree </dev/null); parent=; fi; git update-ref refs/heads/main \
         $(git -c user.name=X -c user.email=x@y commit-tree -m theirs $parent $tree)) </dev/null >/dev/null"
    );
    let pushes = pushes.display();
    let before = format!(
        "kind=; case \"$*\" in *' push --porcelain '*) echo >> '{pushes}'; kind=$(($(wc -l < '{pushes}') % 3)) ;; esac\n\
         [ \"$kind\" = 1 ] && {overtake}\n[ \"$kind\" = 2 ] && exec >/dev/null 2>&1"
    );
    let git = disturbed(world, &before, "[ \"$kind\" = 2 ] && exit 137");
    GitStore::open(&git, &world.path("scratch"), &remote.to_string()).unwrap()
}

#[test]
fn a_troubled_remote_is_a_store() {
    conformance(|| {
        let world = World::new();
        Box::new(Held { store: troubled(&world, &world.bare()), _world: world })
    });
}

#[test]
fn a_troubled_remote_is_a_store_for_sealed_things() {
    conformance(|| {
        let world = World::new();
        let store = EncryptedStore::new(troubled(&world, &world.bare()), seal());
        Box::new(Held { store, _world: world })
    });
}

#[test]
fn a_wreck_is_made_anew() {
    let world = World::new();
    let (remote, _) = begun(&world);
    let (url, scratch) = (remote.to_str().unwrap(), world.path("scratch"));
    assert_eq!(names(&store(&world, "scratch", url), ""), ["one"]);
    let objects = world.plain(&remote, &["rev-list", "--objects", "--no-object-names", "main"]);
    assert_eq!(objects.lines().count(), 3);
    for object in objects.lines() {
        let path = scratch.join("objects").join(&object[..2]).join(&object[2..]);
        for is_gone in [true, false] {
            fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
            if is_gone { fs::remove_file(&path) } else { fs::write(&path, "") }.unwrap();
            let store = store(&world, "scratch", url);
            assert_eq!(names(&store, ""), ["one"], "{object}");
            assert_eq!(store.read("one").unwrap(), b"at first");
        }
    }
    put(&store(&world, "scratch", url), "two", "two").unwrap();
}

#[test]
fn a_remote_that_moves_at_any_step_loses_nothing() {
    let world = World::new();
    let (remote, witness) = begun(&world);
    for call in 1.. {
        let _ = put(&witness, "two", "two");
        let intrusion = format!("[ $number = {call} ] && {}", intrude(&remote, &format!("theirs/{call}")));
        let store = opened(&world, &remote, &intrusion);
        change(&store, &call.to_string()).unwrap();
        assert!(has_changed(&witness, &call.to_string()));
        assert_eq!(names(&witness, "marks").len(), call);
        assert_eq!(names(&witness, "theirs").len(), call.min(calls(&world)));
        if calls(&world) < call {
            break;
        }
    }
    assert_eq!(world.plain(&remote, &["fsck", "--no-dangling"]), "");
}

#[test]
fn what_is_there_is_judged_where_the_commit_is_made() {
    let world = World::new();
    let (remote, _) = begun(&world);
    let (mut given, mut refused) = (0, 0);
    for call in 1.. {
        let name = format!("taken/{call}");
        let store = opened(&world, &remote, &format!("[ $number = {call} ] && {}", intrude(&remote, &name)));
        let outcome = put(&store, &name, "ours");
        if calls(&world) < call {
            break;
        }
        let history = world.plain(&remote, &["log", "--format=%s", "--reverse", "main", "--", &name]);
        match outcome {
            Ok(()) => assert_eq!((history.as_str(), given += 1), ("1 put, 0 removed\ntheirs", ())),
            Err(Error::Exists { .. }) => assert_eq!((history.as_str(), refused += 1), ("theirs", ())),
            Err(error) => panic!("{error}"),
        }
    }
    assert!(given > 0 && refused > 5, "{given} {refused}");
}

/// Disturbed from now on.
fn opened(world: &World, remote: &Path, before: &str) -> GitStore {
    let store =
        GitStore::open(&disturbed(world, "", ""), &world.path("scratch"), remote.to_str().unwrap()).unwrap();
    disturbed(world, before, "");
    store
}

#[test]
fn a_remote_that_refuses_is_told_from_one_that_is_gone() {
    let world = World::new();
    let remote = world.bare();
    let url = remote.to_str().unwrap();
    let own = store(&world, "scratch", url);
    put(&own, "a", "a").unwrap();
    let still = own.still().unwrap();
    let hook = remote.join("hooks/pre-receive");
    executable(&hook, "#!/bin/sh\necho 'not today' >&2\nexit 1\n");
    let refused = put(&own, "b", "b");
    assert!(
        matches!(&refused, Err(Error::Refused { reason }) if reason.contains("not today")),
        "{refused:?}"
    );
    assert_eq!(names(&own, ""), ["a"]);
    fs::remove_file(hook).unwrap();
    fs::rename(&remote, world.path("away")).unwrap();
    let is_offline = |error: Option<Error>| matches!(error, Some(Error::Offline { .. }));
    assert!(is_offline(own.list("").err()) && is_offline(own.open("a").err()));
    assert!(is_offline(put(&own, "b", "b").err()) && is_offline(put(&still, "b", "b").err()));
    assert_eq!(still.read("a").unwrap(), b"a");
    fs::rename(world.path("away"), &remote).unwrap();
    put(&own, "b", "b").unwrap();
    assert_eq!(names(&own, ""), ["a", "b"]);
}

#[test]
fn a_host_that_does_not_answer_is_offline() {
    let world = World::new();
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let mut git = world.git();
    git.patience = Duration::from_millis(300);
    let url = format!("git://127.0.0.1:{}/x.git", silent.local_addr().unwrap().port());
    let store = GitStore::open(&git, &world.path("scratch"), &url).unwrap();
    assert!(matches!(store.list(""), Err(Error::Offline { reason }) if reason.starts_with("no answer")));
}
