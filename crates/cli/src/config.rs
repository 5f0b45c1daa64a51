//! The environment → what the rest of the program is told. Nothing else reads it.

use std::env;
use std::io::{IsTerminal, stderr, stdout};
use std::path::PathBuf;

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use steno_ops::{Error, ErrorKind, Library};

use crate::args::Global;
use crate::output::Terminal;

const DEFAULT_WIDTH: usize = 100;
const DEFAULT_HEIGHT: usize = 24;
/// A width below this says nothing about a window.
const LEAST_WIDTH: usize = 20;

/// Which sessions are meant, and when now is.
pub(crate) fn library(global: &Global, now: Timestamp) -> Result<Library, Error> {
    let named = match env::var_os("CLAUDE_CONFIG_DIR").filter(|directory| !directory.is_empty()) {
        Some(directory) if global.claude_dir.is_empty() => vec![PathBuf::from(directory)],
        _ => global.claude_dir.clone(),
    };
    let is_default = named.is_empty();
    let claude_dirs = if is_default { vec![default_claude_dir()?] } else { named };
    Ok(Library { claude_dirs, is_default, now })
}

fn default_claude_dir() -> Result<PathBuf, Error> {
    let home = env::home_dir().filter(|home| !home.as_os_str().is_empty());
    home.map(|home| home.join(".claude")).ok_or_else(|| {
        Error::new(ErrorKind::Invalid, "there is no home directory")
            .hint("say where the sessions are: --claude-dir DIR")
    })
}

/// The time; tests give their own.
pub(crate) fn now() -> Result<Timestamp, Error> {
    match env::var_os("STENO_NOW").filter(|text| !text.is_empty()) {
        None => Ok(Timestamp::now()),
        Some(text) => text.to_str().and_then(|text| text.parse().ok()).ok_or_else(|| {
            let message = format!("STENO_NOW is not a time: '{}'", text.to_string_lossy());
            Error::new(ErrorKind::Invalid, message).hint("give it as 2026-03-01T12:00:00Z, or unset it")
        }),
    }
}

/// What stands on the other side of stdout and stderr.
pub(crate) fn terminal() -> Terminal {
    let columns = env::var("COLUMNS").ok().and_then(|columns| columns.trim().parse().ok());
    let size = terminal_size::terminal_size();
    let real = size.map(|(width, _)| usize::from(width.0));
    let no_color = env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let is_dumb = env::var_os("TERM").is_some_and(|terminal| terminal == "dumb");
    Terminal {
        is_stdout: stdout().is_terminal(),
        is_stderr: stderr().is_terminal(),
        width: [columns, real]
            .into_iter()
            .flatten()
            .find(|width| *width >= LEAST_WIDTH)
            .unwrap_or(DEFAULT_WIDTH),
        height: size.map_or(DEFAULT_HEIGHT, |(_, height)| usize::from(height.0)),
        allows_color: !no_color && !is_dumb,
        pager: env::var("STENO_PAGER").or_else(|_| env::var("PAGER")).unwrap_or_else(|_| "less".to_owned()),
        has_less_options: env::var_os("LESS").is_some(),
        zone: TimeZone::system(),
    }
}

/// A date, a time, or an age such as `7d`, as a moment. A date means its start, or its end.
pub(crate) fn moment(text: &str, now: Timestamp, end_of_day: bool) -> Result<Timestamp, Error> {
    if let Ok(moment) = text.parse::<Timestamp>() {
        return Ok(moment);
    }
    if let Some(age) = age(text) {
        return now.checked_sub(age).map_err(|_| bad_moment(text));
    }
    let date: Date = text.parse().map_err(|_| bad_moment(text))?;
    let date = if end_of_day { date.tomorrow().map_err(|_| bad_moment(text))? } else { date };
    let midnight = date.to_zoned(TimeZone::system()).map_err(|_| bad_moment(text))?;
    Ok(midnight.timestamp())
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
        .hint("give a date (2026-03-01), a time (2026-03-01T12:00:00Z) or an age (12h, 7d, 2w)")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_is_a_date_a_time_or_an_age() {
        let now: Timestamp = "2026-03-10T12:00:00Z".parse().unwrap();
        let said = |text| moment(text, now, false).map(|moment| moment.to_string()).ok();
        assert_eq!(said("2d").as_deref(), Some("2026-03-08T12:00:00Z"));
        assert_eq!(said("2026-03-01T00:00:00Z").as_deref(), Some("2026-03-01T00:00:00Z"));
        assert!(said("2026-03-01").is_some());
        assert!(
            said("yesterday-ish").is_none() && said("9999999999999999999d").is_none() && said("é").is_none()
        );
    }
}
