//! The strings of `{"name":…,"value":…}` and `["--flag", …]`, one by one → the name, when its value comes.
//!
//! Apart from the redactor because it remembers from one string to the next; keys are strings too, and other pairs may
//! stand between.

use super::Spot;

const LONGEST_NAME: usize = 100;
const LONGEST_VALUE: usize = 512;
/// How many strings may stand between, keys too.
const NEAR: u32 = 6;

#[derive(Default)]
pub(crate) struct Neighbour {
    name: String,
    value: String,
    place: (u32, u64),
    /// How many strings are still near the name or the value.
    left: u32,
    /// The last string, where it is a flag, and its key.
    flag: Option<(String, Option<String>)>,
    is_field: bool,
}

impl Neighbour {
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
