//! Strings of one record that tell about the next: `{"name":…,"value":…}`, `["--flag", …]`, the lines of a private key.
//!
//! Keys are strings too, and other pairs may stand between a name and its value.

use std::ops::Range;

use crate::spot::Spot;

const LONGEST_NAME: usize = 100;
const LONGEST_VALUE: usize = 512;
const LONGEST_LINE: usize = 80;
/// How many strings may stand between, keys too.
const NEAR: u32 = 6;

#[derive(Default)]
pub(crate) struct Pairs {
    name: String,
    value: String,
    place: (u32, u64),
    /// How many strings are still near the name or the value.
    left: u32,
    /// Where the last string began a private key or carried it on.
    key: Option<(u32, u64)>,
    /// The last string, where it is a flag, and its key.
    flag: Option<(String, Option<String>)>,
    is_field: bool,
}

impl Pairs {
    /// The name that this string is the value of.
    pub(crate) fn meet(&mut self, spot: &Spot<'_>) -> Option<String> {
        let is_near = self.is_near(spot);
        self.left = if is_near { self.left - 1 } else { 0 };
        let flag = self.flag.take().filter(|(_, key)| key.as_deref() == spot.key && self.is_here(spot));
        if spot.text.starts_with('-') && spot.text.len() < LONGEST_NAME {
            self.place = (spot.file, spot.line);
            self.flag = Some((spot.text.to_owned(), spot.key.map(str::to_owned)));
        } else if let Some((name, _)) = flag {
            return Some(name);
        }
        let is_typed = spot.key == Some("text") && self.is_field;
        if ends_in(spot.key, &["value"]) || is_typed {
            let name = std::mem::take(&mut self.name);
            self.keep(spot, String::new(), spot.text.get(..LONGEST_VALUE).unwrap_or(spot.text).to_owned());
            return (is_near && !name.is_empty()).then_some(name);
        }
        // What a browser is told to type, and where.
        self.is_field = spot.key == Some("element") && names_password(spot.text) || self.is_field && is_near;
        if self.is_field && spot.key == Some("element") {
            self.keep(spot, "password".to_owned(), String::new());
        } else if is_name(spot) {
            self.keep(spot, spot.text.to_owned(), String::new());
        }
        None
    }

    /// The line of a private key that this string is; a diff has its sign before it.
    pub(crate) fn line_of_key(&mut self, spot: &Spot<'_>) -> Option<Range<usize>> {
        let is_here = self.key.take() == Some((spot.file, spot.line));
        let start = spot.text.len() - spot.text.trim_start_matches(['+', '-', ' ']).len();
        let end = spot.text.trim_end().len().max(start);
        let line = spot.text.get(start..end).unwrap_or_default();
        let is_base64 = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=');
        let carries_on = is_here && line.len() <= LONGEST_LINE && line.bytes().all(is_base64);
        let begins =
            line.len() < LONGEST_LINE && line.starts_with("BEGIN ") && line.ends_with("PRIVATE KEY-----");
        if carries_on || begins {
            self.key = Some((spot.file, spot.line));
        }
        (carries_on && !line.is_empty()).then_some(start..end)
    }

    /// The value that stood before this name.
    pub(crate) fn value_before(&self, spot: &Spot<'_>) -> Option<String> {
        let is_one = self.is_near(spot) && is_name(spot) && !self.value.is_empty();
        is_one.then(|| self.value.clone())
    }

    fn keep(&mut self, spot: &Spot<'_>, name: String, value: String) {
        (self.name, self.value, self.place, self.left) = (name, value, (spot.file, spot.line), NEAR);
    }

    fn is_near(&self, spot: &Spot<'_>) -> bool {
        self.left > 0 && self.is_here(spot)
    }

    fn is_here(&self, spot: &Spot<'_>) -> bool {
        self.place == (spot.file, spot.line)
    }
}

fn names_password(text: &str) -> bool {
    text.len() < LONGEST_NAME && text.to_ascii_lowercase().contains("password")
}

fn is_name(spot: &Spot<'_>) -> bool {
    ends_in(spot.key, &["name", "key"]) && spot.text.len() < LONGEST_NAME
}

fn ends_in(key: Option<&str>, endings: &[&str]) -> bool {
    endings.iter().any(|ending| {
        let end = key.and_then(|key| key.get(key.len().checked_sub(ending.len())?..));
        end.is_some_and(|end| end.eq_ignore_ascii_case(ending))
    })
}
