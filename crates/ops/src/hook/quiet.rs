//! A file that may still be written to → how it looks when it is at rest.
//!
//! The client writes before it runs its hooks at a session's end, and nothing has been seen to come after; at a
//! compaction some records follow at once. Nothing promises either, and a moment costs nobody anything.

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

/// Waits, for two seconds at most. None for a file that is not there.
pub(super) fn wait(path: &Path) -> Option<Mark> {
    let mut seen = Mark::of(path)?;
    let mut still = 0;
    for _ in 0..MOST {
        sleep(PAUSE);
        let now = Mark::of(path)?;
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

    #[test]
    fn a_file_at_rest_is_seen_as_it_is() {
        let home = Home::new();
        let path = home.file("projects/-w/id.jsonl", "{}\n");
        assert_eq!(wait(&path).map(|mark| mark.len), Some(3));
        assert_eq!(wait(&path.with_extension("gone")), None);
    }
}
