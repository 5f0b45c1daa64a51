//! Every place in a session's files that text can stand in.

mod beside;
mod record;
mod said;
mod tool;

use std::path::Path;

use steno_testkit::Session;
use steno_testkit::secrets::Planted;

pub(crate) use beside::{BESIDE, is_name};

/// Puts one secret into one place of a transcript.
pub(crate) type Put = fn(Session, &Planted) -> Session;
/// The same for a file beside the transcript; it is given the project's directory.
pub(crate) type Lay = fn(&Path, &Session, &Planted);

/// All places inside of transcripts, by their names.
pub(crate) fn within() -> Vec<(&'static str, Put)> {
    [said::PLACES, tool::PLACES, record::PLACES].concat()
}

/// A text as people write around it.
fn note(planted: &Planted) -> String {
    format!("I found this in the old notes:\n{}\nplease rotate it", planted.text)
}
