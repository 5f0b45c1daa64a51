//! Text → the secrets in it, or the text without them.
//!
//! [`Redactor`] takes strings that are to be shown to others, and says what to put in place of which stretches.
//! [`Detector`] finds the same secrets, and masks nothing. Read in this order: `rules` (the table), `scanner`, `assigned`
//! (`name = value`), `random` (no sign but randomness), `plain` and `joined` (disguises), `known` (every further occurrence),
//! `redactor`. An example or a placeholder is no secret: a find stops a person's push.

mod assigned;
mod code;
mod cookie;
mod detector;
mod draft;
mod email;
mod encoded;
mod entropy;
mod example;
mod find;
mod home;
pub mod image;
mod joined;
mod known;
mod kubernetes;
mod line;
mod mark;
mod name;
mod pairs;
mod path;
mod pattern;
mod person;
mod plain;
mod private_key;
mod random;
mod redactor;
mod report;
mod rules;
mod scanner;
mod spelling;
mod split;
mod spot;
mod table;
mod text;
mod tool_answer;
mod url;
mod value;
mod webhook;

pub use detector::{Detector, Finding};
pub use redactor::Redactor;
pub use report::{Masked, MaskedKind, MaskedPlace};
pub use spot::{Identity, Spot};
