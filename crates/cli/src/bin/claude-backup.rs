//! `claude-backup`: runs the `steno` beside it under this name.
//!
//! A launcher, and not a second copy of the program, so that nothing large is linked or installed twice. Unix hands
//! its own name over as the first argument; Windows fixes that one, so there it goes by a variable.

use std::env;
use std::ffi::OsString;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

const PROGRAM: &str = if cfg!(windows) { "steno.exe" } else { "steno" };

fn main() -> ExitCode {
    let mut arguments = env::args_os();
    let name = arguments.next().unwrap_or_else(|| OsString::from("claude-backup"));
    let started = match beside() {
        Ok(program) => {
            let mut command = Command::new(&program);
            command.args(arguments);
            run(command, &name).map_err(|error| format!("cannot run {}: {error}", program.display()))
        }
        Err(message) => Err(message),
    };
    started.unwrap_or_else(|message| {
        let hint = "hint: claude-backup only runs steno; install both into one directory";
        // Without a stderr only the exit code can tell.
        let _ = writeln!(io::stderr(), "error: {message}\n{hint}");
        ExitCode::from(2)
    })
}

/// The `steno` in the directory of this program, or of the file that a link to it leads to.
fn beside() -> Result<PathBuf, String> {
    let own = env::current_exe().map_err(|error| format!("cannot find the path of this program: {error}"))?;
    let real = own.canonicalize().unwrap_or_else(|_| own.clone());
    let candidates = [&own, &real].into_iter().filter_map(|path| Some(path.parent()?.join(PROGRAM)));
    candidates.into_iter().find(|path| path.is_file()).ok_or_else(|| {
        let directory = real.parent().unwrap_or(Path::new("."));
        format!("{PROGRAM} not found in {}", directory.display())
    })
}

/// Becomes the program; returns only where that fails.
#[cfg(unix)]
fn run(mut command: Command, name: &OsString) -> io::Result<ExitCode> {
    use std::os::unix::process::CommandExt;

    Err(command.arg0(name).exec())
}

#[cfg(not(unix))]
fn run(mut command: Command, name: &OsString) -> io::Result<ExitCode> {
    let status = command.env("STENO_CALLED_AS", name).status()?;
    Ok(status.code().and_then(|code| u8::try_from(code).ok()).map_or(ExitCode::FAILURE, ExitCode::from))
}
