//! A session that only the vault still has → its conversation.
//!
//! Its files are put back into a place of their own for the moment, so that one reader serves live and kept ones.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use steno_conversation::{Conversation, Warning};
use steno_vault::private;

use super::{LoadedSession, OnlyKept, implementations, open_live};
use crate::claude_dirs::ClaudeDirs;
use crate::error::{Error, ErrorKind};
use crate::nearest::begins;
use crate::reader::Reader;
use crate::restore::{DAMAGED_GENERATION, Filter, Missing, Options, all, one};
use crate::shelf::{Kept, Shelf, recency};
use crate::workspace::{LOCK, SHOWN, Vault, Workspace};

/// Whether the vault has a session; one that cannot be read has none.
pub(super) fn has(workspace: &Workspace, id: &str) -> bool {
    let is_there = workspace.look().is_ok_and(|vault| vault.is_some());
    is_there
        && Shelf::open(workspace).is_ok_and(|shelf| shelf.index().sessions.iter().any(|kept| kept.id == id))
}

/// Nothing where there is no vault, or nothing of that name in it.
pub(super) fn open(
    workspace: &Workspace,
    name: &str,
    reader: &mut Reader,
) -> Result<Option<LoadedSession>, Error> {
    let Some(RestoredCopy { place, restored, missing, vault }) = bring(workspace, name)? else {
        return Ok(None);
    };
    let mut conversation = open_live(&place.dirs(workspace), &restored.uuid, reader)?;
    if conversation.has_open_plans() {
        settle(workspace, &place, &restored, &mut conversation, reader);
    }
    place.leave(&mut conversation.warnings);
    let is_damaged = !missing.is_empty();
    conversation.warnings.extend(missing);
    let profile = &mut conversation.profile;
    (profile.live, profile.kept, profile.ongoing) = (false, true, false);
    profile.path = Some(restored.from);
    let machine = Some(restored.machine.as_str()).filter(|_| !vault.is_own(&restored.machine));
    let own = vault.other_directory(&restored.machine, workspace.claude_dir().ok());
    let only_kept =
        OnlyKept { is_damaged, machine: machine.map(str::to_owned), claude_dir: own.map(Path::to_owned) };
    Ok(Some(LoadedSession { conversation, only_kept: Some(only_kept), _directory: Some(place) }))
}

/// A kept session whose files lie in a place of their own for the moment.
#[derive(Debug)]
pub(crate) struct RestoredCopy {
    pub(crate) place: TemporaryDir,
    pub(crate) restored: one::Restored,
    /// What is damaged or gone of it.
    pub(crate) missing: Vec<Warning>,
    vault: Vault,
}

/// The same without reading it.
pub(crate) fn bring(workspace: &Workspace, name: &str) -> Result<Option<RestoredCopy>, Error> {
    let Some(vault) = workspace.look()? else { return Ok(None) };
    let place = TemporaryDir::beside(workspace);
    let options = Options { to: Some(place.path.clone()), partial: true, ..Options::default() };
    let mut wish = one::Request { session: name.to_owned(), options, ..one::Request::default() };
    let mut restored = one::run(workspace, &wish);
    if restored.as_ref().is_err_and(|error| error.kind == ErrorKind::Ambiguous) {
        wish.machine = latest_machine(workspace, name);
        restored = if wish.machine.is_some() { one::run(workspace, &wish) } else { restored };
    }
    match restored {
        Ok(report) => {
            let missing = report.missing.iter().map(Missing::warning);
            let generations = report.warnings.into_iter().filter(|one| one.kind == DAMAGED_GENERATION);
            let missing = missing.chain(generations).collect();
            Ok(Some(RestoredCopy { place, restored: report.restored, missing, vault }))
        }
        Err(error) if error.kind == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// A plan may be implemented in another session of the project, whether the client still has that one or not.
fn settle(
    workspace: &Workspace,
    place: &TemporaryDir,
    restored: &one::Restored,
    conversation: &mut Conversation,
    reader: &mut Reader,
) {
    let transcript = Path::new(&restored.to);
    let project =
        transcript.parent().and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
    let filter = Filter { project, machine: Some(restored.machine.clone()), ..Filter::default() };
    let options = Options { to: Some(place.path.clone()), ..Options::default() };
    // Who cannot be put back cannot tell; what is said without them is still true of this session.
    let _ = all::run(workspace, &all::Request { filter, options });
    let Ok(below) = transcript.strip_prefix(&place.path) else { return };
    let live = workspace.dirs.paths.iter().map(|directory| directory.join(below));
    let is_there = |transcript: &PathBuf| transcript.parent().is_some_and(Path::is_dir);
    for transcript in live.filter(is_there).chain([transcript.to_owned()]) {
        let requests = implementations(&transcript, reader, &mut conversation.warnings);
        conversation.settle_plans(&requests);
    }
}

/// Several other machines may keep one session; to read it, nobody has to choose. As in a list, the copy that was
/// written to last counts.
fn latest_machine(workspace: &Workspace, name: &str) -> Option<String> {
    let shelf = Shelf::open(workspace).ok()?;
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
#[derive(Debug)]
pub(crate) struct TemporaryDir {
    path: PathBuf,
    /// Held as long as the directory is in use.
    _lock: Option<File>,
}

impl TemporaryDir {
    /// As if it were a Claude directory.
    pub(crate) fn dirs(&self, workspace: &Workspace) -> ClaudeDirs {
        ClaudeDirs { paths: vec![self.path.clone()], is_default: false, now: workspace.dirs.now }
    }

    /// Nobody can look there later: files are named by where they are in the Claude directory.
    pub(crate) fn leave(&self, warnings: &mut [Warning]) {
        for warning in warnings {
            if let Ok(below) = Path::new(&warning.file).strip_prefix(&self.path) {
                warning.file = below.display().to_string();
            }
        }
    }

    fn beside(workspace: &Workspace) -> Self {
        // One may be open while another one is.
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        workspace.sweep_shown();
        let path = workspace.local().join(format!("{SHOWN}{}-{number}", std::process::id()));
        let _ = private::create_dir_all(&workspace.local());
        let lock = private::create(&path.with_extension(LOCK)).ok().filter(|lock| lock.try_lock().is_ok());
        Self { path, _lock: lock }
    }
}

impl Drop for TemporaryDir {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.path);
        let _ = fs::remove_file(self.path.with_extension(LOCK));
    }
}
