//! What a command works on: the Claude directories, the place of the vault, and the programs that may be run.

mod local;
mod lock;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use jiff::tz::TimeZone;
use steno_vault::git::{Git, GitHub};
use steno_vault::s3::{Access, is_object_address};

use crate::claude_dirs::ClaudeDirs;
use crate::error::Error;
use crate::keys::Keys;
use crate::program::{Program, Tools};
use crate::progress::Progress;
use crate::shell::quoted;
pub(crate) use steno_sessions::{Documents, Sources, Vault, slug_of, text_of};

/// Everything that commands about the vault are told of their surroundings.
#[derive(Debug, Clone)]
pub struct Workspace {
    pub dirs: ClaudeDirs,
    /// The vault's directory.
    pub vault: PathBuf,
    pub is_default_vault: bool,
    /// Where what can be made again may be kept, if anywhere.
    pub cache: Option<PathBuf>,
    /// The host's name.
    pub machine: String,
    pub version: String,
    pub zone: TimeZone,
    /// How long to wait for another process.
    pub patience: Duration,
    /// How much memory a session that is read may take, in bytes; nothing for the usual.
    pub room: Option<u64>,
    pub git: Program,
    pub gh: Program,
    pub schedule: Tools,
    /// The settings that an administrator made.
    pub managed_settings: Option<PathBuf>,
    /// Where the command runs: its project's settings count.
    pub project: Option<PathBuf>,
    pub progress: Arc<dyn Progress>,
    pub keys: Keys,
    /// How an object store is reached.
    pub access: Access,
}

impl Workspace {
    /// The flags that name the same vault and the same Claude directories, unless they are the default; each with a
    /// space before it. For a sentence with a command line in it.
    pub(crate) fn flags(&self) -> String {
        let vault = (!self.is_default_vault).then_some(("--vault", &self.vault));
        let dirs =
            self.dirs.paths.iter().filter(|_| !self.dirs.is_default).map(|path| ("--claude-dir", path));
        let flag = |(name, path): (&str, &PathBuf)| format!(" {name} {}", quoted(&path.to_string_lossy()));
        vault.into_iter().chain(dirs).map(flag).collect()
    }

    pub(crate) fn git(&self) -> Option<Git> {
        let mut git = Git::new(self.git.path()?.clone());
        git.gh = self.gh.path().cloned();
        Some(git)
    }

    pub(crate) fn github(&self) -> Option<GitHub> {
        self.gh.path().cloned().map(GitHub::new)
    }

    /// The Claude directory that restores go to, and that is backed up first.
    pub(crate) fn claude_dir(&self) -> Result<&Path, Error> {
        self.dirs.claude_dir()
    }
}

/// What a vault is called that is sent to an address.
pub(crate) fn mode_of(url: &str) -> &'static str {
    match () {
        () if is_object_address(url) => "s3",
        () if url.contains("github.com") => "github",
        () => "git",
    }
}

/// 128 random bits.
pub(crate) fn random_id() -> String {
    use std::hash::{BuildHasher, RandomState};
    let number = || RandomState::new().hash_one(std::process::id());
    format!("{:016x}{:016x}", number(), number())
}
