//! Killed at any instant while it indexes, then asked.
//!
//! A few rounds here; `STENO_FAULT_ROUNDS` asks for more.

use std::fs;
use std::process::Stdio;
use std::time::Duration;

use steno_testkit::Rng;

use crate::index::desk::{WORDS, answers, app, fresh_answers, session};

fn rounds(usual: u64) -> u64 {
    std::env::var("STENO_FAULT_ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(usual)
}

#[test]
fn the_answers_after_a_kill_are_those_of_a_fresh_index() {
    let app = app();
    let mut paths = Vec::new();
    for number in 1..=12 {
        paths.push((app.home().write(&session(number).turns(20)), session(number)));
    }
    let mut rng = Rng::new(5);
    for round in 0..rounds(6) {
        for kill in 0..4 {
            if kill == 0 && rng.below(3) == 0 {
                let _ = fs::remove_dir_all(app.home().root().join(".cache"));
            }
            let (path, session) = &paths[rng.below(paths.len() as u64) as usize];
            let longer =
                session.clone().turns(20 + rng.below(30) as usize).user(WORDS[rng.below(8) as usize]);
            fs::write(path, longer.bytes()).unwrap();
            let command = ["search zebra", "stats", "list --agents"][rng.below(3) as usize];
            let mut child = app.command();
            let child = child.args(command.split(' ')).stdout(Stdio::null()).stderr(Stdio::null());
            let mut child = child.spawn().unwrap();
            std::thread::sleep(Duration::from_micros(rng.below(60_000)));
            let _ = child.kill();
            child.wait().unwrap();
        }
        assert_eq!(answers(&app), fresh_answers(&app), "round {round}");
    }
}
