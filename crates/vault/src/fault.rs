//! Fault injection: ends the process at the Nth change that it is about to make.
//!
//! Only tests have it (feature `faults`). Every write, rename, removal, program start and request of the vault passes a
//! [`point`], so that a test can kill a command before each of its changes, in order, and look at what it left behind.

#[cfg(feature = "faults")]
use std::sync::atomic::{AtomicU64, Ordering};

/// How many points are left before the process ends; 0 when no fault is planned.
#[cfg(feature = "faults")]
static LEFT: AtomicU64 = AtomicU64::new(0);

/// The process aborts at the `number`th point from now, counted from 1.
#[cfg(feature = "faults")]
pub fn arm(number: u64) {
    LEFT.store(number, Ordering::SeqCst);
}

/// Call this before a change that a crash could leave half done.
#[cfg(feature = "faults")]
pub fn point() {
    let left = LEFT.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1));
    if left == Ok(1) {
        // As SIGKILL does: no destructor runs, no buffer is written.
        std::process::abort();
    }
}

#[cfg(not(feature = "faults"))]
#[inline(always)]
pub fn point() {}
