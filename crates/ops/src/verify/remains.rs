//! An encrypted vault → what in it can be read without the key: left by a process that was killed, by an older version, or
//! put there by somebody else.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use steno_conversation::Warning;
use steno_vault::encryption::{begins_encrypted, is_object, stays_plain};
use steno_vault::git::Repository;

use crate::error::Error;
use crate::workspace::{Vault, Workspace};
use crate::{sealing, warning};

/// What such warnings are called.
const READABLE: &str = "readable";
/// What a vault has beside its objects, and tells nothing.
const OWN: [&str; 3] = ["exchange.json", ".lock", ".cache/holder"];
/// Its names are those of objects.
const SENT: &str = ".cache/sent/";
/// On its way to a name, also by another process just now.
const TEMPORARY: &str = ".cache/new/";
const GIT: &str = ".git";
/// Repositories that the next writer removes. What they are is no secret, but their objects may be.
const PASSING: [&str; 2] = [".cache/look/", ".cache/forgotten/"];

/// Nothing for a plain vault. Needs no key.
pub(super) fn of(workspace: &Workspace) -> Result<Vec<Warning>, Error> {
    let vault = workspace.look_closed()?;
    Ok(vault.filter(sealing::is_stated).map(|vault| look(workspace, &vault)).unwrap_or_default())
}

fn look(workspace: &Workspace, vault: &Vault) -> Vec<Warning> {
    let root = workspace.vault.as_path();
    let mut found = Vec::new();
    collect(root, Path::new(""), &mut found);
    found.sort();
    let files = found.iter().map(|name| {
        let message =
            "it can be read without the key; `steno verify --repair` encrypts or removes it, unless an \
            encrypted file of its name holds something else"
                .to_owned();
        warning::at(&root.join(name), READABLE, message)
    });
    files.chain(in_history(workspace, vault)).chain(sealing::pending(workspace, vault)).collect()
}

/// Encrypts or removes it: as if the vault had just become encrypted. The same again where that is not possible.
pub(super) fn clear(workspace: &Workspace) -> Result<(), Error> {
    workspace.restate(|manifest| manifest.sealing = true)?;
    workspace.adopt(workspace.open()?).map(drop)
}

fn collect(root: &Path, below: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(root.join(below)).into_iter().flatten().flatten() {
        let name = below.join(entry.file_name());
        if name == Path::new(GIT) {
            continue;
        }
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => collect(root, &name, found),
            Ok(kind) if kind.is_file() && !is_closed(root, &name) => found.push(name),
            _ => {}
        }
    }
}

fn is_closed(root: &Path, name: &Path) -> bool {
    let text = name.to_string_lossy().replace(std::path::MAIN_SEPARATOR, "/");
    let document = unfinished(&text).unwrap_or(&text);
    if stays_plain(document) || OWN.contains(&document) || text.starts_with(SENT) {
        return true;
    }
    if let Some(inner) = PASSING.iter().find_map(|place| text.strip_prefix(place)) {
        return !inner.starts_with("objects/");
    }
    // One that is damaged is told of as such.
    is_object(&text) || text.starts_with(TEMPORARY) && begins_encrypted(&head(&root.join(name)))
}

/// The document that a file is the new version of: a killed process may have left one.
fn unfinished(name: &str) -> Option<&str> {
    let (process, document) = name.strip_prefix(".steno-")?.split_once('-')?;
    process.bytes().all(|byte| byte.is_ascii_digit()).then_some(document)
}

fn head(path: &Path) -> Vec<u8> {
    let mut head = Vec::new();
    let _ = fs::File::open(path).and_then(|file| file.take(64).read_to_end(&mut head));
    head
}

/// Git may hold what nothing in the directory tells of any more.
fn in_history(workspace: &Workspace, vault: &Vault) -> Option<Warning> {
    let place = workspace.vault.join(GIT);
    let git = workspace.git().filter(|_| place.is_dir())?;
    let repository = Repository::look(&git, &workspace.vault, &vault.own_directory());
    let message = match repository.and_then(|repository| repository.readable()) {
        Ok(readable) if readable.is_empty() => return None,
        Ok(readable) => {
            let first = readable.first().map(ToString::to_string).unwrap_or_default();
            format!(
                "{} of the objects in it can be read without the key ({first} …); `steno verify --repair` removes them",
                readable.len()
            )
        }
        Err(error) => format!("it cannot be told whether it holds what was not encrypted: {error}"),
    };
    Some(warning::at(&place, READABLE, message))
}
