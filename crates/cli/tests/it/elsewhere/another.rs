//! A server that others wrote, which `STENO_S3` names: a vault goes there, and all of it comes back.

use steno_testkit::Home;

use crate::elsewhere::stage::{Machine, below, furnish};

/// The words that reach it, with a prefix of this run's own.
fn another() -> Option<String> {
    let endpoint = std::env::var("STENO_S3").ok().filter(|endpoint| !endpoint.is_empty());
    let now = std::time::UNIX_EPOCH.elapsed().unwrap().as_nanos();
    endpoint.map(|endpoint| format!("--remote s3://steno-test/{now} --endpoint {endpoint}"))
}

fn machine(name: &str) -> Machine {
    let app = Machine::new(name).app.variable("AWS_ACCESS_KEY_ID", "test");
    Machine { app: app.variable("AWS_SECRET_ACCESS_KEY", "testtest") }
}

fn everything_comes_back(flags: &str) {
    let Some(another) = another() else {
        eprintln!("skipped: STENO_S3 names no server");
        return;
    };
    let laptop = machine("laptop");
    furnish(&laptop.app, 1, "harbour");
    assert_eq!(laptop.done(&format!("init --no-schedule {another} {flags}"))["sync"]["pushed"], true);
    furnish(&laptop.app, 2, "lantern");
    laptop.sync();
    laptop.sync();

    let tower = machine("tower");
    if !flags.is_empty() {
        tower.take_key(&laptop);
    }
    furnish(&tower.app, 3, "meadow");
    assert_eq!(tower.done(&format!("init --no-schedule {another}"))["sync"]["pushed"], true);
    laptop.sync();
    for (machine, other, name) in [(&laptop, &tower, "tower"), (&tower, &laptop, "laptop")] {
        machine.done("verify");
        let to = Home::new();
        machine.done(&format!("restore --all --machine {name} --to {}", to.path().display()));
        let back = below(&to.path(), &to.path());
        for (path, bytes) in other.live() {
            assert!(back.get(&path) == Some(&bytes), "{} of {name} came back otherwise", path.display());
        }
    }
}

#[test]
fn another_server_gives_everything_back() {
    everything_comes_back("");
}

#[test]
fn another_server_gives_everything_back_encrypted() {
    everything_comes_back("--encrypt");
}
