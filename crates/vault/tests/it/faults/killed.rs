//! SIGKILL at random instants.

use std::time::Duration;

use steno_testkit::Rng;

use crate::desk::Desk;
use crate::faults::growth::{Promises, work};
use crate::other;

/// Where the long proof asks for more.
const ROUNDS: &str = "STENO_FAULT_ROUNDS";

#[test]
fn what_was_reported_before_the_kill_is_there_after_it() {
    if let Some(arguments) = other::role("grow") {
        work(arguments[0].as_ref(), 0, arguments[1].parse().unwrap(), usize::MAX);
    }
    let rounds = std::env::var(ROUNDS).ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(20);
    let desk = Desk::new();
    let mut rng = Rng::new(u64::from(std::process::id()));
    let mut promises = Promises::default();
    for round in 0..rounds {
        let seed = rng.next();
        let arguments = [desk.directory().to_str().unwrap(), &seed.to_string()];
        let mut child = other::start(
            "faults::killed::what_was_reported_before_the_kill_is_there_after_it",
            "grow",
            &arguments,
        );
        assert_eq!(child.next_line().as_deref(), Some("ready"));
        std::thread::sleep(Duration::from_micros(rng.below(150_000)));
        promises.hear(&child.kill());
        if round % 5 == 4 {
            desk.drop_cache();
        }
        promises.check(&desk);
    }
    assert!(promises.len() > 4, "almost nothing was ever kept");
    let before = desk.catalog();
    desk.drop_cache();
    assert_eq!(desk.catalog(), before);
    desk.keep();
    promises.check(&desk);
}
