//! Text to the secrets in it, or to the text without them.
//!
//! [`Redactor`] takes strings that are to be shown to others, and tells what to put in place of which stretches.
//! [`Detector`] finds the same secrets, for who holds something back or warns of it; there is one table of forms and one
//! set of readers for both. An example or a placeholder is no secret: a find stops a person's push.

mod detector;
mod form;
mod hit;
pub mod image;
mod literals;
mod pem;
mod random;
mod redactor;
mod rule;
mod sieve;

pub use detector::{Detector, Finding};
pub use redactor::{Identity, Masked, MaskedKind, MaskedPlace, Redactor, Spot};
