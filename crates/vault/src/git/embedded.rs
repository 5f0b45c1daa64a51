//! A repository inside this machine's directory → its plain files.
//!
//! git would note no more of it than which commit it is at, and the files would be nowhere. People keep skills and
//! agents as clones, so copies of them come along with `.git` and all. Once the files are in the index, git stays
//! with them.

use std::fs;
use std::path::{Path, PathBuf};

use super::error::Error;
use super::index::{Difference, FILE};
use super::repository::{Repository, native};

impl Repository {
    pub(super) fn unfold(&self, repository: &Difference) -> Result<(), Error> {
        let Some(directory) = native(&repository.path) else { return Ok(()) };
        let mut lines = format!("0 {}\t", "0".repeat(repository.old.as_str().len())).into_bytes();
        lines.extend(&repository.path);
        lines.push(0);
        for name in files_below(&self.root.join(&directory))? {
            let path = directory.join(name);
            let Some(written) = path.to_str() else { continue };
            let id = self.call(["hash-object", "-w", "--no-filters", "--", written]).object()?;
            lines.extend(
                format!("{FILE} {id}\t{}\0", written.replace(std::path::MAIN_SEPARATOR, "/")).into_bytes(),
            );
        }
        self.call(["update-index", "-z", "--index-info"]).input(lines).done()
    }
}

fn files_below(directory: &Path) -> Result<Vec<PathBuf>, Error> {
    let (mut files, mut open) = (Vec::new(), vec![PathBuf::new()]);
    while let Some(relative) = open.pop() {
        let full = directory.join(&relative);
        for entry in fs::read_dir(&full).map_err(Error::file(&full))? {
            let entry = entry.map_err(Error::file(&full))?;
            let kind = entry.file_type().map_err(Error::file(&full))?;
            let path = relative.join(entry.file_name());
            match () {
                () if entry.file_name().eq_ignore_ascii_case(".git") => {}
                () if kind.is_dir() => open.push(path),
                () if kind.is_file() => files.push(path),
                () => {}
            }
        }
    }
    Ok(files)
}
