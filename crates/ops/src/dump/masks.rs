//! What a lens did → a report of it, never the masked text itself.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use steno_conversation::Warning;
use steno_redact::{MaskedKind, MaskedPlace};

use crate::lens::Lens;

/// Lines, and files, that a sentence names; the report has all of them.
const NAMED: usize = 5;

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
    /// None for `home` and `user`, which stand on nearly every line.
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
    pub(super) fn of(lens: &mut Lens) -> Option<Self> {
        let (masked, files) = lens.masks()?;
        let kinds = masked.kinds.into_iter().map(|kind| RedactedKind::of(kind, &files)).collect();
        Some(Self { total: masked.total, distinct: masked.distinct, kinds })
    }

    /// How many of what kind and where in the files of a session, for the foot of a document and for people.
    pub fn sentence(&self, id: &str) -> String {
        if self.total == 0 {
            return "Nothing in it had to be masked.".to_owned();
        }
        let (owner, secrets): (Vec<_>, Vec<_>) = self.kinds.iter().partition(|kind| kind.is_about_owner());
        let transcript = format!("{id}.jsonl");
        let phrases = secrets.into_iter().chain(owner).map(|kind| kind.phrase(&transcript));
        let phrases: Vec<String> = phrases.collect();
        format!("Masked: {}.", phrases.join("; "))
    }
}

impl RedactedKind {
    fn of(kind: MaskedKind, files: &[String]) -> Self {
        let place = |place: MaskedPlace| RedactedPlace {
            file: files.get(place.file as usize).cloned().unwrap_or_default(),
            line: place.line,
        };
        let mut own =
            Self { kind: kind.kind, count: kind.count, distinct: kind.distinct, places: Vec::new() };
        if !own.is_about_owner() {
            own.places = kind.places.into_iter().map(place).collect();
        }
        own
    }

    /// Who it was is on nearly every line, and no secret of the dangerous sort.
    fn is_about_owner(&self) -> bool {
        matches!(self.kind.as_str(), "home" | "user")
    }

    fn phrase(&self, transcript: &str) -> String {
        if self.is_about_owner() {
            let what = if self.kind == "home" { "home directories" } else { "user names" };
            return format!("{what} ({}×)", self.count);
        }
        let counted = format!("{} × {}", self.count, self.kind);
        let places = self.said_places(transcript);
        if places.is_empty() { counted } else { format!("{counted} ({places})") }
    }

    /// Lines of the transcript, and the names of other files.
    fn said_places(&self, transcript: &str) -> String {
        let is_own = |place: &&RedactedPlace| place.file == transcript;
        let (own, others): (Vec<_>, Vec<_>) = self.places.iter().partition(is_own);
        let lines: Vec<String> = own.iter().map(|place| place.line.to_string()).collect();
        let mut files: Vec<String> = others.into_iter().map(|place| place.file.clone()).collect();
        files.dedup();
        let noun = if lines.len() == 1 { "line" } else { "lines" };
        let lines = (!lines.is_empty()).then(|| format!("{noun} {} of the transcript", few(&lines)));
        let files = (!files.is_empty()).then(|| few(&files));
        lines.into_iter().chain(files).collect::<Vec<_>>().join("; ")
    }
}

fn few(names: &[String]) -> String {
    let more = if names.len() > NAMED { ", …" } else { "" };
    let first: Vec<&str> = names.iter().take(NAMED).map(String::as_str).collect();
    format!("{}{more}", first.join(", "))
}

impl Rewritten {
    pub(super) fn of(lens: &mut Lens, warnings: &mut Vec<Warning>) -> Option<Vec<Self>> {
        let (rewrites, is_cut) = lens.rewrites()?;
        if is_cut {
            let message = "more paths were rewritten than are listed".to_owned();
            warnings.push(Warning {
                file: String::new(),
                line: None,
                kind: "rewrites-cut".to_owned(),
                message,
            });
        }
        Some(rewrites.into_iter().map(|one| Self { from: one.from, to: one.to, count: one.count }).collect())
    }
}
