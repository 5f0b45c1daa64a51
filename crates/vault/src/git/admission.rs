//! Whether a path in a remote's tree may be put into the work tree, and what the system calls it.

use std::path::PathBuf;

pub(super) use crate::admission::{Admission, Admissions};

/// The path as the system has it.
#[cfg(unix)]
pub(super) fn native(path: &[u8]) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStrExt;
    Some(PathBuf::from(std::ffi::OsStr::from_bytes(path)))
}

#[cfg(not(unix))]
pub(super) fn native(path: &[u8]) -> Option<PathBuf> {
    std::str::from_utf8(path).ok().map(PathBuf::from)
}
