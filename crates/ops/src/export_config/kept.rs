//! The copies of a machine's configuration in the vault → what goes into an archive.
//!
//! Sessions come back by `restore`; a configuration comes back as an archive, which is looked at before it is let in.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};

use steno_conversation::Warning;
use steno_vault::{Entry, Store, VaultStore, archive, path_of};

use super::{Plan, check_target, left_out, name_of, take};
use crate::error::{Error, ErrorKind};
use crate::import_config::is_config;
use crate::kept::is_machine;
use crate::machine::machines;
use crate::status::OLD_CONFIG;
use crate::sync::executables;
use crate::workspace::{Vault, Workspace};

/// The copies of one machine: their names below the Claude directory as the vault writes them, and as they are kept.
type Copies = BTreeMap<String, Entry>;

pub(super) fn plan(workspace: &Workspace, path: &Path, named: Option<&str>) -> Result<Plan, Error> {
    check_target(path)?;
    let vault = workspace.open()?;
    if let Some(seal) = vault.store.encryption() {
        seal.keyring().keys()?;
    }
    let held = held(&vault)?;
    let (machine, copies) = choose(workspace, &vault, &held, named)?;
    let mut warnings = vault.warnings.clone();
    let files = gather(&vault.store, machine, copies, &mut warnings);
    if files.is_empty() {
        return Err(nothing());
    }
    warnings.extend(others(&held, machine).filter(|_| named.is_none()));
    Ok(Plan { path: path.to_owned(), files, warnings, machine: Some(machine.to_owned()) })
}

/// What to try where the Claude directory has no configuration, and the vault has.
pub(super) fn hint(workspace: &Workspace) -> Option<String> {
    let vault = workspace.look().ok()??;
    let held = held(&vault).ok()?;
    let (named, files) = match choose(workspace, &vault, &held, None) {
        Ok((_, copies)) => ("", copies.len()),
        Err(error) if error.kind == ErrorKind::Ambiguous => {
            (" --machine NAME", held.values().map(BTreeMap::len).sum())
        }
        Err(_) => return None,
    };
    let flags = workspace.flags();
    let (noun, them) = if files == 1 { ("file", "it") } else { ("files", "them") };
    Some(format!(
        "the vault holds {files} config {noun}: `steno export-config --kept{named}{flags}` packs {them}"
    ))
}

/// Whether the vault holds a file of the configuration that the Claude directory does not.
pub fn is_missed(workspace: &Workspace, named: Option<&str>) -> bool {
    let missed = || {
        let vault = workspace.look().ok()??;
        let held = held(&vault).ok()?;
        let (_, copies) = choose(workspace, &vault, &held, named).ok()?;
        let directory = workspace.claude_dir().ok()?;
        let mut paths = copies.keys().filter_map(|name| config_path(name));
        Some(paths.any(|path| !directory.join(path).exists()))
    };
    missed().unwrap_or(false)
}

/// The copies of every machine that has any.
fn held(vault: &Vault) -> Result<BTreeMap<String, Copies>, Error> {
    let store = &vault.store;
    let owner = vault.identity.as_ref().and_then(|identity| identity.original.clone());
    let owner = owner.unwrap_or_else(|| vault.slug().to_owned());
    let places = machines(&vault.store)?.into_iter();
    let places = places.map(|machine| (format!("machines/{machine}/config"), machine));
    let mut held: BTreeMap<String, Copies> = BTreeMap::new();
    for (place, machine) in places.chain([(OLD_CONFIG.to_owned(), owner)]) {
        for entry in store.list(&place)? {
            let Some(name) = below(&entry.name, &place) else { continue };
            let copies = held.entry(machine.clone()).or_default();
            copies.entry(name).or_insert(entry);
        }
    }
    Ok(held)
}

fn below(name: &str, place: &str) -> Option<String> {
    name.strip_prefix(place).and_then(|rest| rest.strip_prefix('/')).map(str::to_owned)
}

/// The one that was asked for, else this one, else the only one there is.
fn choose<'a>(
    workspace: &Workspace,
    vault: &'a Vault,
    held: &'a BTreeMap<String, Copies>,
    named: Option<&str>,
) -> Result<(&'a str, &'a Copies), Error> {
    let home = workspace.claude_dir().ok().and_then(|directory| crate::home::known(vault, directory));
    let exact = named.or(home).unwrap_or_else(|| vault.slug());
    let is_meant = |machine: &str| named.is_none_or(|named| is_machine(machine, named));
    let meant = held.iter().map(|(machine, copies)| (machine.as_str(), copies));
    let meant: Vec<(&str, &Copies)> = meant.filter(|(machine, _)| is_meant(machine)).collect();
    match (meant.iter().find(|(machine, _)| *machine == exact), meant.as_slice(), named) {
        (Some(one), ..) | (None, [one], _) => Ok(*one),
        (None, [], Some(named)) if !held.is_empty() => {
            let message = format!("the vault holds no configuration of a machine '{named}'");
            let known: Vec<&str> = held.keys().map(String::as_str).collect();
            Err(Error::new(ErrorKind::NotFound, message)
                .hint(format!("it holds that of {}", known.join(", "))))
        }
        (None, [], _) => Err(nothing()),
        (None, several, _) => {
            let message = format!("the vault holds the configuration of {} machines", several.len());
            let hints = several.iter().map(|(machine, _)| format!("say which one: --machine {machine}"));
            Err(hints.fold(Error::new(ErrorKind::Ambiguous, message), Error::hint))
        }
    }
}

fn nothing() -> Error {
    Error::new(ErrorKind::NotFound, "the vault holds no configuration yet").hint("`steno sync` keeps it")
}

fn others(held: &BTreeMap<String, Copies>, machine: &str) -> impl Iterator<Item = Warning> {
    let others: Vec<&str> = held.keys().map(String::as_str).filter(|other| *other != machine).collect();
    let message = format!("only what {machine} kept was packed; --machine names the others");
    let about = Warning { file: others.join(", "), line: None, kind: "other-machines".to_owned(), message };
    (!others.is_empty()).then_some(about).into_iter()
}

fn config_path(name: &str) -> Option<PathBuf> {
    path_of(name).filter(|path| name_of(path).is_none_or(|name| is_config(&name)))
}

/// A vault is filled by other machines, too: what no import would take is left out.
fn gather(
    store: &VaultStore,
    machine: &str,
    copies: &Copies,
    warnings: &mut Vec<Warning>,
) -> Vec<(String, archive::Origin)> {
    let executables = executables_of(store, machine);
    let mut names = archive::Names::default();
    let mut files = Vec::new();
    for (name, copy) in copies {
        let Some(path) = config_path(name) else {
            warnings.push(left_out(name, "withheld", "it is no configuration"));
            continue;
        };
        let held = store.read(&copy.name);
        let bytes = held.as_ref().map(Vec::as_slice).map_err(|error| io::Error::other(error.to_string()));
        match take(&path, bytes, &mut names) {
            Ok((own, secrets)) => {
                warnings.extend(secrets);
                let is_executable = executables.contains(name) || can_run(store, &copy.name);
                let (bytes, modified) = (held.unwrap_or_default(), copy.modified);
                files.push((own, archive::Origin::Held { bytes, is_executable, modified }));
            }
            Err(warning) => warnings.push(warning),
        }
    }
    files
}

fn executables_of(store: &VaultStore, machine: &str) -> BTreeSet<String> {
    let noted = store.read(&executables(machine));
    noted.ok().and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default()
}

#[cfg(unix)]
fn can_run(store: &VaultStore, name: &str) -> bool {
    use std::os::unix::fs::PermissionsExt;
    let copy = store.root().join(&*store.file_of(name)).metadata();
    copy.is_ok_and(|copy| copy.permissions().mode() & 0o100 != 0)
}

#[cfg(not(unix))]
fn can_run(_: &VaultStore, _: &str) -> bool {
    false
}
