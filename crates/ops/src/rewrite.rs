//! `--rewrite`: a word → what becomes of paths. It means the same in every command.

use steno_transcript::patch::BadRewrite;
pub use steno_transcript::patch::Rewrite;

use crate::error::{Error, ErrorKind};

pub fn parse(word: &str) -> Result<Rewrite, Error> {
    word.parse()
        .map_err(|error: BadRewrite| Error::new(ErrorKind::Invalid, error.to_string()).hint(BadRewrite::HINT))
}
