//! The vault of this machine: where it is, whose it is, and what may be run for it.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use jiff::tz::TimeZone;
use steno_vault::git::{Git, GitHub, Repository};
use steno_vault::{Cached, HomeEntry, Identity, Manifest, Writer, private};

use crate::error::{Error, ErrorKind};
use crate::library::Library;
use crate::progress::Progress;
use crate::schedule::Tools;

/// Everything that commands about the vault are told of their surroundings.
#[derive(Debug, Clone)]
pub struct Custody {
    pub library: Library,
    /// The vault's directory.
    pub vault: PathBuf,
    pub is_default_vault: bool,
    /// The host's name.
    pub machine: String,
    pub version: String,
    pub zone: TimeZone,
    /// How long to wait for another process.
    pub patience: Duration,
    pub git: Option<PathBuf>,
    pub gh: Option<PathBuf>,
    pub schedule: Tools,
    /// The settings that an administrator made.
    pub managed_settings: Option<PathBuf>,
    /// Where the command runs: its project's settings count.
    pub project: Option<PathBuf>,
    pub progress: Arc<dyn Progress>,
}

/// A vault that is there.
#[derive(Debug, Clone)]
pub(crate) struct Opened {
    /// `None` for a directory of the original tool that was not yet taken over.
    pub identity: Option<Identity>,
    pub manifest: Manifest,
}

impl Opened {
    pub(crate) fn id(&self) -> &str {
        self.identity.as_ref().map_or("", |identity| identity.id.as_str())
    }

    /// The name that this machine's files are kept under.
    pub(crate) fn slug(&self) -> &str {
        &self.manifest.machine_slug
    }

    /// The Claude directories of this machine, with the names they are kept under.
    pub(crate) fn home(&self, claude_dir: &Path) -> Option<&HomeEntry> {
        let text = text_of(claude_dir);
        self.manifest.homes.iter().find(|home| home.claude_dir == text)
    }

    /// Whether a machine of the catalogue is this one.
    pub(crate) fn is_own(&self, machine: &str) -> bool {
        machine == self.slug()
            || machine.strip_prefix(self.slug()).is_some_and(|rest| rest.starts_with("/homes/"))
    }

    pub(crate) fn has_remote(&self) -> bool {
        matches!(self.manifest.mode.as_str(), "github" | "git")
    }
}

impl Custody {
    /// The vault; an error that says how to make one where there is none.
    pub(crate) fn open(&self) -> Result<Opened, Error> {
        self.look()?.ok_or_else(|| {
            let message = format!("there is no vault at {}", self.vault.display());
            let error = Error::new(ErrorKind::NoVault, message)
                .hint("`steno init` makes one and runs the first backup");
            if self.is_default_vault {
                error
            } else {
                error.hint("--vault DIR or STENO_VAULT names another place")
            }
        })
    }

    /// The vault, if there is one. Changes nothing.
    pub(crate) fn look(&self) -> Result<Option<Opened>, Error> {
        let identity = Identity::read(&self.vault)?;
        let manifest = match Manifest::read(&self.vault) {
            // Everything in it can be found out again; a vault without it is still a vault.
            Err(steno_vault::Error::Document { .. }) => None,
            manifest => manifest?,
        };
        let is_original = || ["machines", "projects"].iter().any(|name| self.vault.join(name).is_dir());
        if identity.is_none() && manifest.is_none() && !is_original() {
            return Ok(None);
        }
        let mut manifest = manifest.unwrap_or_default();
        if manifest.machine_slug.is_empty() {
            manifest.machine_slug = self.likely_slug();
        }
        if manifest.mode.is_empty() {
            "local".clone_into(&mut manifest.mode);
        }
        Ok(Some(Opened { identity, manifest }))
    }

    /// A vault that lost its manifest, or that the original tool made, has this machine's name in it.
    fn likely_slug(&self) -> String {
        slug_of(&self.machine)
    }

    /// A directory of the original tool, or one that lost its `vault.json`, becomes a vault: nothing in it changes.
    pub(crate) fn adopt(&self, mut opened: Opened) -> Result<Opened, Error> {
        private::make_private(&self.vault).map_err(|error| {
            Error::new(ErrorKind::Io, format!("cannot make {} private: {error}", self.vault.display()))
        })?;
        if opened.identity.is_none() {
            self.take_remote(&mut opened);
            opened.identity = Some(Identity::create(&self.vault, random_id(), self.library.now)?);
        }
        Ok(opened)
    }

    /// The original tool's older versions wrote down no mode: where they sent to, we send to.
    fn take_remote(&self, opened: &mut Opened) {
        let is_repository = self.vault.join(".git").is_dir() && opened.manifest.remote.is_none();
        let Some(git) = self.git().filter(|_| is_repository && opened.manifest.mode == "local") else {
            return;
        };
        let remote = Repository::open_or_init(&git, &self.vault, opened.slug()).and_then(|one| one.remote());
        if let Ok(Some(url)) = remote {
            opened.manifest.mode = mode_of(&url).to_owned();
            opened.manifest.remote = Some(url);
        }
    }

    pub(crate) fn cached(&self, opened: &Opened) -> Cached {
        Cached::new(&self.vault, opened.id(), opened.slug())
    }

    /// The right to change the vault.
    pub(crate) fn writer(&self, opened: &Opened, command: &str) -> Result<Writer, Error> {
        let owner = format!("{command} since {}", self.library.now.strftime("%Y-%m-%d %H:%M:%SZ"));
        Ok(Writer::open(&self.vault, opened.id(), opened.slug(), &owner, self.patience)?)
    }

    pub(crate) fn git(&self) -> Option<Git> {
        let mut git = Git::new(self.git.clone()?);
        git.gh.clone_from(&self.gh);
        Some(git)
    }

    pub(crate) fn github(&self) -> Option<GitHub> {
        self.gh.clone().map(GitHub::new)
    }

    /// The Claude directory that restores go to, and that is backed up first.
    pub(crate) fn claude_dir(&self) -> Result<&Path, Error> {
        let first = self.library.claude_dirs.first();
        first
            .map(PathBuf::as_path)
            .ok_or_else(|| Error::new(ErrorKind::Invalid, "no Claude directory is named"))
    }
}

/// What a vault is called that is sent to an address.
pub(crate) fn mode_of(url: &str) -> &'static str {
    if url.contains("github.com") { "github" } else { "git" }
}

/// As it is written into the manifest: the real path where there is one.
pub(crate) fn text_of(claude_dir: &Path) -> String {
    let real = claude_dir.canonicalize().unwrap_or_else(|_| claude_dir.to_owned());
    real.to_string_lossy().into_owned()
}

/// A host's name as the name of a directory: small letters, digits and dashes.
pub(crate) fn slug_of(name: &str) -> String {
    let plain = |character: char| {
        if character.is_ascii_alphanumeric() { character.to_ascii_lowercase() } else { '-' }
    };
    let dashed: String = name.chars().map(plain).collect();
    let parts: Vec<&str> = dashed.split('-').filter(|part| !part.is_empty()).collect();
    let slug: String = parts.join("-").chars().take(60).collect();
    if slug.is_empty() { "machine".to_owned() } else { slug }
}

/// 128 bits that nobody else has.
pub(crate) fn random_id() -> String {
    use std::hash::{BuildHasher, RandomState};
    let number = || RandomState::new().hash_one(std::process::id());
    format!("{:016x}{:016x}", number(), number())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_name_becomes_a_plain_one() {
        assert_eq!(slug_of("Ann's MacBook.local"), "ann-s-macbook-local");
        assert_eq!(slug_of("büro"), "b-ro");
        assert_eq!(slug_of("../../etc"), "etc");
        assert_eq!(slug_of("日本"), "machine");
    }
}
