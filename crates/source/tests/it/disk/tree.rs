//! A Claude directory in a temporary place, built file by file.

use std::fs;
use std::path::{Path, PathBuf};

pub(crate) struct Tree {
    root: tempfile::TempDir,
}

impl Tree {
    pub(crate) fn new(files: &[(&str, &str)]) -> Self {
        let tree = Self { root: tempfile::tempdir().unwrap() };
        for (path, text) in files {
            tree.file(path, text);
        }
        tree
    }

    pub(crate) fn at(&self, path: &str) -> PathBuf {
        self.root.path().join(path)
    }

    pub(crate) fn file(&self, path: &str, text: &str) {
        let path = self.at(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub(crate) fn directory(&self, path: &str) {
        fs::create_dir_all(self.at(path)).unwrap();
    }

    #[cfg(unix)]
    pub(crate) fn link(&self, path: &str, target: impl AsRef<Path>) {
        let path = self.at(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::os::unix::fs::symlink(target, path).unwrap();
    }

    /// A path as the tests name it.
    pub(crate) fn relative(&self, path: &Path) -> String {
        path.strip_prefix(self.root.path()).unwrap().to_str().unwrap().replace('\\', "/")
    }

    pub(crate) fn relatives<'a>(&self, paths: impl IntoIterator<Item = &'a PathBuf>) -> Vec<String> {
        paths.into_iter().map(|path| self.relative(path)).collect()
    }
}
