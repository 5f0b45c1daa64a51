//! Peers that come from a registry of their language, at a pinned version, below the build directory.

use std::path::PathBuf;

use crate::failure::Failure;
use crate::invocation::Invocation;
use crate::npm;
use crate::workspace::Workspace;

#[derive(Debug, Clone, Copy)]
pub(crate) struct Peer {
    /// Also the name of its program.
    pub(crate) name: &'static str,
    pub(crate) version: &'static str,
    pub(crate) registry: Registry,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Registry {
    Npm,
    /// Built from its source, which takes minutes; with the features that its program needs.
    Crates {
        features: &'static str,
    },
}

impl Peer {
    /// Where its program is, if it is installed.
    pub(crate) fn programs(&self, workspace: &Workspace) -> Option<PathBuf> {
        let programs = match self.registry {
            Registry::Npm => "node_modules/.bin",
            Registry::Crates { .. } => "bin",
        };
        Some(self.place(workspace).join(programs)).filter(|programs| programs.join(self.name).is_file())
    }

    pub(crate) fn install(&self, workspace: &Workspace) -> Result<(), Failure> {
        if self.programs(workspace).is_some() {
            return Ok(());
        }
        let place = self.place(workspace);
        match self.registry {
            Registry::Npm => {
                npm::Package { name: self.name, version: self.version, place }.download(workspace)
            }
            Registry::Crates { features } => {
                let install = |how: &str| {
                    let install = Invocation::cargo(&format!("install --quiet {how} --root")).path(&place);
                    let install = install.arguments([self.name, "--version", self.version]);
                    install.arguments(["--features", features]).run(&workspace.root)
                };
                // What a peer was locked to may have left the registry.
                install("--locked").or_else(|_| install(""))
            }
        }
    }

    fn place(&self, workspace: &Workspace) -> PathBuf {
        workspace.target.join("peers").join(self.name).join(self.version)
    }
}
