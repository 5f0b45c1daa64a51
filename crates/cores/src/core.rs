//! How many cores there are, and how many threads work on them.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, OnceLock, PoisonError};

/// Threads at work beside those that asked for them. One that only waits makes it one less.
static BUSY: Mutex<isize> = Mutex::new(0);
/// Somebody may work now, or need not any more.
static CHANGED: Condvar = Condvar::new();

/// How many cores there are. The system takes several files to tell, so it is asked once.
pub fn count() -> usize {
    static COUNT: OnceLock<usize> = OnceLock::new();
    *COUNT.get_or_init(|| std::thread::available_parallelism().map_or(1, usize::from))
}

fn busy() -> MutexGuard<'static, isize> {
    BUSY.lock().unwrap_or_else(PoisonError::into_inner)
}

fn change(by: isize) {
    *busy() += by;
    CHANGED.notify_all();
}

/// A core that a thread may work on; another one may when it is dropped.
pub(crate) struct Core(());

impl Core {
    /// Nothing where there is work on all of them.
    pub(crate) fn free() -> Option<Self> {
        Self::take(&mut busy())
    }

    /// The next one that is free; nothing where the work is over before.
    pub(crate) fn next(work: &Work) -> Option<Self> {
        let mut busy = busy();
        while !work.0.load(Ordering::Relaxed) {
            if let Some(core) = Self::take(&mut busy) {
                return Some(core);
            }
            busy = CHANGED.wait(busy).unwrap_or_else(PoisonError::into_inner);
        }
        None
    }

    fn take(busy: &mut isize) -> Option<Self> {
        // One is the asking thread's own.
        let others = isize::try_from(count() - 1).unwrap_or(isize::MAX);
        if *busy >= others {
            return None;
        }
        *busy += 1;
        Some(Self(()))
    }
}

impl Drop for Core {
    fn drop(&mut self) {
        change(-1);
    }
}

/// The core of a thread that waits, which another one may work on.
pub(crate) struct Lent(());

impl Lent {
    pub(crate) fn new() -> Self {
        change(-1);
        Self(())
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        change(1);
    }
}

/// Work that may be over.
#[derive(Default)]
pub(crate) struct Work(AtomicBool);

/// Ends the work when it is dropped, whatever the reason.
pub(crate) struct End<'w>(pub(crate) &'w Work);

impl Drop for End<'_> {
    fn drop(&mut self) {
        let _busy = busy();
        self.0.0.store(true, Ordering::Relaxed);
        CHANGED.notify_all();
    }
}
