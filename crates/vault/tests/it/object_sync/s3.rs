//! Through a real object store, and a network that breaks.

use std::sync::Barrier;
use std::thread;

use steno_testkit::s3::{Faults, Server};
use steno_vault::Store;
use steno_vault::remote::Outcome;
use steno_vault::s3::ObjectStore;

use crate::object_sync::world::{Machine, put};

const ROUNDS: u32 = 5;

#[test]
fn an_unchanged_exchange_is_one_request() {
    let server = Server::start();
    let (one, two) = (Machine::new("one"), Machine::new("two"));
    let remote = server.object_store("vault");
    one.keep("s", 1);
    one.tell(1);
    for machine in [&one, &two, &one] {
        machine.calm(&remote);
    }
    assert_eq!(one.shared(), two.shared());
    let before = remote.requests();
    assert_eq!(one.calm(&remote).outcome, Outcome::UpToDate);
    assert_eq!(remote.requests() - before, 1);
}

#[test]
fn machines_exchange_at_once_through_a_network_that_breaks() {
    let server = Server::start();
    let machines: Vec<Machine> = (0..3).map(|number| Machine::new(&format!("machine-{number}"))).collect();
    let together = Barrier::new(machines.len());
    thread::scope(|scope| {
        for (number, machine) in machines.iter().enumerate() {
            let (server, together) = (&server, &together);
            scope.spawn(move || {
                let proxy = server.behind(Faults::random(number as u64, 10));
                let remote =
                    ObjectStore::open(&server.address("vault"), server.access(proxy.endpoint())).unwrap();
                for round in 1..=ROUNDS {
                    machine.keep("s", round);
                    machine.tell(round);
                    together.wait();
                    let state = machine.run(&remote).outcome;
                    assert!(matches!(state, Outcome::Pushed | Outcome::Offline { .. }), "{state:?}");
                }
            });
        }
    });
    let remote = server.object_store("vault");
    for machine in machines.iter().chain(&machines) {
        machine.calm(&remote);
    }
    for machine in &machines {
        assert_eq!(machine.shared(), machines[0].shared());
        assert_eq!(machine.shared().len(), 1 + machines.len() * (ROUNDS as usize + 1));
    }
}

#[test]
fn a_store_that_is_not_there_is_offline() {
    let mut server = Server::start();
    let one = Machine::new("one");
    one.keep("s", 1);
    let access = server.access(server.endpoint());
    let remote = ObjectStore::open(&server.address("vault"), access).unwrap();
    server.stop();
    assert!(matches!(one.run(&remote).outcome, Outcome::Offline { .. }));
}

#[test]
fn no_more_is_taken_than_somebody_wants() {
    let server = Server::start();
    let remote = server.object_store("vault");
    let bytes: Vec<u8> = (0..=250).cycle().take(1 << 20).collect();
    put(&remote, "large", &bytes);
    put(&remote, "empty", b"");
    let within = |name: &str, most: u64| remote.read_within(name, most).unwrap();
    assert_eq!(within("large", 10), bytes[..11]);
    assert!(within("large", (1 << 20) - 1) == bytes && within("large", 1 << 20) == bytes);
    assert_eq!((within("empty", 0), within("large", 0)), (Vec::new(), bytes[..1].to_vec()));
}
