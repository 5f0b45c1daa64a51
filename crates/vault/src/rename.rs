//! A file under another name → under its own, in place of what had it before.
//!
//! Separate, because Windows refuses while somebody else looks into one of the two files, as virus scanners and indexers
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
    fn what_had_the_name_is_replaced() {
        let directory = tempfile::tempdir().unwrap();
        let (new, place) = (directory.path().join("new"), directory.path().join("place"));
        fs::write(&new, "new").unwrap();
        fs::write(&place, "old").unwrap();
        // Windows may want to be asked again while somebody reads.
        let reader = (!cfg!(windows)).then(|| fs::File::open(&place).unwrap());
        rename(&new, &place).unwrap();
        assert!(reader.is_none_or(|reader| io::read_to_string(reader).unwrap() == "old"));
        assert_eq!(fs::read_to_string(&place).unwrap(), "new");
    }
}
