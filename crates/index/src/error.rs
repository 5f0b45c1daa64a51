//! What can go wrong with an index.

use std::path::PathBuf;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("the index at {path} cannot be written: {message}", path = path.display())]
    Unwritable { path: PathBuf, message: String },
    #[error("the index at {path} is damaged: {message}", path = path.display())]
    Damaged { path: PathBuf, message: String },
}
