//! What the engine says goes wrong → errors of ours. Files that were changed by others may make it panic: that is
//! damage, too.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use tantivy::TantivyError;
use tantivy::directory::error::{LockError, OpenReadError, OpenWriteError};

use crate::error::Error;

/// Does something that only reads.
pub(super) fn reading<T>(path: &Path, act: impl FnOnce() -> tantivy::Result<T>) -> Result<T, Error> {
    match catch_unwind(AssertUnwindSafe(act)) {
        Ok(Ok(value)) => Ok(value),
        Ok(Err(error)) if is_refused(&error) => Err(unwritable(path, error)),
        Ok(Err(error)) => Err(damaged(path, error)),
        Err(_) => Err(damaged(path, "a file is not what it was")),
    }
}

/// Does something that writes: what fails is the disk, unless a file is broken.
pub(super) fn writing<T>(path: &Path, act: impl FnOnce() -> tantivy::Result<T>) -> Result<T, Error> {
    match catch_unwind(AssertUnwindSafe(act)) {
        Ok(Ok(value)) => Ok(value),
        Ok(Err(error)) if is_broken(&error) => Err(damaged(path, error)),
        Ok(Err(error)) => Err(unwritable(path, error)),
        Err(_) => Err(damaged(path, "a file is not what it was")),
    }
}

pub(super) fn damaged(path: &Path, message: impl ToString) -> Error {
    Error::Damaged { path: path.to_owned(), message: message.to_string() }
}

pub(super) fn unwritable(path: &Path, message: impl ToString) -> Error {
    Error::Unwritable { path: path.to_owned(), message: message.to_string() }
}

/// Even a reader needs a lock, which is a file.
fn is_refused(error: &TantivyError) -> bool {
    matches!(error, TantivyError::LockFailure(LockError::IoError(_), _) | TantivyError::OpenDirectoryError(_))
}

fn is_broken(error: &TantivyError) -> bool {
    match error {
        TantivyError::DataCorruption(_)
        | TantivyError::IncompatibleIndex(_)
        | TantivyError::OpenWriteError(OpenWriteError::FileAlreadyExists(_))
        | TantivyError::OpenReadError(OpenReadError::FileDoesNotExist(_)) => true,
        TantivyError::OpenReadError(OpenReadError::IoError { io_error, .. }) => is_odd(io_error),
        TantivyError::IoError(error) => is_odd(error),
        _ => false,
    }
}

fn is_odd(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::InvalidData | io::ErrorKind::UnexpectedEof)
}
