//! The one way to the outside: a report as JSON or for people, talk to stderr, errors as either.

use std::fmt::Write as _;
use std::io::{self, BufRead, IsTerminal, Read, Write};
use std::process::ExitCode;

use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde::Serialize;
use steno_render::terminal::{Page, WEAK, clean, clean_line, is_dangerous, paint};

use crate::args::layout::hanging;
use crate::args::{Color, Global};
use crate::failure::{Failure, Outcome};
use crate::next::Step;
use crate::pager;

/// The most bytes that are read of a typed answer.
const LONGEST_ANSWER: u64 = 1024;
pub(crate) const ERROR: Style = AnsiColor::Red.on_default().bold();

/// What a report looks like for people.
pub(crate) trait Human {
    /// The answer.
    fn text(&self, page: &Page) -> String;

    /// Lines about the answer that are no part of it.
    fn talk(&self) -> Vec<String> {
        Vec::new()
    }

    /// Whether people are shown the next commands too: most texts say in their own words how to go on.
    fn tells_next(&self) -> bool {
        false
    }

    /// What must not be overlooked, however quiet it shall be.
    fn urgent(&self) -> String {
        String::new()
    }

    fn outcome(&self) -> Outcome {
        Outcome::Done
    }
}

/// Talk with what to try below it.
pub(crate) fn with_hints(said: String, hints: &[String]) -> Vec<String> {
    std::iter::once(said).chain(hints.iter().map(|hint| format!("hint: {hint}"))).collect()
}

/// An answer as programs get it.
#[derive(Serialize)]
struct Answer<'a, R> {
    #[serde(flatten)]
    report: &'a R,
    #[serde(skip_serializing_if = "<[Step]>::is_empty")]
    next: &'a [Step],
}

/// What stands on the other side of stdout and stderr.
#[derive(Debug, Clone)]
pub(crate) struct Terminal {
    pub(crate) is_stdout: bool,
    pub(crate) is_stderr: bool,
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) allows_color: bool,
    pub(crate) pager: String,
    pub(crate) has_less_options: bool,
    pub(crate) zone: TimeZone,
}

/// How the program speaks: as it was asked to, and as the other side can bear it.
#[derive(Debug)]
pub(crate) struct OutputMode {
    is_json: bool,
    is_quiet: bool,
    color: Color,
    terminal: Terminal,
}

/// The way to say an answer.
#[derive(Debug)]
pub(crate) struct Output<'a> {
    mode: &'a OutputMode,
    page: Page,
}

impl<'a> Output<'a> {
    pub(crate) fn new(mode: &'a OutputMode, now: Timestamp) -> Self {
        let Terminal { width, zone, is_stdout, .. } = &mode.terminal;
        let is_styled = mode.choice(*is_stdout) != ColorChoice::Never;
        Self { mode, page: Page { width: *width, is_styled, now, zone: zone.clone() } }
    }

    /// Writes the answer, and what to do next.
    pub(crate) fn report<R: Serialize + Human>(&mut self, report: &R, next: &[Step]) -> Result<(), Failure> {
        if self.mode.is_json {
            write_json(&Answer { report, next }, self.mode.terminal.is_stdout)?;
        } else {
            self.mode.write_text(&report.text(&self.page))?;
            self.talk(report, next);
        }
        report.outcome().as_result()
    }

    /// The same of work that was done, which needs no answer where it shall be quiet; a plan of it is a question.
    pub(crate) fn done<R: Serialize + Human>(
        &mut self,
        is_question: bool,
        report: &R,
        next: &[Step],
    ) -> Result<(), Failure> {
        if is_question || !self.mode.is_quiet || self.mode.is_json {
            return self.report(report, next);
        }
        self.mode.write_text(&report.urgent())?;
        report.outcome().as_result()
    }

    /// Whether a person reads stdout as it comes.
    pub(crate) fn is_terminal(&self) -> bool {
        self.mode.terminal.is_stdout
    }

    pub(crate) fn is_json(&self) -> bool {
        self.mode.is_json
    }

    /// Writes a document, to a program byte for byte, to a terminal without what acts on one; then the talk about it.
    pub(crate) fn document(
        &mut self,
        document: &str,
        about: &impl Human,
        next: &[Step],
    ) -> Result<(), Failure> {
        if self.mode.terminal.is_stdout {
            self.mode.write_text(&clean(document))?;
        } else {
            let mut stdout = io::stdout().lock();
            stdout.write_all(document.as_bytes())?;
            stdout.flush()?;
        }
        self.talk(about, next);
        Ok(())
    }

    /// One of many answers: a line of JSON, or of text.
    pub(crate) fn line(&mut self, report: &impl Serialize, text: &str) -> Result<(), Failure> {
        if !self.mode.is_json {
            self.mode.write_text(&format!("{text}\n"))?;
            return Ok(());
        }
        let mut line = serde_json::to_string(report).map_err(io::Error::from)?;
        line.push('\n');
        let mut stdout = io::stdout().lock();
        stdout.write_all(if self.is_terminal() { harmless(&line) } else { line }.as_bytes())?;
        stdout.flush()?;
        Ok(())
    }

    pub(crate) fn page(&self) -> &Page {
        &self.page
    }

    /// In columns.
    pub(crate) fn width(&self) -> usize {
        self.page.width
    }

    /// The terminal, where a person reads the answer on it.
    pub(crate) fn reader(&self) -> Option<&'a Terminal> {
        Some(&self.mode.terminal).filter(|terminal| terminal.is_stdout && !self.mode.is_json)
    }

    /// Talk before the answer, for people.
    pub(crate) fn say(&self, text: &str) {
        if !self.mode.is_json && !self.mode.is_quiet {
            let _ = writeln!(self.mode.stderr(), "{}", paint(WEAK, clean(text).trim_end()));
        }
    }

    /// Whether a person can be asked, and sees the question.
    pub(crate) fn is_attended(&self) -> bool {
        !self.mode.is_json && self.mode.terminal.is_stderr && io::stdin().is_terminal()
    }

    /// Asks for a yes, however quiet it shall be; anything else is a no.
    pub(crate) fn confirms(&self, about: &str, question: &str) -> io::Result<bool> {
        let mut stderr = self.mode.stderr();
        write!(stderr, "{}{question} [y/N] ", clean(about))?;
        stderr.flush()?;
        let mut answer = String::new();
        io::stdin().lock().take(LONGEST_ANSWER).read_line(&mut answer)?;
        Ok(matches!(answer.trim().to_lowercase().as_str(), "y" | "yes"))
    }

    fn talk(&self, report: &impl Human, next: &[Step]) {
        let next = next.iter().filter(|_| report.tells_next()).map(|step| format!("next: {}", step.command));
        let talk = report.talk().into_iter().map(|said| self.mode.folded(&said));
        let lines: Vec<String> = talk.chain(next).collect();
        if !lines.is_empty() && !self.mode.is_quiet {
            let _ = writeln!(self.mode.stderr(), "{}", paint(WEAK, &clean(&lines.join("\n"))));
        }
    }
}

impl OutputMode {
    pub(crate) fn new(global: &Global, terminal: Terminal) -> Self {
        Self { is_json: global.json, is_quiet: global.quiet, color: global.color, terminal }
    }

    /// Whether a person watches, and wants to see how far it is.
    pub(crate) fn shows_progress(&self) -> bool {
        self.terminal.is_stderr && !self.is_json && !self.is_quiet
    }

    pub(crate) fn zone(&self) -> &TimeZone {
        &self.terminal.zone
    }

    /// Text longer than the screen goes through a pager, where there is a screen.
    fn write_text(&self, text: &str) -> io::Result<()> {
        let colour = self.choice(self.terminal.is_stdout);
        let plain;
        // At once, because a stream that strips writes each piece of a line by itself.
        let shown = if colour == ColorChoice::Never {
            plain = anstream::adapter::strip_str(text).to_string();
            &plain
        } else {
            text
        };
        if self.terminal.is_stdout
            && pager::is_long(shown, &self.terminal)
            && pager::page(shown, &self.terminal)?
        {
            return Ok(());
        }
        let mut stdout = io::stdout().lock();
        if colour == ColorChoice::Never {
            stdout.write_all(shown.as_bytes())?;
        } else {
            AutoStream::new(&mut stdout, colour).write_all(shown.as_bytes())?;
        }
        stdout.flush()
    }

    /// Says why it did not work; gives the exit code.
    pub(crate) fn fail(&self, failure: &Failure) -> ExitCode {
        if self.is_json {
            if let Some(object) = failure.to_json() {
                let _ = writeln!(io::stderr(), "{}", harmless(&object));
            }
        } else if let Some((message, hints)) = failure.to_text() {
            let mut stderr = self.stderr();
            let said = |style, label: &str, text: &str| {
                // The style comes last, since folding counts characters.
                self.folded(&format!("{label} {}", clean_line(text))).replacen(label, &paint(style, label), 1)
            };
            let _ = writeln!(stderr, "{}", said(ERROR, "error:", &message));
            for hint in hints {
                let _ = writeln!(stderr, "{}", said(WEAK, "hint:", &hint));
            }
        }
        ExitCode::from(failure.exit_code())
    }

    /// Talk in lines that a terminal does not break in the middle of a word.
    fn folded(&self, said: &str) -> String {
        if !self.terminal.is_stderr {
            return said.to_owned();
        }
        let lines = said.lines().map(|line| hanging(line, 2, self.terminal.width));
        lines.collect::<Vec<_>>().join("\n")
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

/// One object, and a newline; where a person may be looking, indented and without anything that acts on a terminal.
fn write_json(report: &impl Serialize, is_terminal: bool) -> io::Result<()> {
    let mut stdout = io::BufWriter::with_capacity(256 * 1024, io::stdout().lock());
    if is_terminal {
        let object = serde_json::to_string_pretty(report).map_err(io::Error::from)?;
        stdout.write_all(harmless(&object).as_bytes())?;
    } else {
        serde_json::to_writer(&mut stdout, report).map_err(io::Error::from)?;
    }
    stdout.write_all(b"\n")?;
    stdout.flush()
}

/// The same JSON, with what JSON itself does not escape but a terminal obeys.
fn harmless(json: &str) -> String {
    let mut escaped = String::with_capacity(json.len());
    for character in json.chars() {
        if is_dangerous(character) {
            let _ = write!(escaped, "\\u{:04x}", u32::from(character));
        } else {
            escaped.push(character);
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_for_a_terminal_means_the_same_and_does_nothing() {
        let text = "a\u{1b}[2J\u{9b}2J\u{7f}\u{202e}b\n\"é日";
        let json = serde_json::to_string_pretty(&[text]).unwrap();
        let escaped = harmless(&json);
        assert!(!escaped.chars().any(is_dangerous), "{escaped}");
        assert_eq!(serde_json::from_str::<Vec<String>>(&escaped).unwrap(), [text]);
    }
}
