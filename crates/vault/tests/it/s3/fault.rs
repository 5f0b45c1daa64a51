//! Requests that fail once are asked again; what was put is there whole or not at all.

use std::time::Duration;

use steno_testkit::s3::{Fault, Faults, Server, impatient};
use steno_vault::s3::{ObjectStore, RetryPolicy};
use steno_vault::{Error, Existing, Store};

use crate::s3::{put, through};

const PASSING: [Fault; 7] = [
    Fault::CutBefore,
    Fault::CutWithin,
    Fault::CutAfter,
    Fault::Status(500),
    Fault::Status(503),
    Fault::Status(429),
    Fault::Partial,
];

fn bytes() -> Vec<u8> {
    (0..1_u32 << 16).flat_map(u32::to_le_bytes).collect()
}

#[test]
fn every_request_survives_every_fault_that_passes() {
    let bytes = bytes();
    for fault in PASSING {
        for method in ["PUT", "GET", "HEAD", "DELETE"] {
            let server = Server::start();
            let proxy = server.behind(Faults::of(method, 3, fault));
            let remote = through(&server, &proxy);
            put(&remote, "a", &bytes, Existing::Refuse).unwrap();
            put(&remote, "b", &bytes, Existing::Replace).unwrap();
            assert_eq!(remote.list("").unwrap().len(), 2, "{method} {fault:?}");
            assert!(remote.read("a").unwrap() == bytes, "{method} {fault:?}");
            let batch = remote.batch().unwrap();
            batch.remove("a").unwrap();
            batch.commit().unwrap();
            assert_eq!(server.objects().keys().collect::<Vec<_>>(), ["p/b"], "{method} {fault:?}");
            assert!(server.objects()["p/b"] == bytes, "{method} {fault:?}");
            assert_eq!(proxy.made().len(), 3, "{method} {fault:?}");
        }
    }
}

#[test]
fn faults_that_stay_end_in_offline() {
    let bytes = bytes();
    for fault in [PASSING.as_slice(), &[Fault::Slow(Duration::from_secs(3))]].concat() {
        let server = Server::start();
        put(&server.object_store("p"), "there", &bytes, Existing::Refuse).unwrap();
        let proxy = server.behind(Faults::always(fault));
        let mut access = server.access(proxy.endpoint());
        access.retry = RetryPolicy { answer: Duration::from_millis(200), ..impatient() };
        access.retry.whole = Duration::from_millis(500);
        let remote = ObjectStore::open(&server.address("p"), access).unwrap();
        let ends = [
            put(&remote, "a", &bytes[..10_000], Existing::Replace),
            remote.read("there").map(drop),
            remote.list("").map(drop),
        ];
        for end in ends {
            let Err(Error::Offline { reason }) = end else { panic!("{fault:?}: {end:?}") };
            assert!(reason.starts_with(&format!("{}: ", proxy.endpoint())), "{reason}");
        }
        // Whole, where the server did it and only the answer was lost.
        assert!(server.objects().get("p/a").is_none_or(|kept| *kept == bytes[..10_000]), "{fault:?}");
    }
}

#[test]
fn a_slow_answer_is_waited_for() {
    let server = Server::start();
    let proxy = server.behind(Faults::always(Fault::Slow(Duration::from_millis(100))));
    let remote = through(&server, &proxy);
    put(&remote, "a", b"bytes", Existing::Refuse).unwrap();
    assert_eq!(remote.read("a").unwrap(), b"bytes");
    assert_eq!(remote.requests(), 4, "nothing was asked twice");
}

#[test]
fn an_own_object_after_a_lost_answer_is_no_other() {
    let server = Server::start();
    let is_ours = |target: &str| target.ends_with("/ours");
    let mut left = 2;
    let proxy = server.behind(Faults::when(move |asked| {
        let is_due = asked.method == "PUT" && is_ours(asked.target) && left > 0;
        left -= usize::from(is_due);
        is_due.then_some(Fault::CutAfter)
    }));
    let remote = through(&server, &proxy);
    put(&remote, "first", b"so that conditions are known", Existing::Refuse).unwrap();
    put(&remote, "ours", b"bytes", Existing::Refuse).unwrap();
    assert_eq!(proxy.made(), [Fault::CutAfter; 2]);
    let again = put(&remote, "ours", b"bytes", Existing::Refuse);
    assert!(matches!(again, Err(Error::Exists { .. })), "the answer was not lost: {again:?}");
}

#[test]
fn anothers_object_after_a_lost_answer_is_anothers() {
    let server = Server::start();
    let proxy = server.behind(Faults::when(|asked| {
        (asked.method == "PUT" && asked.number == 4).then_some(Fault::CutAfter)
    }));
    let remote = through(&server, &proxy);
    put(&remote, "first", b"so that conditions are known", Existing::Refuse).unwrap();
    put(&server.object_store("p"), "theirs", b"other", Existing::Refuse).unwrap();
    let refused = put(&remote, "theirs", b"bytes", Existing::Refuse);
    assert!(matches!(refused, Err(Error::Exists { .. })), "{refused:?}");
    assert_eq!(proxy.made(), [Fault::CutAfter]);
    assert_eq!(remote.read("theirs").unwrap(), b"other");
}

#[test]
fn a_commit_that_breaks_off_leaves_whole_objects_and_removes_nothing() {
    let server = Server::start();
    put(&server.object_store("p"), "old", b"kept", Existing::Refuse).unwrap();
    let proxy = server.behind(Faults::when(|asked| (asked.number > 40).then_some(Fault::CutWithin)));
    let remote = through(&server, &proxy);
    let batch = remote.batch().unwrap();
    let bytes = &bytes()[..100_000];
    for number in 0..100 {
        batch.put(&format!("new/{number}"), bytes, Existing::Refuse).unwrap();
    }
    batch.remove("old").unwrap();
    let end = batch.commit();
    assert!(matches!(end, Err(Error::Offline { .. })), "{end:?}");
    let objects = server.objects();
    assert_eq!(objects["p/old"], b"kept");
    let new = objects.iter().filter(|(key, _)| key.starts_with("p/new/"));
    assert!(new.clone().all(|(_, kept)| kept == bytes));
    assert!((30..100).contains(&new.count()));
}
