//! Machines that meet the remote at the same instant, again and again.

use std::collections::BTreeMap;
use std::sync::Barrier;
use std::thread;

use steno_vault::remote::{Outcome, Synced};

use crate::git::world::{Daemon, Machine, World};

/// Where the long proof asks for more.
const ROUNDS: &str = "STENO_FAULT_ROUNDS";

fn rounds(usual: usize) -> usize {
    std::env::var(ROUNDS).ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(usual)
}

/// All of them start when the last one is ready.
fn exchange_together(machines: &[Machine]) -> Vec<Synced> {
    let barrier = Barrier::new(machines.len());
    let exchange = |machine: &Machine| {
        barrier.wait();
        machine.sync()
    };
    thread::scope(|scope| {
        let threads: Vec<_> = machines.iter().map(|machine| scope.spawn(|| exchange(machine))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

/// Every machine keeps a new segment and replaces its manifest in every round; everything ever kept by name.
fn meet(world: &World, url: &str, slugs: &[&str], rounds: usize) {
    let machines: Vec<Machine> = slugs.iter().map(|slug| world.machine_at(slug, url.as_ref())).collect();
    let mut kept = BTreeMap::new();
    for round in 0..rounds {
        for (machine, slug) in machines.iter().zip(slugs) {
            for name in [format!("projects/p/{round:03}.jsonl.g1.000001.zst"), "manifest.json".to_owned()] {
                let bytes = format!("{slug} {round}").into_bytes();
                machine.keep(&name, &bytes);
                kept.insert(format!("machines/{slug}/{name}"), bytes);
            }
            assert!(machine.record());
        }
        for (exchange, slug) in exchange_together(&machines).iter().zip(slugs) {
            assert!(matches!(exchange.outcome, Outcome::Pushed), "{round} {slug}: {exchange:?}");
            assert!(exchange.warnings.is_empty() && exchange.removed == 0, "{round} {slug}: {exchange:?}");
        }
        let there =
            world.plain(&world.path("remote.git"), &["ls-tree", "-r", "--name-only", "main", "machines"]);
        assert_eq!(there.lines().collect::<Vec<_>>(), kept.keys().collect::<Vec<_>>(), "round {round}");
    }
    for machine in &machines {
        assert_eq!(machine.sync().outcome, Outcome::UpToDate);
        assert!(machine.files() == kept, "{}", machine.slug);
        assert_eq!(world.plain(&machine.root, &["status", "--porcelain"]), "");
        let log = world.plain(&machine.root, &["log", "--format=%s", "HEAD"]);
        assert_eq!(log.lines().filter(|line| *line == "a sync").count(), machines.len() * rounds);
    }
    assert_eq!(world.plain(&world.path("remote.git"), &["fsck", "--no-dangling"]), "");
}

#[test]
fn two_machines_at_the_same_instant() {
    let world = World::new();
    let remote = world.bare();
    meet(&world, remote.to_str().unwrap(), &["one", "two"], rounds(10));
}

#[test]
fn three_machines_at_the_same_instant_over_a_daemon() {
    let world = World::new();
    let remote = world.bare();
    let daemon = Daemon::serve(&world, remote.parent().unwrap());
    meet(&world, &daemon.url, &["one", "two", "three"], rounds(9) / 3);
}
