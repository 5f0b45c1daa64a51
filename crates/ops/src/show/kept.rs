//! A session that only the vault still has → its conversation.
//!
//! Its files are put back into a place of their own for the moment, so that one reader serves live and kept ones.

use std::fs;
use std::path::PathBuf;

use super::{Report, Request};
use crate::custody::Custody;
use crate::error::Error;
use crate::library::Library;
use crate::next;
use crate::restore::{Options, one};
use crate::shelf::Shelf;

/// Whether the vault has a session; one that cannot be read has none.
pub(super) fn has(custody: &Custody, id: &str) -> bool {
    let is_there = custody.look().is_ok_and(|opened| opened.is_some());
    is_there
        && Shelf::open(custody).is_ok_and(|shelf| shelf.index().sessions.iter().any(|kept| kept.id == id))
}

/// Nothing where there is no vault, or nothing of that name in it.
pub(super) fn show(custody: &Custody, request: &Request) -> Result<Option<Report>, Error> {
    if custody.look()?.is_none() {
        return Ok(None);
    }
    let place = Place::beside(custody);
    let options = Options { to: Some(place.path.clone()), ..Options::default() };
    let wish = one::Request { session: request.session.clone(), options, ..one::Request::default() };
    let restored = match one::run(custody, &wish) {
        Ok(report) => report.restored,
        Err(error) if error.kind == crate::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    let library =
        Library { claude_dirs: vec![place.path.clone()], is_default: false, now: custody.library.now };
    let request = Request { session: restored.uuid, at: request.at.clone() };
    let mut report = super::run(&library, &request)?;
    let profile = &mut report.conversation.profile;
    (profile.live, profile.kept, profile.ongoing) = (false, true, false);
    profile.path = Some(restored.from);
    let machine = Some(restored.machine.as_str()).filter(|machine| !is_own(custody, machine));
    report.next = next::show(custody, &request.session, machine);
    Ok(Some(report))
}

/// Without a word, this machine is meant.
fn is_own(custody: &Custody, machine: &str) -> bool {
    custody.look().is_ok_and(|opened| opened.is_some_and(|opened| opened.is_own(machine)))
}

/// A directory that goes away.
struct Place {
    path: PathBuf,
}

impl Place {
    fn beside(custody: &Custody) -> Self {
        Self { path: custody.vault.join(".cache").join(format!("shown-{}", std::process::id())) }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.path);
    }
}
