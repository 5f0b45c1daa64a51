//! Blobs of the repository → their bytes, one after the other through a single `git cat-file`.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use super::call;
use super::commit::ObjectId;
use super::error::Error;
use super::repository::Repository;
use crate::private::{self, Umask};

pub(super) struct Blobs {
    child: Child,
    questions: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Blobs {
    pub(super) fn start(repository: &Repository) -> Result<Self, Error> {
        let mut command = repository.call(["cat-file", "--batch"]).into_command();
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let unrunnable = |source| call::unrunnable(repository.git.program.clone(), source);
        let mut child = private::spawn(&mut command, Umask::Private).map_err(unrunnable)?;
        match (child.stdin.take(), child.stdout.take()) {
            (Some(questions), Some(answers)) => {
                Ok(Self { child, questions, answers: BufReader::new(answers) })
            }
            _ => Err(unrunnable(io::Error::from(io::ErrorKind::BrokenPipe))),
        }
    }

    /// After an error the batch is of no more use.
    pub(super) fn read(&mut self, id: &ObjectId) -> io::Result<Vec<u8>> {
        writeln!(self.questions, "{id}")?;
        self.questions.flush()?;
        let mut header = String::new();
        self.answers.read_line(&mut header)?;
        let size = match header.trim_end().split(' ').collect::<Vec<_>>()[..] {
            [_, "blob", size] => size.parse::<u64>().map_err(io::Error::other)?,
            _ => return Err(io::Error::other(format!("git cat-file: {}", header.trim_end()))),
        };
        let mut bytes = Vec::new();
        (&mut self.answers).take(size).read_to_end(&mut bytes)?;
        self.answers.read_exact(&mut [0])?;
        Ok(bytes)
    }
}

impl Drop for Blobs {
    fn drop(&mut self) {
        // It ends by itself when nothing more is asked, unless it is still writing.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
