//! Long text on a terminal goes through the user's pager, manual pages through man before.

use std::io::{self, Write};
use std::process::{Command, Stdio};

use crate::output::Terminal;

/// Whether the text does not fit on the screen.
pub(crate) fn is_long(text: &str, terminal: &Terminal) -> bool {
    text.lines().nth(terminal.height.saturating_sub(1)).is_some()
}

/// Shows the text in the pager; false when there is none.
pub(crate) fn page(text: &str, terminal: &Terminal) -> io::Result<bool> {
    let mut words = terminal.pager.split_whitespace();
    let Some(program) = words.next().filter(|program| *program != "cat") else { return Ok(false) };
    let mut command = Command::new(program);
    command.args(words).stdin(Stdio::piped());
    if !terminal.has_less_options {
        // Colours, no clearing of the screen at the end, and an interrupt ends it with the program that started it.
        command.env("LESS", "FRXK");
    }
    let Ok(mut pager) = command.spawn() else { return Ok(false) };
    if let Some(mut stdin) = pager.stdin.take() {
        match stdin.write_all(text.as_bytes()) {
            // The user has quit the pager.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {}
            other => other?,
        }
    }
    // An unknown option, or a program that does not exist: then the text was not shown.
    Ok(pager.wait()?.code().is_none_or(|code| code == 0))
}

/// A manual page as man(1) lays it out; none without man, or with one that does not read standard input.
pub(crate) fn formatted(manual: &str, terminal: &Terminal) -> Option<String> {
    let mut command = Command::new("man");
    command.args(["-l", "-"]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    command.env("MANWIDTH", terminal.width.to_string());
    if terminal.allows_color {
        command.env("MAN_KEEP_FORMATTING", "1");
    }
    let mut man = command.spawn().ok()?;
    // Far shorter than what a pipe holds.
    man.stdin.take()?.write_all(manual.as_bytes()).ok()?;
    let output = man.wait_with_output().ok().filter(|output| output.status.success())?;
    String::from_utf8(output.stdout).ok().filter(|text| !text.trim().is_empty())
}
