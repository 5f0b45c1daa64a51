//! A git remote as a store.

use std::io::Read;
use std::path::Path;
use std::sync::Arc;
use std::thread;

use jiff::Timestamp;
use steno_testkit::store::conformance;
use steno_vault::encryption::{Encryption, Keyring, NameKey, NewKey, NoPassphrase, Recipients};
use steno_vault::git::{self, GitStore};
use steno_vault::{Batch, EncryptedStore, Entry, Error, Existing, Store};

use crate::git::world::{Daemon, World};

/// A store whose world lives as long as it does.
#[derive(Debug)]
pub(crate) struct Held<S> {
    pub(crate) store: S,
    pub(crate) _world: World,
}

impl<S: Store> Store for Held<S> {
    fn list(&self, below: &str) -> Result<Vec<Entry>, Error> {
        self.store.list(below)
    }

    fn open(&self, name: &str) -> Result<Box<dyn Read + Send>, Error> {
        self.store.open(name)
    }

    fn batch(&self) -> Result<Box<dyn Batch + '_>, Error> {
        self.store.batch()
    }
}

/// One that works in a directory of that name.
pub(crate) fn store(world: &World, directory: &str, url: &str) -> GitStore {
    GitStore::open(&world.git(), &world.path(directory), url).unwrap()
}

fn store_at(world: &World, directory: &str, remote: &Path) -> GitStore {
    store(world, directory, remote.to_str().unwrap())
}

pub(crate) fn put(store: &dyn Store, name: &str, bytes: impl AsRef<[u8]>) -> Result<(), Error> {
    let batch = store.batch()?;
    batch.put(name, bytes.as_ref(), Existing::Refuse)?;
    batch.commit()
}

pub(crate) fn names(store: &dyn Store, below: &str) -> Vec<String> {
    store.list(below).unwrap().into_iter().map(|entry| entry.name).collect()
}

#[test]
fn a_git_remote_is_a_store() {
    conformance(|| {
        let world = World::new();
        let store = store_at(&world, "scratch", &world.bare());
        Box::new(Held { store, _world: world })
    });
}

#[test]
fn a_git_remote_that_is_asked_once_is_a_store() {
    conformance(|| {
        let world = World::new();
        let store = store_at(&world, "scratch", &world.bare()).still().unwrap();
        Box::new(Held { store, _world: world })
    });
}

pub(crate) fn seal() -> Arc<Encryption> {
    let key = NewKey::generate(Timestamp::UNIX_EPOCH);
    let recipients = Recipients::parse(&[key.recipient().to_owned()]).unwrap();
    let keyring = Keyring::bytes(key.text().as_bytes().to_vec(), "the key", Arc::new(NoPassphrase));
    Arc::new(Encryption::new(recipients, NameKey::random(), keyring))
}

#[test]
fn a_sealed_git_remote_is_a_store() {
    conformance(|| {
        let world = World::new();
        let store = EncryptedStore::new(store_at(&world, "scratch", &world.bare()), seal());
        Box::new(Held { store, _world: world })
    });
}

#[test]
fn a_sealed_remote_tells_who_has_the_key_and_nobody_else() {
    let world = World::new();
    let remote = world.bare();
    let (seal, secret) = (seal(), "planted");
    let name = format!("machines/{secret}/projects/-{secret}/a.jsonl");
    put(&EncryptedStore::new(store_at(&world, "one", &remote), seal.clone()), &name, secret).unwrap();
    let other = EncryptedStore::new(store_at(&world, "two", &remote).still().unwrap(), seal.clone());
    assert_eq!(names(&other, "machines"), [name.as_str()]);
    assert_eq!(other.read(&name).unwrap(), secret.as_bytes());
    let everything =
        world.plain(&remote, &["log", "--stat=1000", "-p", "--binary", "--format=raw%n%B", "main"]);
    assert!(everything.contains(&seal.object_of(&name)) && !everything.contains(secret));
}

#[test]
fn names_that_git_cannot_hold_are_refused() {
    let world = World::new();
    let store = store_at(&world, "scratch", &world.bare());
    for name in [".git", "a/.git/b", ".GIT/config", "git~1", "a//b", "a/", ".git ", ".g\u{200c}it"] {
        let is_bad = |error: Option<Error>| matches!(error, Some(Error::BadName { .. }));
        assert!(is_bad(put(&store, name, "x").err()), "{name}");
        assert!(is_bad(store.open(name).err()) && is_bad(store.list(name).err()), "{name}");
    }
    for name in [".gitignore", ".gitattributes", ".gitmodules", "git~10/x.git/y"] {
        put(&store, name, "* text=auto\r\n").unwrap();
        assert_eq!(store.read(name).unwrap(), b"* text=auto\r\n");
    }
}

#[test]
fn a_file_is_no_directory() {
    let world = World::new();
    let remote = world.bare();
    let store = store_at(&world, "scratch", &remote);
    put(&store, "a/b", "x").unwrap();
    let before = world.plain(&remote, &["rev-parse", "main"]);
    for name in ["a", "a/b/c"] {
        let batch = store.batch().unwrap();
        batch.put(name, b"y", Existing::Replace).unwrap();
        let error = batch.commit();
        assert!(matches!(&error, Err(Error::Exists { name }) if name == "a/b"), "{error:?}");
    }
    assert_eq!(world.plain(&remote, &["rev-parse", "main"]), before);
}

#[test]
fn a_batch_is_one_commit_or_none() {
    let world = World::new();
    let remote = world.bare();
    let one = store_at(&world, "one", &remote).dated(Timestamp::from_second(1_000_000_000).unwrap());
    let batch = one.batch().unwrap();
    ["a", "b/c", "d"].iter().for_each(|name| batch.put(name, b"x", Existing::Refuse).unwrap());
    batch.commit().unwrap();
    let batch = one.batch().unwrap();
    batch.put("a", b"x", Existing::Replace).unwrap();
    batch.remove("never there").unwrap();
    batch.commit().unwrap();
    assert_eq!(world.plain(&remote, &["rev-list", "--count", "main"]), "1");
    // Whoever does not say when it is, is not before what is there.
    let two = store_at(&world, "two", &remote);
    let batch = two.batch().unwrap();
    ["a", "b/c", "d"].iter().for_each(|name| batch.remove(name).unwrap());
    batch.commit().unwrap();
    assert_eq!(
        world.plain(&remote, &["log", "--format=%ct %s", "main"]),
        "1000000000 0 put, 3 removed\n1000000000 3 put, 0 removed"
    );
    assert_eq!(names(&one, ""), [""; 0]);
    assert_eq!(world.plain(&remote, &["fsck", "--strict", "--no-dangling"]), "");
}

#[test]
fn the_remote_is_asked_every_time_unless_it_shall_be_still() {
    let world = World::new();
    let remote = world.bare();
    let (one, two) = (store_at(&world, "one", &remote), store_at(&world, "two", &remote));
    put(&one, "a", "a").unwrap();
    assert_eq!(names(&two, ""), ["a"]);
    let still = two.still().unwrap();
    put(&one, "b", "b").unwrap();
    assert_eq!(two.read("b").unwrap(), b"b");
    assert_eq!(names(&still, ""), ["a"]);
    // What it writes goes on top of the newest all the same, and is judged there.
    assert!(matches!(put(&still, "b", "c"), Err(Error::Exists { .. })));
    put(&still, "c", "c").unwrap();
    assert_eq!([names(&still, ""), names(&one, "")], [["a", "b", "c"]; 2]);
}

#[test]
fn what_a_vault_sent_is_read_without_a_checkout() {
    let world = World::new();
    let remote = world.bare();
    let machine = world.machine_at("one", &remote);
    machine.write("vault.json", r#"{"format":1,"id":"first"}"#);
    machine.send("projects/a.zst", "a");
    let daemon = Daemon::serve(&world, remote.parent().unwrap());
    let store = store(&world, "scratch", &daemon.url);
    assert_eq!(store.read("vault.json").unwrap(), br#"{"format":1,"id":"first"}"#);
    assert_eq!(names(&store, "machines"), ["machines/one/projects/a.zst"]);
    put(&store, "machines/two/b.zst", "b").unwrap();
    machine.send("projects/c.zst", "c");
    assert_eq!(std::fs::read(machine.root.join("machines/two/b.zst")).unwrap(), b"b");
    assert_eq!(names(&store, "machines").len(), 3);
}

/// Links and other repositories are nobody's, and stay.
#[test]
fn what_is_no_file_is_not_read_and_not_lost() {
    let world = World::new();
    let remote = world.bare();
    let store = store_at(&world, "scratch", &remote);
    put(&store, "a", "elsewhere").unwrap();
    let head = world.plain(&remote, &["rev-parse", "main"]);
    let blob = world.plain(&remote, &["rev-parse", "main:a"]);
    for line in [format!("120000,{blob},link"), format!("160000,{head},module"), format!("100755,{blob},run")]
    {
        world.plain(&remote, &["update-index", "--add", "--cacheinfo", &line]);
    }
    let tree = world.plain(&remote, &["write-tree"]);
    let commit = world.plain(&remote, &["commit-tree", "-m", "odd", &tree]);
    world.plain(&remote, &["update-ref", "refs/heads/main", &commit]);
    assert_eq!(names(&store, ""), ["run"]);
    for name in ["link", "module"] {
        assert!(matches!(store.open(name).err(), Some(Error::Missing { .. })), "{name}");
        assert!(matches!(put(&store, name, "x"), Err(Error::Exists { .. })), "{name}");
        let batch = store.batch().unwrap();
        batch.remove(name).unwrap();
        batch.commit().unwrap();
    }
    put(&store, "new", "x").unwrap();
    assert_eq!(world.plain(&remote, &["ls-tree", "--name-only", "main"]), "link\nmodule\nnew\nrun");
}

#[test]
fn another_branch_is_used_where_there_is_no_other() {
    let world = World::new();
    let remote = world.bare();
    world.plain(&remote, &["symbolic-ref", "HEAD", "refs/heads/trunk"]);
    let store = store_at(&world, "scratch", &remote);
    put(&store, "a", "a").unwrap();
    assert_eq!(world.plain(&remote, &["branch", "--format=%(refname:short)"]), "trunk");
    assert_eq!(names(&store_at(&world, "other", &remote), ""), ["a"]);
}

#[test]
fn a_scratch_repository_serves_another_remote_afterwards() {
    let world = World::new();
    let (remote, other) = (world.bare(), world.path("other.git"));
    put(&store_at(&world, "scratch", &remote), "a", "a").unwrap();
    world.plain(&remote, &["init", "--quiet", "--bare", "-b", "main", other.to_str().unwrap()]);
    let store = store_at(&world, "scratch", &other);
    assert_eq!(names(&store, ""), [""; 0]);
    put(&store, "b", "b").unwrap();
    assert_eq!(world.plain(&other, &["rev-list", "--count", "main"]), "1");
    assert_eq!(names(&store_at(&world, "scratch", &remote), ""), ["a"]);
    let refused = GitStore::open(&world.git(), &world.path("scratch"), "--upload-pack=x").err();
    assert!(matches!(refused, Some(git::Error::BadAddress { .. })), "{refused:?}");
}

#[test]
fn two_stores_at_once_lose_nothing() {
    let world = World::new();
    let remote = world.bare();
    let stores = ["one", "two"].map(|name| (name, store_at(&world, name, &remote)));
    thread::scope(|scope| {
        for (name, store) in &stores {
            scope.spawn(move || {
                for round in 0..30 {
                    put(store, &format!("{name}/{round:02}"), format!("{name} {round}")).unwrap();
                }
            });
        }
    });
    for (_, store) in &stores {
        let there = names(store, "");
        assert_eq!(there.len(), 60);
        let store = store.still().unwrap();
        for (name, round) in ["one", "two"].iter().flat_map(|name| (0..30).map(move |round| (name, round))) {
            assert_eq!(
                store.read(&format!("{name}/{round:02}")).unwrap(),
                format!("{name} {round}").as_bytes()
            );
        }
    }
    assert_eq!(world.plain(&remote, &["rev-list", "--count", "main"]), "60");
    assert_eq!(world.plain(&remote, &["fsck", "--no-dangling"]), "");
}

#[test]
fn threads_share_a_store() {
    let world = World::new();
    let store = store_at(&world, "scratch", &world.bare());
    thread::scope(|scope| {
        for thread in 0..4 {
            let store = &store;
            scope.spawn(move || {
                for round in 0..4 {
                    let name = format!("{thread}/{round}");
                    put(store, &name, &name).unwrap();
                    assert_eq!(store.read(&name).unwrap(), name.as_bytes());
                    assert_eq!(names(store, &thread.to_string()).len(), round + 1);
                }
            });
        }
    });
    assert_eq!(names(&store, "").len(), 16);
}

/// Of two that put the same name at the same instant, one is told.
#[test]
fn a_name_is_given_once() {
    let world = World::new();
    let remote = world.bare();
    let stores = ["one", "two", "three"].map(|name| (name, store_at(&world, name, &remote)));
    for round in 0..5 {
        let name = &format!("heads/{round}");
        let given: Vec<bool> = thread::scope(|scope| {
            let threads = stores.each_ref().map(|(own, store)| scope.spawn(move || put(store, name, own)));
            threads.into_iter().map(|thread| thread.join().unwrap().is_ok()).collect()
        });
        let winners: Vec<_> = stores.iter().zip(given).filter(|(_, given)| *given).collect();
        assert_eq!(winners.len(), 1, "round {round}");
        assert_eq!(stores[0].1.read(name).unwrap(), winners[0].0.0.as_bytes());
    }
}
