//! A session that only the vault still has → its conversation.
//!
//! Its files are put back into a place of their own for the moment, so that one reader serves live and kept ones.

use std::fs;
use std::path::PathBuf;

use super::{Told, open_live};
use crate::custody::Custody;
use crate::error::{Error, ErrorKind};
use crate::library::Library;
use crate::nearest::begins;
use crate::next;
use crate::reader::Reader;
use crate::restore::{Options, one};
use crate::shelf::{Kept, Shelf, recency};

/// Whether the vault has a session; one that cannot be read has none.
pub(super) fn has(custody: &Custody, id: &str) -> bool {
    let is_there = custody.look().is_ok_and(|opened| opened.is_some());
    is_there
        && Shelf::open(custody).is_ok_and(|shelf| shelf.index().sessions.iter().any(|kept| kept.id == id))
}

/// Nothing where there is no vault, or nothing of that name in it.
pub(super) fn open(custody: &Custody, name: &str, reader: &mut Reader) -> Result<Option<Told>, Error> {
    let Some(opened) = custody.look()? else { return Ok(None) };
    let place = Place::beside(custody);
    let options = Options { to: Some(place.path.clone()), ..Options::default() };
    let mut wish = one::Request { session: name.to_owned(), options, ..one::Request::default() };
    let mut restored = one::run(custody, &wish);
    if restored.as_ref().is_err_and(|error| error.kind == ErrorKind::Ambiguous) {
        wish.machine = latest_machine(custody, name);
        restored = if wish.machine.is_some() { one::run(custody, &wish) } else { restored };
    }
    let restored = match restored {
        Ok(report) => report.restored,
        Err(error) if error.kind == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    let library =
        Library { claude_dirs: vec![place.path.clone()], is_default: false, now: custody.library.now };
    let mut conversation = open_live(&library, &restored.uuid, reader)?;
    let profile = &mut conversation.profile;
    (profile.live, profile.kept, profile.ongoing) = (false, true, false);
    profile.path = Some(restored.from);
    let machine = Some(restored.machine.as_str()).filter(|_| !opened.is_own(&restored.machine));
    let own = opened.other_directory(&restored.machine, custody.claude_dir().ok());
    let next = next::show(custody, &restored.uuid, machine, own);
    Ok(Some(Told { conversation, next }))
}

/// Several other machines may keep one session; to read it, nobody has to choose. As in a list, the copy that was
/// written to last counts.
fn latest_machine(custody: &Custody, name: &str) -> Option<String> {
    let shelf = Shelf::open(custody).ok()?;
    let index = shelf.index();
    let mut kept: Vec<&Kept<'_>> = index.sessions.iter().filter(|kept| begins(&kept.id, name)).collect();
    if kept.iter().any(|kept| kept.id == name) {
        kept.retain(|kept| kept.id == name);
    }
    let id = kept.first()?.id.clone();
    let is_one = kept.iter().all(|kept| kept.id == id);
    let latest = kept.into_iter().max_by_key(|kept| recency(kept.stream))?;
    is_one.then(|| latest.machine.to_owned())
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
