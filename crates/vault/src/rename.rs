//! A file under another name → under its own, in place of what had it before.
//!
//! Separate, because Windows refuses while another process reads one of the two files, as virus scanners and indexers
//! do with every new one: there it takes patience.

use std::fs;
use std::io;
use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

/// The first of them; each is twice as long as the one before. Two thirds of a second in all.
const PAUSE: Duration = Duration::from_millis(5);
const PAUSES: u32 = 7;

pub fn rename(from: &Path, to: &Path) -> io::Result<()> {
    crate::fault::point();
    patiently(|| fs::rename(from, to), |error| cfg!(windows) && is_held(error), sleep)
}

/// Swaps two files at once, so that neither name is ever without a file. `Unsupported` where the file system cannot.
pub fn exchange(one: &Path, other: &Path) -> io::Result<()> {
    crate::fault::point();
    swapped(one, other)
}

#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
fn swapped(one: &Path, other: &Path) -> io::Result<()> {
    renamed_with(one, other, rustix::fs::RenameFlags::EXCHANGE)
}

#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
fn swapped(_: &Path, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Renames a file unless the name is taken. Where the file system cannot promise that, it looks first.
pub fn rename_new(from: &Path, to: &Path) -> io::Result<()> {
    crate::fault::point();
    match renamed_to_new(from, to) {
        Err(error) if error.kind() == io::ErrorKind::Unsupported => match fs::symlink_metadata(to) {
            Ok(_) => Err(io::ErrorKind::AlreadyExists.into()),
            Err(_) => fs::rename(from, to),
        },
        outcome => outcome,
    }
}

#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
fn renamed_to_new(from: &Path, to: &Path) -> io::Result<()> {
    renamed_with(from, to, rustix::fs::RenameFlags::NOREPLACE)
}

#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
fn renamed_to_new(_: &Path, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
fn renamed_with(from: &Path, to: &Path, flags: rustix::fs::RenameFlags) -> io::Result<()> {
    use rustix::fs::CWD;
    use rustix::io::Errno;
    match rustix::fs::renameat_with(CWD, from, CWD, to, flags) {
        // Old kernels, and file systems that know only the plain call.
        Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => Err(io::ErrorKind::Unsupported.into()),
        outcome => Ok(outcome?),
    }
}

/// Denied, shared by others, or locked in part, as Windows counts its errors.
fn is_held(error: &io::Error) -> bool {
    matches!(error.raw_os_error(), Some(5 | 32 | 33))
}

fn patiently(
    mut act: impl FnMut() -> io::Result<()>,
    may_pass: impl Fn(&io::Error) -> bool,
    mut wait: impl FnMut(Duration),
) -> io::Result<()> {
    for pause in 0..PAUSES {
        match act() {
            Err(error) if may_pass(&error) => wait(PAUSE * 2_u32.pow(pause)),
            outcome => return outcome,
        }
    }
    act()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What comes of it, and how often it was tried, when that many tries end in this error.
    fn tried(failures: u32, code: i32) -> (bool, u32) {
        let mut tries = 0;
        let act = || {
            tries += 1;
            if tries <= failures { Err(io::Error::from_raw_os_error(code)) } else { Ok(()) }
        };
        let outcome = patiently(act, is_held, drop);
        (outcome.is_ok(), tries)
    }

    #[test]
    fn a_file_that_somebody_holds_is_asked_for_again() {
        assert_eq!(tried(0, 32), (true, 1));
        assert_eq!(tried(3, 32), (true, 4));
        assert_eq!(tried(1, 5), (true, 2));
        assert_eq!(tried(PAUSES, 33), (true, PAUSES + 1));
    }

    #[test]
    fn nobody_waits_for_ever_or_for_nothing() {
        assert_eq!(tried(PAUSES + 1, 32), (false, PAUSES + 1));
        assert_eq!(tried(1, 2), (false, 1));
    }

    #[test]
    fn two_files_change_places_and_a_taken_name_stays() {
        let directory = tempfile::tempdir().unwrap();
        let (one, other) = (directory.path().join("one"), directory.path().join("other"));
        fs::write(&one, "1").unwrap();
        fs::write(&other, "2").unwrap();
        match exchange(&one, &other) {
            Ok(()) => assert_eq!(fs::read_to_string(&one).unwrap(), "2"),
            Err(error) => assert_eq!(error.kind(), io::ErrorKind::Unsupported),
        }
        assert_eq!(rename_new(&one, &other).unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        rename_new(&one, &directory.path().join("new")).unwrap();
        assert!(!one.exists());
    }

    #[test]
    fn what_had_the_name_is_replaced() {
        let directory = tempfile::tempdir().unwrap();
        let (new, place) = (directory.path().join("new"), directory.path().join("place"));
        fs::write(&new, "new").unwrap();
        fs::write(&place, "old").unwrap();
        // Windows may refuse while the file is read.
        let reader = (!cfg!(windows)).then(|| fs::File::open(&place).unwrap());
        rename(&new, &place).unwrap();
        assert!(reader.is_none_or(|reader| io::read_to_string(reader).unwrap() == "old"));
        assert_eq!(fs::read_to_string(&place).unwrap(), "new");
    }
}
