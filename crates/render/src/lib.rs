//! A conversation → text that a face can show. Pure: no file, no clock, no terminal is touched here.

pub mod call;
mod detail;
mod document;
pub mod html;
mod markdown;
pub mod portable;
mod roster;
pub mod terminal;
mod text;
mod words;

pub use detail::Detail;
pub use markdown::markdown;
pub use text::text;
pub use words::{bytes, count, duration, many, one_line, project_name, short_id, tokens, when};
