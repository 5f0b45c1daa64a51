//! Strings → the secrets in them, for a caller that holds back a push or warns of a file, and masks nothing.

use std::ops::Range;

use crate::redactor::Redactor;
use crate::spot::{Identity, Spot};

/// What was found and where, but not the thing itself.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Finding {
    pub kind: &'static str,
    /// The bytes to hide.
    pub range: Range<usize>,
}

/// For the strings of one file, in their order: what one says may make a secret of the next.
#[derive(Debug)]
pub struct Detector {
    redactor: Redactor,
}

impl Default for Detector {
    fn default() -> Self {
        Self { redactor: Redactor::new(&Identity::default(), false) }
    }
}

impl Detector {
    /// From left to right, none over another.
    pub fn find(&mut self, spot: &Spot<'_>) -> Vec<Finding> {
        self.redactor.secrets(spot).map(|find| Finding { kind: find.kind, range: find.range }).collect()
    }
}
