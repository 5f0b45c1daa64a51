//! Why an object does not open: the wrong keys, or the wrong bytes.

use std::io;

use age::DecryptError;

use crate::damage::{Damage, Reason};
use crate::error::Error;

#[derive(Debug)]
pub(crate) enum OpenFailure {
    /// There is no key, or none that could be had.
    NoKey(String),
    /// There are keys, and none of them fits. A damaged header looks the same.
    OtherKey(String),
    Damaged(Reason),
    Newer(u64),
    Io(io::Error),
}

impl OpenFailure {
    pub(crate) const HEADER: Self = Self::Damaged(Reason::Header);

    /// Of reading through the cipher, which tells damage as an error of the same type.
    pub(super) fn of_read(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::InvalidData | io::ErrorKind::UnexpectedEof => Self::HEADER,
            _ => Self::Io(error),
        }
    }

    /// The messages of these errors are not used: one of them counts beyond its type.
    pub(super) fn of_decrypt(error: DecryptError, keys: &str) -> Self {
        match error {
            DecryptError::NoMatchingKeys => Self::OtherKey(format!("no key in {keys} opens it")),
            DecryptError::Io(error) => Self::of_read(error),
            _ => Self::HEADER,
        }
    }

    pub(crate) fn about(self, object: &str) -> Error {
        match self {
            Self::NoKey(reason) => Error::Locked { reason },
            Self::OtherKey(reason) => Error::Locked { reason: format!("{object}: {reason}") },
            Self::Damaged(reason) => damage(object, reason).into(),
            Self::Newer(format) => {
                Error::Newer { path: object.into(), format, known: super::envelope::FORMAT }
            }
            Self::Io(error) => Error::read(object)(error),
        }
    }
}

/// The name is all that is known of it.
fn damage(object: &str, reason: Reason) -> Damage {
    let machine = object.split('/').nth(1).unwrap_or_default().to_owned();
    Damage {
        machine,
        session: None,
        path: object.to_owned(),
        generation: 0,
        segment: object.to_owned(),
        offset: None,
        length: None,
        reason,
    }
}
