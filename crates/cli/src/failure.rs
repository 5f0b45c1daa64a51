//! Why a command did not succeed, and how that is said: the one place that maps kinds to exit codes.

use std::io::Write;
use std::process::ExitCode;

use serde_json::json;
use steno_ops::{Error, ErrorKind};
use steno_render::terminal::{WEAK, clean_line, paint};

use crate::describe;
use crate::output::ERROR;

/// A command's failure.
#[derive(Debug)]
pub(crate) enum Failure {
    Operation(Error),
    /// The reader of the pipe has closed it, as `head` does; that is no failure.
    ClosedPipe,
    /// The answer was written, and tells what did not succeed.
    Reported(Outcome),
    /// The answer could not be written.
    Write(std::io::Error),
    /// The client ended with this code.
    #[cfg(not(unix))]
    Client(u8),
}

/// How a command ended that gave its answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    Done,
    /// The answer to what was asked is no.
    No,
    /// The vault does not hold what it should.
    Damaged,
    Partly,
    /// The user left before there was an answer.
    Interrupted,
}

impl Outcome {
    /// Of work that was done, or in part.
    pub(crate) fn of_all(is_done: bool) -> Self {
        if is_done { Self::Done } else { Self::Partly }
    }

    pub(crate) fn as_result(self) -> Result<(), Failure> {
        if self == Self::Done { Ok(()) } else { Err(Failure::Reported(self)) }
    }
}

/// 1 is the user's mistake, 2 the system's failure.
pub fn exit_code(kind: ErrorKind) -> u8 {
    match kind {
        ErrorKind::NotFound
        | ErrorKind::Ambiguous
        | ErrorKind::Invalid
        | ErrorKind::Exists
        | ErrorKind::Running
        | ErrorKind::NoVault
        | ErrorKind::Locked => 1,
        ErrorKind::Busy
        | ErrorKind::Damaged
        | ErrorKind::Incompatible
        | ErrorKind::Outside
        | ErrorKind::Io => 2,
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Operation(error)
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        if error.kind() == std::io::ErrorKind::BrokenPipe { Self::ClosedPipe } else { Self::Write(error) }
    }
}

impl Failure {
    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            Self::Operation(error) => exit_code(error.kind),
            Self::ClosedPipe => 0,
            Self::Reported(Outcome::Done) => 0,
            Self::Reported(Outcome::No) => 1,
            Self::Reported(Outcome::Damaged) => 2,
            Self::Reported(Outcome::Partly) => 3,
            // As a shell reports a process that Ctrl-C ended.
            Self::Reported(Outcome::Interrupted) => 130,
            #[cfg(not(unix))]
            Self::Client(code) => *code,
            Self::Write(_) => 2,
        }
    }

    /// As one JSON object; nothing when there is nothing to say.
    pub(crate) fn to_json(&self) -> Option<String> {
        let (message, kind, hints) = match self {
            Self::Operation(error) => (error.to_string(), error.kind.name(), error.hints.clone()),
            Self::ClosedPipe | Self::Reported(_) => return None,
            Self::Write(error) => (unwritten(error), "io", Vec::new()),
            #[cfg(not(unix))]
            Self::Client(_) => return None,
        };
        Some(object(&message, kind, self.exit_code(), &hints))
    }

    /// For people: what failed, and what to try.
    pub(crate) fn to_text(&self) -> Option<(String, Vec<String>)> {
        match self {
            Self::Operation(error) => Some((error.to_string(), error.hints.clone())),
            Self::ClosedPipe | Self::Reported(_) => None,
            Self::Write(error) => Some((unwritten(error), Vec::new())),
            #[cfg(not(unix))]
            Self::Client(_) => None,
        }
    }
}

fn unwritten(error: &std::io::Error) -> String {
    format!("cannot write the answer: {error}")
}

fn object(message: &str, kind: &str, code: u8, hints: &[String]) -> String {
    json!({"error": message, "kind": kind, "code": code, "hints": hints}).to_string()
}

/// A command line that means nothing, or a request for help.
pub(crate) fn usage(error: &clap::Error, wants_json: bool) -> ExitCode {
    use clap::error::ErrorKind as Kind;
    match error.kind() {
        Kind::DisplayHelp | Kind::DisplayVersion => help(error, wants_json),
        _ if wants_json => {
            let (message, hints) = parts(&error.to_string());
            let _ = writeln!(std::io::stderr(), "{}", object(&message, "usage", 1, &hints));
            ExitCode::from(1)
        }
        Kind::DisplayHelpOnMissingArgumentOrSubcommand => {
            let _ = error.print();
            ExitCode::from(1)
        }
        _ => {
            // They repeat what was typed, or what a pattern made of the names of files.
            let (message, hints) = parts(&error.to_string());
            tell(&message, &hints);
            ExitCode::from(1)
        }
    }
}

/// An error for people, before it is known how the program shall speak.
fn tell(message: &str, hints: &[String]) {
    let mut stderr = anstream::stderr();
    let _ = writeln!(stderr, "{} {}", paint(ERROR, "error:"), clean_line(message));
    for hint in hints {
        let _ = writeln!(stderr, "{} {}", paint(WEAK, "hint:"), clean_line(hint));
    }
}

/// Help and version are answers: they go to stdout, and can fail to get there.
fn help(error: &clap::Error, wants_json: bool) -> ExitCode {
    let told = if wants_json { write_answer(error) } else { error.print() };
    let written = told.and_then(|()| std::io::stdout().flush());
    let Err(failure) = written.map_err(Failure::from) else { return ExitCode::SUCCESS };
    if let Some(object) = failure.to_json().filter(|_| wants_json) {
        let _ = writeln!(std::io::stderr(), "{object}");
    } else if let Some((message, _)) = failure.to_text() {
        tell(&message, &[]);
    }
    ExitCode::from(failure.exit_code())
}

/// The same as one object.
fn write_answer(error: &clap::Error) -> std::io::Result<()> {
    let answer = match error.kind() {
        clap::error::ErrorKind::DisplayVersion => json!({"version": env!("CARGO_PKG_VERSION")}),
        _ => json!(describe::about_help(error.to_string())),
    };
    writeln!(std::io::stdout(), "{answer}")
}

/// What clap says, as a message and hints: the first paragraph, the tips before the usage, and where to read on.
pub(crate) fn parts(text: &str) -> (String, Vec<String>) {
    let told = text.split("For more information").next().unwrap_or_default();
    let (told, usage) = told.split_once("Usage:").unwrap_or((told, ""));
    let mut paragraphs =
        told.split("\n\n").map(|paragraph| paragraph.split_whitespace().collect::<Vec<_>>().join(" "));
    let message = paragraphs.next().unwrap_or_default().trim_start_matches("error: ").to_owned();
    let tips = paragraphs.filter(|tip| !tip.is_empty()).map(|tip| tip.trim_start_matches("tip: ").to_owned());
    let command: Vec<&str> =
        usage.split_whitespace().take_while(|word| !word.starts_with(['[', '<', '-'])).collect();
    let latest = is_session_missing(&message).then(|| latest(&command)).flatten();
    let help = match command.as_slice() {
        [] | [_] => "`steno --help` lists commands and flags".to_owned(),
        command => format!("`{} --help` lists its arguments and flags", command.join(" ")),
    };
    (message, tips.chain(latest).chain([help]).collect())
}

/// Whether a line lacks the name of a session.
fn is_session_missing(message: &str) -> bool {
    message.contains("required arguments were not provided") && message.contains("<ID")
}

/// The same command with a session that every user has.
fn latest(command: &[&str]) -> Option<String> {
    let line = command.join(" ");
    let lists = match command.last()? {
        // They know only sessions that are kept.
        &"peek" | &"purge" | &"restore" => {
            return Some("`steno restore --list` shows the kept sessions".to_owned());
        }
        _ => "`steno list` shows all sessions",
    };
    Some(format!("`{line} last` takes the latest session; {lists}"))
}
