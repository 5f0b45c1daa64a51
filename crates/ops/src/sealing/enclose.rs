//! A plain vault → an encrypted one; an encrypted one → one for other recipients, or with the names of another vault.

use std::path::Path;
use std::sync::Arc;

use steno_vault::encryption::{Encryption, NameKey};
use steno_vault::exchange;
use steno_vault::git::Repository;
use steno_vault::{Reencrypted, VaultStore, Writer, reencrypt};

use super::history::{forget_others, history};
use super::{chest, key_file, pin, recipient};
use crate::custody::{Custody, Opened};
use crate::error::{Error, ErrorKind};
use crate::{remote, sync, warning};

/// What whoever wants a vault encrypted says about the key.
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
    /// Whoever fails after a key was made says so: nobody else knows of it.
    pub(crate) fn told(&self, custody: &Custody, error: Error) -> Error {
        match custody.keys.identity.as_ref().filter(|_| self.made_key) {
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
    custody: &Custody,
    opened: &mut Opened,
    wish: &Wish,
    target: Option<&str>,
) -> Result<Enclosed, Error> {
    if opened.chest.is_encrypted() {
        return already(opened, wish);
    }
    // First: who has to come back later leaves no key behind.
    let writer = custody.writer(opened, "encrypt")?;
    let mut made_key = false;
    let mut named = wish.recipients.clone();
    if named.is_empty() {
        let keyring = custody.keys.ring();
        key_file::check_outside(custody, key_file::place(&custody.keys)?)?;
        made_key = !keyring.is_there();
        named = match made_key {
            true => vec![key_file::make(custody, wish.protect)?],
            false => key_file::recipients(&keyring)?,
        };
    }
    let seal = Encryption::new(recipient::recipients(&named)?, NameKey::random(), custody.keys.ring());
    check_opens(&seal)?;
    let enclosed = Enclosed { made_key };
    let conversion = Conversion { seal: Arc::new(seal), target };
    convert_by(custody, opened, conversion, writer).map_err(|error| enclosed.told(custody, error))?;
    Ok(enclosed)
}

/// Every sync has to read what is kept here, whenever what is remembered of it is lost.
fn check_opens(seal: &Encryption) -> Result<(), Error> {
    let object = seal.object_of("vault");
    match seal.is_whole(&object, &seal.encrypt("vault", b"vault")?) {
        Some(true) => Ok(()),
        _ => Err(Error::new(ErrorKind::Locked, "no key that is here would open the vault")
            .hint("--identity FILE names the secret key of one of the recipients")
            .hint("`steno init --encrypt` makes a key of this machine's own; `steno key add RECIPIENT` lets others in")),
    }
}

fn already(opened: &Opened, wish: &Wish) -> Result<Enclosed, Error> {
    let wanted = recipient::recipients(&wish.recipients)?;
    let known = opened.chest.encryption().map(|seal| seal.recipients().clone()).unwrap_or_default();
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
    /// Where it is sent from then on: whoever goes on with a conversion that was killed must not send it elsewhere.
    pub(crate) target: Option<&'a str>,
}

/// Everything that is kept is sealed anew. What git remembers of before goes, or it would be sent along.
pub(crate) fn convert(
    custody: &Custody,
    opened: &mut Opened,
    conversion: Conversion<'_>,
) -> Result<(), Error> {
    let writer = custody.writer(opened, "encrypt")?;
    convert_by(custody, opened, conversion, writer)
}

fn convert_by(
    custody: &Custody,
    opened: &mut Opened,
    Conversion { seal, target }: Conversion<'_>,
    mut writer: Writer,
) -> Result<(), Error> {
    let repository = history(custody, opened).filter(|_| opened.has_remote() && !opened.has_depot());
    // What is gone from the disk, and still in git, goes with git.
    if let Some(repository) = &repository {
        sync::heal(repository, &mut writer, opened)?;
    }
    let from = opened.chest.clone();
    let theirs = seal.former().to_vec();
    let seal = Arc::new(succeeding(&seal, from.encryption()));
    pin(opened, &seal)?;
    if let Some(url) = target {
        remote::point(&mut opened.manifest, url);
    }
    // From here on it is not plain any more: whoever writes next goes on.
    opened.manifest.sealing = true;
    opened.manifest.write(&custody.vault)?;
    if let Some(identity) = &opened.identity {
        identity.write(&custody.vault)?;
    }
    opened.chest = chest(custody, Some(seal), opened.slug());
    seal_all(custody, &from, opened, &|_, _| true)?;
    forget_plain(custody, opened)?;
    // What waits for a key can only be found by its old name.
    if from.waiting() == 0 {
        opened.manifest.former_name_keys = theirs.iter().map(NameKey::to_hex).collect();
    }
    opened.manifest.sealing = false;
    opened.manifest.write(&custody.vault)?;
    custody.settle(opened);
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
    custody: &Custody,
    from: &VaultStore,
    opened: &mut Opened,
    is_wanted: &dyn Fn(&str, bool) -> bool,
) -> Result<u64, Error> {
    let progress = custody.progress.as_ref();
    progress.begin("Encrypting", 0);
    let sealed = reencrypt(from, &opened.chest, is_wanted, &|bytes| progress.advance(bytes));
    progress.end();
    let Reencrypted { files, differing } = sealed?;
    for name in differing {
        let message =
            "it is plain, and an encrypted file of that name holds something else; it stays, and is not sent"
                .to_owned();
        opened.warnings.push(warning::at(Path::new(&name), "differing", message));
    }
    Ok(files)
}

/// What is left of a plain vault beside its files: names, and whatever git remembers.
fn forget_plain(custody: &Custody, opened: &Opened) -> Result<(), Error> {
    opened.chest.files().remove_empty("machines")?;
    exchange::forget_plain(&custody.vault)?;
    custody.clear_inside()?;
    forget_others(custody, opened)
}

/// What a killed run has not sealed yet, and what this machine sealed for others than it should. Without a key only
/// what is plain can be read, and the rest waits for one. The caller holds the vault's lock.
pub(crate) fn finish(custody: &Custody, opened: &mut Opened, writer: &mut Writer) -> Result<u64, Error> {
    if !opened.manifest.sealing {
        return Ok(0);
    }
    let files = match seal_rest(custody, opened) {
        // Without a key that fits.
        Err(error) if error.kind == ErrorKind::Locked => seal_plain(custody, opened)?,
        files => files?,
    };
    writer.refresh()?;
    Ok(files)
}

fn seal_plain(custody: &Custody, opened: &mut Opened) -> Result<u64, Error> {
    let plain = seal_all(custody, &opened.chest.clone(), opened, &|_, is_plain| is_plain);
    // What is sent next must not take along what was not encrypted.
    forget_plain(custody, opened)?;
    match plain {
        Err(error) if error.kind == ErrorKind::Locked => Ok(0),
        files => files,
    }
}

/// What other machines have named by a former key is theirs to name anew.
pub(super) fn seal_rest(custody: &Custody, opened: &mut Opened) -> Result<u64, Error> {
    let Some(seal) = opened.chest.encryption() else { return Ok(0) };
    seal.keyring().keys()?;
    let is_renamed = !seal.former().is_empty();
    if opened.has_depot() {
        exchange::renew(&custody.vault)?;
    }
    let own = format!("machines/{}/", opened.slug());
    let is_older = |name: &str| is_renamed && !name.starts_with("machines/");
    let is_wanted = |name: &str, is_plain: bool| is_plain || name.starts_with(&own) || is_older(name);
    let files = seal_all(custody, &opened.chest.clone(), opened, &is_wanted)?;
    forget_plain(custody, opened)?;
    record(custody, opened)?;
    opened.manifest.sealing = false;
    opened.manifest.write(&custody.vault)?;
    Ok(files)
}

/// What git knows of a file counts, unless git learns at once that it is another one now.
fn record(custody: &Custody, opened: &Opened) -> Result<(), Error> {
    let git = custody.git().filter(|_| opened.has_remote() && !opened.has_depot());
    let Some(git) = git.filter(|_| custody.vault.join(".git").exists()) else { return Ok(()) };
    let repository = Repository::open_or_init(&git, &custody.vault, &opened.own_directory())?;
    let repository = repository.leaving_behind(opened.directories_left());
    let paths = [format!("machines/{}", opened.own_directory()), "vault.json".to_owned()];
    repository.record(&paths, "Encrypt for other recipients", custody.library.now)?;
    Ok(())
}
