//! A Claude directory → the name it is kept under.
//!
//! The first one is the machine itself. Another one is kept below it, because two directories hold files of the same
//! names.

use std::path::Path;

use steno_vault::HomeEntry;

use crate::error::Error;
use crate::workspace::{Vault, Workspace, slug_of, text_of};

/// The name that the files of a Claude directory are kept under, also where it is not there any more.
pub(crate) fn known<'a>(vault: &'a Vault, claude_dir: &Path) -> Option<&'a str> {
    let homes = &vault.manifest.homes;
    let is_gone = |home: &&HomeEntry| !Path::new(&home.claude_dir).exists();
    match (vault.home(claude_dir), homes.as_slice()) {
        (Some(home), _) => Some(&home.slug),
        // The real path of a directory that is gone is unknown.
        (None, [only]) if !claude_dir.exists() => Some(only).filter(is_gone).map(|home| home.slug.as_str()),
        (None, []) => Some(vault.slug()),
        (None, _) => None,
    }
}

pub(crate) fn claim(workspace: &Workspace, vault: &mut Vault, claude_dir: &Path) -> Result<String, Error> {
    if let Some(home) = vault.home(claude_dir) {
        return Ok(home.slug.clone());
    }
    let text = text_of(claude_dir);
    let is_alone = workspace.dirs.paths.len() == 1;
    let moved =
        vault.manifest.homes.iter().position(|home| is_alone && !Path::new(&home.claude_dir).exists());
    if let Some(home) = moved.and_then(|place| vault.manifest.homes.get_mut(place)) {
        home.claude_dir = text;
        let slug = home.slug.clone();
        vault.manifest.write(&workspace.vault)?;
        return Ok(slug);
    }
    let slug = free_name(vault, claude_dir);
    vault.manifest.homes.push(HomeEntry { claude_dir: text, slug: slug.clone() });
    vault.manifest.write(&workspace.vault)?;
    Ok(slug)
}

fn free_name(vault: &Vault, claude_dir: &Path) -> String {
    let own = vault.slug();
    let taken = |name: &String| vault.manifest.homes.iter().any(|home| home.slug == *name);
    if !taken(&own.to_owned()) {
        return own.to_owned();
    }
    let label = slug_of(&claude_dir.file_name().unwrap_or_default().to_string_lossy());
    let numbered = (2..).map(|number| format!("{own}/homes/{label}-{number}"));
    let plain = format!("{own}/homes/{label}");
    std::iter::once(plain.clone()).chain(numbered).find(|name| !taken(name)).unwrap_or(plain)
}
