//! How many of how many were right, and which were not.

use std::collections::BTreeMap;
use std::fmt;

use steno_redact::{Identity, Redactor, Spot};

#[derive(Default)]
pub(crate) struct Score {
    right: u64,
    all: u64,
    missed: BTreeMap<String, String>,
}

impl Score {
    pub(crate) fn add(&mut self, is_right: bool, miss: impl FnOnce() -> String) {
        self.all += 1;
        self.right += u64::from(is_right);
        if !is_right {
            let miss = miss();
            let name = miss.split(": ").next().unwrap_or_default().to_owned();
            self.missed.entry(name).or_insert(miss);
        }
    }

    fn percent(&self) -> f64 {
        self.right as f64 * 100.0 / self.all as f64
    }

    #[track_caller]
    pub(crate) fn assert_at_least(&self, percent: f64) {
        self.missed.values().for_each(|miss| println!("  missed {miss}"));
        assert!(self.percent() >= percent, "{self}, and not {percent} %");
    }
}

impl fmt::Display for Score {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} of {} ({:.2} %)", self.right, self.all, self.percent())
    }
}

/// By a redactor that has seen nothing else.
pub(crate) fn shown(text: &str, key: Option<&str>) -> String {
    let mut redactor = Redactor::new(&Identity::default(), false);
    let spot = Spot { text, key, file: 0, line: 1 };
    redactor.learn(&spot);
    redactor.masked(&spot).unwrap_or_else(|| text.to_owned())
}

/// No long part of it is left either.
pub(crate) fn survives(secret: &str, shown: &str) -> bool {
    let letters: Vec<char> = secret.chars().collect();
    let length = (letters.len() / 2).clamp(5, 12).min(letters.len());
    letters.windows(length).any(|part| shown.contains(&part.iter().collect::<String>()))
}
