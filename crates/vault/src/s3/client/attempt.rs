//! Why one attempt failed: what the network libraries say, in one sentence.

use std::error::Error as Cause;
use std::io;

use object_store::client::{HttpError, HttpErrorKind};

use crate::s3::failure::causes;

#[derive(Debug)]
pub(in crate::s3) struct Failure {
    pub(in crate::s3) kind: FailureKind,
    pub(in crate::s3) reason: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::s3) enum FailureKind {
    /// No server was reached.
    Unsent,
    /// The server may have done what it was asked.
    Passing,
    /// It will be the same next time.
    Final,
    /// The server does not know what was asked for.
    Unknown,
}

impl Failure {
    pub(super) fn silent() -> Self {
        Self { kind: FailureKind::Passing, reason: "no answer in time".to_owned() }
    }

    pub(super) fn cut(length: usize, came: usize) -> Self {
        let reason = format!("the answer broke off after {came} of {length} bytes");
        Self { kind: FailureKind::Passing, reason }
    }

    pub(super) fn of(error: &HttpError) -> Self {
        if let Some(told) = causes(error).find_map(untrusted) {
            return Self { kind: FailureKind::Final, reason: format!("no secure connection: {told}") };
        }
        let kind =
            if error.kind() == HttpErrorKind::Connect { FailureKind::Unsent } else { FailureKind::Passing };
        let reason = causes(error).last().map(ToString::to_string).unwrap_or_default();
        Self { kind, reason }
    }
}

/// Why the server's certificate is refused, or what it speaks instead of TLS.
fn untrusted(cause: &(dyn Cause + 'static)) -> Option<String> {
    // Errors of the system hide what they were made from, one in the other.
    let mut next = Some(cause);
    while let Some(cause) = next {
        if let Some(error) = cause.downcast_ref::<rustls::Error>() {
            return Some(error.to_string());
        }
        next = cause.downcast_ref::<io::Error>().and_then(io::Error::get_ref).map(|inner| inner as _);
    }
    None
}
