//! How long to wait for a server, and how often to ask again.

use std::time::Duration;

use crate::remote::backoff;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RetryPolicy {
    /// For an answer to begin, and then for each next piece of it.
    pub answer: Duration,
    /// After so long, nothing is asked again.
    pub whole: Duration,
    /// The same for a server that never answered: being offline should show soon.
    pub unreached: Duration,
    /// Before attempts again for the first time; it doubles, up to twenty times as long.
    pub pause: Duration,
}

impl Default for RetryPolicy {
    fn default() -> Self {
        Self {
            answer: Duration::from_secs(20),
            whole: Duration::from_secs(30),
            unreached: Duration::from_secs(3),
            pause: Duration::from_millis(100),
        }
    }
}

/// Bytes in a second that the slowest line takes which is still of use.
const SLOWEST: u64 = 32 << 10;

impl RetryPolicy {
    /// For an answer to what takes so many bytes to ask, beside others.
    pub(super) fn for_sending(&self, bytes: u64) -> Duration {
        self.answer + Duration::from_secs(bytes / SLOWEST)
    }

    pub(super) fn pause_after(&self, failures: u32) -> Duration {
        backoff(self.pause, self.pause.saturating_mul(20), failures)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_and_end_growing() {
        let retry = RetryPolicy::default();
        for failures in 0..100 {
            let pause = retry.pause_after(failures);
            let longest = retry.pause * (1 << failures.min(5)).min(20);
            assert!(pause >= longest / 2 && pause <= longest, "{failures}: {pause:?}");
        }
    }

    #[test]
    fn a_slow_line_may_send_a_large_batch() {
        assert!(RetryPolicy::default().for_sending(64 << 20) > Duration::from_secs(30 * 60));
    }
}
