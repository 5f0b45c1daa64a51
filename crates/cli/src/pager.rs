//! Long text on a terminal goes through the user's pager.

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
        // Colours, and no clearing of the screen at the end.
        command.env("LESS", "FRX");
    }
    let Ok(mut pager) = command.spawn() else { return Ok(false) };
    if let Some(mut stdin) = pager.stdin.take() {
        match stdin.write_all(text.as_bytes()) {
            // The reader has seen enough.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {}
            other => other?,
        }
    }
    pager.wait()?;
    Ok(true)
}
