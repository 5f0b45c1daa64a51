//! One call of an executable: arguments and input → its answer, or an error that says which call it was.

use std::ffi::OsStr;
use std::io;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use super::commit::ObjectId;
use super::error::Error;
use super::process::{self, Finished};
use super::reply;
use crate::private::Umask;

#[derive(Debug)]
pub(super) struct Call {
    command: Command,
    what: String,
    input: Option<Vec<u8>>,
    timeout: Option<Duration>,
    /// For the files that it makes.
    umask: Umask,
}

impl Call {
    pub(super) fn new(command: Command, what: &str) -> Self {
        Self { command, what: what.to_owned(), input: None, timeout: None, umask: Umask::Private }
    }

    pub(super) fn argument(mut self, argument: impl AsRef<OsStr>) -> Self {
        self.command.arg(argument);
        self
    }

    /// The verb, by which errors call it, and what follows.
    pub(super) fn verb<'a>(mut self, arguments: impl IntoIterator<Item = &'a str>) -> Self {
        let mut arguments = arguments.into_iter();
        if let Some(verb) = arguments.next() {
            self.what = format!("{} {verb}", self.what);
            self.command.arg(verb);
        }
        self.command.args(arguments);
        self
    }

    pub(super) fn input(mut self, bytes: impl Into<Vec<u8>>) -> Self {
        self.input = Some(bytes.into());
        self
    }

    pub(super) fn variable(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    pub(super) fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self
    }

    /// Its files elsewhere may be shared with other users.
    pub(super) fn by_users_umask(mut self) -> Self {
        self.umask = Umask::Users;
        self
    }

    pub(super) fn into_command(self) -> Command {
        self.command
    }

    /// Whatever its status is.
    pub(super) fn finish(self) -> Result<Finished, Error> {
        let program = PathBuf::from(self.command.get_program());
        process::run(self.command, self.input, self.timeout, self.umask)
            .map_err(|source| unrunnable(program, source))
    }

    pub(super) fn bytes(self) -> Result<Vec<u8>, Error> {
        let what = self.what.clone();
        let finished = self.finish()?;
        match finished.code {
            Some(0) => Ok(finished.stdout),
            _ => Err(failed(what, &finished)),
        }
    }

    pub(super) fn done(self) -> Result<(), Error> {
        self.bytes().map(drop)
    }

    pub(super) fn text(self) -> Result<String, Error> {
        Ok(line_of(&self.bytes()?))
    }

    pub(super) fn object(self) -> Result<ObjectId, Error> {
        let what = self.what.clone();
        let answer = self.text()?;
        ObjectId::parse(&answer).ok_or(Error::Unexpected { what, answer })
    }

    /// For questions that git answers with status 1 when there is nothing.
    pub(super) fn answer(self) -> Result<Option<String>, Error> {
        let what = self.what.clone();
        let finished = self.finish()?;
        match finished.code {
            Some(0) => Ok(Some(line_of(&finished.stdout))),
            Some(1) => Ok(None),
            _ => Err(failed(what, &finished)),
        }
    }
}

pub(super) fn unrunnable(program: PathBuf, source: io::Error) -> Error {
    match source.kind() {
        io::ErrorKind::NotFound => Error::NotInstalled { program },
        _ => Error::Unrunnable { program, source },
    }
}

fn failed(what: String, finished: &Finished) -> Error {
    Error::Failed { what, stderr: reply::summary(finished) }
}

fn line_of(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).trim_end_matches(['\n', '\r']).to_owned()
}
