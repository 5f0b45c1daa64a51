//! Putting where nothing is, when several do it at once.

use std::thread;

use steno_testkit::s3::{Conditions, Server};
use steno_vault::{Error, Existing, Store};

use crate::s3::put;

#[test]
fn one_of_many_is_first() {
    let server = Server::start();
    for round in 0..10 {
        let name = format!("heads/{round}");
        let outcomes: Vec<Result<(), Error>> = thread::scope(|scope| {
            let start = |number: u8| {
                let (server, name) = (&server, &name);
                scope.spawn(move || put(&server.object_store("p"), name, &[number], Existing::Refuse))
            };
            let started: Vec<_> = (0..4).map(start).collect();
            started.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        let first = outcomes.iter().position(Result::is_ok).unwrap();
        assert_eq!(server.object_store("p").read(&name).unwrap(), [first as u8]);
        let others = outcomes.iter().filter(|outcome| matches!(outcome, Err(Error::Exists { .. })));
        assert_eq!(others.count(), 3, "{outcomes:?}");
    }
}

#[test]
fn a_server_is_tried_out_once() {
    for (conditions, first, second) in [
        (Conditions::Kept, "HEAD PUT PUT", "PUT"),
        (Conditions::Ignored, "HEAD PUT PUT", "HEAD PUT"),
        (Conditions::Refused, "HEAD PUT PUT", "HEAD PUT"),
    ] {
        let server = Server::with(conditions);
        let remote = server.object_store("p");
        put(&remote, "a", b"bytes", Existing::Refuse).unwrap();
        let methods = || -> Vec<String> {
            let asked = server.requests();
            asked.iter().filter_map(|line| line.split(' ').next().map(str::to_owned)).collect()
        };
        assert_eq!(methods().join(" "), first, "{conditions:?}");
        put(&remote, "b", b"bytes", Existing::Refuse).unwrap();
        assert_eq!(methods().join(" "), format!("{first} {second}"), "{conditions:?}");
        let refused = put(&remote, "b", b"other", Existing::Refuse);
        assert!(matches!(refused, Err(Error::Exists { .. })), "{conditions:?}: {refused:?}");
        assert_eq!(remote.read("b").unwrap(), b"bytes");
    }
}

#[test]
fn threads_share_a_depot() {
    let server = Server::start();
    let remote = server.object_store("p");
    thread::scope(|scope| {
        for number in 0..8 {
            let remote = &remote;
            scope.spawn(move || {
                for round in 0..5 {
                    let name = format!("{number}/{round}");
                    put(remote, &name, name.as_bytes(), Existing::Refuse).unwrap();
                    assert_eq!(remote.read(&name).unwrap(), name.as_bytes());
                    assert_eq!(remote.list(&number.to_string()).unwrap().len(), round + 1);
                }
            });
        }
    });
    assert_eq!(remote.list("").unwrap().len(), 40);
}
