//! Text to the secrets in it, or to the text without them.
//!
//! [`Scanner`] and [`Feed`] take bytes as they lie on disk: lines of JSON, text escaped once or twice, now and then no
//! UTF-8. Out come kinds and places, never the secret itself. A find stops a person's push, so a rule would rather miss
//! a secret than name an example or a placeholder.
//!
//! [`Redactor`] takes strings that are to be shown to others, and tells what to put in place of which stretches. Here a
//! rule would rather mask an example than miss a secret, as long as what only looks like one survives.

mod assignment;
mod feed;
mod form;
mod hit;
mod literals;
mod pem;
mod random;
mod redactor;
mod rule;
mod scanner;
mod sieve;
mod url;

pub use feed::{Feed, Place};
pub use redactor::{Identity, Masked, MaskedKind, MaskedPlace, Redactor, Spot};
pub use scanner::{Finding, Scanner};
