//! One thread at a time holds a line so long that it takes much memory.
//!
//! Every thread may read a file with a long line in it. Each bounds what it holds; together they would hold that many
//! times as much.

use std::any::Any;
use std::cell::Cell;
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

static IS_TAKEN: Mutex<bool> = Mutex::new(false);
static IS_FREE: Condvar = Condvar::new();

/// Then a thread goes on without the gate: a bound on memory is not worth a deadlock.
const PATIENCE: Duration = Duration::from_secs(20);

thread_local! {
    static IS_INSIDE: Cell<bool> = const { Cell::new(false) };
}

/// Waits until no other thread is inside; the calling thread is inside until it drops what it gets.
pub(crate) fn gate() -> Box<dyn Any> {
    if IS_INSIDE.get() {
        return Box::new(());
    }
    let taken = IS_TAKEN.lock().unwrap_or_else(PoisonError::into_inner);
    let waited = IS_FREE.wait_timeout_while(taken, PATIENCE, |is_taken| *is_taken);
    let (mut taken, _) = waited.unwrap_or_else(PoisonError::into_inner);
    if *taken {
        return Box::new(());
    }
    *taken = true;
    IS_INSIDE.set(true);
    Box::new(Inside)
}

struct Inside;

impl Drop for Inside {
    fn drop(&mut self) {
        IS_INSIDE.set(false);
        *IS_TAKEN.lock().unwrap_or_else(PoisonError::into_inner) = false;
        IS_FREE.notify_one();
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
