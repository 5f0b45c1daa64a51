//! Why a request ended without an answer that is of use.
//!
//! The library between the client and the bucket wraps errors several times; this is the innermost one.

use std::error::Error as Cause;

use object_store::client::{HttpError, HttpErrorKind};

use crate::error::Error;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum RequestError {
    #[error("{reason}")]
    Offline { reason: String },
    #[error("{reason}")]
    Refused { reason: String },
    /// A put was repeated because an answer was lost: the object there may be ours.
    #[error("something is there, which may have been put just now")]
    Unsure,
    #[error("the server does not know conditions")]
    Unconditional,
}

impl RequestError {
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

impl From<RequestError> for HttpError {
    /// Of a kind that the library does not retry.
    fn from(error: RequestError) -> Self {
        Self::new(HttpErrorKind::Unknown, error)
    }
}

/// An error of the library → the error about a name.
pub(super) fn about(name: &str) -> impl Fn(object_store::Error) -> Error {
    let name = name.to_owned();
    move |error| match (RequestError::within(&error), &error) {
        (Some(RequestError::Offline { reason }), _) => Error::Offline { reason: reason.clone() },
        (Some(RequestError::Refused { reason }), _) => Error::Refused { reason: reason.clone() },
        (Some(RequestError::Unsure), _)
        | (None, object_store::Error::AlreadyExists { .. } | object_store::Error::Precondition { .. }) => {
            Error::Exists { name: name.clone() }
        }
        (None, object_store::Error::NotFound { .. }) => Error::Missing { name: name.clone() },
        _ => Error::Refused { reason: error.to_string() },
    }
}
