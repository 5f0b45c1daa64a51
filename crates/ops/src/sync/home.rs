//! A Claude directory → the name it is kept under.
//!
//! The first one is the machine itself. Another one lies below it, because two directories hold files of the same
//! names.

use std::path::Path;

use steno_vault::HomeEntry;

use crate::custody::{Custody, Opened, slug_of, text_of};
use crate::error::Error;

/// The name that the files of a Claude directory are kept under, also where it is not there any more.
pub(crate) fn known<'a>(opened: &'a Opened, claude_dir: &Path) -> Option<&'a str> {
    let homes = &opened.manifest.homes;
    let is_gone = |home: &&HomeEntry| !Path::new(&home.claude_dir).exists();
    match (opened.home(claude_dir), homes.as_slice()) {
        (Some(home), _) => Some(&home.slug),
        // The real path of what is gone cannot be told any more.
        (None, [only]) if !claude_dir.exists() => Some(only).filter(is_gone).map(|home| home.slug.as_str()),
        (None, []) => Some(opened.slug()),
        (None, _) => None,
    }
}

pub(super) fn claim(custody: &Custody, opened: &mut Opened, claude_dir: &Path) -> Result<String, Error> {
    if let Some(home) = opened.home(claude_dir) {
        return Ok(home.slug.clone());
    }
    let text = text_of(claude_dir);
    let is_alone = custody.library.claude_dirs.len() == 1;
    let moved =
        opened.manifest.homes.iter().position(|home| is_alone && !Path::new(&home.claude_dir).exists());
    if let Some(home) = moved.and_then(|place| opened.manifest.homes.get_mut(place)) {
        home.claude_dir = text;
        let slug = home.slug.clone();
        opened.manifest.write(&custody.vault)?;
        return Ok(slug);
    }
    let slug = free_name(opened, claude_dir);
    opened.manifest.homes.push(HomeEntry { claude_dir: text, slug: slug.clone() });
    opened.manifest.write(&custody.vault)?;
    Ok(slug)
}

fn free_name(opened: &Opened, claude_dir: &Path) -> String {
    let own = opened.slug();
    let taken = |name: &String| opened.manifest.homes.iter().any(|home| home.slug == *name);
    if !taken(&own.to_owned()) {
        return own.to_owned();
    }
    let label = slug_of(&claude_dir.file_name().unwrap_or_default().to_string_lossy());
    let numbered = (2..).map(|number| format!("{own}/homes/{label}-{number}"));
    let plain = format!("{own}/homes/{label}");
    std::iter::once(plain.clone()).chain(numbered).find(|name| !taken(name)).unwrap_or(plain)
}
