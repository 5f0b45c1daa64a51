//! An address → the store behind it, and the vault in that store, if any.

use steno_vault::git::{Git, Repository, answers as git_answers, remote_vault};
use steno_vault::s3::{Access, Address, ObjectStore, is_object_address};
use steno_vault::{Error as VaultError, Identity, Manifest, Store, private};

use crate::error::{Error, ErrorKind};
use crate::workspace::{Vault, Workspace, mode_of, random_id};

/// The repository for a look at a git host, until it was looked at.
const LOOK: &str = ".cache/look";

/// The object store that a vault is sent to.
pub(crate) fn object_store(
    workspace: &Workspace,
    manifest: &Manifest,
    url: &str,
) -> Result<ObjectStore, Error> {
    let address = Address::parse(url).map_err(|error| {
        Error::new(ErrorKind::Invalid, error.to_string()).hint("an object store is: s3://BUCKET/PREFIX")
    })?;
    let known = workspace.access.clone();
    let access = Access {
        endpoint: manifest.endpoint.clone().or(known.endpoint),
        region: manifest.region.clone().or(known.region),
        ..known
    };
    if access.credentials.is_none() && !access.is_anonymous {
        return Err(unsigned());
    }
    Ok(ObjectStore::open(&address, access)?)
}

fn unsigned() -> Error {
    let message = "there are no credentials for it, neither in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY nor in ~/.aws/credentials";
    Error::new(ErrorKind::Outside, message)
        .hint("scheduled runs do not see a shell's variables: `aws configure` writes ~/.aws/credentials")
        .hint("AWS_PROFILE names another profile than `default`")
}

/// The vault at an address. `None` where there is none, or where the remote cannot be reached now.
pub(crate) fn vault(workspace: &Workspace, vault: &Vault, url: &str) -> Result<Option<Identity>, Error> {
    let read = match is_object_address(url) {
        true => object_store(workspace, &vault.manifest, url)?.read(VAULT),
        false => return vault_in_git(workspace, vault, url),
    };
    match read {
        Ok(bytes) => understood(&bytes).map(Some),
        Err(VaultError::Missing { .. } | VaultError::Offline { .. }) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// What is fetched for a look need not be fetched again, where the vault has no other remote. For an encrypted one it is
/// fetched aside at first: what is readable there must not come into its history.
fn vault_in_git(workspace: &Workspace, vault: &Vault, url: &str) -> Result<Option<Identity>, Error> {
    let Some(git) = workspace.git() else { return Ok(None) };
    let _writer = workspace.writer(vault, "remote")?;
    let repository = Repository::open_or_init(&git, &workspace.vault, &vault.own_directory())?;
    let standing = repository.remote()?;
    let is_known = standing.as_deref() == Some(url) && repository.has_met_remote()?;
    let is_alone = standing.is_none() || standing.as_deref() == Some(url);
    let read = if is_known || is_alone && !vault.store.is_encrypted() {
        repository.set_remote(url)?;
        let read = repository.remote_vault();
        if standing.is_none() && !matches!(read, Ok(Some(_))) {
            repository.remove_remote()?;
        }
        read.ok().flatten()
    } else {
        look(workspace, &git, url)
    };
    // A remote that says no tells why when something is sent there.
    read.map(|bytes| understood(&bytes)).transpose()
}

/// The `vault.json` of a git remote as it is now; `None` where there is none, or the remote cannot be reached. The caller
/// holds the vault's lock.
pub(crate) fn look(workspace: &Workspace, git: &Git, url: &str) -> Option<Vec<u8>> {
    let place = workspace.vault.join(LOOK);
    let read = remote_vault(git, &place, url).ok().flatten();
    // What stays is removed by the vault's next writer.
    let _ = private::remove_all(&place);
    read
}

/// An error where the remote does not answer, or does not let us in. Nothing of it stays here.
pub(crate) fn answers(
    workspace: &Workspace,
    vault: &Vault,
    manifest: &Manifest,
    url: &str,
) -> Result<(), Error> {
    if is_object_address(url) {
        return match object_store(workspace, manifest, url)?.read(VAULT) {
            Ok(_) | Err(VaultError::Missing { .. }) => Ok(()),
            Err(error) => Err(error.into()),
        };
    }
    let Some(git) = workspace.git() else { return Ok(()) };
    let _writer = workspace.writer(vault, "remote")?;
    let place = workspace.vault.join(LOOK);
    let answered = git_answers(&git, &place, url);
    let _ = private::remove_all(&place);
    Ok(answered?)
}

/// After a look that nothing came of, git knows no place that the vault is not sent to.
pub(crate) fn forget(workspace: &Workspace, vault: &Vault, url: &str) {
    let is_sent_by_git = vault.has_remote() && !vault.has_object_store();
    let git = workspace.git().filter(|_| !is_sent_by_git && workspace.vault.join(".git").is_dir());
    let Some((git, _writer)) = git.zip(workspace.writer(vault, "remote").ok()) else { return };
    // Should git fail, naming another place removes it.
    let _ = Repository::open_or_init(&git, &workspace.vault, &vault.own_directory()).and_then(|repository| {
        if repository.remote()?.as_deref() == Some(url) { repository.remove_remote() } else { Ok(()) }
    });
}

/// What the manifest says of where the vault is sent.
pub(crate) fn point(manifest: &mut Manifest, url: &str) {
    if manifest.remote.as_deref() != Some(url) {
        (manifest.cleared, manifest.vouched, manifest.compared) = (None, None, None);
    }
    if is_object_address(url) {
        manifest.installation.get_or_insert_with(random_id);
    }
    mode_of(url).clone_into(&mut manifest.mode);
    manifest.remote = Some(url.to_owned());
}

const VAULT: &str = "vault.json";

fn understood(bytes: &[u8]) -> Result<Identity, Error> {
    let identity: Result<Identity, _> = serde_json::from_slice(bytes);
    match identity {
        Ok(identity) if identity.is_newer() => {
            let message = "the vault there was made by a newer version";
            Err(Error::new(ErrorKind::Incompatible, message).hint("install the newest version here"))
        }
        Ok(identity) => Ok(identity),
        Err(_) => Err(Error::new(ErrorKind::Damaged, "the vault.json there cannot be understood")),
    }
}
