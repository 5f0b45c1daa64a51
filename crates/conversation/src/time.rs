//! Timestamps as records give them.

use jiff::Timestamp;
use steno_transcript::wire::Envelope;
use steno_transcript::{Trouble, Troubles};

/// RFC 3339 as the client writes it, or milliseconds since 1970 as some others do.
pub(crate) fn parse(text: &str) -> Option<Timestamp> {
    if text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Timestamp::from_millisecond(text.parse().ok()?).ok();
    }
    text.parse().ok()
}

/// When a record was written; a time that cannot be read is said.
pub(crate) fn of(envelope: &Envelope<'_>, troubles: &mut Troubles) -> Option<Timestamp> {
    let time = parse(envelope.timestamp.as_deref()?);
    if time.is_none() {
        troubles.add(Trouble::OddField);
    }
    time
}

/// From one time to a later one; none when they stand the other way round.
pub(crate) fn milliseconds(from: Option<Timestamp>, to: Option<Timestamp>) -> Option<u64> {
    u64::try_from(to?.as_millisecond() - from?.as_millisecond()).ok()
}
