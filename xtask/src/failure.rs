//! Why a chore stopped, and the command that repeats it.

use std::fmt;

#[derive(Debug)]
pub(crate) struct Failure {
    message: String,
    repeat: Option<String>,
}

impl Failure {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), repeat: None }
    }

    /// With the command to try again.
    pub(crate) fn repeat(mut self, command: impl fmt::Display) -> Self {
        self.repeat = Some(command.to_string());
        self
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}", self.message)?;
        match &self.repeat {
            Some(repeat) => write!(out, "\nrepeat it with:\n  {repeat}"),
            None => Ok(()),
        }
    }
}
