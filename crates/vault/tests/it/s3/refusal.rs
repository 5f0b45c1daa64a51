//! What no patience helps against, and servers that are not there.

use std::net::TcpListener;
use std::time::Duration;

use steno_testkit::s3::{Fault, Faults, Server};
use steno_vault::s3::{Access, Address, ObjectStore};
use steno_vault::{Error, Existing, Store};

use crate::s3::{put, through};

fn refusal(outcome: Result<(), Error>) -> String {
    match outcome {
        Err(Error::Refused { reason }) => reason,
        other => panic!("{other:?}"),
    }
}

fn every(remote: &ObjectStore) -> [Result<(), Error>; 4] {
    let remove = || {
        let batch = remote.batch()?;
        batch.remove("a")?;
        batch.commit()
    };
    [
        put(remote, "a", b"b", Existing::Replace),
        remote.read("a").map(drop),
        remote.list("").map(drop),
        remove(),
    ]
}

#[test]
fn what_the_server_forbids_is_refused_at_once() {
    let server = Server::start();
    for (status, told) in
        [(403, "403 AccessDenied: made by a test"), (404, "404 NoSuchBucket: made by a test")]
    {
        let proxy = server.behind(Faults::always(Fault::Status(status)));
        let remote = through(&server, &proxy);
        for outcome in every(&remote) {
            assert_eq!(refusal(outcome), format!("{}: {told}", proxy.endpoint()));
        }
        assert_eq!(remote.requests(), 4, "nothing was asked twice");
    }
}

#[test]
fn a_wrong_key_and_a_wrong_bucket_are_refused() {
    let server = Server::start();
    let mut access = server.access(server.endpoint());
    let bucket = Address::parse("s3://another/p").unwrap();
    let remote = ObjectStore::open(&bucket, access.clone()).unwrap();
    let outcomes = every(&remote).map(refusal);
    assert!(outcomes.iter().all(|reason| reason.contains("404 NoSuchBucket")), "{outcomes:?}");
    let refused = put(&remote, "a", b"b", Existing::Refuse);
    assert!(matches!(refused, Err(Error::Refused { .. })), "{refused:?}");

    access.credentials.as_mut().unwrap().secret.push('x');
    let remote = ObjectStore::open(&server.address("p"), access.clone()).unwrap();
    let outcomes = every(&remote).map(refusal);
    assert!(outcomes.iter().all(|reason| reason.contains("403 SignatureDoesNotMatch")), "{outcomes:?}");

    access.is_anonymous = true;
    let remote = ObjectStore::open(&server.address("p"), access).unwrap();
    let outcomes = every(&remote).map(refusal);
    assert!(outcomes.iter().all(|reason| reason.contains("403 AccessDenied")), "{outcomes:?}");
    assert_eq!(server.objects().len(), 0);
}

#[test]
fn without_credentials_nobody_is_asked() {
    let address = Address::parse("s3://bucket").unwrap();
    let refused = ObjectStore::open(&address, Access::default()).err();
    assert!(
        matches!(&refused, Some(Error::Refused { reason }) if reason.contains("credentials")),
        "{refused:?}"
    );
    for endpoint in ["bucket.example", "https://me:password@bucket.example"] {
        let access = Access { endpoint: Some(endpoint.to_owned()), is_anonymous: true, ..Access::default() };
        let refused = refusal(ObjectStore::open(&address, access).map(drop));
        assert!(refused.contains("endpoint") && !refused.contains("password"), "{refused}");
    }
}

#[test]
fn a_server_that_is_not_there_is_offline() {
    let server = Server::start();
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    for scheme in ["http", "https"] {
        let endpoint = format!("{scheme}://{port}");
        let remote = ObjectStore::open(&server.address("p"), server.access(endpoint.clone())).unwrap();
        for outcome in every(&remote) {
            let Err(Error::Offline { reason }) = outcome else { panic!("{outcome:?}") };
            assert!(reason.starts_with(&format!("{endpoint}: ")) && reason.contains("efused"), "{reason}");
        }
    }
}

#[test]
fn a_server_that_goes_is_offline() {
    let mut server = Server::start();
    let mut access = server.access(server.endpoint());
    access.retry.whole = Duration::from_millis(500);
    let remote = ObjectStore::open(&server.address("p"), access).unwrap();
    put(&remote, "a", b"bytes", Existing::Refuse).unwrap();
    server.stop();
    for outcome in every(&remote) {
        assert!(matches!(outcome, Err(Error::Offline { .. })), "{outcome:?}");
    }
    assert_eq!(server.objects()["p/a"], b"bytes");
}

#[test]
fn a_server_without_tls_is_no_secure_one() {
    let server = Server::start();
    let endpoint = server.endpoint().replace("http:", "https:");
    let remote = ObjectStore::open(&server.address("p"), server.access(endpoint)).unwrap();
    for outcome in every(&remote) {
        let reason = refusal(outcome);
        assert!(reason.contains("no secure connection"), "{reason}");
    }
}
