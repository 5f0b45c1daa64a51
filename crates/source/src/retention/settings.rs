//! One settings file → the period it sets, as the client would read it.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::Source;
use crate::directory::{Kind, list, not_a_file};
use crate::document::bad;
use crate::warning::Warning;

/// The largest integer that the client's own numbers hold exactly; it refuses larger ones.
const LARGEST: u64 = (1 << 53) - 1;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Settings {
    Period(u64),
    /// Fine, and silent about it; also a file that is not there.
    Unset,
    /// The client refuses the whole file.
    NotLoaded,
}

impl Settings {
    pub(super) fn read(path: &Path, source: Source, warnings: &mut Vec<Warning>) -> Self {
        let text = match read(path) {
            Ok(text) => text,
            Err(warning) => {
                let settings = if warning.is_some() { Self::NotLoaded } else { Self::Unset };
                warnings.extend(warning);
                return settings;
            }
        };
        match parse(&text) {
            Ok(days) => days.map_or(Self::Unset, Self::Period),
            Err(trouble) => {
                warnings.push(bad(path, trouble.message(source)));
                trouble.outcome(source)
            }
        }
    }
}

/// The files of `<name>.d` beside `<name>.json`, in order; of hidden ones and others the client takes no notice.
pub(super) fn additions(path: &Path, warnings: &mut Vec<Warning>) -> Vec<PathBuf> {
    let entries = list(&path.with_extension("d"), warnings);
    let counts = |name: &OsStr| {
        let is_hidden = name.as_encoded_bytes().starts_with(b".");
        !is_hidden && Path::new(name).extension() == Some(OsStr::new("json"))
    };
    let files = entries.into_iter().filter(|entry| entry.kind == Kind::File && counts(entry.name()));
    files.map(|entry| entry.path).collect()
}

/// `Err(None)` where there is no such file.
fn read(path: &Path) -> Result<Vec<u8>, Option<Warning>> {
    match fs::metadata(path) {
        Ok(metadata) if !metadata.is_file() => Err(Some(not_a_file(path))),
        Ok(_) => fs::read(path).map_err(|error| Warning::of_io(path, &error)),
        // A project that is itself a file has no settings, either.
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => Err(None),
        Err(error) => Err(Warning::of_io(path, &error)),
    }
}

#[derive(Debug)]
enum Trouble {
    NotAnObject(Option<serde_json::Error>),
    Invalid(Value),
}

impl Trouble {
    fn message(&self, source: Source) -> String {
        match self {
            Self::NotAnObject(None) => "not a JSON object: none of it counts".to_owned(),
            Self::NotAnObject(Some(error)) => format!("not JSON, none of it counts: {error}"),
            Self::Invalid(value) if source == Source::Managed => {
                format!("cleanupPeriodDays is {value}, not a number of days: it does not count")
            }
            Self::Invalid(value) if value.as_f64() == Some(0.0) => {
                "cleanupPeriodDays is 0: nothing in this file counts, and clients of 2.0 delete every session"
                    .to_owned()
            }
            Self::Invalid(value) => {
                format!("cleanupPeriodDays is {value}, not a number of days: nothing in this file counts")
            }
        }
    }

    /// Of managed settings the client leaves out the one that is wrong, of others the whole file.
    fn outcome(&self, source: Source) -> Settings {
        match self {
            Self::Invalid(_) if source == Source::Managed => Settings::Unset,
            Self::Invalid(_) | Self::NotAnObject(_) => Settings::NotLoaded,
        }
    }
}

/// An empty file is as good as none, and a byte order mark does no harm.
fn parse(text: &[u8]) -> Result<Option<u64>, Trouble> {
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    if text.trim_ascii().is_empty() {
        return Ok(None);
    }
    match serde_json::from_slice(text) {
        Ok(Value::Object(fields)) => period(&fields),
        Ok(_) => Err(Trouble::NotAnObject(None)),
        Err(error) => Err(Trouble::NotAnObject(Some(error))),
    }
}

fn period(fields: &Map<String, Value>) -> Result<Option<u64>, Trouble> {
    let Some(value) = fields.get("cleanupPeriodDays") else {
        return Ok(None);
    };
    let days = value.as_u64().or_else(|| whole(value.as_f64()?));
    match days.filter(|days| (1..=LARGEST).contains(days)) {
        Some(days) => Ok(Some(days)),
        None => Err(Trouble::Invalid(value.clone())),
    }
}

/// JavaScript knows no difference between 10 and 10.0.
fn whole(number: f64) -> Option<u64> {
    let is_whole = number.fract() == 0.0 && (1.0..=LARGEST as f64).contains(&number);
    is_whole.then_some(number as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn days(text: &str) -> Option<u64> {
        parse(text.as_bytes()).unwrap()
    }

    fn of(value: &str) -> String {
        format!("{{\"cleanupPeriodDays\":{value}}}")
    }

    #[test]
    fn whole_positive_numbers_are_periods() {
        for (value, expected) in [("1", 1), ("30", 30), ("10.0", 10), ("1e2", 100), ("99999", 99999)] {
            assert_eq!(days(&of(value)), Some(expected), "{value}");
        }
        assert_eq!(days(&format!("\u{feff}{}", of("10"))), Some(10));
        assert_eq!(days(r#"{"cleanupPeriodDays":3,"cleanupPeriodDays":10}"#), Some(10));
    }

    #[test]
    fn files_may_say_nothing() {
        for text in ["{}", "", " \n", r#"{"model":"opus","nested":{"cleanupPeriodDays":3}}"#] {
            assert_eq!(days(text), None, "{text:?}");
        }
    }

    #[test]
    fn everything_else_disables_the_file() {
        for value in
            ["0", "0.0", "-3", "1.5", "\"10\"", "null", "true", "[10]", "1e30", "18446744073709551615"]
        {
            assert!(matches!(parse(of(value).as_bytes()), Err(Trouble::Invalid(_))), "{value}");
        }
        for text in
            ["[]", "7", "null", "{\"cleanupPeriodDays\":10", "{\"cleanupPeriodDays\":10,}", "\u{0}", "{} {}"]
        {
            assert!(matches!(parse(text.as_bytes()), Err(Trouble::NotAnObject(_))), "{text:?}");
        }
    }
}
