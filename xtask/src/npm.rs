//! Programs that come with npm, at a pinned version, below the build directory.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::failure::Failure;
use crate::invocation::Invocation;
use crate::workspace::Workspace;

const INSTALL: &str = "install --ignore-scripts --no-audit --no-fund --loglevel error --prefix";

/// A package of the registry. `place` is where it and what it needs are put; nothing else may be there.
#[derive(Debug)]
pub(crate) struct Package<'a> {
    pub(crate) name: &'a str,
    pub(crate) version: &'a str,
    pub(crate) place: PathBuf,
}

impl Package<'_> {
    /// Under another name first, so that what was interrupted is never taken for whole.
    pub(crate) fn download(&self, workspace: &Workspace) -> Result<(), Failure> {
        if !is_here() {
            return Err(Failure::new(format!(
                "npm is needed to download {}: install Node.js (on Debian: apt-get install nodejs npm)",
                self.name
            )));
        }
        let unfinished = self.place.with_added_extension("unfinished");
        fs::create_dir_all(&unfinished).map_err(|error| cannot_write(&unfinished, &error))?;
        let npm = Invocation::new("npm").arguments(INSTALL.split(' ')).path(&unfinished);
        npm.argument(format!("{}@{}", self.name, self.version)).output(&workspace.root)?;
        fs::rename(&unfinished, &self.place).map_err(|error| cannot_write(&self.place, &error))
    }
}

pub(crate) fn is_here() -> bool {
    let mut npm = Command::new("npm");
    npm.arg("--version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    npm.status().is_ok_and(|status| status.success())
}

fn cannot_write(path: &Path, error: &std::io::Error) -> Failure {
    Failure::new(format!("cannot write {}: {error}", path.display()))
}
