//! A passphrase from a file, the environment or the terminal → its text. Never from the command line: shells remember it,
//! and every user of the machine can read it there.

use std::fs::File;
use std::io::{BufRead, BufReader, IsTerminal, Read, stdin};
use std::path::Path;

use steno_ops::sealing::Passphrase;
use steno_ops::{Error, ErrorKind};

use crate::config;

/// Longer than a person types, but a limit in case a large file is named by mistake.
const LONGEST: u64 = 64 * 1024;

/// The passphrase of a page: the first line of the file, if one is named; else from the environment.
pub(crate) fn given(file: Option<&Path>) -> Result<Option<String>, Error> {
    match file {
        Some(path) if path.as_os_str() == "-" => first_line(stdin(), "stdin").map(Some),
        Some(path) => {
            let name = path.display().to_string();
            let file = File::open(path).map_err(|error| unreadable(&name, &error))?;
            first_line(file, &name).map(Some)
        }
        None => config::share_passphrase(),
    }
}

fn first_line(source: impl Read, name: &str) -> Result<String, Error> {
    let mut line = String::new();
    BufReader::new(source.take(LONGEST)).read_line(&mut line).map_err(|error| unreadable(name, &error))?;
    Ok(line.trim_start_matches('\u{feff}').trim_end_matches(['\r', '\n']).to_owned())
}

fn unreadable(name: &str, error: &std::io::Error) -> Error {
    Error::new(ErrorKind::Io, format!("cannot read the passphrase from {name}: {error}"))
        .hint("its first line is the passphrase, in UTF-8")
}

/// Whether there is a terminal to ask on.
pub(crate) fn is_attended() -> bool {
    stdin().is_terminal()
}

/// Typed twice, and not shown.
pub(crate) fn chosen() -> Result<String, Error> {
    let first = asked("Passphrase: ")?;
    if first == asked("The same again: ")? {
        return Ok(first);
    }
    Err(Error::new(ErrorKind::Invalid, "these are two different passphrases")
        .hint("nothing was written; try again"))
}

fn asked(question: &str) -> Result<String, Error> {
    rpassword::prompt_password(question).map_err(|error| {
        Error::new(ErrorKind::Io, format!("the passphrase cannot be asked for: {error}"))
            .hint("--passphrase-file FILE takes it from a file, `-` from stdin")
    })
}

/// From the environment, else asked on the terminal.
#[derive(Debug)]
pub(crate) struct Asking;

impl Passphrase for Asking {
    fn ask(&self, what: &str) -> Option<String> {
        let typed = || is_attended().then(|| asked(&format!("Passphrase of {what}: ")).ok()).flatten();
        config::passphrase().ok().flatten().or_else(typed)
    }

    fn ask_new(&self, _: &str) -> Option<String> {
        let typed = || is_attended().then(|| chosen().ok()).flatten();
        config::passphrase().ok().flatten().or_else(typed)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that fails should say where")]

    use super::*;

    #[test]
    fn only_the_first_line_counts() {
        let line = |text: &str| first_line(text.as_bytes(), "here").unwrap();
        assert_eq!(line("a b c\nand notes"), "a b c");
        assert_eq!(line("\u{feff}a b c\r\n"), "a b c");
        assert_eq!(line(""), "");
    }

    #[test]
    fn what_is_no_text_is_no_passphrase() {
        let error = first_line([0xff, 0xfe, b'\n'].as_slice(), "key.bin").unwrap_err();
        assert!(error.to_string().contains("key.bin") && !error.hints.is_empty());
    }
}
