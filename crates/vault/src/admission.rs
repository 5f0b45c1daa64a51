//! A name at a remote → whether it may be put into the vault's directory.
//!
//! A remote is not trusted, be it git's or an object store: a name there must not reach our own directory,
//! git's files, or anything outside of what a vault consists of, on any file system.

use crate::name::is_odd_on_windows;

const AT_ROOT: &[&str] = &["vault.json", ".gitignore", ".gitattributes"];

/// Names of the original tool's files at the root of its directory, and the directory of their encrypted forms.
pub(crate) const OLDER: &[&str] = &["config", "projects", "older", "history.jsonl.gz", "session-index.json"];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Admission {
    /// This machine's: never written from a remote.
    Ours,
    /// Another machine's: the remote decides.
    Theirs,
    /// Shared by all since before we came: put where it is missing, never replaced.
    Older,
    Refused(&'static str),
}

pub(crate) struct Admissions<'a> {
    slug: &'a str,
    folded: String,
}

impl<'a> Admissions<'a> {
    pub(crate) fn new(slug: &'a str) -> Self {
        Self { slug, folded: slug.to_lowercase() }
    }

    pub(crate) fn of(&self, path: &[u8]) -> Admission {
        let mut parts = path.split(|byte| *byte == b'/');
        let first = parts.next().unwrap_or_default();
        let second = parts.next();
        if second.is_none() && first == b"manifest.json" {
            return Admission::Ours;
        }
        let Some(second) = second else { return root_file(first) };
        if first == b"machines" && second == self.slug.as_bytes() && parts.next().is_some() {
            return Admission::Ours;
        }
        if let Some(reason) = path.split(|byte| *byte == b'/').find_map(danger) {
            return Admission::Refused(reason);
        }
        match std::str::from_utf8(first) {
            Ok("machines") if path.iter().filter(|byte| **byte == b'/').count() < 2 => {
                Admission::Refused("not below a machine's directory")
            }
            Ok("machines") => self.machine(second),
            Ok(first) if OLDER.contains(&first) => Admission::Older,
            _ => Admission::Refused("not part of a vault"),
        }
    }

    /// Another machine's directory must not be ours on a file system that does not see the difference.
    fn machine(&self, slug: &[u8]) -> Admission {
        match std::str::from_utf8(slug) {
            Ok(slug) if slug.to_lowercase() == self.folded => {
                Admission::Refused("differs from this machine's directory only in case")
            }
            Ok(slug) if !is_slug(slug) => Admission::Refused("not a name for a machine"),
            Ok(_) => Admission::Theirs,
            Err(_) => Admission::Refused("not a name for a machine"),
        }
    }
}

fn root_file(name: &[u8]) -> Admission {
    match std::str::from_utf8(name) {
        Ok(name) if AT_ROOT.contains(&name) => Admission::Theirs,
        Ok(name) if OLDER.contains(&name) => Admission::Older,
        _ => Admission::Refused("not part of a vault"),
    }
}

/// Why one name of a path is refused.
fn danger(name: &[u8]) -> Option<&'static str> {
    if matches!(name, b"" | b"." | b"..") {
        return Some("leads elsewhere");
    }
    let text = String::from_utf8_lossy(name);
    if text.chars().any(is_invisible) {
        return Some("a name with invisible characters");
    }
    // Windows drops final dots and spaces, knows short names, and keeps streams behind a colon.
    let plain = text.split(':').next().unwrap_or_default().trim_end_matches(['.', ' ']).to_lowercase();
    if plain == ".git" || plain.starts_with("git~") {
        return Some("git's own name");
    }
    let unknown = cfg!(windows) && is_odd_on_windows(&text);
    unknown.then_some("a name this system does not know")
}

/// One that is no other name on any file system.
pub(crate) fn is_slug(slug: &str) -> bool {
    let strange = |letter: char| letter.is_control() || matches!(letter, '/' | '\\' | ':');
    !slug.is_empty() && !slug.starts_with('.') && !slug.ends_with(['.', ' ']) && !slug.contains(strange)
}

/// Ignored by some file systems when they compare names.
fn is_invisible(letter: char) -> bool {
    matches!(letter, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_a_vault_consists_of_is_let_in() {
        let admissions = Admissions::new("laptop");
        let of = |path: &str| admissions.of(path.as_bytes());
        assert_eq!(of("machines/laptop/projects/a"), Admission::Ours);
        assert_eq!(of("machines/laptop/config/.git/x"), Admission::Ours);
        assert_eq!(of("manifest.json"), Admission::Ours);
        assert_eq!(of("machines/tower/projects/a b/c.zst"), Admission::Theirs);
        assert_eq!(of("vault.json"), Admission::Theirs);
        assert_eq!(of("config/settings.json"), Admission::Older);
        for path in [
            "machines/Laptop/projects/a",
            "machines/laptop\u{200d}/a",
            "machines/laptop./a",
            "machines/laptop",
            "machines/tower",
            "machines/.hidden/a",
            "machines/tower/.git/config",
            "machines/tower/.GIT./config",
            "machines/tower/git~1/config",
            "machines/tower\\..\\laptop/b",
            "Machines/tower/a",
            "VAULT.json",
            ".git/config",
            ".cache/state",
            ".lock",
            "bin/run",
            "../a",
        ] {
            assert!(matches!(of(path), Admission::Refused(_)), "{path}");
        }
    }
}
