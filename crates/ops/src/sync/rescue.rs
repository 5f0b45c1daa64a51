//! A file that was set aside, or that is about to be → kept under the path of its place.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use steno_vault::{Candidate, Writer};

use crate::error::Error;
use crate::rescue::Rescue;
use crate::workspace::{Vault, Workspace};
use crate::{aside, purge};

/// Keeps the live files of one Claude directory, and nothing else: no segment that is there goes away, and nothing is
/// sent. Gives the files of which every byte is in the vault now. Of those that `compare` names every byte is
/// compared: their size and time prove nothing.
pub(crate) fn keep_live(
    workspace: &Workspace,
    claude_dir: &Path,
    command: &str,
    compare: &dyn Fn(&Candidate) -> bool,
) -> Result<HashSet<PathBuf>, Error> {
    let (mut vault, mut writer) = begin(workspace, command)?;
    Rescue { workspace, vault: &mut vault, writer: &mut writer, claude_dir }.keep(compare, None)
}

/// Keeps what a file holds that was set aside. In a directory that is not backed up, it can only be held already.
pub(crate) fn keep_aside(
    workspace: &Workspace,
    claude_dir: &Path,
    command: &str,
    (place, file): (&Path, &Path),
) -> Result<bool, Error> {
    let (mut vault, mut writer) = begin(workspace, command)?;
    Rescue { workspace, vault: &mut vault, writer: &mut writer, claude_dir }.keep_aside(place, file)
}

/// Settles what killed processes left in a Claude directory. Gives the files that are still set aside.
pub(crate) fn settle_left(
    workspace: &Workspace,
    claude_dir: &Path,
    command: &str,
) -> Result<Vec<PathBuf>, Error> {
    if !aside::is_left(claude_dir) {
        return Ok(Vec::new());
    }
    let (mut vault, mut writer) = begin(workspace, command)?;
    Rescue { workspace, vault: &mut vault, writer: &mut writer, claude_dir }.settle_left()
}

/// A purge that was killed is finished before anything else is kept.
fn begin(workspace: &Workspace, command: &str) -> Result<(Vault, Writer), Error> {
    let (mut vault, mut writer) = workspace.begin(workspace.open()?, command)?;
    if !vault.manifest.purging.is_empty() {
        purge::finish(workspace, &mut vault, &mut writer)?;
    }
    Ok((vault, writer))
}
