//! Timestamps as records give them.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
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
pub fn of(envelope: &Envelope<'_>, troubles: &mut Troubles) -> Option<Timestamp> {
    let time = parse(envelope.timestamp.as_deref()?);
    if time.is_none() {
        troubles.add(Trouble::OddField);
    }
    time
}

/// From the least to the greatest of many times.
///
/// Times as the client writes them are as wide as each other, and compare like their bytes: reading them can wait
/// until only two are left.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Span {
    plain: Option<([u8; PLAIN], [u8; PLAIN])>,
    others: Option<(Timestamp, Timestamp)>,
}

const PLAIN: usize = "2026-01-01T00:00:00.000Z".len();

impl Span {
    pub(crate) fn add(&mut self, envelope: &Envelope<'_>, troubles: &mut Troubles) {
        let Some(text) = envelope.timestamp.as_deref() else { return };
        if let Some(plain) = plain(text) {
            widen(&mut self.plain, plain);
        } else if let Some(time) = of(envelope, troubles) {
            widen(&mut self.others, time);
        }
    }

    pub(crate) fn ends(&self) -> Option<(Timestamp, Timestamp)> {
        let read = |bytes: &[u8; PLAIN]| parse(std::str::from_utf8(bytes).ok()?);
        let mut ends = self.others;
        if let Some((least, greatest)) = &self.plain {
            for time in [read(least), read(greatest)].into_iter().flatten() {
                widen(&mut ends, time);
            }
        }
        ends
    }
}

fn widen<T: Ord + Copy>(span: &mut Option<(T, T)>, time: T) {
    let (least, greatest) = span.get_or_insert((time, time));
    *least = time.min(*least);
    *greatest = time.max(*greatest);
}

/// The time, if it has the client's own shape and could be one.
fn plain(text: &str) -> Option<[u8; PLAIN]> {
    let bytes: [u8; PLAIN] = text.as_bytes().try_into().ok()?;
    let is_like =
        |(byte, model): (&u8, u8)| if model == b'0' { byte.is_ascii_digit() } else { *byte == model };
    let number = |at: usize| {
        bytes
            .get(at..at + 2)
            .map_or(0, |pair| pair.iter().fold(0, |sum, digit| sum * 10 + u32::from(digit - b'0')))
    };
    let is_time = bytes.iter().zip(*b"0000-00-00T00:00:00.000Z").all(is_like)
        && (1..=12).contains(&number(5))
        // Whether the month has that day is not asked here: nobody writes the others.
        && (1..=31).contains(&number(8))
        && number(11) < 24
        && number(14) < 60
        && number(17) < 60;
    is_time.then_some(bytes)
}

/// From one time to a later one; none when they stand the other way round.
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
            span.add(&Envelope { timestamp: Some((*time).into()), ..Envelope::default() }, &mut troubles);
        }
        let ends = span.ends().map(|(least, greatest)| format!("{least} {greatest}"));
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
