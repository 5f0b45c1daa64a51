//! Runs that change the vault → its log, and the last error for whoever asks for the status.

use std::fs;
use std::io::Write;
use std::path::Path;

use steno_vault::{LastError, Manifest, private};

use crate::custody::Custody;
use crate::error::{Error, ErrorKind};

const LOG: &str = ".cache/steno.log";
const OLD_LOG: &str = ".cache/steno.log.1";
const LONGEST: u64 = 1 << 20;

/// Runs it and writes down how it ended. A log that cannot be written stands against nothing.
pub(crate) fn record<T>(
    custody: &Custody,
    command: &str,
    act: impl FnOnce() -> Result<T, Error>,
) -> Result<T, Error> {
    let outcome = act();
    match &outcome {
        Ok(_) => {
            write(custody, command, "ok");
            settle(custody, command, None);
        }
        Err(error) => {
            write(custody, command, &format!("{}: {error}", error.kind.name()));
            // Nothing was tried: somebody else does it, or there is nothing to do it to.
            let is_failure =
                !matches!(error.kind, ErrorKind::NoVault | ErrorKind::Invalid | ErrorKind::NotFound);
            if is_failure {
                settle(custody, command, Some(error));
            }
        }
    }
    outcome
}

/// A line in the log.
pub(crate) fn write(custody: &Custody, command: &str, outcome: &str) {
    let path = custody.vault.join(LOG);
    let _ = rotate(custody, &path);
    let _ = append(&path, &format!("{} {command} {}\n", custody.library.now, one_line(outcome)));
}

fn append(path: &Path, line: &str) -> std::io::Result<()> {
    let directory = path.parent().filter(|directory| directory.parent().is_some_and(Path::is_dir));
    let Some(directory) = directory else { return Ok(()) };
    private::create_dir_all(directory)?;
    let mut options = fs::OpenOptions::new();
    options.append(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)?.write_all(line.as_bytes())
}

fn rotate(custody: &Custody, path: &Path) -> std::io::Result<()> {
    if fs::metadata(path)?.len() > LONGEST { fs::rename(path, custody.vault.join(OLD_LOG)) } else { Ok(()) }
}

fn one_line(text: &str) -> String {
    text.chars().map(|character| if character.is_control() { ' ' } else { character }).collect()
}

/// What `status` tells until a run succeeds.
fn settle(custody: &Custody, command: &str, error: Option<&Error>) {
    let Ok(Some(mut manifest)) = Manifest::read(&custody.vault) else { return };
    let told = error.map(|error| LastError {
        time: custody.library.now,
        command: command.to_owned(),
        error: error.to_string(),
    });
    if manifest.last_error.is_some() || told.is_some() {
        manifest.last_error = told;
        let _ = manifest.write(&custody.vault);
    }
}
