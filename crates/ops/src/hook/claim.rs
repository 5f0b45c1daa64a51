//! Hooks of the plugin and hooks in the settings may fire for one event: the first claims it, and the others leave it
//! to that one.
//!
//! What is claimed is one event of one session, and for seconds only: hooks of one event start at the same time, while
//! a later one may know of something that the one with the claim did not see, or find that it was killed. Claims
//! live in the cache, and where that cannot be written each hook sees to it itself: twice is better than not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use steno_vault::private;

use super::quiet::Mark;
use crate::workspace::Workspace;

const FILE: &str = "hooks.json";
/// Hooks of one event start within a second, unless the machine is very busy.
const LIFETIME: SignedDuration = SignedDuration::from_secs(10);
/// Others hold the file for less than a millisecond. The client waits, so this is not for long.
const TRIES: u32 = 50;
const PAUSE: Duration = Duration::from_millis(2);

/// An event of a session, as every hook that fires for it sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Claim {
    pub(super) event: String,
    pub(super) session: Option<String>,
    /// The transcript; or what is kept instead, where no path was given.
    pub(super) kept: PathBuf,
    /// A session that was resumed and ended again has grown.
    pub(super) mark: Option<Mark>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Made {
    claim: Claim,
    since: Timestamp,
}

/// The claims of a vault.
#[derive(Debug)]
pub(super) struct Claims {
    file: PathBuf,
    now: Timestamp,
}

impl Claims {
    pub(super) fn of(workspace: &Workspace) -> Self {
        Self { file: workspace.local().join(FILE), now: workspace.dirs.now }
    }

    /// Whether it is for the caller to see to the event.
    pub(super) fn enter(&self, claim: &Claim) -> bool {
        let entered = self.change(|all| {
            let is_free = all.iter().all(|made| made.claim != *claim);
            if is_free {
                all.push(Made { claim: claim.clone(), since: self.now });
            }
            is_free
        });
        entered.unwrap_or(true)
    }

    /// The session is not kept after all: its claims are free again.
    pub(super) fn withdraw(&self, kept: &Path) {
        if self.file.exists() {
            let _ = self.change(|all| all.retain(|made| made.claim.kept != kept));
        }
    }

    fn change<T>(&self, act: impl FnOnce(&mut Vec<Made>) -> T) -> io::Result<T> {
        self.file.parent().map_or(Ok(()), private::create_dir_all)?;
        // A pipe would hold up who opens it.
        if fs::metadata(&self.file).is_ok_and(|metadata| !metadata.is_file()) {
            return Err(io::ErrorKind::InvalidInput.into());
        }
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(&self.file)?;
        lock(&file)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        // What a killed process left half written says nothing.
        let mut all: Vec<Made> = serde_json::from_slice(&bytes).unwrap_or_default();
        all.retain(|made| self.now.duration_since(made.since).abs() <= LIFETIME);
        let outcome = act(&mut all);
        let bytes = serde_json::to_vec(&all)?;
        file.rewind()?;
        file.set_len(0)?;
        file.write_all(&bytes)?;
        Ok(outcome)
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
    use steno_testkit::Home;

    use super::*;

    fn claims(home: &Home, now: &str) -> Claims {
        Claims { file: home.root().join("vault/.cache").join(FILE), now: now.parse().unwrap() }
    }

    fn claim(event: &str, transcript: &Path) -> Claim {
        let mark = Mark::of(transcript);
        Claim { event: event.to_owned(), session: Some("id".to_owned()), kept: transcript.to_owned(), mark }
    }

    #[test]
    fn the_first_claims_and_the_others_leave_it_alone() {
        let home = Home::new();
        let transcript = home.file("projects/-w/id.jsonl", "{}\n");
        let claims = claims(&home, "2026-12-01T12:00:00Z");
        let end = || claim("SessionEnd", &transcript);
        assert!(claims.enter(&end()) && !claims.enter(&end()));
        assert!(claims.enter(&Claim { session: Some("other".to_owned()), ..end() }));
        claims.withdraw(&transcript.with_extension("gone"));
        assert!(!claims.enter(&end()));
        claims.withdraw(&transcript);
        assert!(claims.enter(&end()) && !claims.enter(&end()));
    }

    /// The hook with the claim may have been killed before it read anything.
    #[test]
    fn what_comes_later_is_not_held_up_by_who_did_not_keep() {
        let home = Home::new();
        let transcript = home.file("projects/-w/id.jsonl", "{}\n");
        let claims = claims(&home, "2026-12-01T12:00:00Z");
        assert!(claims.enter(&claim("PreCompact", &transcript)));
        assert!(claims.enter(&claim("SessionEnd", &transcript)), "another event");
        fs::write(&transcript, "{}\n{}\n").unwrap();
        assert!(claims.enter(&claim("SessionEnd", &transcript)), "the session has gone on");
    }

    #[test]
    fn an_old_claim_does_not_count() {
        let home = Home::new();
        let end = claim("SessionEnd", &home.file("projects/-w/id.jsonl", "{}\n"));
        assert!(claims(&home, "2026-12-01T12:00:00Z").enter(&end));
        assert!(!claims(&home, "2026-12-01T12:00:09Z").enter(&end));
        assert!(claims(&home, "2026-12-01T12:00:11Z").enter(&end));
        assert!(claims(&home, "2026-11-01T12:00:00Z").enter(&end), "a clock that was set back");
    }

    #[test]
    fn a_claim_that_cannot_be_written_keeps_nobody_away() {
        let home = Home::new();
        let transcript = home.file("projects/-w/id.jsonl", "{}\n");
        let end = claim("SessionEnd", &transcript);
        let claims = claims(&home, "2026-12-01T12:00:00Z");
        claims.withdraw(&transcript);
        assert!(!home.root().join("vault").exists(), "there is nothing to withdraw");
        fs::write(home.root().join("vault"), "no directory").unwrap();
        assert!(claims.enter(&end) && claims.enter(&end));
        fs::remove_file(home.root().join("vault")).unwrap();
        fs::create_dir_all(home.root().join("vault/.cache")).unwrap();
        fs::write(home.root().join("vault/.cache").join(FILE), "{\"half").unwrap();
        assert!(claims.enter(&end) && !claims.enter(&end));
    }
}
