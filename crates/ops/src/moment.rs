//! A date, a time or an age, as people type it → a moment.
//!
//! Separate from the commands, because a flag and a filter inside a query mean the same by the same words.

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Span, Timestamp};

use crate::error::{Error, ErrorKind};

/// A date, a time, or an age such as `7d`, as a moment. A date means its start there, or its end.
pub fn moment(text: &str, now: Timestamp, zone: &TimeZone, end_of_day: bool) -> Result<Timestamp, Error> {
    if let Ok(moment) = text.parse::<Timestamp>() {
        return Ok(moment);
    }
    if let Some(age) = age(text) {
        return now.checked_sub(age).map_err(|_| bad_moment(text));
    }
    let (first, last) = days(text, now, zone).ok_or_else(|| bad_moment(text))?;
    let date = if end_of_day { last.tomorrow().map_err(|_| bad_moment(text))? } else { first };
    let midnight = date.to_zoned(zone.clone()).map_err(|_| bad_moment(text))?;
    Ok(midnight.timestamp())
}

/// A date, or the first and the last day of a word such as `yesterday`. Weeks are those of ISO 8601.
fn days(text: &str, now: Timestamp, zone: &TimeZone) -> Option<(Date, Date)> {
    let today = now.to_zoned(zone.clone()).date();
    let ago = |days: i64| today.checked_sub(Span::new().days(days)).ok();
    let monday = i64::from(today.weekday().to_monday_zero_offset());
    Some(match text.to_lowercase().replace('-', " ").as_str() {
        "today" => (today, today),
        "yesterday" => (ago(1)?, ago(1)?),
        "this week" => (ago(monday)?, today),
        "last week" => (ago(monday + 7)?, ago(monday + 1)?),
        "this month" => (today.first_of_month(), today),
        "last month" => {
            let first = today.first_of_month().checked_sub(Span::new().months(1)).ok()?;
            (first, first.last_of_month())
        }
        _ => {
            let date: Date = text.parse().ok()?;
            (date, date)
        }
    })
}

fn age(text: &str) -> Option<SignedDuration> {
    let (number, unit) = text.split_at_checked(text.len().checked_sub(1)?)?;
    let number: i64 = number.parse().ok()?;
    let hours = match unit {
        "h" => 1,
        "d" => 24,
        "w" => 24 * 7,
        _ => return None,
    };
    number.checked_mul(hours)?.checked_mul(3600).map(SignedDuration::from_secs)
}

fn bad_moment(text: &str) -> Error {
    Error::new(ErrorKind::Invalid, format!("'{text}' is not a time"))
        .hint("give a date (2026-03-01), a time (2026-03-01T12:00:00Z), an age (12h, 7d, 2w), today, yesterday or last-week")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_is_a_date_a_time_or_an_age() {
        let now: Timestamp = "2026-03-10T12:00:00Z".parse().unwrap();
        let said = |text| moment(text, now, &TimeZone::UTC, false).map(|moment| moment.to_string()).ok();
        assert_eq!(said("2d").as_deref(), Some("2026-03-08T12:00:00Z"));
        assert_eq!(said("2026-03-01T00:00:00Z").as_deref(), Some("2026-03-01T00:00:00Z"));
        assert_eq!(said("2026-03-01").as_deref(), Some("2026-03-01T00:00:00Z"));
        assert!(
            said("yesterday-ish").is_none() && said("9999999999999999999d").is_none() && said("é").is_none()
        );
        // A Tuesday.
        let day = |text, end| moment(text, now, &TimeZone::UTC, end).unwrap().strftime("%m-%d").to_string();
        for (text, from, to) in [
            ("today", "03-10", "03-11"),
            ("Yesterday", "03-09", "03-10"),
            ("last week", "03-02", "03-09"),
            ("this-week", "03-09", "03-11"),
            ("last month", "02-01", "03-01"),
        ] {
            assert_eq!((day(text, false), day(text, true)), (from.to_owned(), to.to_owned()), "{text}");
        }
        let end = moment("2026-03-01", now, &TimeZone::UTC, true).unwrap();
        assert_eq!(end.to_string(), "2026-03-02T00:00:00Z");
    }
}
