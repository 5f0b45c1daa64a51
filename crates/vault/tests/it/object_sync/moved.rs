//! A machine whose files get other names: the old ones go from the store when the new ones are there.

use std::sync::Arc;

use steno_testkit::store::MemoryStore;
use steno_vault::encryption::{Encryption, Keyring, NameKey, NewKey, NoPassphrase, Recipients};
use steno_vault::object_sync::ObjectSync;
use steno_vault::remote::{Outcome, Synced};
use steno_vault::{Store, VaultStore, reencrypt};

use crate::object_sync::world::{Break, Link, Machine, VAULT, names, put, segment};

const SEGMENT: &str = "machines/laptop/projects/-a/s.jsonl.g1.000001.zst";
const DOCUMENT: &str = "machines/laptop/manifest.json";
const OLDER: &str = "history.jsonl.gz";

struct Scene {
    remote: MemoryStore,
    machine: Machine,
    before: Arc<Encryption>,
    now: Arc<Encryption>,
}

impl Scene {
    /// Everything was sent, and then named anew.
    fn new() -> Self {
        let mut scene = Self::sent();
        scene.rename();
        scene
    }

    fn sent() -> Self {
        let key = NewKey::generate("2026-01-01T00:00:00Z".parse().unwrap());
        let recipients = Recipients::parse(&[key.recipient().to_owned()]).unwrap();
        let keyring = Keyring::bytes(key.text().as_bytes().to_vec(), "key", Arc::new(NoPassphrase));
        let seal = |names| Encryption::new(recipients.clone(), names, keyring.clone());
        let former = NameKey::random();
        let now = Arc::new(seal(NameKey::random()).after(vec![former.clone()]));
        let before = Arc::new(seal(former));
        let machine = Machine::new(&before.directory_of("laptop"));
        machine.write("vault.json", VAULT.replace("[]", &format!("[\"{}\"]", key.recipient())).as_bytes());
        let scene = Self { remote: MemoryStore::new(), machine, before, now };
        let store = scene.store(&scene.before);
        put(&store, SEGMENT, &segment("s", "text"));
        put(&store, DOCUMENT, b"{}");
        put(&store, OLDER, b"older");
        let sent = scene.run(&scene.before, &scene.remote);
        assert_eq!((sent.outcome, sent.sent), (Outcome::Pushed, 3));
        scene
    }

    fn rename(&mut self) {
        let store = self.store(&self.now);
        assert_eq!(reencrypt(&store, &store, &|_, _| true, &|_| ()).unwrap().files, 3);
        self.machine.own = self.now.directory_of("laptop");
    }

    fn store(&self, seal: &Arc<Encryption>) -> VaultStore {
        VaultStore::encrypted(self.machine.store.root(), Arc::clone(seal), "laptop")
    }

    fn run(&self, seal: &Arc<Encryption>, remote: &dyn Store) -> Synced {
        let store = self.store(seal);
        self.machine.with(remote, |exchanging| ObjectSync { store: &store, ..exchanging }.run()).unwrap()
    }

    fn old(&self) -> Vec<String> {
        let directory = self.before.directory_of("laptop");
        let older = self.before.object_of(OLDER);
        let is_old = |name: &String| name.contains(&directory) || *name == older;
        names(&self.remote, "").into_iter().filter(is_old).collect()
    }

    fn assert_moved(&self, what: &str) {
        assert_eq!(self.old(), Vec::<String>::new(), "{what}");
        for name in [SEGMENT, DOCUMENT, OLDER] {
            let object = self.now.object_of(name);
            assert_eq!(
                self.remote.read(&object).unwrap(),
                self.machine.store.read(&object).unwrap(),
                "{what}: {name}"
            );
        }
        let link = Link::new(&self.remote);
        let run = self.run(&self.now, &link);
        assert_eq!((run.outcome, run.warnings), (Outcome::UpToDate, Vec::new()), "{what}");
        assert_eq!(link.log(), ["list heads"], "{what}");
    }
}

#[test]
fn old_names_go_when_the_new_ones_are_there() {
    let scene = Scene::new();
    let run = scene.run(&scene.now, &scene.remote);
    assert_eq!((run.outcome, run.warnings), (Outcome::Pushed, Vec::new()));
    scene.assert_moved("at once");
}

#[test]
fn broken_anywhere_the_next_run_finishes() {
    for number in 0.. {
        let mut is_over = true;
        for fault in [Break::Before(number), Break::After(number)] {
            let scene = Scene::new();
            let link = Link::breaking(&scene.remote, fault);
            scene.run(&scene.now, &link);
            is_over &= !link.is_broken();
            let held = [SEGMENT, DOCUMENT, OLDER].map(|name| scene.store(&scene.now).read(name).is_ok());
            assert_eq!(held, [true; 3]);
            scene.run(&scene.now, &scene.remote);
            scene.assert_moved(&format!("{number}"));
        }
        if is_over {
            assert!(number > 10, "there was something to break");
            return;
        }
    }
}

/// Killed before all was named anew, or damaged: the store keeps what has no other name.
#[test]
fn what_has_only_its_old_name_stays_there() {
    let scene = Scene::new();
    put(&scene.store(&scene.before), SEGMENT, &segment("s", "text"));
    std::fs::remove_file(scene.machine.path(&scene.now.object_of(SEGMENT))).unwrap();
    scene.run(&scene.now, &scene.remote);
    let left = scene.old();
    assert!(left.contains(&scene.before.object_of(SEGMENT)), "{left:?}");
    let store = scene.store(&scene.now);
    reencrypt(&store, &store, &|name, _| name == SEGMENT, &|_| ()).unwrap();
    scene.run(&scene.now, &scene.remote);
    scene.assert_moved("later");
}

/// What was lost here is not lost there, too.
#[test]
fn what_is_only_there_stays_there() {
    let mut scene = Scene::sent();
    let lost = scene.before.object_of(SEGMENT);
    std::fs::remove_file(scene.machine.path(&lost)).unwrap();
    scene.machine.forget();
    let store = scene.store(&scene.now);
    reencrypt(&store, &store, &|_, _| true, &|_| ()).unwrap();
    scene.machine.own = scene.now.directory_of("laptop");
    let run = scene.run(&scene.now, &scene.remote);
    assert_eq!(run.warnings.len(), 1, "{:?}", run.warnings);
    assert!(scene.remote.read(&lost).is_ok());
}

/// Who knows the old key can still make files by it.
#[test]
fn nothing_comes_into_a_directory_that_was_ours() {
    let scene = Scene::new();
    scene.run(&scene.now, &scene.remote);
    let directory = scene.before.directory_of("laptop");
    let planted = "machines/laptop/projects/-a/x.jsonl.g1.000001.zst";
    let sealed = scene.before.encrypt(planted, &segment("x", "planted")).unwrap();
    put(&scene.remote, &scene.before.object_of(planted), &sealed);
    let head = r#"{"format":1,"machine":"x","number":7,"objects":1}"#;
    put(&scene.remote, &format!("heads/{directory}/00000007-00000000000000aa"), head.as_bytes());
    scene.run(&scene.now, &scene.remote);
    assert!(scene.store(&scene.now).read(planted).is_err());
    assert_eq!(names(&scene.machine.store, &format!("machines/{directory}")), Vec::<String>::new());
}
