//! What is erased on purpose is gone everywhere, and nothing else is.

use std::fs;

use steno_testkit::store::MemoryStore;
use steno_vault::Store;
use steno_vault::remote::Outcome;

use crate::object_sync::world::{Machine, put, shared_segment};

struct Scene {
    remote: MemoryStore,
    one: Machine,
    two: Machine,
    gone: String,
    stays: String,
}

fn scene() -> Scene {
    let remote = MemoryStore::new();
    let (one, two) = (Machine::new("one"), Machine::new("two"));
    let (gone, stays) = (one.keep("s", 1), one.keep("u", 1));
    one.calm(&remote);
    two.keep("t", 1);
    two.calm(&remote);
    one.calm(&remote);
    Scene { remote, one, two, gone, stays }
}

fn purge(scene: &Scene) {
    let names = std::slice::from_ref(&scene.gone);
    scene.one.record_gone(names);
    scene.one.bury("s");
    fs::remove_file(scene.one.path(&scene.gone)).unwrap();
}

#[test]
fn it_is_gone_everywhere() {
    let scene = scene();
    purge(&scene);
    let run = scene.one.run(&scene.remote);
    assert_eq!((run.outcome, run.warnings.len()), (Outcome::Pushed, 0));
    assert!(scene.remote.read(&scene.gone).is_err() && scene.remote.read(&scene.stays).is_ok());
    assert_eq!(scene.two.calm(&scene.remote).removed, 1);
    assert!(!scene.two.path(&scene.gone).exists() && scene.two.path(&scene.stays).exists());
    // Whatever is forgotten, it does not come back.
    for machine in [&scene.one, &scene.two] {
        machine.forget();
        machine.full(&scene.remote);
        assert!(!machine.path(&scene.gone).exists(), "{}", machine.own);
    }
    let new = Machine::new("new");
    new.calm(&scene.remote);
    assert!(!new.path(&scene.gone).exists());
}

#[test]
fn it_does_not_come_back_before_the_remote_has_heard_of_it() {
    let scene = scene();
    purge(&scene);
    scene.one.forget();
    scene.one.full(&scene.remote);
    assert!(!scene.one.path(&scene.gone).exists() && scene.remote.read(&scene.gone).is_err());
}

#[test]
fn a_vault_that_lost_its_record_erases_what_comes_next_too() {
    for is_cache_lost in [false, true] {
        let scene = scene();
        purge(&scene);
        scene.one.calm(&scene.remote);
        scene.two.calm(&scene.remote);
        fs::remove_file(scene.one.path("exchange.json")).unwrap();
        if is_cache_lost {
            scene.one.forget();
        }
        scene.one.record_gone(std::slice::from_ref(&scene.stays));
        scene.one.bury("u");
        fs::remove_file(scene.one.path(&scene.stays)).unwrap();
        scene.one.calm(&scene.remote);
        assert!(scene.remote.read(&scene.stays).is_err());
        assert_eq!(scene.two.calm(&scene.remote).removed, 1);
        let new = Machine::new("new");
        new.calm(&scene.remote);
        assert!(!new.path("machines/one/projects").exists());
    }
}

#[test]
fn a_purge_that_was_killed_before_it_erased_anything_did_not_take_place() {
    let scene = scene();
    scene.one.record_gone(std::slice::from_ref(&scene.gone));
    scene.one.calm(&scene.remote);
    scene.two.calm(&scene.remote);
    assert!(scene.one.path(&scene.gone).exists() && scene.two.path(&scene.gone).exists());
    assert!(scene.remote.read(&scene.gone).is_ok());
}

#[test]
fn what_is_kept_again_is_sent_again() {
    let scene = scene();
    purge(&scene);
    scene.one.calm(&scene.remote);
    scene.two.calm(&scene.remote);
    scene.one.keep("s", 1);
    scene.one.calm(&scene.remote);
    scene.two.calm(&scene.remote);
    assert!(scene.two.path(&scene.gone).exists());
    scene.two.forget();
    scene.two.calm(&scene.remote);
    assert!(scene.two.path(&scene.gone).exists());
}

#[test]
fn a_purged_session_is_told_by_its_tombstone_too() {
    let scene = scene();
    fs::remove_file(scene.one.path(&scene.gone)).unwrap();
    let tombstone = br#"{"session":"s","purged":"2026-01-01T00:00:00Z","machine":"one"}"#;
    scene.one.write("machines/one/tombstones/s.json", tombstone);
    scene.one.calm(&scene.remote);
    assert!(!scene.one.path(&scene.gone).exists());
}

/// A list as anybody can write it who can write there.
fn forge_list(scene: &Scene, names: &[&str]) {
    let names = names.iter().map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(",");
    put(&scene.remote, "gone/one/00000007", format!(r#"{{"number":7,"names":[{names}]}}"#).as_bytes());
    let head = r#"{"format":1,"machine":"x","number":9,"gone":7}"#;
    put(&scene.remote, "heads/one/00000009-00000000000000aa", head.as_bytes());
}

#[test]
fn a_list_without_a_tombstone_erases_nothing() {
    let scene = scene();
    scene.one.bury("s");
    scene.one.calm(&scene.remote);
    scene.two.calm(&scene.remote);
    forge_list(&scene, &[&scene.gone, &scene.stays]);
    let run = scene.two.run(&scene.remote);
    let paths: Vec<&str> = run.warnings.iter().map(|warning| warning.path.as_str()).collect();
    assert_eq!((run.removed, paths), (1, vec!["gone/one"]), "{:?}", run.warnings);
    assert!(scene.two.path(&scene.stays).exists() && !scene.two.path(&scene.gone).exists());
    // Told once.
    scene.two.calm(&scene.remote);
}

#[test]
fn lists_of_prompts_go_with_a_later_purge_only() {
    let scene = scene();
    let prompts = "machines/one/history.jsonl.g1.000001.zst";
    scene.one.write(prompts, &shared_segment("history.jsonl", "prompts"));
    scene.one.calm(&scene.remote);
    scene.two.calm(&scene.remote);
    forge_list(&scene, &[prompts]);
    assert_eq!(scene.two.run(&scene.remote).removed, 0);
    assert!(scene.two.path(prompts).exists());
    put(
        &scene.remote,
        "machines/one/tombstones/s.json",
        br#"{"session":"s","purged":"2026-01-02T00:00:00Z","machine":"one"}"#,
    );
    assert_eq!(scene.two.full(&scene.remote).removed, 1);
}

#[test]
fn nobody_erases_what_is_not_theirs() {
    let scene = scene();
    let own = scene.two.own("projects/-a/t.jsonl.g1.000001.zst");
    let names = ["../outside", "vault.json", "machines/one/../two/x", own.as_str(), "machines/one"];
    let names = names.map(|name| format!("\"{name}\"")).join(",");
    put(&scene.remote, "gone/one/00000007", format!(r#"{{"number":7,"names":[{names}]}}"#).as_bytes());
    put(&scene.remote, "gone/one/00000008", b"nonsense");
    let before = scene.two.shared();
    let head = r#"{"format":1,"machine":"x","number":9,"gone":8}"#;
    put(&scene.remote, "heads/one/00000009-00000000000000aa", head.as_bytes());
    let run = scene.two.run(&scene.remote);
    assert_eq!((run.removed, scene.two.shared()), (0, before), "{:?}", run.warnings);
}
