//! A file that may still be written to → one that is at rest.
//!
//! The client writes before it runs its hooks at a session's end, and nothing has been seen to come after; at a
//! compaction some records follow at once. Neither is promised, and waiting a moment is cheap.

use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};

const PAUSE: Duration = Duration::from_millis(100);
/// So many looks at the same file mean rest.
const ENOUGH: u32 = 3;
/// After that many it is kept as it is: who goes on writing is not at an end.
const MOST: u32 = 20;

/// Which bytes a file held.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Mark {
    len: u64,
    modified: SystemTime,
}

impl Mark {
    pub(super) fn of(path: &Path) -> Option<Self> {
        let metadata = path.metadata().ok()?;
        Some(Self { len: metadata.len(), modified: metadata.modified().ok()? })
    }
}

/// Waits, for two seconds at most; not for a file that is not there.
pub(super) fn wait(path: &Path) {
    settle(|| Mark::of(path), || sleep(PAUSE));
}

/// Looks until it sees the same often enough; gives what that is.
fn settle(look: impl Fn() -> Option<Mark>, mut pause: impl FnMut()) -> Option<Mark> {
    let mut seen = look()?;
    let mut still = 0;
    for _ in 0..MOST {
        pause();
        let now = look()?;
        still = if now == seen { still + 1 } else { 0 };
        seen = now;
        if still == ENOUGH {
            break;
        }
    }
    Some(seen)
}

#[cfg(test)]
mod tests {
    use steno_testkit::Home;

    use super::*;

    /// What is seen at last of a file that grows for so many pauses, and how many pauses that took.
    fn settled(growing: u32) -> (Option<u64>, u32) {
        let home = Home::new();
        let path = home.file("projects/-w/id.jsonl", "");
        let mut pauses = 0;
        let mark = settle(
            || Mark::of(&path),
            || {
                pauses += 1;
                std::fs::write(&path, "x".repeat(pauses.min(growing) as usize)).unwrap();
                let file = std::fs::File::options().append(true).open(&path).unwrap();
                file.set_modified(SystemTime::UNIX_EPOCH).unwrap();
            },
        );
        (mark.map(|mark| mark.len), pauses)
    }

    #[test]
    fn a_file_is_looked_at_until_it_is_at_rest() {
        assert_eq!(settled(5), (Some(5), 5 + ENOUGH));
        assert_eq!(settled(u32::MAX), (Some(MOST.into()), MOST), "who goes on writing is not waited for");
    }

    #[test]
    fn a_file_that_is_not_there_is_not_waited_for() {
        let pause = || unreachable!("nothing can come to rest");
        assert_eq!(settle(|| Mark::of(Path::new("nowhere/id.jsonl")), pause), None);
    }
}
