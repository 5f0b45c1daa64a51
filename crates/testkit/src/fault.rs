//! Commands that are killed before one of their changes, for each change in turn.

use std::process::Stdio;

use crate::App;

/// Asks for more rounds than usual.
const ROUNDS: &str = "STENO_FAULT_ROUNDS";

/// Calls `round` with the number of the change at which it has a command killed; `round` returns whether it was killed
/// there, or had finished before.
///
/// At most `usual` changes are tried, spread over all of them; `STENO_FAULT_ROUNDS` asks for that many instead.
pub fn at_changes(usual: u64, mut round: impl FnMut(u64) -> bool) {
    let rounds = std::env::var(ROUNDS).ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(usual);
    let mut tried = Vec::new();
    let mut past = 1;
    while round(past) {
        tried.push(past);
        past *= 2;
    }
    assert!(!tried.is_empty(), "the command made no change, or the program was built without faults");
    let step = past.div_ceil(rounds.max(1)).max(1);
    for number in (1..past).step_by(usize::try_from(step).unwrap_or(usize::MAX)) {
        if !tried.contains(&number) && !round(number) {
            break;
        }
    }
}

impl App {
    /// Runs a command that is killed before its change of that number; whether it got that far.
    pub fn is_killed_at(&self, number: u64, arguments: &str) -> bool {
        let mut command = self.command();
        command.env("STENO_FAULT_AT", number.to_string()).args(arguments.split_whitespace());
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let status = command.status().unwrap_or_else(|error| panic!("cannot run `{arguments}`: {error}"));
        status.code().is_none()
    }
}
