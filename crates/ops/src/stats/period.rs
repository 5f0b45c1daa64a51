//! A moment → the day, week or month that it lies in, somewhere on earth.

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;

use super::By;

/// A stretch of time; earlier ones come first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Period {
    Day(Date),
    /// By ISO 8601: a week belongs to the year that has its Thursday.
    Week(i16, i8),
    Month(i16, i8),
}

impl Period {
    pub(super) fn of(time: Timestamp, zone: &TimeZone, by: By) -> Self {
        let date = zone.to_datetime(time).date();
        match by {
            By::Weekly => {
                let week = date.iso_week_date();
                Self::Week(week.year(), week.week())
            }
            By::Monthly => Self::Month(date.year(), date.month()),
            _ => Self::Day(date),
        }
    }
}

impl std::fmt::Display for Period {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Day(date) => write!(formatter, "{date}"),
            Self::Week(year, week) => write!(formatter, "{year:04}-W{week:02}"),
            Self::Month(year, month) => write!(formatter, "{year:04}-{month:02}"),
        }
    }
}

/// As jiff and everybody else calls it.
pub(super) fn zone_name(zone: &TimeZone) -> String {
    let fixed = || zone.to_fixed_offset().map_or_else(|_| "local".to_owned(), |offset| offset.to_string());
    zone.iana_name().map_or_else(fixed, str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(time: &str, zone: &str, by: By) -> String {
        Period::of(time.parse().unwrap(), &TimeZone::get(zone).unwrap(), by).to_string()
    }

    #[test]
    fn a_day_begins_where_one_is() {
        let time = "2026-02-28T23:30:00Z";
        assert_eq!(said(time, "UTC", By::Daily), "2026-02-28");
        assert_eq!(said(time, "Asia/Tokyo", By::Daily), "2026-03-01");
        assert_eq!(said(time, "Asia/Tokyo", By::Monthly), "2026-03");
        assert_eq!(said("2026-03-01T07:59:59Z", "America/Los_Angeles", By::Monthly), "2026-02");
    }

    #[test]
    fn a_week_belongs_to_the_year_of_its_thursday() {
        assert_eq!(said("2027-01-01T12:00:00Z", "UTC", By::Weekly), "2026-W53");
        assert_eq!(said("2025-12-29T12:00:00Z", "UTC", By::Weekly), "2026-W01");
        assert_eq!(said("2026-03-01T23:59:59Z", "UTC", By::Weekly), "2026-W09");
        assert_eq!(said("2026-03-02T00:00:00Z", "UTC", By::Weekly), "2026-W10");
    }

    #[test]
    fn a_zone_has_a_name() {
        assert_eq!(zone_name(&TimeZone::get("Europe/Berlin").unwrap()), "Europe/Berlin");
        assert_eq!(zone_name(&TimeZone::UTC), "UTC");
        assert_eq!(zone_name(&TimeZone::fixed(jiff::tz::offset(2))), "+02");
    }
}
