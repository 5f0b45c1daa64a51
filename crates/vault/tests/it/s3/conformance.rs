//! The one suite that every store must pass.

use steno_testkit::s3::{Conditions, Faults, Server};
use steno_testkit::store::conformance;
use steno_vault::s3::ObjectStore;

use crate::s3::fresh;

#[test]
fn a_depot_is_a_store() {
    let server = Server::start();
    conformance(|| Box::new(server.object_store(&fresh())));
}

#[test]
fn a_whole_bucket_is_a_store() {
    let servers = std::cell::RefCell::new(Vec::new());
    conformance(|| {
        servers.borrow_mut().push(Server::start());
        Box::new(servers.borrow()[servers.borrow().len() - 1].object_store(""))
    });
}

#[test]
fn a_depot_is_a_store_while_the_network_breaks() {
    let server = Server::start();
    for seed in 0..3 {
        let proxy = server.behind(Faults::random(seed, 20));
        conformance(|| {
            let access = server.access(proxy.endpoint());
            Box::new(ObjectStore::open(&server.address(&fresh()), access).unwrap())
        });
        assert!(proxy.made().len() > 50, "{} faults", proxy.made().len());
    }
}

#[test]
fn servers_that_know_no_conditions_are_stores() {
    for conditions in [Conditions::Ignored, Conditions::Refused] {
        let server = Server::with(conditions);
        conformance(|| Box::new(server.object_store(&fresh())));
    }
}
