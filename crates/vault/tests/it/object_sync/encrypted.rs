//! A sealed vault: nothing that is not sealed leaves, and nothing that does not open takes the place of what does.

use std::sync::Arc;

use steno_testkit::store::MemoryStore;
use steno_vault::encryption::{Encryption, Keyring, NameKey, NewKey, Passphrase, Recipients};
use steno_vault::object_sync;
use steno_vault::remote::{Outcome, Synced};
use steno_vault::{Store, Tombstone};

use crate::object_sync::world::{Link, Machine, VAULT, names, put, segment, shared_segment};

const PLAIN: &str = "machines/laptop/projects/-a/s.jsonl.g1.000001.zst";
const DOCUMENT: &str = "machines/laptop/manifest.json";
const TOMBSTONE: &str = "machines/laptop/tombstones/s.json";
const PROMPTS: &str = "machines/laptop/history.jsonl.g1.000001.zst";

#[derive(Debug)]
struct Silent;

impl Passphrase for Silent {
    fn ask(&self, _: &str) -> Option<String> {
        panic!("nobody is asked")
    }
}

struct Scene {
    remote: MemoryStore,
    seal: Arc<Encryption>,
    one: Machine,
    two: Machine,
}

fn scene() -> Scene {
    let key = NewKey::generate("2026-01-01T00:00:00Z".parse().unwrap());
    let recipients = Recipients::parse(&[key.recipient().to_owned()]).unwrap();
    let keyring = Keyring::bytes(key.text().as_bytes().to_vec(), "key", Arc::new(Silent));
    let seal = Arc::new(Encryption::new(recipients, NameKey::random(), keyring));
    let machine = |slug: &str| {
        let mut machine = Machine::new(&seal.directory_of(slug));
        machine.write("vault.json", VAULT.replace("[]", &format!("[\"{}\"]", key.recipient())).as_bytes());
        machine.seal = Some(Arc::clone(&seal));
        machine
    };
    let (one, two) = (machine("laptop"), machine("tower"));
    Scene { remote: MemoryStore::new(), one, two, seal }
}

impl Scene {
    fn write(&self, name: &str, bytes: &[u8]) -> String {
        let object = self.seal.object_of(name);
        self.one.write(&object, &self.seal.encrypt(name, bytes).unwrap());
        object
    }

    fn run(&self) -> Synced {
        self.one.run(&self.remote)
    }

    /// Sealed for the same object; what age adds to a header is of random length, so two may be as long by chance.
    fn close_to_another_length(&self, text: &str, sent: &[u8]) -> Vec<u8> {
        let close = || self.seal.encrypt(PLAIN, &segment("s", text)).unwrap();
        std::iter::repeat_with(close).find(|sealed| sealed.len() != sent.len()).unwrap()
    }

    /// What the other machine can open no longer.
    fn lock_two(&mut self) {
        let (recipients, names) = (self.seal.recipients().clone(), self.seal.names().clone());
        self.two.seal = Some(Arc::new(Encryption::new(recipients, names, Keyring::none())));
        self.two.forget();
    }

    /// A head as anybody can write it who can write there.
    fn forge_head(&self, fields: &str) {
        let head = format!(r#"{{"format":1,"machine":"x","number":99,{fields}}}"#);
        put(&self.remote, &format!("heads/{}/00000099-00000000000000aa", self.one.own), head.as_bytes());
    }
}

fn flipped(bytes: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    let at = bytes.len() - 20;
    bytes[at] ^= 1;
    bytes
}

fn hash(bytes: &[u8]) -> String {
    blake3::hash(bytes).to_hex()[..16].to_owned()
}

#[test]
fn documents_are_replaced_and_segments_are_not() {
    for is_open in [true, false] {
        let mut scene = scene();
        let sealed = scene.write(PLAIN, &segment("s", "text"));
        let document = scene.write(DOCUMENT, b"{\"n\":1}");
        if !is_open {
            scene.lock_two();
            scene.one.seal.clone_from(&scene.two.seal);
        }
        assert_eq!((scene.run().sent, scene.two.calm(&scene.remote).received), (2, 2));
        // Sealed again, it has the same length and other bytes.
        scene.write(DOCUMENT, b"{\"n\":2}");
        assert_eq!((scene.run().sent, scene.two.calm(&scene.remote).received), (1, 1));
        for name in [&sealed, &document] {
            assert_eq!(scene.two.store.read(name).unwrap(), scene.one.store.read(name).unwrap());
        }
        let there = scene.remote.read(&sealed).unwrap();
        scene.write(PLAIN, &segment("s", "else"));
        let run = scene.run();
        assert_eq!((run.sent, run.received, run.warnings.len()), (0, 1, 1), "{:?}", run.warnings);
        assert_eq!(scene.remote.read(&sealed).unwrap(), there);
        assert_eq!(scene.one.store.read(&sealed).unwrap(), there);
        // What was forgotten is presumed to be what it is.
        scene.one.forget();
        assert_eq!(scene.run().sent, 0);
        let link = Link::new(&scene.remote);
        scene.one.calm(&link);
        assert_eq!(link.log(), ["list heads"]);
    }
}

#[test]
fn a_damaged_object_never_takes_the_place_of_a_whole_one() {
    for (is_cut, is_record_lost) in [(false, false), (false, true), (true, false), (true, true)] {
        let scene = scene();
        let object = scene.write(PLAIN, &segment("s", "text"));
        scene.run();
        scene.two.calm(&scene.remote);
        let whole = scene.remote.read(&object).unwrap();
        scene.one.forget();
        if is_record_lost {
            std::fs::remove_file(scene.one.path("exchange.json")).unwrap();
        }
        // Cut so that the outside still looks like a whole one.
        let damaged = if is_cut { whole[..whole.len() - 30].to_vec() } else { flipped(&whole) };
        scene.one.write(&object, &damaged);
        for _ in 0..3 {
            scene.run();
            scene.two.run(&scene.remote);
        }
        assert_eq!(scene.remote.read(&object).unwrap(), whole, "{is_cut} {is_record_lost}");
        assert_eq!(scene.two.store.read(&object).unwrap(), whole, "{is_cut} {is_record_lost}");
    }
}

#[test]
fn a_damaged_object_is_mended_when_the_rest_is_sealed_anew() {
    let scene = scene();
    let object = scene.write(PLAIN, &segment("s", "text"));
    scene.run();
    let whole = scene.remote.read(&object).unwrap();
    object_sync::record_reencryption(scene.one.store.root()).unwrap();
    scene.one.write(&object, &flipped(&whole));
    scene.run();
    assert_eq!(scene.remote.read(&object).unwrap(), whole);
    assert_eq!(scene.one.store.read(&object).unwrap(), whole);
}

#[test]
fn nothing_leaves_that_is_not_sealed() {
    // Whatever `vault.json` says.
    for is_named in [true, false] {
        let scene = scene();
        if !is_named {
            scene.one.write("vault.json", VAULT.as_bytes());
        }
        let object = scene.write(PLAIN, &segment("s", "text"));
        scene.one.write(&scene.one.own("manifest.json"), b"plain");
        scene.one.write("config/settings.json", b"plain");
        scene.one.write("projects/-a/s.jsonl.gz", b"plain");
        let run = scene.one.run(&scene.remote);
        assert_eq!((run.outcome, run.sent, run.warnings.len()), (Outcome::Pushed, 1, 1));
        assert_eq!(names(&scene.remote, "machines"), [object.as_str()]);
        assert!(names(&scene.remote, "config").is_empty() && names(&scene.remote, "projects").is_empty());
    }
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
    put(&scene.remote, &object, &whole[..40]);
    let run = scene.two.run(&scene.remote);
    assert_eq!((run.received, run.warnings.len()), (0, 1), "{:?}", run.warnings);
}

#[test]
fn what_is_sealed_anew_is_replaced_everywhere_once() {
    let scene = scene();
    let objects = [scene.write(PLAIN, &segment("s", "text")), scene.write(DOCUMENT, b"{\"n\":1}")];
    scene.run();
    scene.two.calm(&scene.remote);
    object_sync::record_reencryption(scene.one.store.root()).unwrap();
    scene.write(PLAIN, &segment("s", "text"));
    scene.write(DOCUMENT, b"{\"n\":1}");
    let run = scene.run();
    assert_eq!((run.outcome, run.sent, run.warnings.len()), (Outcome::Pushed, 2, 0), "{:?}", run.warnings);
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

#[test]
fn what_is_sealed_anew_waits_for_a_key() {
    let mut scene = scene();
    let open = scene.two.seal.clone();
    let object = scene.write(PLAIN, &segment("s", "text"));
    scene.run();
    scene.two.calm(&scene.remote);
    let before = scene.two.store.read(&object).unwrap();
    object_sync::record_reencryption(scene.one.store.root()).unwrap();
    scene.write(PLAIN, &segment("s", "text"));
    scene.run();
    scene.lock_two();
    let run = scene.two.run(&scene.remote);
    assert_eq!((run.received, run.warnings.len()), (0, 1), "{:?}", run.warnings);
    assert_eq!(scene.two.store.read(&object).unwrap(), before);
    let link = Link::new(&scene.remote);
    scene.two.calm(&link);
    assert_eq!(link.log(), ["list heads"]);
    // With the next news, whoever has a key by then.
    scene.two.seal = open;
    scene.write(DOCUMENT, b"{}");
    scene.run();
    assert_eq!(scene.two.calm(&scene.remote).received, 2);
    assert_eq!(scene.two.store.read(&object).unwrap(), scene.one.store.read(&object).unwrap());
}

#[test]
fn nobody_replaces_what_is_whole_with_what_is_not() {
    for is_renewed in [false, true] {
        for is_open in [true, false] {
            let mut scene = scene();
            let segments = [PLAIN, PROMPTS].map(|name| scene.write(name, &segment("s", "text")));
            let document = scene.write(DOCUMENT, b"{\"n\":1}");
            scene.run();
            scene.two.calm(&scene.remote);
            let before = scene.two.shared();
            if !is_open {
                scene.lock_two();
            }
            // Damaged inside; sealed for the right ones, under a name that only key holders can make; moved.
            let garbled = flipped(&scene.remote.read(&segments[0]).unwrap());
            let stranger =
                Encryption::new(scene.seal.recipients().clone(), NameKey::random(), Keyring::none());
            let forged = stranger.encrypt(PROMPTS, &segment("s", "else")).unwrap();
            let moved = scene.remote.read(&segments[0]).unwrap();
            let mut said = Vec::new();
            let forgeries = [(&segments[0], garbled), (&segments[1], forged), (&document, moved)];
            for (name, bytes) in forgeries.iter().take(if is_open { 3 } else { 2 }) {
                put(&scene.remote, name, bytes);
                let name = name.strip_prefix(&format!("machines/{}/", scene.one.own)).unwrap();
                said.push(format!(r#""{name}":"{}""#, hash(bytes)));
            }
            let said = format!("{{{}}}", said.join(","));
            if is_renewed {
                put(&scene.remote, &format!("renewed/{}/00000005", scene.one.own), said.as_bytes());
                scene.forge_head(r#""renewed":5"#);
            } else {
                scene.forge_head(&format!(r#""documents":{said}"#));
            }
            let run = scene.two.run(&scene.remote);
            assert_eq!((run.received, scene.two.shared()), (0, before), "{:?}", run.warnings);
            // What we have stays ours whatever the remote does next.
            scene.two.full(&scene.remote);
        }
    }
}

#[test]
fn only_what_a_tombstone_speaks_of_is_erased() {
    for (is_open, has_tombstone) in [(true, false), (true, true), (false, true)] {
        let mut scene = scene();
        let gone = scene.write(PLAIN, &segment("s", "text"));
        let other = "machines/laptop/projects/-a/u.jsonl.g1.000001.zst";
        let stays = scene.write(other, &segment("u", "text"));
        let prompts = scene.write(PROMPTS, &shared_segment("history.jsonl", "text"));
        scene.run();
        scene.two.calm(&scene.remote);
        if has_tombstone {
            let purged = "2026-01-02T00:00:00Z".parse().unwrap();
            let tombstone = Tombstone { session: "s".to_owned(), purged, machine: "laptop".to_owned() };
            scene.write(TOMBSTONE, &serde_json::to_vec(&tombstone).unwrap());
        }
        scene.run();
        if !is_open {
            scene.lock_two();
        }
        let list = format!(r#"{{"number":1,"names":["{gone}","{stays}","{prompts}"]}}"#);
        put(&scene.remote, &format!("gone/{}/00000001", scene.one.own), list.as_bytes());
        scene.forge_head(r#""gone":1"#);
        let run = scene.two.run(&scene.remote);
        let goes = is_open && has_tombstone;
        assert_eq!((run.removed, run.warnings.len()), (if goes { 2 } else { 0 }, 1), "{:?}", run.warnings);
        assert!(scene.two.path(&stays).exists());
        assert_eq!((scene.two.path(&gone).exists(), scene.two.path(&prompts).exists()), (!goes, !goes));
    }
}

/// Both had it before their vaults were sealed, each by itself.
#[test]
fn the_same_bytes_sealed_by_two_are_no_contradiction() {
    for is_open in [true, false] {
        let mut scene = scene();
        let object = scene.write(PLAIN, &segment("s", "text"));
        let sent = scene.one.store.read(&object).unwrap();
        let other = scene.close_to_another_length("text", &sent);
        scene.two.write(&object, &other);
        scene.run();
        if !is_open {
            scene.lock_two();
        }
        let run = scene.two.run(&scene.remote);
        let here = scene.two.store.read(&object).unwrap();
        if is_open {
            assert_eq!((run.warnings, here), (Vec::new(), sent));
            scene.two.calm(&scene.remote);
        } else {
            assert_eq!(here, other);
            assert!(run.warnings.iter().all(|one| one.message.contains("without a key")), "{run:?}");
        }
    }
}

#[test]
fn other_bytes_of_another_length_stay_there() {
    let scene = scene();
    let object = scene.write(PLAIN, &segment("s", "text"));
    let sent = scene.one.store.read(&object).unwrap();
    let other = scene.close_to_another_length("something else, and longer", &sent);
    scene.two.write(&object, &other);
    scene.run();
    let run = scene.two.run(&scene.remote);
    assert_eq!(run.warnings.len(), 1, "{run:?}");
    assert_eq!(scene.two.store.read(&object).unwrap(), other);
}
