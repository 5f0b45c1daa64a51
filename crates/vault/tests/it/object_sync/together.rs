//! Many machines at the same instant.

use std::sync::Barrier;
use std::thread;

use steno_testkit::store::MemoryStore;
use steno_vault::Store;
use steno_vault::remote::Outcome;

use crate::object_sync::world::{Link, Machine, names};

const ROUNDS: u32 = 100;

#[test]
fn machines_exchange_at_once_without_conflict_or_loss() {
    for count in [2, 3, 5] {
        let remote = MemoryStore::new();
        let machines: Vec<Machine> =
            (0..count).map(|number| Machine::new(&format!("machine-{number}"))).collect();
        let together = Barrier::new(machines.len());
        thread::scope(|scope| {
            for machine in &machines {
                let (remote, together) = (&remote, &together);
                scope.spawn(move || {
                    for round in 1..=ROUNDS {
                        machine.keep("s", round);
                        machine.tell(round);
                        together.wait();
                        let run = machine.run(remote);
                        assert_eq!(run.outcome, Outcome::Pushed, "{run:?}");
                        let is_calm = |text: &str| text.contains("the next sync looks again");
                        assert!(run.warnings.iter().all(|warning| is_calm(&warning.message)), "{run:?}");
                    }
                });
            }
        });
        for machine in &machines {
            machine.calm(&remote);
        }
        for machine in &machines {
            let link = Link::new(&remote);
            machine.calm(&link);
            assert_eq!(link.log(), ["list heads"]);
            assert_eq!(machine.shared(), machines[0].shared());
            assert_eq!(machine.shared().len(), 1 + count * (ROUNDS as usize + 1));
        }
    }
}

#[test]
fn of_two_machines_of_one_name_one_gets_it() {
    for _ in 0..30 {
        let remote = MemoryStore::new();
        let machines = [Machine::new("laptop"), Machine::new("laptop")];
        for (number, machine) in machines.iter().enumerate() {
            machine.keep("s", 1);
            machine.write(&machine.own("config/settings.json"), &[u8::try_from(number).unwrap()]);
        }
        let together = Barrier::new(2);
        let states: Vec<Outcome> = thread::scope(|scope| {
            let run = |machine| {
                let (remote, together) = (&remote, &together);
                scope.spawn(move || {
                    together.wait();
                    Machine::run(machine, remote).outcome
                })
            };
            let running: Vec<_> = machines.iter().map(run).collect();
            running.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        let winner = states.iter().position(|state| *state == Outcome::Pushed).unwrap();
        assert_eq!(states[1 - winner], Outcome::SlugTaken);
        assert_eq!(
            remote.read("machines/laptop/config/settings.json").unwrap(),
            [u8::try_from(winner).unwrap()]
        );
        assert_eq!(names(&remote, "machines").len(), 2);
        // It stays that way, whatever either of them forgets.
        machines.iter().for_each(Machine::forget);
        assert_eq!(machines[1 - winner].run(&remote).outcome, Outcome::SlugTaken);
        assert_eq!(machines[winner].calm(&remote).sent, 0);
    }
}
