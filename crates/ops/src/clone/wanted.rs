//! The words of a command line → the options of a clone, none of which contradicts another.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
pub use steno_edit::options::Preset;
use steno_edit::options::{self, CloneOptions, Compress, Cut, Tools, Truncation};

use crate::error::{Error, ErrorKind};

/// What is wanted; everything that is not, stays.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Wanted {
    /// The record that it ends with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// The first so many turns; below 0, the last ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turns: Option<i64>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub strip: Vec<Strip>,
    /// So many of the last turns with tool calls keep them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub keep_recent: Option<usize>,
    /// Results are shortened to so many lines, and calls stay.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub truncate: Option<usize>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preset: Option<Preset>,
    /// Turns before the last so many become a summary.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compress_before: Option<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Strip {
    Tools,
    Thinking,
    Images,
}

impl Wanted {
    pub fn is_whole(&self) -> bool {
        *self == Self::default()
    }

    /// Without the compression, which needs its summary first.
    pub(super) fn options(&self) -> Result<CloneOptions, Error> {
        let strip = self.strip()?;
        Ok(CloneOptions {
            cut: self.cut()?,
            strip,
            compress: None,
            without_noise: !self.is_whole(),
            now: None,
        })
    }

    /// How many turns stay as they are, where the others become a summary.
    pub(super) fn keep_turns(&self) -> Result<Option<usize>, Error> {
        match self.compress_before {
            Some(0) => Err(invalid("--compress-before 0 would leave no turn")
                .hint("give the number of turns that stay as they are, at least 1")),
            turns => Ok(turns),
        }
    }

    fn cut(&self) -> Result<Option<Cut>, Error> {
        let count = |turns: i64| usize::try_from(turns.unsigned_abs()).unwrap_or(usize::MAX);
        match (&self.at, self.turns) {
            (Some(_), Some(_)) => Err(invalid("--at and --turns both say where it ends")
                .hint("give the record, or the number of turns")),
            (Some(at), None) => Ok(Some(Cut::At(at.clone()))),
            (None, Some(0)) => Err(invalid("--turns 0 would leave nothing")
                .hint("--turns 5 keeps the first five turns, --turns -5 the last five")),
            (None, Some(turns)) if turns < 0 => Ok(Some(Cut::Last(count(turns)))),
            (None, Some(turns)) => Ok(Some(Cut::First(count(turns)))),
            (None, None) => Ok(None),
        }
    }

    fn strip(&self) -> Result<options::Strip, Error> {
        let has = |one: Strip| self.strip.contains(&one);
        let shortens = self.keep_recent.is_some() || self.truncate.is_some();
        if let Some(preset) = self.preset {
            if shortens || has(Strip::Tools) || has(Strip::Thinking) {
                return Err(invalid("--preset says itself what becomes of tools and thinking")
                    .hint("leave out --strip, --keep-recent and --truncate, or the preset; --strip images goes with it"));
            }
            return Ok(options::Strip { images: has(Strip::Images), ..preset.strip() });
        }
        if self.truncate == Some(0) {
            return Err(invalid("--truncate 0 would leave nothing of a result")
                .hint("`--strip tools` removes calls with their results"));
        }
        if self.keep_recent.is_some() && !has(Strip::Tools) && self.truncate.is_none() {
            return Err(invalid("--keep-recent says which turns keep their tools, and none loses them")
                .hint("add --strip tools, or --truncate LINES"));
        }
        let tools = (has(Strip::Tools) || self.truncate.is_some()).then(|| self.tools());
        Ok(options::Strip { tools, thinking: has(Strip::Thinking), images: has(Strip::Images) })
    }

    fn tools(&self) -> Tools {
        let truncation = self.truncate.map_or(Truncation::SHORT, Truncation::of_lines);
        let keep_recent = self.keep_recent.unwrap_or_default();
        Tools { keep_recent, truncation, removes: self.truncate.is_none(), ..Tools::NONE }
    }
}

/// The same options, with everything before the last turns made a summary.
pub(super) fn compressed(
    options: &CloneOptions,
    keep_turns: usize,
    summary: String,
    now: Timestamp,
) -> CloneOptions {
    CloneOptions { compress: Some(Compress { keep_turns, summary, now }), ..options.clone() }
}

fn invalid(message: &str) -> Error {
    Error::new(ErrorKind::Invalid, message)
}
