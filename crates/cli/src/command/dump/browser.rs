//! A file → the browser, by the program that each system has for that.

use std::io;
use std::path::Path;
use std::process::{Command, Stdio};

#[cfg(target_os = "macos")]
const OPENER: &[&str] = &["open"];
#[cfg(windows)]
const OPENER: &[&str] = &["rundll32", "url.dll,FileProtocolHandler"];
#[cfg(not(any(target_os = "macos", windows)))]
const OPENER: &[&str] = &["xdg-open"];

/// Waits until the opener has handed the file on, since only its exit code tells whether it could.
pub(super) fn open(path: &Path) -> io::Result<()> {
    let Some((program, arguments)) = OPENER.split_first() else { return Ok(()) };
    // A relative path could look like a flag.
    let path = std::path::absolute(path)?;
    let mut opener = Command::new(program);
    let opener = opener.args(arguments).arg(path);
    let status = opener.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(io::Error::other(format!("{program} failed ({status})"))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            Err(io::Error::other(format!("{program} not found")))
        }
        Err(error) => Err(error),
    }
}
