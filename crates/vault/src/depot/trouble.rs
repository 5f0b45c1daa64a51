//! Why a request ended without an answer that is of use.
//!
//! The library between the wire and the bucket wraps errors several times; this is what stands innermost.

use std::error::Error as Cause;

use object_store::client::{HttpError, HttpErrorKind};

use crate::error::Error;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum Trouble {
    #[error("{reason}")]
    Offline { reason: String },
    #[error("{reason}")]
    Refused { reason: String },
    /// It was asked more than once, because an answer was lost: what is there may be what was put.
    #[error("something is there, which may have been put just now")]
    Unsure,
    #[error("the server does not know conditions")]
    Unconditional,
}

impl Trouble {
    pub(super) fn within<'a>(error: &'a (dyn Cause + 'static)) -> Option<&'a Self> {
        causes(error).find_map(|cause| cause.downcast_ref())
    }
}

/// The error, what it came from, and so on.
pub(super) fn causes<'a>(
    error: &'a (dyn Cause + 'static),
) -> impl Iterator<Item = &'a (dyn Cause + 'static)> {
    std::iter::successors(Some(error), |cause| (*cause).source())
}

impl From<Trouble> for HttpError {
    /// Of a kind that nobody above asks again for.
    fn from(trouble: Trouble) -> Self {
        Self::new(HttpErrorKind::Unknown, trouble)
    }
}

/// What an error of the library says about a name.
pub(super) fn about(name: &str) -> impl Fn(object_store::Error) -> Error {
    let name = name.to_owned();
    move |error| match (Trouble::within(&error), &error) {
        (Some(Trouble::Offline { reason }), _) => Error::Offline { reason: reason.clone() },
        (Some(Trouble::Refused { reason }), _) => Error::Refused { reason: reason.clone() },
        (Some(Trouble::Unsure), _)
        | (None, object_store::Error::AlreadyExists { .. } | object_store::Error::Precondition { .. }) => {
            Error::Exists { name: name.clone() }
        }
        (None, object_store::Error::NotFound { .. }) => Error::Missing { name: name.clone() },
        _ => Error::Refused { reason: error.to_string() },
    }
}
