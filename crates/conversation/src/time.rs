//! Timestamps as records give them.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use steno_transcript::wire::Envelope;
use steno_transcript::{Trouble, Troubles};

/// RFC 3339 as the client writes it, or milliseconds since 1970 as some others do.
pub(crate) fn parse(text: &str) -> Option<Timestamp> {
    if let Some(time) = plain(text).and_then(|plain| quick(&plain)) {
        return Some(time);
    }
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

/// Every record has a time, and nearly all are of this shape: half of what it costs to read any. Nothing on days that
/// not every month has.
fn quick(plain: &[u8; PLAIN]) -> Option<Timestamp> {
    let number = |digits: std::ops::Range<usize>| {
        let digits = plain.get(digits).unwrap_or_default();
        digits.iter().fold(0, |sum, digit| sum * 10 + i64::from(digit - b'0'))
    };
    let (month, day) = (number(5..7), number(8..10));
    if day > 28 {
        return None;
    }
    // Years that begin in March end with the day that comes every four years.
    let year = number(0..4) - i64::from(month <= 2);
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let days = era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468;
    let seconds = (days * 24 + number(11..13)) * 3600 + number(14..16) * 60 + number(17..19);
    Timestamp::from_millisecond(seconds * 1000 + number(20..23)).ok()
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

    proptest::proptest! {
        #[test]
        fn a_quick_look_reads_the_same_time(
            year in 0..10_000_u32, month in 0..14_u32, day in 0..33_u32,
            hour in 0..26_u32, minute in 0..62_u32, second in 0..62_u32, part in 0..1000_u32,
        ) {
            let text =
                format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{part:03}Z");
            proptest::prop_assert_eq!(parse(&text), text.parse().ok());
        }
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
