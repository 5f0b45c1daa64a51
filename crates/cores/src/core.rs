//! How many cores there are, and how many threads work on them.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicIsize, Ordering};

/// Threads at work beside those that asked for them. One that only waits makes it one less.
static BUSY: AtomicIsize = AtomicIsize::new(0);

/// How many cores there are. The system takes several files to tell, so it is asked once.
pub fn count() -> usize {
    static COUNT: OnceLock<usize> = OnceLock::new();
    *COUNT.get_or_init(|| std::thread::available_parallelism().map_or(1, usize::from))
}

/// A core that a thread may work on; another one may when it is dropped.
pub(crate) struct Core(());

impl Core {
    /// Nothing where there is work on all of them.
    pub(crate) fn free() -> Option<Self> {
        // One is the asking thread's own.
        let others = isize::try_from(count() - 1).unwrap_or(isize::MAX);
        let taken = |busy: isize| (busy < others).then_some(busy + 1);
        BUSY.fetch_update(Ordering::Relaxed, Ordering::Relaxed, taken).ok().map(|_| Self(()))
    }
}

impl Drop for Core {
    fn drop(&mut self) {
        BUSY.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The core of a thread that waits, which another one may work on.
pub(crate) struct Lent(());

impl Lent {
    pub(crate) fn new() -> Self {
        BUSY.fetch_sub(1, Ordering::Relaxed);
        Self(())
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        BUSY.fetch_add(1, Ordering::Relaxed);
    }
}
