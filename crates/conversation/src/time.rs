//! Timestamps as records give them.

use jiff::Timestamp;

/// RFC 3339 as the client writes it, or milliseconds since 1970 as some others do.
pub(crate) fn parse(text: &str) -> Option<Timestamp> {
    if text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Timestamp::from_millisecond(text.parse().ok()?).ok();
    }
    text.parse().ok()
}

/// From one time to a later one; none when they stand the other way round.
pub(crate) fn milliseconds(from: Option<Timestamp>, to: Option<Timestamp>) -> Option<u64> {
    u64::try_from(to?.as_millisecond() - from?.as_millisecond()).ok()
}
