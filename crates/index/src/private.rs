//! Directories that only the user can read: the indexed text was said in private.

use std::fs;
use std::path::Path;

use crate::error::Error;

/// Makes a directory, with those above it.
pub fn directory(path: &Path) -> Result<(), Error> {
    if path.is_dir() {
        return Ok(());
    }
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder
        .create(path)
        .map_err(|error| Error::Unwritable { path: path.to_owned(), message: error.to_string() })
}
