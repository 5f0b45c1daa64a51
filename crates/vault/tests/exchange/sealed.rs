//! A sealed vault: nothing tells segments from documents, and nothing that is not sealed leaves.

use steno_testkit::store::MemoryStore;
use steno_vault::exchange::{Exchanging, State};
use steno_vault::seal::{Keyring, NameKey, NewKey, Recipients, Seal};
use steno_vault::{Store, exchange};

use crate::world::{Link, Machine, VAULT, names, segment};

const PLAIN: &str = "machines/laptop/projects/-a/s.jsonl.g1.000001.zst";
const DOCUMENT: &str = "machines/laptop/manifest.json";

struct Scene {
    remote: MemoryStore,
    seal: Seal,
    one: Machine,
    two: Machine,
}

fn scene() -> Scene {
    let key = NewKey::generate("2026-01-01T00:00:00Z".parse().unwrap());
    let recipients = Recipients::parse(&[key.recipient().to_owned()]).unwrap();
    let seal = Seal::new(recipients, NameKey::random(), Keyring::none());
    let machine = |slug: &str| {
        let machine = Machine::new(&seal.directory_of(slug));
        machine.write("vault.json", VAULT.replace("[]", &format!("[\"{}\"]", key.recipient())).as_bytes());
        machine
    };
    let (one, two) = (machine("laptop"), machine("tower"));
    Scene { remote: MemoryStore::new(), one, two, seal }
}

impl Scene {
    fn write(&self, name: &str, bytes: &[u8]) -> String {
        let object = self.seal.object_of(name);
        self.one.write(&object, &self.seal.close(name, bytes).unwrap());
        object
    }

    fn run(&self) -> exchange::Exchanged {
        let plain = |object: &str| {
            [PLAIN, DOCUMENT]
                .iter()
                .find(|name| self.seal.object_of(name) == object)
                .map(|name| (*name).to_owned())
        };
        self.one.with(&self.remote, |with| Exchanging { plain: &plain, ..with }.run()).unwrap()
    }
}

#[test]
fn documents_are_replaced_and_segments_are_not() {
    for is_known in [true, false] {
        let scene = scene();
        let sealed = scene.write(PLAIN, &segment("s", "text"));
        let document = scene.write(DOCUMENT, b"{\"n\":1}");
        let run = || if is_known { scene.run() } else { scene.one.run(&scene.remote) };
        assert_eq!((run().sent, scene.two.calm(&scene.remote).received), (2, 2));
        // Sealed again, it has the same length and other bytes.
        scene.write(DOCUMENT, b"{\"n\":2}");
        assert_eq!((run().sent, scene.two.calm(&scene.remote).received), (1, 1));
        for name in [&sealed, &document] {
            assert_eq!(scene.two.store.read(name).unwrap(), scene.one.store.read(name).unwrap());
        }
        if is_known {
            let there = scene.remote.read(&sealed).unwrap();
            scene.write(PLAIN, &segment("s", "else"));
            let run = scene.run();
            assert_eq!((run.sent, run.received, run.warnings.len()), (0, 1, 1), "{:?}", run.warnings);
            assert_eq!(scene.remote.read(&sealed).unwrap(), there);
            assert_eq!(scene.one.store.read(&sealed).unwrap(), there);
        }
        // What was forgotten is presumed to be what it is.
        scene.one.forget();
        assert_eq!(run().sent, 0);
        let link = Link::new(&scene.remote);
        scene.one.calm(&link);
        assert_eq!(link.log(), ["list heads"]);
    }
}

#[test]
fn nothing_leaves_that_is_not_sealed() {
    let scene = scene();
    let object = scene.write(PLAIN, &segment("s", "text"));
    scene.one.write(&scene.one.own("manifest.json"), b"plain");
    scene.one.write("config/settings.json", b"plain");
    scene.one.write("projects/-a/s.jsonl.gz", b"plain");
    let run = scene.one.run(&scene.remote);
    assert_eq!((run.state, run.sent, run.warnings.len()), (State::Pushed, 1, 1));
    assert_eq!(names(&scene.remote, "machines"), [object.as_str()]);
    assert!(names(&scene.remote, "config").is_empty() && names(&scene.remote, "projects").is_empty());
}

#[test]
fn a_cut_object_is_neither_sent_nor_taken() {
    let scene = scene();
    let object = scene.write(PLAIN, &segment("s", "text"));
    let whole = scene.one.store.read(&object).unwrap();
    scene.one.write(&object, &whole[..40]);
    let run = scene.one.run(&scene.remote);
    assert_eq!((run.sent, run.warnings.len()), (0, 1), "{:?}", run.warnings);
    scene.one.write(&object, &whole);
    scene.one.calm(&scene.remote);
    crate::world::put(&scene.remote, &object, &whole[..40]);
    let run = scene.two.run(&scene.remote);
    assert_eq!((run.received, run.warnings.len()), (0, 1), "{:?}", run.warnings);
}

#[test]
fn what_is_sealed_anew_is_replaced_everywhere_once() {
    let scene = scene();
    let objects = [scene.write(PLAIN, &segment("s", "text")), scene.write(DOCUMENT, b"{\"n\":1}")];
    scene.run();
    scene.two.calm(&scene.remote);
    scene.one.with(&scene.remote, |with| with.renew()).unwrap();
    scene.write(PLAIN, &segment("s", "text"));
    scene.write(DOCUMENT, b"{\"n\":1}");
    let run = scene.run();
    assert_eq!((run.state, run.sent, run.warnings.len()), (State::Pushed, 2, 0), "{:?}", run.warnings);
    assert_eq!(scene.two.calm(&scene.remote).received, 2);
    for name in &objects {
        let bytes = scene.one.store.read(name).unwrap();
        assert_eq!(scene.two.store.read(name).unwrap(), bytes);
        assert_eq!(scene.remote.read(name).unwrap(), bytes);
    }
    // That was it: the next time it is damage again.
    scene.write(PLAIN, &segment("s", "text"));
    let run = scene.run();
    assert_eq!((run.sent, run.received, run.warnings.len()), (0, 1, 1), "{:?}", run.warnings);
    assert_eq!(scene.two.calm(&scene.remote).received, 0);
    let link = Link::new(&scene.remote);
    scene.two.calm(&link);
    assert_eq!(link.log(), ["list heads"]);
}
