//! A conversation → text that a face can show. Pure: no file, no clock, no terminal is touched here.

mod answer;
pub mod call;
mod clean;
mod detail;
mod document;
mod facts;
pub mod html;
mod language;
mod markdown;
mod patch;
pub mod portable;
mod roster;
mod task;
pub mod terminal;
mod text;
mod words;

pub use detail::Detail;
pub use markdown::markdown;
pub use patch::{FileKind, FilePatch, patch};
pub use text::text;
pub use words::{age, bytes, count, dollars, duration, many, one_line, project_name, short_id, tokens, when};
