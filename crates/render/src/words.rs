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
    scaled(number, 1000.0, &["", "K", "M", "B", "T"])
}

/// `1566.78` → `$1,566.78`; what is less than a cent has four places.
pub fn dollars(cost: f64) -> String {
    let places = if cost > 0.0 && cost < 0.01 { 4 } else { 2 };
    let number = format!("{cost:.places$}");
    let (whole, rest) = number.split_once('.').unwrap_or((&number, ""));
    let mut grouped = String::new();
    for (place, digit) in whole.chars().enumerate() {
        if place > 0 && (whole.len() - place).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    format!("${grouped}.{rest}")
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

/// The same in a narrow column: `5m`, `2h`, `3d`, `6w`, `7mo`, `2y`.
pub fn age(time: Timestamp, now: Timestamp) -> String {
    let seconds = now.as_second() - time.as_second();
    match seconds {
        ..60 => "now".to_owned(),
        60..3600 => format!("{}m", seconds / 60),
        3600..86_400 => format!("{}h", seconds / 3600),
        86_400..1_209_600 => format!("{}d", seconds / 86_400),
        1_209_600..5_184_000 => format!("{}w", seconds / 604_800),
        5_184_000..63_072_000 => format!("{}mo", seconds / 2_592_000),
        _ => format!("{}y", seconds / 31_536_000),
    }
}

/// The last part of a working directory, of a worktree with the repository before it (`api/2`); the directory's encoded
/// name where no record tells the true one.
pub fn project_name(cwd: Option<&str>, project_hash: Option<&str>) -> String {
    let mut parts = cwd.into_iter().flat_map(|path| path.rsplit(['/', '\\'])).filter(|part| !part.is_empty());
    let Some(name) = parts.next() else { return project_hash.unwrap_or("-").to_owned() };
    let mut above = parts.skip_while(|part| !is_worktrees(part));
    let repository = above.find(|part| !is_worktrees(part) && *part != ".claude");
    repository.map_or_else(|| name.to_owned(), |repository| format!("{repository}/{name}"))
}

/// Whether a directory is one that worktrees lie in.
fn is_worktrees(name: &str) -> bool {
    matches!(name, ".worktrees" | "worktrees")
}

/// Enough of an id to name it.
pub fn short_id(id: &str) -> &str {
    let looks_like_uuid = id.len() == 36 && id.is_ascii();
    if looks_like_uuid { id.get(..8).unwrap_or(id) } else { id }
}

#[cfg(test)]
mod tests;
