//! Numbers, times and names as people say them.

use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::clean::{clean, is_plain};

/// `1 turn`, `2 turns`.
pub fn many(number: u64, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}

/// A text of any shape on one line.
pub fn one_line(text: &str) -> String {
    if is_plain(text) && text.trim_ascii().len() == text.len() && !text.contains("  ") {
        return text.to_owned();
    }
    let words: Vec<_> = text.split_whitespace().map(clean).filter(|word| !word.is_empty()).collect();
    words.join(" ")
}

/// The first letter large, as at the start of a sentence.
pub(crate) fn capitalized(text: &str) -> String {
    let mut characters = text.chars();
    characters.next().into_iter().flat_map(char::to_uppercase).chain(characters).collect()
}

/// The first line that says something.
pub(crate) fn first_line(text: &str) -> String {
    text.lines().map(one_line).find(|line| !line.is_empty()).unwrap_or_default()
}

/// `1234567` → `1.2M`.
pub fn count(number: u64) -> String {
    scaled(number, 1000.0, &["", "k", "M", "G", "T"])
}

/// `1234567` → `1.2 MB`.
pub fn bytes(number: u64) -> String {
    scaled(number, 1000.0, &[" B", " kB", " MB", " GB", " TB"])
}

/// A number of tokens of which some are only a lower bound.
pub fn tokens(number: u64, is_lower_bound: bool) -> String {
    let number = count(number);
    if is_lower_bound { format!("≥{number}") } else { number }
}

fn scaled(number: u64, step: f64, units: &[&str]) -> String {
    let mut value = number as f64;
    let mut units = units.iter();
    let mut unit = units.next().copied().unwrap_or_default();
    while value >= step - 0.5 {
        let Some(next) = units.next() else { break };
        value /= step;
        unit = next;
    }
    if number < 1000 || value >= 99.5 { format!("{value:.0}{unit}") } else { format!("{value:.1}{unit}") }
}

/// Milliseconds → `0.3s`, `12s`, `4m 10s`, `2h 5m`.
pub fn duration(milliseconds: u64) -> String {
    let seconds = milliseconds / 1000;
    match seconds {
        0..10 => format!("{:.1}s", milliseconds as f64 / 1000.0),
        10..60 => format!("{seconds}s"),
        60..3600 => format!("{}m {}s", seconds / 60, seconds % 60),
        3600..86_400 => format!("{}h {}m", seconds / 3600, seconds % 3600 / 60),
        _ => format!("{}d {}h", seconds / 86_400, seconds % 86_400 / 3600),
    }
}

/// A time as seen from `now`: minutes and hours of today, then the date.
pub fn when(time: Timestamp, now: Timestamp, zone: &TimeZone) -> String {
    let seconds = now.as_second() - time.as_second();
    match seconds {
        0..60 => "just now".to_owned(),
        60..3600 => format!("{}m ago", seconds / 60),
        3600..86_400 => format!("{}h ago", seconds / 3600),
        86_400..604_800 => format!("{}d ago", seconds / 86_400),
        _ => time.to_zoned(zone.clone()).strftime("%Y-%m-%d").to_string(),
    }
}

/// The last part of a working directory; the directory's encoded name where no record tells the true one.
pub fn project_name(cwd: Option<&str>, project_hash: Option<&str>) -> String {
    let name = cwd.and_then(|path| path.rsplit(['/', '\\']).find(|part| !part.is_empty()));
    name.or(project_hash).unwrap_or("-").to_owned()
}

/// Enough of an id to name it.
pub fn short_id(id: &str) -> &str {
    let looks_like_uuid = id.len() == 36 && id.is_ascii();
    if looks_like_uuid { id.get(..8).unwrap_or(id) } else { id }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_two_or_three_digits() {
        let said: Vec<String> = [0, 999, 1000, 1234, 99_499, 999_700, 12_345_678].map(count).into();
        assert_eq!(said, ["0", "999", "1.0k", "1.2k", "99.5k", "1.0M", "12.3M"]);
        assert_eq!(bytes(2_600_000), "2.6 MB");
    }

    #[test]
    fn anything_fits_on_one_line() {
        assert_eq!(one_line(" a\r\n\tb\u{1b}[31m \u{1b}[0m \u{2028}c\u{1b}]0;x\u{7} "), "a b c␛]0;x␇");
        assert_eq!(first_line("\n \u{1b}[0m\n\tmake all \\\n  -j"), "make all \\");
    }

    #[test]
    fn durations_have_two_units_at_most() {
        let said: Vec<String> = [300, 12_000, 250_000, 7_500_000, 90_000_000].map(duration).into();
        assert_eq!(said, ["0.3s", "12s", "4m 10s", "2h 5m", "1d 1h"]);
    }

    #[test]
    fn a_project_is_called_by_its_last_part() {
        assert_eq!(project_name(Some("/home/a/api server/"), None), "api server");
        assert_eq!(project_name(Some("C:\\work\\tool"), None), "tool");
        assert_eq!(project_name(None, Some("-home-a-x")), "-home-a-x");
    }
}
