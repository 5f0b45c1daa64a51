//! A sealed vault at a remote that somebody writes to who has no key: what others have here stays as it is.

use std::fs;
use std::sync::Arc;

use jiff::Timestamp;
use steno_vault::encryption::{Encryption, Keyring, NameKey, NewKey, NoPassphrase, Recipients};
use steno_vault::git::{Repository, Request};
use steno_vault::remote::Synced;
use steno_vault::{Existing, Store, Tombstone, VaultStore};

use crate::git::world::{Machine, REQUEST, World};

const CONFIG: &str = "machines/one/config/settings.json";
const SEGMENT: &str = "machines/one/projects/-a/0a1b.jsonl.gz";

/// Who seals, and two machines of which the first has sent something that the second has taken.
struct Scene {
    world: World,
    seal: Arc<Encryption>,
    one: Machine,
    two: Machine,
}

fn packed(text: &str) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut encoder, text.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

impl Scene {
    fn new() -> Self {
        let world = World::new();
        let remote = world.bare();
        let key = NewKey::generate(Timestamp::UNIX_EPOCH);
        let recipients = Recipients::parse(&[key.recipient().to_owned()]).unwrap();
        let keyring = Keyring::bytes(key.text().as_bytes().to_vec(), "the key", Arc::new(NoPassphrase));
        let seal = Arc::new(Encryption::new(recipients, NameKey::random(), keyring));
        let [one, two] = ["one", "two"].map(|slug| world.machine_at(&seal.directory_of(slug), &remote));
        let scene = Self { world, seal, one, two };
        scene.put(SEGMENT, &packed("a session"));
        scene.put(CONFIG, b"{}");
        scene.send();
        assert_eq!(scene.take(&scene.seal).received, 2);
        scene
    }

    fn put(&self, name: &str, bytes: &[u8]) {
        let store = VaultStore::encrypted(&self.one.root, Arc::clone(&self.seal), "one");
        let batch = store.batch().unwrap();
        batch.put(name, bytes, Existing::Replace).unwrap();
        batch.commit().unwrap();
    }

    fn send(&self) {
        assert!(self.one.record());
        self.one.sync();
    }

    fn take(&self, seal: &Encryption) -> Synced {
        self.two.repository.sync(Request { encryption: Some(seal), ..REQUEST }).unwrap()
    }

    fn locked(&self) -> Encryption {
        Encryption::new(self.seal.recipients().clone(), self.seal.names().clone(), Keyring::none())
    }

    fn file(&self, name: &str) -> String {
        self.seal.object_of(name)
    }

    /// What the second machine has of a name.
    fn held(&self, name: &str) -> Option<Vec<u8>> {
        fs::read(self.two.root.join(self.file(name))).ok()
    }

    /// Somebody else changes the remote.
    fn meddle(&self, name: &str, bytes: Option<&[u8]>) {
        let clone = self.world.path("clone");
        let _ = fs::remove_dir_all(&clone);
        let remote = self.world.path("remote.git");
        self.world.plain(remote.parent().unwrap(), &["clone", "--quiet", "remote.git", "clone"]);
        let file = clone.join(self.file(name));
        match bytes {
            Some(bytes) => fs::write(file, bytes).unwrap(),
            None => fs::remove_file(file).unwrap(),
        }
        self.world.plain(&clone, &["commit", "--quiet", "--all", "-m", "x"]);
        self.world.plain(&clone, &["push", "--quiet", "origin", "HEAD:main"]);
    }
}

#[test]
fn what_vanishes_there_stays_here() {
    let scene = Scene::new();
    for name in [SEGMENT, CONFIG] {
        let before = scene.held(name);
        scene.meddle(name, None);
        let exchange = scene.take(&scene.seal);
        assert_eq!((exchange.removed, exchange.warnings.len()), (0, 1), "{:?}", exchange.warnings);
        assert!(before.is_some() && scene.held(name) == before, "{name}");
    }
}

#[test]
fn what_is_spoilt_there_replaces_nothing_here() {
    let scene = Scene::new();
    let other = scene.seal.encrypt("machines/one/elsewhere.gz", &packed("another")).unwrap();
    for name in [SEGMENT, CONFIG] {
        let whole = scene.held(name).unwrap();
        let mut flipped = whole.clone();
        *flipped.last_mut().unwrap() ^= 1;
        for spoilt in [&whole[..whole.len() / 2], b"nonsense", &flipped, &other, b""] {
            scene.meddle(name, Some(spoilt));
            for _ in 0..2 {
                let exchange = scene.take(&scene.seal);
                assert_eq!(exchange.warnings.len(), 1, "{:?}", exchange.warnings);
                assert!(scene.held(name).as_ref() == Some(&whole), "{name} was replaced");
            }
        }
        scene.meddle(name, Some(&whole));
        assert_eq!(scene.take(&scene.seal).warnings.len(), 0);
    }
}

#[test]
fn what_is_sealed_anew_is_taken_by_who_can_tell() {
    let scene = Scene::new();
    let before = scene.held(SEGMENT);
    scene.put(SEGMENT, &packed("a session"));
    scene.put(CONFIG, b"{\"new\":1}");
    scene.send();
    let exchange = scene.take(&scene.locked());
    assert_eq!((exchange.received, exchange.warnings.len()), (1, 1), "{:?}", exchange.warnings);
    assert!(scene.held(SEGMENT) == before, "nobody could tell what it is");
    assert_eq!(scene.seal.is_whole(&scene.file(CONFIG), &scene.held(CONFIG).unwrap()), Some(true));
    let exchange = scene.take(&scene.seal);
    assert_eq!((exchange.received, exchange.warnings.len()), (1, 0), "{:?}", exchange.warnings);
    assert!(scene.held(SEGMENT) != before);
}

#[test]
fn what_was_purged_goes_where_the_tombstone_can_be_read() {
    let scene = Scene::new();
    scene.put("machines/one/projects/-a/2c3d.jsonl.gz", &packed("another"));
    scene.send();
    scene.take(&scene.seal);
    let tombstone =
        Tombstone { session: "0a1b".to_owned(), purged: Timestamp::UNIX_EPOCH, machine: "one".to_owned() };
    scene.put("machines/one/tombstones/0a1b.json", &serde_json::to_vec(&tombstone).unwrap());
    for name in [SEGMENT, "machines/one/projects/-a/2c3d.jsonl.gz"] {
        fs::remove_file(scene.one.root.join(scene.file(name))).unwrap();
    }
    scene.send();
    let exchange = scene.take(&scene.seal);
    assert_eq!((exchange.removed, exchange.warnings.len()), (1, 1), "{:?}", exchange.warnings);
    assert!(scene.held(SEGMENT).is_none());
    assert!(scene.held("machines/one/projects/-a/2c3d.jsonl.gz").is_some(), "nobody purged that one");
}

#[test]
fn what_was_purged_stays_where_nobody_can_read_the_tombstone() {
    let scene = Scene::new();
    scene.put("machines/one/tombstones/0a1b.json", b"{}");
    fs::remove_file(scene.one.root.join(scene.file(SEGMENT))).unwrap();
    scene.send();
    let exchange = scene.take(&scene.locked());
    assert_eq!((exchange.removed, exchange.warnings.len()), (0, 1), "{:?}", exchange.warnings);
    assert!(exchange.warnings[0].message.contains("without the key"));
    assert!(scene.held(SEGMENT).is_some());
}

/// The first machine gives its files other names, by a key that the second has taken over.
#[test]
fn names_that_were_given_up_go_from_the_remote_and_stay_with_others() {
    let scene = Scene::new();
    let names = NameKey::random();
    let (recipients, keyring) = (scene.seal.recipients().clone(), scene.seal.keyring().clone());
    let now = Arc::new(Encryption::new(recipients, names, keyring).after(vec![scene.seal.names().clone()]));
    let before = [SEGMENT, CONFIG].map(|name| scene.held(name));
    let store = VaultStore::encrypted(&scene.one.root, Arc::clone(&now), "one");
    steno_vault::reencrypt(&store, &store, &|_, _| true, &|_| ()).unwrap();
    let own = now.directory_of("one");
    let open = || Repository::open_or_init(&scene.world.git(), &scene.one.root, &own).unwrap();
    let repository = open().leaving_behind(store.directories_left());
    let record =
        |repository: &Repository| repository.record(&[format!("machines/{own}")], "x", Timestamp::UNIX_EPOCH);
    assert!(record(&repository).unwrap());
    repository.sync(REQUEST).unwrap();
    let there = || {
        let remote = scene.world.path("remote.git");
        scene.world.plain(&remote, &["ls-tree", "-r", "--name-only", "main"])
    };
    let is_old = || there().contains(&scene.seal.directory_of("one"));
    assert!(!is_old() && there().contains(&now.object_of(SEGMENT)), "{}", there());
    // Neither gone without a word at the other machine, nor a reason to worry.
    let exchange = scene.take(&now);
    assert_eq!((exchange.received, exchange.removed), (2, 0));
    assert!(exchange.warnings.is_empty(), "{:?}", exchange.warnings);
    assert_eq!([SEGMENT, CONFIG].map(|name| scene.held(name)), before);
    // Somebody who knows the old key puts it back.
    let clone = scene.world.path("clone");
    let remote = scene.world.path("remote.git");
    scene.world.plain(remote.parent().unwrap(), &["clone", "--quiet", "remote.git", "clone"]);
    let planted = clone.join(scene.file(SEGMENT));
    fs::create_dir_all(planted.parent().unwrap()).unwrap();
    fs::write(&planted, before[0].as_ref().unwrap()).unwrap();
    scene.world.plain(&clone, &["add", "--all"]);
    scene.world.plain(&clone, &["commit", "--quiet", "-m", "x"]);
    scene.world.plain(&clone, &["push", "--quiet", "origin", "HEAD:main"]);
    assert!(is_old());
    for _ in 0..2 {
        repository.sync(REQUEST).unwrap();
        record(&repository).unwrap();
    }
    assert!(!scene.one.root.join(scene.file(SEGMENT)).exists(), "it is not taken in");
    assert!(!is_old(), "and goes again");
}
