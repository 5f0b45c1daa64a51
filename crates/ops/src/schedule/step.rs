//! One change to the system, which can be shown before it is made.

use std::fmt::{self, Display, Formatter};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use crate::error::{Error, ErrorKind};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Step {
    Write { path: PathBuf, bytes: Vec<u8> },
    Rename { from: PathBuf, to: PathBuf },
    Remove { path: PathBuf },
    Run(Run),
}

/// A program, its arguments and what it reads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Run {
    program: PathBuf,
    arguments: Vec<String>,
    input: Vec<u8>,
    may_fail: bool,
    attempts: u32,
}

impl Run {
    pub(super) fn new(program: &Path, arguments: &[&str]) -> Self {
        let arguments = arguments.iter().map(ToString::to_string).collect();
        Self { program: program.to_owned(), arguments, input: Vec::new(), may_fail: false, attempts: 1 }
    }

    pub(super) fn input(self, input: Vec<u8>) -> Self {
        Self { input, ..self }
    }

    /// Its failure says nothing about the outcome.
    pub(super) fn may_fail(self) -> Self {
        Self { may_fail: true, ..self }
    }

    /// For what fails while the step before it is still at work inside the system.
    pub(super) fn patiently(self) -> Self {
        Self { attempts: 5, ..self }
    }

    pub(super) fn succeeds(&self) -> bool {
        self.output().is_ok_and(|output| output.status.success())
    }

    /// In the language whose messages we know.
    pub(super) fn output(&self) -> io::Result<Output> {
        let mut command = Command::new(&self.program);
        command.args(&self.arguments).env("LC_ALL", "C");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn()?;
        if let Some(mut stdin) = child.stdin.take() {
            // A program that does not read to the end says why by its exit code.
            let _ = stdin.write_all(&self.input);
        }
        child.wait_with_output()
    }

    fn take(&self) -> Result<(), Error> {
        let mut failure = self.attempt();
        for _ in 1..self.attempts {
            if failure.is_none() {
                break;
            }
            std::thread::sleep(Duration::from_millis(400));
            failure = self.attempt();
        }
        match failure.filter(|_| !self.may_fail) {
            Some(reason) => Err(Error::new(ErrorKind::Outside, format!("`{self}` failed: {reason}"))
                .hint("`steno schedule daily --dry-run` shows all steps, to be taken by hand")),
            None => Ok(()),
        }
    }

    fn attempt(&self) -> Option<String> {
        match self.output() {
            Err(error) => Some(error.to_string()),
            Ok(output) if output.status.success() => None,
            Ok(output) => Some(reason(&output)),
        }
    }
}

pub(super) fn reason(output: &Output) -> String {
    let talk =
        [output.stderr.as_slice(), &output.stdout].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    let said = talk.iter().flat_map(|talk| talk.lines()).map(str::trim).find(|line| !line.is_empty());
    said.map_or_else(|| output.status.to_string(), str::to_owned)
}

impl Step {
    pub(super) fn take(&self) -> Result<(), Error> {
        match self {
            Self::Run(run) => run.take(),
            Self::Write { path, bytes } => {
                steno_vault::private::replace(path, bytes).map_err(|error| failed(path, &error))
            }
            Self::Rename { from, to } => fs::rename(from, to).map_err(|error| failed(from, &error)),
            Self::Remove { path } => match fs::remove_file(path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => Err(failed(path, &error)),
                _ => Ok(()),
            },
        }
    }
}

fn failed(path: &Path, error: &io::Error) -> Error {
    Error::new(ErrorKind::Io, format!("cannot change {}: {error}", path.display()))
        .hint("`steno schedule daily --dry-run` shows all steps, to be taken by hand")
}

impl Display for Step {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Write { path, .. } => write!(formatter, "write {}", path.display()),
            Self::Rename { from, to } => write!(formatter, "rename {} to {}", from.display(), to.display()),
            Self::Remove { path } => write!(formatter, "remove {}", path.display()),
            Self::Run(run) => write!(formatter, "run {run}"),
        }
    }
}

impl Display for Run {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.program.file_name().unwrap_or_default().display())?;
        self.arguments.iter().try_for_each(|argument| write!(formatter, " {argument}"))
    }
}
