//! A conversation → text that a face can show. Pure: no file, no clock, no terminal is touched here.

pub mod terminal;
mod words;

pub use words::{bytes, count, duration, many, one_line, project_name, short_id, tokens, when};
