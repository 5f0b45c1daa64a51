//! How much text may be under way: the engine's queue counts documents, and ten thousand of them may be gigabytes.

use std::sync::{Arc, Condvar, Mutex, PoisonError};

/// The most bytes of text between extraction and postings.
pub(super) const MOST: usize = 16 * 1024 * 1024;

/// Bytes that are lent and given back.
#[derive(Debug, Clone, Default)]
pub(super) struct Budget(Arc<Ledger>);

#[derive(Debug, Default)]
struct Ledger {
    lent: Mutex<usize>,
    returned: Condvar,
    #[cfg(test)]
    highest: std::sync::atomic::AtomicUsize,
}

impl Budget {
    /// Waits until so many bytes are free. More than there are is lent when nothing else is.
    pub(super) fn lend(&self, bytes: usize) -> Permit {
        let Ledger { lent, returned, .. } = &*self.0;
        let lent = lent.lock().unwrap_or_else(PoisonError::into_inner);
        let is_too_much = |lent: &mut usize| *lent > 0 && lent.saturating_add(bytes) > MOST;
        let mut lent = returned.wait_while(lent, is_too_much).unwrap_or_else(PoisonError::into_inner);
        *lent += bytes;
        #[cfg(test)]
        self.0.highest.fetch_max(*lent, std::sync::atomic::Ordering::SeqCst);
        Permit { bytes, budget: self.clone() }
    }

    /// The most that was ever lent at once, and the amount lent now.
    #[cfg(test)]
    pub(super) fn highest_and_lent(&self) -> (usize, usize) {
        (self.0.highest.load(std::sync::atomic::Ordering::SeqCst), *self.0.lent.lock().unwrap())
    }
}

/// Bytes that were lent; they are given back when it is dropped.
#[derive(Debug)]
pub(super) struct Permit {
    bytes: usize,
    budget: Budget,
}

impl Drop for Permit {
    fn drop(&mut self) {
        let Ledger { lent, returned, .. } = &*self.budget.0;
        *lent.lock().unwrap_or_else(PoisonError::into_inner) -= self.bytes;
        returned.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    #[test]
    fn many_threads_never_have_more_than_there_is() {
        let budget = Budget::default();
        thread::scope(|scope| {
            for _ in 0..16 {
                scope.spawn(|| {
                    for _ in 0..200 {
                        let permit = budget.lend(MOST / 5);
                        thread::yield_now();
                        drop(permit);
                    }
                });
            }
        });
        let (highest, lent) = budget.highest_and_lent();
        assert!((MOST / 5..=MOST).contains(&highest) && lent == 0, "{highest} {lent}");
    }

    #[test]
    fn more_than_there_is_goes_alone() {
        let budget = Budget::default();
        drop(budget.lend(3 * MOST));
        let small = budget.lend(1);
        let (sender, receiver) = std::sync::mpsc::channel();
        thread::scope(|scope| {
            scope.spawn(|| {
                let _large = budget.lend(3 * MOST);
                sender.send(()).unwrap();
            });
            assert!(receiver.try_recv().is_err());
            drop(small);
            receiver.recv().unwrap();
        });
    }
}
