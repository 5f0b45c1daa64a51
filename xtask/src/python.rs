//! Programs that come from Python's package index, at a pinned version, in an environment of their own below the build
//! directory.

use std::path::PathBuf;

use crate::debian;
use crate::failure::Failure;
use crate::invocation::Invocation;
use crate::workspace::Workspace;

#[derive(Debug)]
pub(crate) struct Package {
    pub(crate) name: &'static str,
    pub(crate) version: &'static str,
    /// A part of it that is asked for by name, in brackets, or nothing.
    pub(crate) extra: &'static str,
    /// What it needs and does not ask for.
    pub(crate) with: &'static [&'static str],
    pub(crate) program: &'static str,
}

impl Package {
    /// Where its program is, if it is installed.
    pub(crate) fn programs(&self, workspace: &Workspace) -> Option<PathBuf> {
        let programs = self.place(workspace).join("bin");
        // The last thing that an installation writes.
        Some(programs).filter(|programs| programs.join(self.program).is_file())
    }

    pub(crate) fn install(&self, workspace: &Workspace) -> Result<(), Failure> {
        if self.programs(workspace).is_some() {
            return Ok(());
        }
        if debian::program("python3").is_none() {
            return Err(Failure::new(format!(
                "python3 is needed to download {} (on Debian: apt-get install python3-venv)",
                self.name
            )));
        }
        let place = self.place(workspace);
        Invocation::new("python3").arguments(["-m", "venv", "--clear"]).path(&place).run(&workspace.root)?;
        let pip = Invocation::new(place.join("bin/pip").display().to_string());
        let pip = pip.arguments(["install", "--quiet", "--disable-pip-version-check"]);
        // Its own last, because its program is what tells that all is there.
        if !self.with.is_empty() {
            pip.clone().arguments(self.with.iter().copied()).run(&workspace.root)?;
        }
        pip.argument(format!("{}{}=={}", self.name, self.extra, self.version)).run(&workspace.root)
    }

    fn place(&self, workspace: &Workspace) -> PathBuf {
        workspace.target.join("peers").join(self.name).join(self.version)
    }
}
