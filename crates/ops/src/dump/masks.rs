//! What a lens did → what is told about it, never the thing itself.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use steno_redact::{MaskedKind, MaskedPlace};

use crate::lens::Lens;

/// Lines that a sentence names; the report has all of them.
const NAMED_LINES: usize = 5;

/// What was masked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Redacted {
    /// How many places were masked.
    pub total: u64,
    /// How many different things.
    pub distinct: u64,
    pub kinds: Vec<RedactedKind>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RedactedKind {
    pub kind: String,
    pub count: u64,
    pub distinct: u64,
    pub places: Vec<RedactedPlace>,
}

/// A record, by its line in one of the session's files.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RedactedPlace {
    pub file: String,
    pub line: u64,
}

/// A path that became another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Rewritten {
    pub from: String,
    pub to: String,
    pub count: u64,
}

impl Redacted {
    pub(super) fn of(lens: &Lens) -> Option<Self> {
        let (masked, files) = lens.masks()?;
        let kinds = masked.kinds.into_iter().map(|kind| RedactedKind::of(kind, files)).collect();
        Some(Self { total: masked.total, distinct: masked.distinct, kinds })
    }

    /// How many of what kind and where, for the foot of a document and for people.
    pub fn sentence(&self) -> String {
        if self.total == 0 {
            return "Nothing in it had to be masked.".to_owned();
        }
        let (owner, secrets): (Vec<_>, Vec<_>) = self.kinds.iter().partition(|kind| kind.is_about_owner());
        let phrases: Vec<String> = secrets.into_iter().chain(owner).map(RedactedKind::phrase).collect();
        format!("Masked: {}.", phrases.join("; "))
    }
}

impl RedactedKind {
    fn of(kind: MaskedKind, files: &[String]) -> Self {
        let place = |place: MaskedPlace| RedactedPlace {
            file: files.get(place.file as usize).cloned().unwrap_or_default(),
            line: place.line,
        };
        let places = kind.places.into_iter().map(place).collect();
        Self { kind: kind.kind, count: kind.count, distinct: kind.distinct, places }
    }

    /// Who it was is on nearly every line, and no secret of the dangerous sort.
    fn is_about_owner(&self) -> bool {
        matches!(self.kind.as_str(), "home" | "user")
    }

    fn phrase(&self) -> String {
        if self.is_about_owner() {
            let what = if self.kind == "home" { "home directories" } else { "user names" };
            return format!("{what} ({}×)", self.count);
        }
        let lines: Vec<String> =
            self.places.iter().take(NAMED_LINES).map(|place| place.line.to_string()).collect();
        let more = if self.places.len() > NAMED_LINES { ", …" } else { "" };
        let noun = if self.places.len() == 1 { "line" } else { "lines" };
        match lines.as_slice() {
            [] => format!("{} × {}", self.count, self.kind),
            _ => format!("{} × {} ({noun} {}{more})", self.count, self.kind, lines.join(", ")),
        }
    }
}

impl Rewritten {
    pub(super) fn of(lens: &Lens) -> Option<Vec<Self>> {
        let rewrites = lens.rewrites()?;
        Some(rewrites.into_iter().map(|one| Self { from: one.from, to: one.to, count: one.count }).collect())
    }
}
