//! A vault directory → the repository it is, made if it is none yet.

use std::path::{Path, PathBuf};

use super::call::Call;
use super::error::Error;
use super::program::Git;
use super::{lock, root_file};
use crate::admission::is_slug;
use crate::private;
use crate::real::real;

const BRANCH: &str = "main";

/// The repository of a vault, as one of the machines in it.
#[derive(Debug, Clone)]
pub struct Repository {
    pub(super) git: Git,
    pub(super) root: PathBuf,
    /// The directory of git's own files.
    pub(super) directory: PathBuf,
    pub(super) slug: String,
    /// Directories below `machines/` that were ours, and that nothing is in any more.
    pub(super) left: Vec<String>,
    /// Settings that the user's configuration lacks.
    settings: Vec<String>,
}

impl Repository {
    /// A repository that is there is taken as it is. The caller holds the vault's lock, so whatever a killed git
    /// left locked is free.
    pub fn open_or_init(git: &Git, root: &Path, slug: &str) -> Result<Self, Error> {
        if !is_slug(slug) {
            return Err(Error::BadSlug { slug: slug.to_owned() });
        }
        let mut repository = Self::look(git, root, slug)?;
        if !repository.directory.join("HEAD").is_file() && !repository.directory.is_file() {
            repository.init()?;
        }
        repository.directory = repository.call(["rev-parse", "--absolute-git-dir"]).text()?.into();
        make_private(&repository.directory)?;
        lock::free(&repository.directory)?;
        repository.settings = repository.missing_settings()?;
        root_file::write(&repository)?;
        Ok(repository)
    }

    /// An existing repository, to read it only: nothing in it is changed.
    pub fn look(git: &Git, root: &Path, slug: &str) -> Result<Self, Error> {
        let root = real(root).map_err(Error::file(root))?;
        let directory = root.join(".git");
        let (git, slug) = (git.clone(), slug.to_owned());
        Ok(Self { git, root, directory, slug, left: Vec::new(), settings: Vec::new() })
    }

    /// A repository without a work tree, and of no machine: to look at a remote.
    pub(super) fn bare(git: &Git, directory: &Path) -> Result<Self, Error> {
        private::create_dir_all(directory).map_err(Error::file(directory))?;
        let mut repository = Self::look(git, directory, "")?;
        repository.directory.clone_from(&repository.root);
        git.call()
            .verb(["init", "--quiet", "--bare", "--template=", "--"])
            .argument(&repository.root)
            .done()?;
        make_private(&repository.directory)?;
        lock::free(&repository.directory)?;
        repository.call(["symbolic-ref", "HEAD", &format!("refs/heads/{BRANCH}")]).done()?;
        repository.settings = repository.missing_settings()?;
        Ok(repository)
    }

    /// Directories below `machines/` that were ours: commits drop them, and nothing is checked out into them.
    #[must_use]
    pub fn leaving_behind(self, left: Vec<String>) -> Self {
        Self { left, ..self }
    }

    pub(super) fn is_left(&self, path: &[u8]) -> bool {
        let path = path.strip_prefix(b"machines/").unwrap_or_default();
        let directory = path.split(|byte| *byte == b'/').next().unwrap_or_default();
        self.left.iter().any(|left| left.as_bytes() == directory)
    }

    /// Also what a killed `init` left half done: git's own is repeatable.
    fn init(&self) -> Result<(), Error> {
        self.git.call().verb(["init", "--quiet", "--template=", "--"]).argument(&self.root).done()?;
        make_private(&self.directory)?;
        self.call(["symbolic-ref", "HEAD", &format!("refs/heads/{BRANCH}")]).done()
    }

    /// Commits need a name, and ssh must not ask; the user's own settings count.
    fn missing_settings(&self) -> Result<Vec<String>, Error> {
        let pattern = r"^(user\.(name|email)|core\.sshcommand)$";
        let known = self.call(["config", "--get-regexp", pattern]).answer()?.unwrap_or_default();
        let defaults = [
            ("user.name", "steno"),
            ("user.email", "steno@localhost"),
            ("core.sshcommand", "ssh -oBatchMode=yes -oConnectTimeout=30 -oServerAliveInterval=30"),
        ];
        let is_known = |name: &str| known.lines().any(|line| line.split(' ').next() == Some(name));
        let missing = defaults.into_iter().filter(|(name, _)| !is_known(name));
        Ok(missing.map(|(name, value)| format!("{name}={value}")).collect())
    }

    /// The branch of HEAD; the usual one when an interrupted rebase left HEAD detached.
    pub(super) fn branch(&self) -> Result<String, Error> {
        let name = self.call(["symbolic-ref", "--quiet", "--short", "HEAD"]).answer()?;
        Ok(name.unwrap_or_else(|| BRANCH.to_owned()))
    }

    /// `machines/<slug>`
    pub(super) fn own(&self) -> String {
        format!("machines/{}", self.slug)
    }

    pub(super) fn call<'a>(&self, arguments: impl IntoIterator<Item = &'a str>) -> Call {
        self.call_with(&[], arguments)
    }

    pub(super) fn call_with<'a>(
        &self,
        settings: &[String],
        arguments: impl IntoIterator<Item = &'a str>,
    ) -> Call {
        let call = self.git.call_in(&self.root, &self.directory);
        let settings = self.settings.iter().chain(settings);
        settings.fold(call, |call, setting| call.argument("-c").argument(setting)).verb(arguments)
    }
}

/// A path of git's as the system has it.
#[cfg(unix)]
pub(super) fn native(path: &[u8]) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStrExt;
    Some(PathBuf::from(std::ffi::OsStr::from_bytes(path)))
}

#[cfg(not(unix))]
pub(super) fn native(path: &[u8]) -> Option<PathBuf> {
    std::str::from_utf8(path).ok().map(PathBuf::from)
}

fn make_private(directory: &Path) -> Result<(), Error> {
    private::make_private(directory).map_err(Error::file(directory))
}
