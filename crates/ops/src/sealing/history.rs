//! What git remembers of a vault → gone, unless all of it is sealed as the vault is now.
//!
//! Git keeps what it once recorded or fetched, whether a name leads to it or not. So a repository in which anything can
//! be read without the key is removed as a whole and made anew, which a killed process cannot leave half done.

use std::path::Path;

use steno_vault::encryption::{Encryption, NameKey, Recipients};
use steno_vault::git::Repository;
use steno_vault::{Identity, private};

use crate::error::{Error, ErrorKind};
use crate::workspace::{Vault, Workspace};

/// A history moves here before it is removed: the vault's next writer removes the rest of it.
const FORGOTTEN: &str = ".cache/forgotten";

/// What git has recorded here, if anything.
pub(super) fn history(workspace: &Workspace, vault: &Vault) -> Option<Repository> {
    let repository = repository(workspace, vault)?;
    // Where git does not answer, it may have something.
    repository.has_history().unwrap_or(true).then_some(repository)
}

fn repository(workspace: &Workspace, vault: &Vault) -> Option<Repository> {
    let git = workspace.git().filter(|_| workspace.vault.join(".git").is_dir())?;
    Repository::open_or_init(&git, &workspace.vault, &vault.own_directory()).ok()
}

/// Removes a history with plain files, or with names by a key that was given up. Git keeps the address of the remote.
pub(super) fn forget_others(workspace: &Workspace, vault: &Vault) -> Result<(), Error> {
    let Some(seal) = vault.store.encryption() else { return Ok(()) };
    let aside = workspace.vault.join(FORGOTTEN);
    let failed = |error: std::io::Error| {
        Error::new(ErrorKind::Io, format!("cannot remove what git remembers: {error}"))
            .hint("remove .git from the vault: it remembers files that were not encrypted yet")
    };
    private::remove_all(&aside).map_err(failed)?;
    let git = workspace.vault.join(".git");
    let is_sent_by_git = vault.has_remote() && !vault.has_object_store();
    if git.exists() && !repository(workspace, vault).is_some_and(|git| is_ours(&git, vault, seal)) {
        // At once: half of a history is none that git could do something with.
        set_aside(&git, &aside).map_err(failed)?;
        private::remove_all(&aside).map_err(failed)?;
    }
    let Some((url, git)) = vault.manifest.remote.as_ref().filter(|_| is_sent_by_git).zip(workspace.git())
    else {
        return Ok(());
    };
    Ok(Repository::open_or_init(&git, &workspace.vault, &vault.own_directory())?.set_remote(url)?)
}

fn set_aside(git: &Path, aside: &Path) -> std::io::Result<()> {
    if let Some(above) = aside.parent() {
        private::create_dir_all(above)?;
    }
    steno_vault::rename(git, aside)
}

/// Whether it goes on with the vault as it is sealed now, and nothing in it can be read without the key. One that does
/// not answer is not.
fn is_ours(repository: &Repository, vault: &Vault, seal: &Encryption) -> bool {
    let recorded = repository.read("vault.json").ok().flatten();
    let recorded: Option<Identity> = recorded.and_then(|bytes| serde_json::from_slice(&bytes).ok());
    let is_sealed = recorded.is_some_and(|recorded| {
        let is_by = |names: &NameKey| {
            let recipients = Recipients::parse(&recorded.recipients);
            recipients.is_ok_and(|recipients| super::is_proven(&recorded, names, &recipients))
        };
        is_by(seal.names()) || recorded.id == vault.id() && seal.former().iter().any(is_by)
    });
    is_sealed && repository.readable().is_ok_and(|readable| readable.is_empty())
}
