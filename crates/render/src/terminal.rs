//! What people read in a terminal: aligned, coloured where that is wanted, readable without.
//!
//! Styles are written as escapes and taken out again by `cli` when the reader is no terminal. Text of
//! transcripts never brings its own: whatever could move a cursor is made visible first.

mod conversation;
mod markdown;
mod measure;
mod sessions;
mod sheet;
mod style;

use jiff::Timestamp;
use jiff::tz::TimeZone;

pub use crate::clean::{clean, clean_line, is_dangerous};
pub use conversation::{Focus, ShowOptions, conversation};
pub use sessions::sessions;
pub use style::{STRONG, WEAK, paint};

/// As much of a text as fits into so many columns, with an ellipsis where something is missing.
pub fn cut(text: &str, width: usize) -> String {
    measure::cut(text, measure::Room { from: 0, width })
}

/// How wide, and when.
#[derive(Debug, Clone)]
pub struct Page {
    pub width: usize,
    /// Whether the reader sees styles; where none are seen, markdown stays as it was written.
    pub is_styled: bool,
    pub now: Timestamp,
    pub zone: TimeZone,
}

impl Page {
    /// The width of what a program or a file gets: nothing is cut, so that `grep` finds whole lines.
    pub const UNCUT: usize = 1_000_000;
}
