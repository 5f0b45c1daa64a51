//! What is masked, what survives, and the promises about marks.

mod known;
mod look_alikes;
mod people;
mod pieces;
mod planted;
mod promises;
mod report;

use steno_redact::{Identity, Redactor, Spot};

fn alice() -> Identity {
    let homes = vec!["/home/alice".to_owned(), r"C:\Users\alice".to_owned()];
    Identity { homes, users: vec!["alice".to_owned()] }
}

fn redactor() -> Redactor {
    Redactor::new(&alice(), false)
}

fn spot<'a>(text: &'a str, key: Option<&'a str>) -> Spot<'a> {
    Spot { text, key, file: 0, line: 1 }
}

/// By a redactor that has seen nothing else.
fn masked(text: &str, key: Option<&str>) -> String {
    redactor().masked(&spot(text, key)).unwrap_or_else(|| text.to_owned())
}
