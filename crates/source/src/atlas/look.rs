//! A directory → what changes with every name that comes or goes; a file → what changes with whatever is written to it.

use std::path::Path;

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Look {
    pub(super) device: u64,
    inode: u64,
    /// In nanoseconds.
    modified: i64,
    /// The time of the system's own, which nobody can set.
    changed: i64,
}

impl Look {
    /// When it was touched last.
    pub(super) fn touched(&self) -> i64 {
        self.modified.max(self.changed)
    }
}

#[cfg(any(target_os = "linux", target_os = "android"))]
mod system {
    use rustix::fs::{AtFlags, CWD, Stat, statat, statfs};

    use super::*;
    pub(crate) use crate::atlas::roots::Roots;

    /// File systems of this machine whose directories have the time of their last change. Those of others, and those
    /// that pass on what somebody else tells them, are not believed; nor is overlayfs, where a directory of two layers
    /// has the times of the upper one whatever happens below.
    const TRUSTED: [u32; 6] = [
        0xEF53,      // ext2, ext3, ext4
        0x5846_5342, // XFS
        0x9123_683E, // Btrfs
        0xF2F5_2010, // F2FS
        0x2FC1_2FC1, // ZFS
        0x0102_1994, // tmpfs
    ];

    impl Look {
        pub(in crate::atlas) fn at(roots: &Roots, path: &Path) -> Option<Self> {
            Self::of(&roots.stat(path, AtFlags::empty()).ok()?)
        }

        pub(crate) fn of(stat: &Stat) -> Option<Self> {
            let nanoseconds = |seconds: i64, more: i64| seconds.checked_mul(1_000_000_000)?.checked_add(more);
            Some(Self {
                device: natural(stat.st_dev)?,
                inode: natural(stat.st_ino)?,
                modified: nanoseconds(whole(stat.st_mtime)?, whole(stat.st_mtime_nsec)?)?,
                changed: nanoseconds(whole(stat.st_ctime)?, whole(stat.st_ctime_nsec)?)?,
            })
        }
    }

    /// The device of a directory, if its file system is trusted.
    pub(in crate::atlas) fn trusted(directory: &Path) -> Option<u64> {
        let kind = u32::try_from(i128::from(statfs(directory).ok()?.f_type) & 0xFFFF_FFFF).ok()?;
        let stat: Stat = statat(CWD, directory, AtFlags::empty()).ok()?;
        if TRUSTED.contains(&kind) { natural(stat.st_dev) } else { None }
    }

    /// How wide a number is, and whether it has a sign, is another on every system.
    fn natural(number: impl Into<i128>) -> Option<u64> {
        u64::try_from(number.into()).ok()
    }

    fn whole(number: impl Into<i128>) -> Option<i64> {
        i64::try_from(number.into()).ok()
    }
}

#[cfg(any(target_os = "linux", target_os = "android"))]
pub(crate) use system::Roots;
#[cfg(any(target_os = "linux", target_os = "android"))]
pub(super) use system::trusted;

/// Elsewhere nobody has looked yet which file systems can be trusted.
#[cfg(not(any(target_os = "linux", target_os = "android")))]
impl Look {
    pub(super) fn at(_: &Roots, _: &Path) -> Option<Self> {
        None
    }
}

/// Nothing is asked from an open directory there.
#[cfg(not(any(target_os = "linux", target_os = "android")))]
#[derive(Debug, Default)]
pub(crate) struct Roots;

#[cfg(not(any(target_os = "linux", target_os = "android")))]
impl Roots {
    pub(super) fn of(_: &[std::path::PathBuf]) -> Self {
        Self
    }
}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
pub(super) fn trusted(_: &Path) -> Option<u64> {
    None
}
