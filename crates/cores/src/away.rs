//! A new thread → one on another core than its parent.
//!
//! The system may leave a thread where it was made, to take turns with its parent, and find out only after milliseconds
//! that another core has nothing to do. That is all that a quick command takes.

/// Where a thread should not be.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Away {
    #[cfg(any(target_os = "linux", target_os = "android"))]
    core: usize,
}

#[cfg(any(target_os = "linux", target_os = "android"))]
impl Away {
    pub(crate) fn from_here() -> Self {
        Self { core: rustix::thread::sched_getcpu() }
    }

    /// Moves the calling thread. It may come back whenever the system likes.
    pub(crate) fn go(self) {
        use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

        let Ok(all) = sched_getaffinity(None) else { return };
        let mut others = all;
        if self.core < CpuSet::MAX_CPU {
            others.unset(self.core);
        }
        // Where it is not allowed to, it stays.
        if others.count() > 0 && sched_setaffinity(None, &others).is_ok() {
            sched_setaffinity(None, &all).ok();
        }
    }
}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
impl Away {
    pub(crate) fn from_here() -> Self {
        Self {}
    }

    pub(crate) fn go(self) {}
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use rustix::thread::{sched_getaffinity, sched_getcpu};

    use super::*;

    #[test]
    fn a_thread_is_elsewhere_and_may_be_anywhere() {
        let before = sched_getaffinity(None).unwrap();
        for core in [sched_getcpu(), usize::MAX] {
            Away { core }.go();
            assert_eq!(sched_getaffinity(None).unwrap(), before);
        }
    }
}
