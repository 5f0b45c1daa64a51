//! Broken after any operation, the next run finishes; nothing is lost, and nothing is there twice.

use steno_testkit::store::MemoryStore;
use steno_vault::Store;
use steno_vault::remote::Outcome;

use crate::object_sync::world::{Break, Link, Machine, names};

/// Two machines that have met, and what is new at the first of them.
struct Scene {
    remote: MemoryStore,
    one: Machine,
    two: Machine,
}

impl Scene {
    fn new(has_met: bool) -> Self {
        let scene = Self { remote: MemoryStore::new(), one: Machine::new("one"), two: Machine::new("two") };
        let Self { remote, one, two } = &scene;
        two.keep("t", 1);
        two.tell(1);
        two.calm(remote);
        if has_met {
            for number in 1..=3 {
                one.keep("s", number);
            }
            one.tell(1);
            one.calm(remote);
            two.keep("t", 2);
            two.tell(2);
            two.calm(remote);
        }
        one.keep("s", 4);
        one.keep("u", 1);
        one.tell(2);
        scene
    }

    /// Both have everything, the store has everything, and there is nothing left to do.
    fn is_settled(&self, what: &str) {
        let Self { remote, one, two } = self;
        for machine in [one, two, one, two] {
            let run = machine.run(remote);
            assert!(matches!(run.outcome, Outcome::Pushed | Outcome::UpToDate), "{what}: {run:?}");
            assert!(run.warnings.is_empty(), "{what}: {run:?}");
        }
        assert_eq!(one.shared(), two.shared(), "{what}");
        for (name, bytes) in one.shared() {
            assert_eq!(remote.read(&name).unwrap(), bytes, "{what}: {name}");
        }
        assert_eq!(names(remote, "heads").len(), 4, "{what}: {:?}", names(remote, "heads"));
        for machine in [one, two] {
            let link = Link::new(remote);
            machine.calm(&link);
            assert_eq!(link.log(), ["list heads"], "{what}");
        }
    }
}

fn every_fault(has_met: bool, act: impl Fn(&Scene, &Link<'_>), between: impl Fn(&Scene)) {
    for number in 0.. {
        let mut is_over = true;
        for fault in [Break::Before(number), Break::After(number)] {
            let scene = Scene::new(has_met);
            let link = Link::breaking(&scene.remote, fault);
            act(&scene, &link);
            is_over &= !link.is_broken();
            between(&scene);
            scene.is_settled(&format!("{fault:?}"));
        }
        if is_over {
            assert!(number > 8, "only {number} operations");
            return;
        }
    }
}

fn run(scene: &Scene, link: &Link<'_>) {
    let run = scene.one.run(link);
    assert_eq!(matches!(run.outcome, Outcome::Offline { .. }), link.is_broken(), "{run:?}");
}

#[test]
fn a_first_exchange_may_break_anywhere() {
    every_fault(false, run, |_| {});
}

#[test]
fn a_later_exchange_may_break_anywhere() {
    every_fault(true, run, |_| {});
}

#[test]
fn an_exchange_may_break_anywhere_and_the_cache_be_lost() {
    every_fault(false, run, |scene| scene.one.forget());
    every_fault(true, run, |scene| scene.one.forget());
}

#[test]
fn an_exchange_may_break_anywhere_and_more_be_kept_meanwhile() {
    every_fault(true, run, |scene| {
        scene.one.keep("s", 5);
        scene.one.tell(3);
    });
}

#[test]
fn whoever_takes_may_break_off_anywhere() {
    let take = |scene: &Scene, link: &Link<'_>| {
        scene.one.calm(&scene.remote);
        scene.two.keep("t", 3);
        drop(scene.two.run(link));
    };
    every_fault(true, take, |_| {});
}

#[test]
fn a_full_exchange_may_break_anywhere() {
    let full = |scene: &Scene, link: &Link<'_>| drop(scene.one.full(link));
    every_fault(true, full, |_| {});
}

#[test]
fn a_purge_may_break_anywhere() {
    let purge = |scene: &Scene, link: &Link<'_>| {
        let name = scene.one.own("projects/-a/s.jsonl.g1.000002.zst");
        scene.one.record_gone(std::slice::from_ref(&name));
        scene.one.bury("s");
        std::fs::remove_file(scene.one.path(&name)).unwrap();
        drop(scene.one.run(link));
    };
    every_fault(true, purge, |scene| {
        let name = scene.one.own("projects/-a/s.jsonl.g1.000002.zst");
        for machine in [&scene.one, &scene.two] {
            machine.calm(&scene.remote);
            assert!(!machine.path(&name).exists());
        }
        assert!(scene.remote.read(&name).is_err());
    });
}

#[test]
fn a_listing_that_lags_is_not_the_last_word() {
    let scene = Scene::new(true);
    scene.one.calm(&scene.remote);
    // The new segment is not listed yet, though the head is.
    let link = Link::lying(&scene.remote, |_, mut listed| {
        listed.retain(|entry| !entry.name.contains("u.jsonl"));
        listed
    });
    let run = scene.two.run(&link);
    assert_eq!(run.warnings.len(), 1, "{run:?}");
    scene.is_settled("lagging");
    // Our own head is not listed yet.
    scene.one.keep("s", 9);
    scene.one.calm(&scene.remote);
    let link = Link::lying(&scene.remote, |below, mut listed| {
        listed.retain(|entry| {
            below != "heads"
                || !entry.name.starts_with("heads/one/0000000")
                || entry.name.ends_with("/00000000")
        });
        listed
    });
    scene.one.calm(&link);
    let heads: Vec<String> = names(&scene.remote, "heads/one");
    assert!(heads.len() <= 3, "{heads:?}");
    scene.one.keep("s", 10);
    scene.one.calm(&scene.remote);
    scene.is_settled("lagging heads");
}

/// What came before the link broke is here, and is not asked for again.
#[test]
fn what_came_before_an_outage_stays() {
    let remote = MemoryStore::new();
    let (one, two) = (Machine::new("one"), Machine::new("two"));
    (1..=100).for_each(|number| drop(one.keep("s", number)));
    one.calm(&remote);
    let link = Link::breaking(&remote, Break::Before(60));
    let broken = two.run(&link);
    assert!(matches!(broken.outcome, Outcome::Offline { .. }), "{broken:?}");
    let here = names(&two.store, "machines/one").len() as u64;
    assert!(broken.received == here && here > 20, "{here} of {broken:?}");
    let link = Link::new(&remote);
    assert_eq!(two.calm(&link).received, 100 - here);
    let asked = link.log().iter().filter(|what| what.starts_with("open machines/one/")).count() as u64;
    assert_eq!(asked, 100 - here);
}
