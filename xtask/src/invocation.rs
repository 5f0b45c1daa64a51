//! A command with everything it needs, that can be run and shown as a line for a shell.

use std::fmt;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::failure::Failure;

#[derive(Debug, Clone)]
pub(crate) struct Invocation {
    program: String,
    arguments: Vec<String>,
    environment: Vec<(String, String)>,
}

impl Invocation {
    pub(crate) fn new(program: impl Into<String>) -> Self {
        Self { program: program.into(), arguments: Vec::new(), environment: Vec::new() }
    }

    /// `cargo` with the words of `line`.
    pub(crate) fn cargo(line: &str) -> Self {
        Self::new("cargo").arguments(line.split_whitespace())
    }

    pub(crate) fn argument(mut self, argument: impl Into<String>) -> Self {
        self.arguments.push(argument.into());
        self
    }

    pub(crate) fn arguments(mut self, arguments: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.arguments.extend(arguments.into_iter().map(Into::into));
        self
    }

    pub(crate) fn path(self, path: &Path) -> Self {
        self.argument(path.display().to_string())
    }

    pub(crate) fn variable(mut self, name: &str, value: impl Into<String>) -> Self {
        self.environment.push((name.to_owned(), value.into()));
        self
    }

    pub(crate) fn command(&self, directory: &Path) -> Command {
        let mut command = Command::new(&self.program);
        command.args(&self.arguments).current_dir(directory).stdin(Stdio::null());
        // Flags that cargo handed to this program would outrank those given here.
        command.env_remove("CARGO_ENCODED_RUSTFLAGS");
        // And a crate that looks for what cargo says of itself (ring does) would be built anew, with all above it,
        // whenever cargo runs alternately through this program and without it.
        for (name, _) in std::env::vars_os() {
            let text = name.to_string_lossy();
            if text.starts_with("CARGO_PKG_") || text.starts_with("CARGO_MANIFEST_") {
                command.env_remove(&name);
            }
        }
        command.envs(self.environment.iter().map(|(name, value)| (name, value)));
        command
    }

    pub(crate) fn run(&self, directory: &Path) -> Result<(), Failure> {
        let status = self.command(directory).status().map_err(|error| self.cannot_start(&error))?;
        if status.success() { Ok(()) } else { Err(self.failed(&status)) }
    }

    /// Runs it and gives back what it printed; what it said on stderr is passed on.
    pub(crate) fn output(&self, directory: &Path) -> Result<String, Failure> {
        let mut command = self.command(directory);
        let output = command.stderr(Stdio::inherit()).output().map_err(|error| self.cannot_start(&error))?;
        if !output.status.success() {
            return Err(self.failed(&output.status));
        }
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }

    pub(crate) fn cannot_start(&self, error: &std::io::Error) -> Failure {
        Failure::new(format!("cannot run {}: {error}", self.program))
    }

    pub(crate) fn failed(&self, status: &std::process::ExitStatus) -> Failure {
        Failure::new(format!("{} failed ({status})", self.program)).repeat(self)
    }
}

/// As a line for a shell, environment included.
impl fmt::Display for Invocation {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, value) in &self.environment {
            write!(out, "{name}={} ", quoted(value))?;
        }
        write!(out, "{}", quoted(&self.program))?;
        self.arguments.iter().try_for_each(|argument| write!(out, " {}", quoted(argument)))
    }
}

fn quoted(word: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_./:=,+@%".contains(letter);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_shown_as_a_line_that_a_shell_understands() {
        let shown =
            Invocation::cargo("test --workspace").argument("it's").variable("FLAGS", "-C a").to_string();
        assert_eq!(shown, r"FLAGS='-C a' cargo test --workspace 'it'\''s'");
    }
}
