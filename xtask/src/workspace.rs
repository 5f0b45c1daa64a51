//! Paths: the checkout, the build directory, and folders of real transcripts.

use std::path::{Path, PathBuf};

use crate::failure::Failure;

/// Where real transcripts stand beside a checkout, if they do.
const SHARED: [&str; 2] = ["../shared/corpus", "../shared/realclient/sessions"];

#[derive(Debug)]
pub(crate) struct Workspace {
    pub(crate) root: PathBuf,
    /// What cargo builds into.
    pub(crate) target: PathBuf,
    corpus: Vec<PathBuf>,
}

impl Workspace {
    pub(crate) fn find() -> Result<Self, Failure> {
        let package = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
        let root = package.as_deref().and_then(Path::parent).map(Path::to_owned);
        let root = root.ok_or_else(|| Failure::new("start it with `cargo xtask`"))?;
        let target = std::env::var_os("CARGO_TARGET_DIR")
            .map_or_else(|| root.join("target"), |target| root.join(target));
        let corpus = corpus(&root);
        Ok(Self { root, target, corpus })
    }

    /// Folders with real transcripts.
    pub(crate) fn corpus(&self) -> &[PathBuf] {
        &self.corpus
    }

    /// The same as one text, for STENO_CORPUS.
    pub(crate) fn corpus_variable(&self) -> Option<String> {
        let joined = std::env::join_paths(&self.corpus).ok()?;
        joined.into_string().ok().filter(|joined| !joined.is_empty())
    }

    /// A program that cargo built with that profile.
    pub(crate) fn built(&self, profile: &str, name: &str) -> PathBuf {
        self.target.join(profile).join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
    }
}

fn corpus(root: &Path) -> Vec<PathBuf> {
    if let Some(named) = std::env::var_os("STENO_CORPUS").filter(|named| !named.is_empty()) {
        return std::env::split_paths(&named).map(|folder| root.join(folder)).collect();
    }
    // Tests run elsewhere, so that the dots must be gone.
    SHARED.iter().filter_map(|folder| root.join(folder).canonicalize().ok()).collect()
}
