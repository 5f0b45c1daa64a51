//! Text to the secrets in it.
//!
//! Bytes go in as they lie on disk: lines of JSON, text escaped once or twice, now and then no UTF-8. Out come kinds
//! and places, never the secret itself. A find stops a person's push, so a rule would rather miss a secret than name
//! an example or a placeholder.

mod assignment;
mod feed;
mod hit;
mod literals;
mod pem;
mod random;
mod rule;
mod scanner;
mod url;

pub use feed::{Feed, Place};
pub use scanner::{Finding, Scanner};
