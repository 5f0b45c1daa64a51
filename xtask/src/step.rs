//! Named steps, one after the other, each with its duration, and at the end a table of all.

use std::time::Instant;

use crate::failure::Failure;

#[derive(Debug)]
pub(crate) struct Steps {
    start: Instant,
    done: Vec<(&'static str, f64)>,
    skipped: Vec<&'static str>,
}

impl Steps {
    pub(crate) fn new() -> Self {
        Self { start: Instant::now(), done: Vec::new(), skipped: Vec::new() }
    }

    pub(crate) fn run<T>(
        &mut self,
        name: &'static str,
        work: impl FnOnce() -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        println!("== {name}");
        let start = Instant::now();
        let outcome = work();
        let seconds = start.elapsed().as_secs_f64();
        println!("== {name}: {} in {seconds:.1} s\n", if outcome.is_ok() { "done" } else { "FAILED" });
        self.done.push((name, seconds));
        outcome
    }

    pub(crate) fn skip(&mut self, name: &'static str, reason: &str) {
        println!("== {name}: left out, {reason}\n");
        self.skipped.push(name);
    }

    /// What took how long, and what was left out.
    pub(crate) fn finish(self) {
        for (name, seconds) in &self.done {
            println!("{seconds:8.1} s  {name}");
        }
        println!("{:8.1} s  in all", self.start.elapsed().as_secs_f64());
        if !self.skipped.is_empty() {
            println!("left out: {}", self.skipped.join(", "));
        }
    }
}
