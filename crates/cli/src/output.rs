//! The one way to the outside: a report as JSON or for people, talk to stderr, errors as either.

use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

use anstream::{AutoStream, ColorChoice};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde::Serialize;
use steno_render::terminal::{Page, WEAK, paint};

use crate::args::{Color, Global};
use crate::failure::Failure;
use crate::pager;

/// What a report looks like for people.
pub(crate) trait Human {
    /// The answer.
    fn text(&self, page: &Page) -> String;

    /// What is said about the answer, not part of it.
    fn talk(&self) -> Option<String>;
}

/// What stands on the other side of stdout and stderr.
#[derive(Debug, Clone)]
pub(crate) struct Terminal {
    pub(crate) is_stdout: bool,
    pub(crate) is_stderr: bool,
    pub(crate) width: usize,
    pub(crate) allows_color: bool,
    pub(crate) pager: String,
    pub(crate) has_less_options: bool,
    pub(crate) zone: TimeZone,
    pub(crate) now: Timestamp,
}

#[derive(Debug)]
pub(crate) struct Output {
    is_json: bool,
    is_quiet: bool,
    color: Color,
    terminal: Terminal,
}

impl Output {
    pub(crate) fn new(global: &Global, terminal: Terminal) -> Self {
        Self { is_json: global.json, is_quiet: global.quiet, color: global.color, terminal }
    }

    /// Writes the answer.
    pub(crate) fn report<R: Serialize + Human>(&mut self, report: &R) -> Result<(), Failure> {
        if self.is_json {
            return Ok(write_json(report)?);
        }
        let page =
            Page { width: self.terminal.width, now: self.terminal.now, zone: self.terminal.zone.clone() };
        self.write_text(&report.text(&page))?;
        if let Some(talk) = report.talk().filter(|_| !self.is_quiet) {
            let _ = writeln!(self.stderr(), "{}", paint(WEAK, &talk));
        }
        Ok(())
    }

    /// Text longer than the screen goes through a pager, where there is a screen.
    fn write_text(&self, text: &str) -> io::Result<()> {
        let colour = self.choice(self.terminal.is_stdout);
        if self.terminal.is_stdout && pager::is_long(text) {
            let plain;
            let shown = if colour == ColorChoice::Never {
                plain = anstream::adapter::strip_str(text).to_string();
                &plain
            } else {
                text
            };
            if pager::page(shown, &self.terminal)? {
                return Ok(());
            }
        }
        let mut stdout = AutoStream::new(io::stdout().lock(), colour);
        stdout.write_all(text.as_bytes())?;
        stdout.flush()
    }

    /// Says why it did not work; gives the exit code.
    pub(crate) fn fail(&mut self, failure: &Failure) -> ExitCode {
        if self.is_json {
            if let Some(object) = failure.to_json() {
                let _ = writeln!(io::stderr(), "{object}");
            }
        } else if let Some((message, hints)) = failure.to_text() {
            let mut stderr = self.stderr();
            let error = anstyle::AnsiColor::Red.on_default().bold();
            let _ = writeln!(stderr, "{} {message}", paint(error, "error:"));
            for hint in hints {
                let _ = writeln!(stderr, "{} {hint}", paint(WEAK, "hint:"));
            }
        }
        ExitCode::from(failure.exit_code())
    }

    fn stderr(&self) -> AutoStream<io::Stderr> {
        AutoStream::new(io::stderr(), self.choice(self.terminal.is_stderr))
    }

    fn choice(&self, is_terminal: bool) -> ColorChoice {
        match self.color {
            Color::Always => ColorChoice::AlwaysAnsi,
            Color::Never => ColorChoice::Never,
            Color::Auto if is_terminal && self.terminal.allows_color => ColorChoice::Always,
            Color::Auto => ColorChoice::Never,
        }
    }
}

/// One object, and a newline; indented where a person may be looking.
fn write_json(report: &impl Serialize) -> io::Result<()> {
    let stdout = io::stdout();
    let is_terminal = stdout.is_terminal();
    let mut stdout = io::BufWriter::with_capacity(256 * 1024, stdout.lock());
    let written = if is_terminal {
        serde_json::to_writer_pretty(&mut stdout, report)
    } else {
        serde_json::to_writer(&mut stdout, report)
    };
    written.map_err(io::Error::from)?;
    stdout.write_all(b"\n")?;
    stdout.flush()
}
