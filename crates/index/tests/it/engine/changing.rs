//! What comes, goes and changes; who may change it.

use std::sync::Barrier;
use std::thread;

use steno_index::{Engine, FileId, Origin};

use crate::engine::ground::{Ground, at, files, names, said};

#[test]
fn what_grows_is_found_and_what_is_forgotten_is_not() {
    let ground = Ground::with(vec![(1, said("first")), (2, said("other"))]);
    ground.feed(vec![(1, at(said("second"), 2, 50))]);
    assert_eq!((ground.files("first"), ground.files("second")), (vec![1], vec![1]));

    let feeder = ground.engine.feeder(0).unwrap().unwrap();
    feeder.forget(FileId(1));
    feeder.add(FileId(1), said("rewritten")).unwrap();
    feeder.commit().unwrap();
    assert_eq!(ground.files("first OR second"), [0; 0]);
    assert_eq!((ground.files("rewritten"), ground.files("other")), (vec![1], vec![2]));

    let feeder = ground.engine.feeder(0).unwrap().unwrap();
    feeder.forget_all().unwrap();
    feeder.commit().unwrap();
    assert_eq!(ground.files(""), [0; 0]);
}

#[test]
fn read_on_twice_is_there_once() {
    let ground = Ground::with(vec![(1, said("head")), (2, at(said("tail"), 2, 80))]);
    for _ in 0..3 {
        let feeder = ground.engine.feeder(0).unwrap().unwrap();
        feeder.forget_from(FileId(1), 40).unwrap();
        feeder.add(FileId(1), at(said("tail"), 2, 40)).unwrap();
        feeder.add(FileId(1), at(said("tail"), 3, 60)).unwrap();
        feeder.commit().unwrap();
    }
    let found = crate::engine::ground::found(&ground.engine, "tail");
    let mut counts: Vec<_> = found.files.iter().map(|file| (file.file.0, file.count)).collect();
    counts.sort_unstable();
    assert_eq!(counts, [(1, 2), (2, 1)]);
    assert_eq!(ground.files("head"), [1]);
}

#[test]
fn without_a_commit_nothing_has_changed() {
    let ground = Ground::with(vec![(1, said("kept"))]);
    let feeder = ground.engine.feeder(u64::MAX).unwrap().unwrap();
    feeder.forget(FileId(1));
    feeder.add(FileId(2), said("lost")).unwrap();
    drop(feeder);
    assert_eq!((ground.files("kept"), ground.files("lost")), (vec![1], vec![]));
    let (again, origin) = Engine::open(ground.directory.path()).unwrap();
    assert_eq!((origin, files(&again, "kept")), (Origin::Kept, vec![1]));
    ground.feed(vec![(3, said("new"))]);
    assert_eq!(files(&again, "new OR kept").len(), 2);
}

#[test]
fn one_feeds_at_a_time() {
    let ground = Ground::new();
    let (other, _) = Engine::open(ground.directory.path()).unwrap();
    let feeder = ground.engine.feeder(0).unwrap().unwrap();
    assert!(other.feeder(0).unwrap().is_none());
    feeder.add(FileId(1), said("one")).unwrap();
    feeder.commit().unwrap();
    assert_eq!(files(&other, "one"), [1], "others see it without opening again");
    assert!(other.feeder(0).unwrap().is_some());
}

#[test]
fn several_that_find_nothing_make_one_index() {
    let directory = tempfile::tempdir().unwrap();
    let barrier = Barrier::new(4);
    let origins: Vec<Origin> = thread::scope(|scope| {
        let open = || {
            barrier.wait();
            Engine::open(directory.path()).unwrap().1
        };
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(open)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(origins.iter().filter(|origin| **origin == Origin::New).count(), 1, "{origins:?}");
    assert!(origins.iter().all(|origin| matches!(origin, Origin::New | Origin::Kept)), "{origins:?}");
}

#[test]
fn many_small_commits_leave_few_files() {
    let ground = Ground::new();
    for number in 0..40 {
        ground.feed(vec![(number, said("again"))]);
        assert_eq!(ground.files("again").len() as u64, number + 1);
    }
    assert!(names(&ground.inside()).len() < 60, "{:?}", names(&ground.inside()));
    let (again, origin) = Engine::open(ground.directory.path()).unwrap();
    assert_eq!((origin, files(&again, "again").len()), (Origin::Kept, 40));
}

#[cfg(unix)]
#[test]
fn nobody_else_may_look_into_it() {
    use std::os::unix::fs::PermissionsExt;
    let ground = Ground::new();
    assert_eq!(std::fs::metadata(ground.inside()).unwrap().permissions().mode() & 0o777, 0o700);
}
