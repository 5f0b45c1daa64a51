//! A moment → its day, week or month, somewhere on earth.

use std::ops::RangeInclusive;

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;

use super::By;

/// A stretch of time; earlier ones come first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Period {
    Day(Date),
    /// By ISO 8601: a week belongs to the year that has its Thursday.
    Week(i16, i8),
    Month(i16, i8),
    /// By its start.
    Window(Timestamp),
}

/// Finds periods. Messages that follow each other are mostly of one day: to see that they are is quicker than to ask
/// the zone for each of them.
#[derive(Debug)]
pub(super) struct Calendar<'a> {
    zone: &'a TimeZone,
    by: By,
    /// The day that was asked for last.
    last: Option<(RangeInclusive<Timestamp>, Period)>,
}

impl<'a> Calendar<'a> {
    pub(super) fn new(zone: &'a TimeZone, by: By) -> Self {
        Self { zone, by, last: None }
    }

    pub(super) fn period(&mut self, time: Timestamp) -> Period {
        if let Some((day, period)) = &self.last
            && day.contains(&time)
        {
            return *period;
        }
        let zoned = time.to_zoned(self.zone.clone());
        let period = Period::of(zoned.date(), self.by);
        let ends = zoned.start_of_day().and_then(|start| Ok((start, zoned.end_of_day()?)));
        self.last = ends.ok().map(|(start, end)| (start.timestamp()..=end.timestamp(), period));
        period
    }
}

impl Period {
    fn of(date: Date, by: By) -> Self {
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
            Self::Window(start) => write!(formatter, "{start}"),
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
        Calendar::new(&TimeZone::get(zone).unwrap(), by).period(time.parse().unwrap()).to_string()
    }

    #[test]
    fn what_was_asked_before_changes_nothing() {
        // A day without midnight, a long one, one at the end of a year.
        for (zone, day) in [
            ("America/Sao_Paulo", "2018-11-04"),
            ("Europe/Berlin", "2026-10-25"),
            ("Asia/Tokyo", "2026-12-31"),
        ] {
            let zone = TimeZone::get(zone).unwrap();
            let noon: Timestamp = format!("{day}T12:00:00Z").parse().unwrap();
            for by in [By::Daily, By::Weekly, By::Monthly] {
                let mut calendar = Calendar::new(&zone, by);
                for hour in (-40..40).chain((-40..40).rev()) {
                    let time = noon + jiff::SignedDuration::from_mins(hour * 37);
                    assert_eq!(calendar.period(time), Calendar::new(&zone, by).period(time), "{time}");
                }
            }
        }
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
