//! The status and the body of an answer → why the request failed, if it did.

use std::fmt::Write;

use super::client::{Failure, FailureKind};

/// Characters of a server's message that are shown.
const LONGEST: usize = 300;
/// Bytes of an error that are read.
const MOST: usize = 64 << 10;

#[derive(Debug, Clone, Copy)]
pub(super) struct Response<'a> {
    pub(super) status: u16,
    pub(super) body: &'a [u8],
    /// The bucket's region, which the server tells when asked in another one.
    pub(super) region: Option<&'a str>,
    /// Whether it was asked under a condition.
    pub(super) is_conditional: bool,
}

impl Response<'_> {
    /// `None` for an answer that the caller handles, such as an object that is missing or exists already.
    pub(super) fn failure(&self) -> Option<Failure> {
        // The body is an object of megabytes, not a message.
        if matches!(self.status, 200..300 | 304 | 412) {
            return None;
        }
        let words = self.body.get(..MOST).unwrap_or(self.body);
        let text = String::from_utf8_lossy(words);
        let kind = match (self.status, element(&text, "Code").unwrap_or_default()) {
            (404, "NoSuchBucket") => FailureKind::Final,
            (404, _) => return None,
            (501, _) => FailureKind::Unknown,
            // Two conditional puts at the same instant: AWS asks one of them to come again.
            (409, _) if self.is_conditional => FailureKind::Passing,
            (408 | 429 | 500..600, _)
            | (400, "RequestTimeout" | "IncompleteBody" | "BadDigest" | "XAmzContentSHA256Mismatch") => {
                FailureKind::Passing
            }
            _ => FailureKind::Final,
        };
        Some(Failure { kind, reason: self.told(&text) })
    }

    fn told(&self, text: &str) -> String {
        let mut told = self.status.to_string();
        if let Some(code) = element(text, "Code") {
            let _ = write!(told, " {code}");
        }
        if let Some(message) = element(text, "Message") {
            let _ = write!(told, ": {message}");
        }
        if let Some(region) = self.region.filter(|_| matches!(self.status, 300..=400)) {
            let _ = write!(told, " (the bucket is in the region {region})");
        }
        let is_odd = |letter: char| letter.is_control();
        told.chars().take(LONGEST).map(|letter| if is_odd(letter) { ' ' } else { letter }).collect()
    }
}

/// The text of the first element of that name: as much of XML as an error needs.
fn element<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(&format!("<{name}>"))?;
    rest.split_once('<').map(|(text, _)| text.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failure(status: u16, code: &str) -> Option<Failure> {
        let body = format!("<?xml?><Error><Code>{code}</Code><Message>so \u{1b}[1m</Message></Error>");
        Response { status, body: body.as_bytes(), region: Some("here"), is_conditional: false }.failure()
    }

    #[test]
    fn what_passes_is_asked_again() {
        for (status, code) in [(500, "InternalError"), (503, "SlowDown"), (429, ""), (400, "RequestTimeout")]
        {
            assert_eq!(failure(status, code).unwrap().kind, FailureKind::Passing, "{status}");
        }
        let conflict = Response { status: 409, body: b"", region: None, is_conditional: true };
        let conflict = conflict.failure().unwrap();
        assert_eq!((conflict.kind, conflict.reason.as_str()), (FailureKind::Passing, "409"));
    }

    #[test]
    fn what_stays_is_refused_in_the_words_of_the_server() {
        for (status, code, told) in [
            (403, "AccessDenied", "403 AccessDenied: so  [1m"),
            (404, "NoSuchBucket", "404 NoSuchBucket: so  [1m"),
            (301, "PermanentRedirect", "301 PermanentRedirect: so  [1m (the bucket is in the region here)"),
        ] {
            let failure = failure(status, code).unwrap();
            assert_eq!((failure.kind, failure.reason.as_str()), (FailureKind::Final, told));
        }
        assert_eq!(failure(501, "NotImplemented").unwrap().kind, FailureKind::Unknown);
    }

    #[test]
    fn what_the_caller_waits_for_is_passed_on() {
        for (status, code) in [(200, ""), (204, ""), (404, "NoSuchKey"), (412, "PreconditionFailed")] {
            assert!(failure(status, code).is_none(), "{status}");
        }
    }
}
