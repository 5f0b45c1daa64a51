//! What words score, where and when they were said → what counts.

use super::super::mark::Moment;
use crate::passage::Role;

/// After that many days, half of what recency gives is gone.
const HALF_LIFE: f32 = 90.0;
/// Whatever is older than that is old.
const DAYS: usize = 1024;
/// In seconds.
const DAY: u64 = 86_400;

/// From one half, for what is old or of no time, to one: it only takes away.
pub(super) struct Recency {
    now: i64,
    /// By age in days; within a day it is a straight line. A common word asks a hundred thousand times.
    by_age: Vec<f32>,
}

impl Recency {
    /// From here the age of a passage is counted.
    pub(super) fn new(now: i64) -> Self {
        let by_age = (0..DAYS).map(|days| 0.5 + 0.5 * (-(days as f32) / HALF_LIFE).exp2());
        Self { now, by_age: by_age.collect() }
    }

    pub(super) fn of(&self, moment: Moment) -> f32 {
        let Some(second) = moment.second() else { return 0.5 };
        // To divide whole numbers takes several times as long.
        let age = self.now.saturating_sub(second).max(0) as f32 / DAY as f32;
        let days = age as usize;
        match self.by_age.get(days..).unwrap_or_default() {
            [younger, older, ..] => younger + (older - younger) * (age - days as f32),
            _ => 0.5,
        }
    }
}

/// What recency leaves of some passages at most. Those of one file are about as old as each other, so that it need not be
/// asked for each of them.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Bound {
    pub(super) most: f32,
    /// Up to then it holds.
    until: Moment,
}

impl Bound {
    /// Makes it hold for a moment, too.
    pub(super) fn reach(&mut self, moment: Moment, recency: &Recency) {
        if self.most == 0.0 || moment > self.until {
            self.until = moment.later(DAY);
            self.most = recency.of(self.until);
        }
    }
}

/// What is said in a role counts more than in another.
pub(super) fn emphasis(role: Role) -> f32 {
    match role {
        Role::Title => 2.0,
        Role::User | Role::Summary | Role::Plan => 1.2,
        Role::Assistant | Role::Tool => 1.0,
        Role::Result => 0.9,
        Role::Thinking | Role::System | Role::Record => 0.7,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_older_counts_less_and_never_less_than_half() {
        let now = 2_000_000_000;
        let recency = Recency::new(now);
        let ages: Vec<i64> = (0..100_000_000).step_by(7919).collect();
        let at = |second| recency.of(Moment::of(Some(second)));
        let of = |age: &i64| at(now - age);
        assert!(ages.is_sorted_by(|younger, older| of(younger) >= of(older)));
        for age in &ages {
            let exact = 0.5 + 0.5 * (-(*age as f64) / (90.0 * 86_400.0)).exp2();
            assert!((f64::from(of(age)) - exact).abs() < 2e-4, "{age}");
        }
        assert!(of(&0) == 1.0 && of(&3600) < of(&60), "within a day, too");
        assert_eq!((of(&(90 * 86_400)), of(&(20_000 * 86_400))), (0.75, 0.5));
        assert_eq!((at(now + 1_000_000), at(i64::MAX), at(i64::MIN)), (1.0, 1.0, 0.5));
        assert_eq!(recency.of(Moment::default()), 0.5);
    }

    #[test]
    fn no_passage_keeps_more_than_the_bound_of_its_file() {
        let now = 2_000_000_000;
        let recency = Recency::new(now);
        let mut bound = Bound::default();
        let ages = (0..4000_i64).map(|step| step * 7_919_317 % 200_000_000 - 1_000_000);
        let seconds = ages.map(|age| Some(now - age)).chain([None, Some(i64::MAX), Some(0), None]);
        for moment in seconds.map(Moment::of) {
            bound.reach(moment, &recency);
            assert!(recency.of(moment) <= bound.most, "{moment:?}");
        }
        let mut timeless = Bound::default();
        timeless.reach(Moment::default(), &recency);
        assert_eq!(timeless.most, 0.5);
    }
}
