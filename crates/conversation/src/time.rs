//! Timestamps as records give them.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use steno_transcript::wire::Envelope;
use steno_transcript::{Trouble, Troubles};

/// RFC 3339 as the client writes it, or milliseconds since 1970 as some other programs do.
pub(crate) fn parse(text: &str) -> Option<Timestamp> {
    if text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Timestamp::from_millisecond(text.parse().ok()?).ok();
    }
    text.parse().ok()
}

/// When a record was written. A time that cannot be read is a trouble of the record.
pub fn of(envelope: &Envelope<'_>, troubles: &mut Troubles) -> Option<Timestamp> {
    let time = parse(envelope.timestamp.as_deref()?);
    if time.is_none() {
        troubles.add(Trouble::OddField);
    }
    time
}

/// The least and the greatest of many times.
#[derive(Debug, Default, Clone, Copy, Serialize, Deserialize)]
pub(crate) struct Span(pub(crate) Option<(Timestamp, Timestamp)>);

impl Span {
    pub(crate) fn add(&mut self, time: Timestamp) {
        let (least, greatest) = self.0.unwrap_or((time, time));
        self.0 = Some((time.min(least), time.max(greatest)));
    }
}

/// From one time to a later one; none if the second is earlier.
pub(crate) fn milliseconds(from: Option<Timestamp>, to: Option<Timestamp>) -> Option<u64> {
    u64::try_from(to?.as_millisecond() - from?.as_millisecond()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(times: &[&str]) -> (Option<String>, bool) {
        let mut span = Span::default();
        let mut troubles = Troubles::default();
        for time in times {
            let envelope = Envelope { timestamp: Some((*time).into()), ..Envelope::default() };
            of(&envelope, &mut troubles).into_iter().for_each(|time| span.add(time));
        }
        let ends = span.0.map(|(least, greatest)| format!("{least} {greatest}"));
        (ends, troubles.contains(Trouble::OddField))
    }

    #[test]
    fn times_of_all_shapes_make_one_span() {
        let times = [
            "2026-01-02T00:00:00.000Z",
            "2026-01-01T00:00:00.500Z",
            "1767312000000",
            "2026-01-01T09:00:00+09:00",
        ];
        let (ends, is_odd) = span(&times);
        assert_eq!((ends.as_deref(), is_odd), (Some("2026-01-01T00:00:00Z 2026-01-02T00:00:00Z"), false));
    }

    #[test]
    fn what_is_no_time_is_said() {
        assert_eq!(span(&["yesterday"]), (None, true));
        assert_eq!(span(&["2026-13-01T00:00:00.000Z"]), (None, true));
        assert_eq!(span(&["2026-01-01T25:00:00.000Z"]), (None, true));
    }
}
