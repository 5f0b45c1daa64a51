//! What a user calls a public key → the key: its text, or the file that it is in.

use std::fs;
use std::path::Path;

use steno_vault::encryption::Recipients;

use crate::error::{Error, ErrorKind};

/// Keys of ssh stand in files, and may be several in one.
pub(crate) fn recipients(named: &[String]) -> Result<Recipients, Error> {
    let mut texts = Vec::new();
    for text in named {
        match Recipients::parse(std::slice::from_ref(text)) {
            Ok(_) => texts.push(text.clone()),
            Err(_) if Path::new(text).is_file() => texts.extend(in_file(Path::new(text))?),
            Err(error) => return Err(refused(error.into())),
        }
    }
    Recipients::parse(&texts).map_err(|error| refused(error.into()))
}

fn in_file(path: &Path) -> Result<Vec<String>, Error> {
    let text = fs::read_to_string(path).map_err(|error| Error::unreadable(path.to_owned(), error))?;
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let lines: Vec<String> = lines.map(str::to_owned).collect();
    if lines.is_empty() {
        let message = format!("{} holds no public key", path.display());
        return Err(Error::new(ErrorKind::Invalid, message));
    }
    Ok(lines)
}

fn refused(error: Error) -> Error {
    error.hint("a recipient is a public key (age1…, ssh-ed25519 …, ssh-rsa …), or a file with such keys")
}
