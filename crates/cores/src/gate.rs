//! What takes much memory is held by one thread at a time.
//!
//! Every thread of the pool may read a file with a long line in it. Each of them bounds what it holds, and all of them
//! together would still hold that many times as much.

use std::any::Any;
use std::cell::Cell;
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

/// Whether a thread is inside.
static IS_TAKEN: Mutex<bool> = Mutex::new(false);
static IS_LEFT: Condvar = Condvar::new();

/// Memory is not worth a deadlock: after that long, the thread goes in whoever is there.
const PATIENCE: Duration = Duration::from_secs(20);

thread_local! {
    static IS_INSIDE: Cell<bool> = const { Cell::new(false) };
}

/// Waits until no other thread is inside. What it gives keeps the others out until it is dropped. A thread that is inside
/// already does not wait for itself.
pub fn gate() -> Box<dyn Any> {
    if IS_INSIDE.get() {
        return Box::new(());
    }
    let taken = IS_TAKEN.lock().unwrap_or_else(PoisonError::into_inner);
    let waited = IS_LEFT.wait_timeout_while(taken, PATIENCE, |is_taken| *is_taken);
    let (mut taken, _) = waited.unwrap_or_else(PoisonError::into_inner);
    if *taken {
        return Box::new(());
    }
    *taken = true;
    IS_INSIDE.set(true);
    Box::new(Inside)
}

/// A thread that went in.
struct Inside;

impl Drop for Inside {
    fn drop(&mut self) {
        IS_INSIDE.set(false);
        *IS_TAKEN.lock().unwrap_or_else(PoisonError::into_inner) = false;
        IS_LEFT.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn one_thread_at_a_time_is_inside() {
        let (inside, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..50 {
                        let _inside = (gate(), gate());
                        most.fetch_max(inside.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                        std::thread::yield_now();
                        inside.fetch_sub(1, Ordering::SeqCst);
                    }
                });
            }
        });
        assert_eq!(most.into_inner(), 1);
    }
}
