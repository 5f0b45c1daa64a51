//! What a proxy does to a request, and which one it takes.

use std::fmt::{self, Debug, Formatter};
use std::time::Duration;

use crate::Rng;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// Hangs up before the server hears of it.
    CutBefore,
    /// Hangs up when the server has heard half of it.
    CutWithin,
    /// Hangs up when the server has done it, without an answer.
    CutAfter,
    /// Answers so, and the server hears nothing.
    Status(u16),
    /// Answers late.
    Slow(Duration),
    /// Hangs up in the middle of the answer.
    Partial,
}

/// One request, before it is decided what becomes of it.
#[derive(Debug, Clone, Copy)]
pub struct Asked<'a> {
    /// From 1 on.
    pub number: usize,
    pub method: &'a str,
    pub target: &'a str,
}

type Decision = dyn FnMut(&Asked) -> Option<Fault> + Send;

/// Decides about each request.
pub struct Faults {
    decide: Box<Decision>,
}

impl Debug for Faults {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Faults").finish_non_exhaustive()
    }
}

impl Faults {
    pub fn when(decide: impl FnMut(&Asked) -> Option<Fault> + Send + 'static) -> Self {
        Self { decide: Box::new(decide) }
    }

    pub fn none() -> Self {
        Self::when(|_| None)
    }

    pub fn always(fault: Fault) -> Self {
        Self::when(move |_| Some(fault))
    }

    /// Only the request of that number, from 1 on.
    pub fn at(number: usize, fault: Fault) -> Self {
        Self::when(move |asked| (asked.number == number).then_some(fault))
    }

    /// Those of a method, so many times.
    pub fn of(method: &'static str, times: usize, fault: Fault) -> Self {
        let mut left = times;
        Self::when(move |asked| {
            let is_due = asked.method == method && left > 0;
            left -= usize::from(is_due);
            is_due.then_some(fault)
        })
    }

    /// Every kind of fault that passes, in so many of a hundred requests; never more than three in a row.
    pub fn random(seed: u64, percent: u64) -> Self {
        let mut rng = Rng::new(seed);
        let kinds = [
            Fault::CutBefore,
            Fault::CutWithin,
            Fault::CutAfter,
            Fault::Status(500),
            Fault::Status(503),
            Fault::Slow(Duration::from_millis(2)),
            Fault::Partial,
        ];
        let mut in_a_row = 0;
        Self::when(move |_| {
            let is_due = rng.chance(percent) && in_a_row < 3;
            in_a_row = if is_due { in_a_row + 1 } else { 0 };
            is_due.then(|| *rng.choose(&kinds))
        })
    }

    pub(super) fn decide(&mut self, asked: &Asked) -> Option<Fault> {
        (self.decide)(asked)
    }
}
