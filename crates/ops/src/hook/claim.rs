//! Hooks of the plugin and hooks in the settings may fire for one event: the first claims the transcript, and the
//! others leave it to that one.
//!
//! A claim is *open* until the transcript is read, so whoever finds it open knows that what is there now will be kept;
//! then it says how the transcript looked, so whoever comes late knows whether anything is new. It lives in the cache,
//! and where that cannot be written each hook sees to it itself: twice is better than not at all.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use steno_vault::private;

use super::quiet::Mark;
use crate::custody::Custody;

const FILE: &str = ".cache/hooks.json";
/// Older ones do not count: whoever made them has been killed.
const LIFETIME: SignedDuration = SignedDuration::from_secs(60);
/// Others hold the file for less than a millisecond. The client waits, so this is not for long.
const TRIES: u32 = 50;
const PAUSE: Duration = Duration::from_millis(2);

type All = BTreeMap<PathBuf, Claim>;

#[derive(Debug, Serialize, Deserialize)]
struct Claim {
    since: Timestamp,
    state: State,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum State {
    Open,
    /// How the transcript looked, if it was there.
    Taken(Option<Mark>),
}

/// The claims of a vault.
#[derive(Debug)]
pub(super) struct Claims {
    file: PathBuf,
    now: Timestamp,
}

impl Claims {
    pub(super) fn of(custody: &Custody) -> Self {
        Self { file: custody.vault.join(FILE), now: custody.library.now }
    }

    /// Whether it is for the caller to keep the transcript.
    pub(super) fn enter(&self, transcript: &Path) -> bool {
        let entered = self.change(|all| {
            let is_free = all.get(transcript).is_none_or(|claim| claim.leaves(transcript));
            if is_free {
                all.insert(transcript.to_owned(), Claim { since: self.now, state: State::Open });
            }
            is_free
        });
        entered.unwrap_or(true)
    }

    /// From now on the transcript is read, which looked like this before.
    pub(super) fn take(&self, transcript: &Path, mark: Option<Mark>) {
        let claim = Claim { since: self.now, state: State::Taken(mark) };
        let _ = self.change(|all| all.insert(transcript.to_owned(), claim));
    }

    pub(super) fn withdraw(&self, transcript: &Path) {
        let _ = self.change(|all| all.remove(transcript));
    }

    fn change<T>(&self, act: impl FnOnce(&mut All) -> T) -> io::Result<T> {
        self.file.parent().map_or(Ok(()), private::create_dir_all)?;
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(&self.file)?;
        lock(&file)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        // What a killed process left half written says nothing.
        let mut all: All = serde_json::from_slice(&bytes).unwrap_or_default();
        all.retain(|_, claim| self.now.duration_since(claim.since).abs() <= LIFETIME);
        let outcome = act(&mut all);
        let bytes = serde_json::to_vec(&all)?;
        file.rewind()?;
        file.set_len(0)?;
        file.write_all(&bytes)?;
        Ok(outcome)
    }
}

impl Claim {
    /// Whether something came that whoever made the claim has not seen.
    fn leaves(&self, transcript: &Path) -> bool {
        match self.state {
            State::Open => false,
            State::Taken(mark) => mark != Mark::of(transcript),
        }
    }
}

/// Until the file is closed.
fn lock(file: &File) -> io::Result<()> {
    for _ in 0..TRIES {
        match file.try_lock() {
            Err(std::fs::TryLockError::WouldBlock) => sleep(PAUSE),
            outcome => return outcome.map_err(io::Error::from),
        }
    }
    Err(io::ErrorKind::TimedOut.into())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use steno_testkit::Home;

    use super::*;

    fn claims(home: &Home, now: &str) -> Claims {
        Claims { file: home.root().join("vault").join(FILE), now: now.parse().unwrap() }
    }

    #[test]
    fn the_first_claims_and_the_others_leave_it_alone() {
        let home = Home::new();
        let transcript = home.file("projects/-w/id.jsonl", "{}\n");
        let claims = claims(&home, "2026-12-01T12:00:00Z");
        assert!(claims.enter(&transcript) && !claims.enter(&transcript));
        fs::write(&transcript, "{}\n{}\n").unwrap();
        assert!(!claims.enter(&transcript), "who has the claim has not read yet");
        claims.take(&transcript, Mark::of(&transcript));
        assert!(!claims.enter(&transcript), "nothing is new");
        fs::write(&transcript, "{}\n{}\n{}\n").unwrap();
        assert!(claims.enter(&transcript) && !claims.enter(&transcript));
        claims.withdraw(&transcript);
        assert!(claims.enter(&transcript));
    }

    #[test]
    fn an_old_claim_does_not_count() {
        let home = Home::new();
        let transcript = home.file("projects/-w/id.jsonl", "{}\n");
        assert!(claims(&home, "2026-12-01T12:00:00Z").enter(&transcript));
        assert!(!claims(&home, "2026-12-01T12:00:50Z").enter(&transcript));
        assert!(claims(&home, "2026-12-01T12:01:01Z").enter(&transcript));
        assert!(claims(&home, "2026-11-01T12:00:00Z").enter(&transcript), "a clock that was set back");
    }

    #[test]
    fn a_claim_that_cannot_be_written_keeps_nobody_away() {
        let home = Home::new();
        let transcript = home.file("projects/-w/id.jsonl", "{}\n");
        let claims = claims(&home, "2026-12-01T12:00:00Z");
        fs::write(home.root().join("vault"), "no directory").unwrap();
        assert!(claims.enter(&transcript) && claims.enter(&transcript));
        fs::remove_file(home.root().join("vault")).unwrap();
        fs::create_dir_all(home.root().join("vault/.cache")).unwrap();
        fs::write(home.root().join("vault").join(FILE), "{\"half").unwrap();
        assert!(claims.enter(&transcript) && !claims.enter(&transcript));
    }
}
