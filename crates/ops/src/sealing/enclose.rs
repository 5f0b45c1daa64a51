//! A plain vault → an encrypted one; an encrypted one → one for other recipients, or with the names of another vault.

use std::path::Path;
use std::sync::Arc;

use steno_vault::encryption::{Encryption, NameKey};
use steno_vault::git::Repository;
use steno_vault::object_sync;
use steno_vault::{Reencrypted, VaultStore, Writer, reencrypt};

use super::history::{forget_others, history};
use super::{key_file, pin, recipient, store};
use crate::error::{Error, ErrorKind};
use crate::workspace::{Vault, Workspace};
use crate::{heal, remote_vault, warning};

/// For whom a vault is to be encrypted.
#[derive(Debug, Clone, Default)]
pub struct Wish {
    /// Public keys, or files with such; the user's own key, where none is named.
    pub recipients: Vec<String>,
    /// A key that is made is put under a passphrase.
    pub protect: bool,
}

/// What became of it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Enclosed {
    /// A key was made, and is here and nowhere else.
    pub(crate) made_key: bool,
}

impl Enclosed {
    /// An error after a key was made mentions the key: nothing else does.
    pub(crate) fn told(&self, workspace: &Workspace, error: Error) -> Error {
        match workspace.keys.identity.as_ref().filter(|_| self.made_key) {
            Some(path) => {
                let place = path.display();
                error.hint(format!("a key was made for the vault, {place}: keep a copy in a safe place"))
            }
            None => error,
        }
    }
}

/// Nothing is done to a vault that is encrypted already. `target` is where it is sent from then on, if anywhere else
/// than until now.
pub(crate) fn enclose(
    workspace: &Workspace,
    vault: &mut Vault,
    wish: &Wish,
    target: Option<&str>,
) -> Result<Enclosed, Error> {
    if vault.store.is_encrypted() {
        return already(vault, wish);
    }
    // The lock first: a process that finds it taken must not leave a key behind.
    let writer = workspace.writer(vault, "encrypt")?;
    let mut made_key = false;
    let mut named = wish.recipients.clone();
    if named.is_empty() {
        let keyring = workspace.keys.ring();
        key_file::check_outside(workspace, key_file::place(&workspace.keys)?)?;
        made_key = !keyring.is_there();
        named = match made_key {
            true => vec![key_file::make(workspace, wish.protect)?],
            false => key_file::recipients(&keyring)?,
        };
    }
    let seal = Encryption::new(recipient::recipients(&named)?, NameKey::random(), workspace.keys.ring());
    check_opens(&seal)?;
    let enclosed = Enclosed { made_key };
    let conversion = Conversion { seal: Arc::new(seal), target };
    convert_by(workspace, vault, conversion, writer).map_err(|error| enclosed.told(workspace, error))?;
    Ok(enclosed)
}

/// A sync has to read the vault when its cache is lost, so one of the recipients has to have its key here.
fn check_opens(seal: &Encryption) -> Result<(), Error> {
    let object = seal.object_of("vault");
    match seal.is_whole(&object, &seal.encrypt("vault", b"vault")?) {
        Some(true) => Ok(()),
        _ => Err(Error::new(ErrorKind::Locked, "no key that is here would open the vault")
            .hint("--identity FILE names the secret key of one of the recipients")
            .hint("`steno init --encrypt` makes a key of this machine's own; `steno key add RECIPIENT` lets others in")),
    }
}

fn already(vault: &Vault, wish: &Wish) -> Result<Enclosed, Error> {
    let wanted = recipient::recipients(&wish.recipients)?;
    let known = vault.store.encryption().map(|seal| seal.recipients().clone()).unwrap_or_default();
    match wanted.texts().find(|text| !known.contains(text)) {
        None => Ok(Enclosed::default()),
        Some(new) => {
            let message = format!("the vault is encrypted already, and not for {new}");
            Err(Error::new(ErrorKind::Invalid, message).hint("`steno key add RECIPIENT` lets somebody in"))
        }
    }
}

/// What a vault becomes.
pub(crate) struct Conversion<'a> {
    pub(crate) seal: Arc<Encryption>,
    /// The remote from then on. It is recorded, so that a conversion that was killed and goes on sends nothing elsewhere.
    pub(crate) target: Option<&'a str>,
}

/// Encrypts everything that is kept. Git's older history goes, or it would be sent along.
pub(crate) fn convert(
    workspace: &Workspace,
    vault: &mut Vault,
    conversion: Conversion<'_>,
) -> Result<(), Error> {
    let writer = workspace.writer(vault, "encrypt")?;
    convert_by(workspace, vault, conversion, writer)
}

fn convert_by(
    workspace: &Workspace,
    vault: &mut Vault,
    Conversion { seal, target }: Conversion<'_>,
    mut writer: Writer,
) -> Result<(), Error> {
    let repository = history(workspace, vault).filter(|_| vault.has_remote() && !vault.has_object_store());
    // What is gone from the disk, and still in git, goes with git.
    if let Some(repository) = &repository {
        heal::heal(repository, &mut writer, vault)?;
    }
    let from = vault.store.clone();
    let theirs = seal.former().to_vec();
    let seal = Arc::new(succeeding(&seal, from.encryption()));
    pin(vault, &seal)?;
    if let Some(url) = target {
        remote_vault::point(&mut vault.manifest, url);
    }
    // From here on the vault counts as encrypted, and the next command that writes finishes this.
    vault.manifest.sealing = true;
    vault.manifest.write(&workspace.vault)?;
    if let Some(identity) = &vault.identity {
        identity.write(&workspace.vault)?;
    }
    vault.store = store(workspace, Some(seal), vault.slug());
    seal_all(workspace, &from, vault, &|_, _| true)?;
    forget_plain(workspace, vault)?;
    // A file that waits for a key can only be found by its old name.
    if from.waiting() == 0 {
        vault.manifest.former_name_keys = theirs.iter().map(NameKey::to_hex).collect();
    }
    vault.manifest.sealing = false;
    vault.manifest.write(&workspace.vault)?;
    workspace.settle(vault);
    drop(writer);
    Ok(())
}

/// The seal that takes the place of another: what has a name by the old one opens still.
pub(super) fn succeeding(new: &Encryption, old: Option<&Encryption>) -> Encryption {
    let mut former = new.former().to_vec();
    for key in old.into_iter().flat_map(|old| std::iter::once(old.names()).chain(old.former())) {
        if key != new.names() && !former.contains(key) {
            former.push(key.clone());
        }
    }
    Encryption::new(new.recipients().clone(), new.names().clone(), new.keyring().clone()).after(former)
}

fn seal_all(
    workspace: &Workspace,
    from: &VaultStore,
    vault: &mut Vault,
    is_wanted: &dyn Fn(&str, bool) -> bool,
) -> Result<u64, Error> {
    let progress = workspace.progress.as_ref();
    progress.begin("Encrypting", 0);
    let sealed = reencrypt(from, &vault.store, is_wanted, &|bytes| progress.advance(bytes));
    progress.end();
    let Reencrypted { files, differing } = sealed?;
    for name in differing {
        let message =
            "it is plain, and an encrypted file of that name holds something else; it stays, and is not sent"
                .to_owned();
        vault.warnings.push(warning::at(Path::new(&name), "differing", message));
    }
    Ok(files)
}

/// Removes what else a plain vault leaves: names of directories, caches, and git's objects.
fn forget_plain(workspace: &Workspace, vault: &Vault) -> Result<(), Error> {
    vault.store.files().remove_empty("machines")?;
    object_sync::forget_plain(&workspace.vault)?;
    workspace.clear_inside()?;
    forget_others(workspace, vault)
}

/// Encrypts what a killed run left plain, and again what this machine encrypted for other recipients. Without a key only
/// plain files can be read, and the rest waits for one. The caller holds the vault's lock.
pub(crate) fn finish(workspace: &Workspace, vault: &mut Vault, writer: &mut Writer) -> Result<u64, Error> {
    if !vault.manifest.sealing {
        return Ok(0);
    }
    let files = match seal_rest(workspace, vault) {
        // Without a key that fits.
        Err(error) if error.kind == ErrorKind::Locked => seal_plain(workspace, vault)?,
        files => files?,
    };
    writer.refresh()?;
    Ok(files)
}

fn seal_plain(workspace: &Workspace, vault: &mut Vault) -> Result<u64, Error> {
    let plain = seal_all(workspace, &vault.store.clone(), vault, &|_, is_plain| is_plain);
    // The next push must not take plain files along.
    forget_plain(workspace, vault)?;
    match plain {
        Err(error) if error.kind == ErrorKind::Locked => Ok(0),
        files => files,
    }
}

/// What other machines have named by a former key is theirs to name anew.
pub(super) fn seal_rest(workspace: &Workspace, vault: &mut Vault) -> Result<u64, Error> {
    let Some(seal) = vault.store.encryption() else { return Ok(0) };
    seal.keyring().keys()?;
    let is_renamed = !seal.former().is_empty();
    if vault.has_object_store() {
        object_sync::record_reencryption(&workspace.vault)?;
    }
    let own = format!("machines/{}/", vault.slug());
    let is_older = |name: &str| is_renamed && !name.starts_with("machines/");
    let is_wanted = |name: &str, is_plain: bool| is_plain || name.starts_with(&own) || is_older(name);
    let files = seal_all(workspace, &vault.store.clone(), vault, &is_wanted)?;
    forget_plain(workspace, vault)?;
    record(workspace, vault)?;
    vault.manifest.sealing = false;
    vault.manifest.write(&workspace.vault)?;
    Ok(files)
}

/// What git knows of a file counts, unless git learns at once that it is another one now.
fn record(workspace: &Workspace, vault: &Vault) -> Result<(), Error> {
    let git = workspace.git().filter(|_| vault.has_remote() && !vault.has_object_store());
    let Some(git) = git.filter(|_| workspace.vault.join(".git").exists()) else { return Ok(()) };
    let repository = Repository::open_or_init(&git, &workspace.vault, &vault.own_directory())?;
    let repository = repository.leaving_behind(vault.directories_left());
    let paths = [format!("machines/{}", vault.own_directory()), "vault.json".to_owned()];
    repository.record(&paths, "Encrypt for other recipients", workspace.dirs.now)?;
    Ok(())
}
