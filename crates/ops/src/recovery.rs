//! A vault that lost a document → what it said, as far as that can be found out again.
//!
//! A deleted `manifest.json` must not stop backups from being sent, and a damaged `vault.json` must not make a vault
//! unreadable.

mod identity;

use std::fs;
use std::path::Path;

use steno_conversation::Warning;
use steno_vault::git::display_url;
use steno_vault::object_sync::last_remote;
use steno_vault::{Cached, Identity, Manifest, Owners, VaultStore};

use crate::machine::{machines, root_of};
use crate::warning;
use crate::workspace::{mode_of, slug_of};

pub(crate) use identity::{check_found, check_plain, fetch_identity, forget_copy, keep_copy, known_identity};

pub(crate) const VAULT: &str = "vault.json";
const MANIFEST: &str = "manifest.json";

/// What was read, and whether it was there and could not be understood.
pub(crate) fn understood<T>(
    read: Result<Option<T>, steno_vault::Error>,
) -> Result<(Option<T>, bool), steno_vault::Error> {
    match read {
        Err(steno_vault::Error::Document { .. }) => Ok((None, true)),
        read => read.map(|document| (document, false)),
    }
}

/// Where git sends the vault, without asking git: a reader must not disturb one that runs.
pub(crate) fn origin(vault: &Path) -> Option<String> {
    let config = fs::read_to_string(vault.join(".git/config")).ok()?;
    let mut is_inside = false;
    let mut found = None;
    for line in config.lines().map(str::trim) {
        if line.starts_with('[') {
            is_inside = line.to_ascii_lowercase().starts_with("[remote \"origin\"]");
        } else if let Some((name, value)) = line.split_once('=').filter(|_| is_inside)
            && name.trim().eq_ignore_ascii_case("url")
        {
            found = Some(value.trim().trim_matches('"').replace("\\\\", "\\"));
        }
    }
    found.filter(|url| !url.is_empty())
}

/// The directory below `machines/` that is ours: the one that was written from here; the one with this host's name;
/// the only one, where somebody wrote from here at all.
pub(crate) fn slug(vault: &Path, identity: Option<&Identity>, host: &str) -> String {
    let host = slug_of(host);
    // Directories of an encrypted vault tell nothing.
    if identity.is_some_and(|identity| !identity.recipients.is_empty()) {
        return host;
    }
    let there = directories(&VaultStore::plain(vault));
    let original = identity.and_then(|identity| identity.original.clone());
    let id = identity.map_or("", |identity| identity.id.as_str());
    let taken =
        Cached::new(VaultStore::plain(vault), id, Owners { original, ..Owners::alone(&host) }).taken_here();
    let taken = taken.iter().map(|machine| root_of(machine)).find(|slug| there.iter().any(|own| own == slug));
    match (taken, there.as_slice()) {
        (Some(taken), _) => taken.to_owned(),
        (None, [only]) if *only != host && vault.join(".lock").exists() => only.clone(),
        _ => host,
    }
}

/// The same in an encrypted vault, whose names had to be opened first.
pub(crate) fn sealed_slug(store: &VaultStore, host: &str) -> String {
    let host = slug_of(host);
    match directories(store).as_slice() {
        [only] if *only != host && store.root().join(".lock").exists() => only.clone(),
        _ => host,
    }
}

fn directories(store: &VaultStore) -> Vec<String> {
    let all = machines(store).unwrap_or_default();
    all.into_iter().filter(|name| !name.contains('/')).collect()
}

/// Fills in what else tells of a vault without its manifest.
pub(crate) fn complete(manifest: &mut Manifest, vault: &Path, identity: Option<&Identity>, host: &str) {
    if manifest.machine_slug.is_empty() {
        manifest.machine_slug = slug(vault, identity, host);
    }
    if manifest.mode.is_empty() {
        let sent = last_remote(vault);
        manifest.installation =
            manifest.installation.take().or(sent.as_ref().map(|last| last.installation.clone()));
        if let Some(last) = sent.filter(|_| manifest.remote.is_none()) {
            manifest.remote = Some(last.address);
            manifest.endpoint = manifest.endpoint.take().or(last.endpoint);
            manifest.region = manifest.region.take().or(last.region);
        }
        manifest.remote = manifest.remote.take().or_else(|| origin(vault));
        manifest.mode = manifest.remote.as_deref().map_or("local", mode_of).to_owned();
    }
}

pub(crate) fn lost_manifest(vault: &Path, found: &Manifest) -> Warning {
    let sent = match &found.remote {
        Some(url) => format!("is sent to {}", display_url(url)),
        None => "is sent nowhere".to_owned(),
    };
    let message = format!(
        "it was lost; by what else is there, this machine is called {}, and the vault {sent}",
        found.machine_slug
    );
    warning::at(&vault.join(MANIFEST), "lost-document", message)
}

pub(crate) fn lost_identity(vault: &Path) -> Warning {
    let message = "it was lost; `steno sync` writes it anew".to_owned();
    warning::at(&vault.join(VAULT), "lost-document", message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_object_store_is_found_again_where_it_was() {
        let home = steno_testkit::Home::new();
        let last = r#"{"format":1,"last":{"address":"s3://b/p","installation":"i","endpoint":"https://host","region":"here"}}"#;
        fs::write(home.root().join("exchange.json"), last).unwrap();
        let mut manifest = Manifest::default();
        complete(&mut manifest, home.root(), None, "laptop");
        assert_eq!(manifest.remote.as_deref(), Some("s3://b/p"));
        assert_eq!(
            (manifest.endpoint.as_deref(), manifest.region.as_deref()),
            (Some("https://host"), Some("here"))
        );
        assert_eq!(manifest.installation.as_deref(), Some("i"));
    }

    #[test]
    fn the_address_is_read_as_git_wrote_it() {
        let home = steno_testkit::Home::new();
        let put = |text: &str| {
            fs::create_dir_all(home.root().join(".git")).unwrap();
            fs::write(home.root().join(".git/config"), text).unwrap();
        };
        assert_eq!(origin(home.root()), None);
        put("[core]\n\tbare = false\n[remote \"other\"]\n\turl = /x\n");
        assert_eq!(origin(home.root()), None);
        put("[remote \"origin\"]\n\tfetch = +a:b\n\turl = git@host:me/s.git\n[user]\n\turl = no\n");
        assert_eq!(origin(home.root()).as_deref(), Some("git@host:me/s.git"));
        put("[remote \"origin\"]\n\turl = \"C:\\\\a;b\"\n");
        assert_eq!(origin(home.root()).as_deref(), Some("C:\\a;b"));
    }
}
