//! The user's secret key, as a file: made once, and never written over.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use steno_vault::encryption::{Keyring, NewKey, Passphrase, is_protected, protect};
use steno_vault::private;

use super::Keys;
use crate::error::{Error, ErrorKind};
use crate::workspace::Workspace;

/// Where the key is, or belongs.
pub(crate) fn place(keys: &Keys) -> Result<&Path, Error> {
    keys.identity.as_deref().ok_or_else(|| {
        Error::new(ErrorKind::Invalid, "there is no home directory to keep a key in")
            .hint("--identity FILE says where it belongs")
    })
}

/// A new key, in a file that only its owner reads. Gives its public half.
pub(crate) fn make(workspace: &Workspace, is_protected: bool) -> Result<String, Error> {
    let (keys, now) = (&workspace.keys, workspace.dirs.now);
    let path = place(keys)?;
    check_outside(workspace, path)?;
    let key = NewKey::generate(now);
    let bytes = match is_protected {
        true => protect(key.text(), new_passphrase(keys.passphrase.as_ref(), path)?)?,
        false => key.text().as_bytes().to_vec(),
    };
    write_new(path, &bytes)?;
    Ok(key.recipient().to_owned())
}

/// The key must not be inside the vault: it would be copied and sent with it.
pub(crate) fn check_outside(workspace: &Workspace, path: &Path) -> Result<(), Error> {
    let real = |path: &Path| {
        let there = path.ancestors().find_map(|above| Some((above, above.canonicalize().ok()?)));
        there.and_then(|(above, real)| Some(real.join(path.strip_prefix(above).ok()?)))
    };
    let vault = real(&workspace.vault).unwrap_or_else(|| workspace.vault.clone());
    if path.starts_with(&workspace.vault) || real(path).is_some_and(|path| path.starts_with(vault)) {
        let message = format!("{} is inside the vault that it opens", path.display());
        return Err(Error::new(ErrorKind::Invalid, message).hint("name a place outside of it"));
    }
    Ok(())
}

fn new_passphrase(passphrase: &dyn Passphrase, path: &Path) -> Result<String, Error> {
    let asked = passphrase.ask_new(&path.display().to_string());
    asked.filter(|text| !text.is_empty()).ok_or_else(|| {
        Error::new(ErrorKind::Locked, "a passphrase is needed to protect the key, and nobody gave one")
            .hint("run it in a terminal, or set STENO_PASSPHRASE")
    })
}

/// Durable before anything is sealed with it: a lost key is a lost vault.
pub(crate) fn write_new(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let failed = |error: io::Error| match error.kind() {
        io::ErrorKind::AlreadyExists => {
            Error::new(ErrorKind::Exists, format!("{} is there already", path.display()))
                .hint("a key is never written over; --identity FILE names another place")
        }
        _ => Error::new(ErrorKind::Io, format!("cannot write {}: {error}", path.display())),
    };
    let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    if let Some(directory) = directory {
        private::create_dir_all(directory).map_err(failed)?;
    }
    steno_vault::fault::point();
    let written = private::create(path).and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync_all()
    });
    written.map_err(failed)?;
    directory.map_or(Ok(()), private::flush_directory).map_err(failed)
}

/// Copies the key to another place. A file that is there already has to hold the same key.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>, Error> {
    fs::read(path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => {
            Error::new(ErrorKind::NotFound, format!("there is no key in {}", path.display()))
                .hint("`steno init --encrypt` makes one; --identity FILE names another place")
        }
        _ => Error::unreadable(PathBuf::from(path), error),
    })
}

/// Appends another key to the file. A file under a passphrase cannot be appended to.
pub(crate) fn append(keys: &Keys, new: &[u8], recipients: &[String]) -> Result<(), Error> {
    let path = place(keys)?;
    let standing = read(path)?;
    if standing == new {
        return Ok(());
    }
    let known = self::recipients(&keys.ring())?;
    if !recipients.is_empty() && recipients.iter().all(|key| known.contains(key)) {
        return Ok(());
    }
    let is_list = |bytes: &[u8]| !is_protected(bytes) && !bytes.starts_with(b"-----BEGIN");
    if !is_list(&standing) || !is_list(new) {
        let message = format!("{} holds another key already", path.display());
        return Err(Error::new(ErrorKind::Exists, message)
            .hint("--identity FILE names the other one where it is needed"));
    }
    let all = [standing.trim_ascii_end(), b"\n", new.trim_ascii_end(), b"\n"].concat();
    private::replace(path, &all)
        .map_err(|error| Error::new(ErrorKind::Io, format!("cannot write {}: {error}", path.display())))
}

/// The public halves of all keys that are there.
pub(crate) fn recipients(keyring: &Keyring) -> Result<Vec<String>, Error> {
    let keys = keyring.keys()?;
    Ok(keys.iter().filter_map(|key| key.recipient().map(str::to_owned)).collect())
}
