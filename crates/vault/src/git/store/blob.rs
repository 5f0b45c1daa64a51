//! A blob → a reader of its bytes, through a `git cat-file` of its own, so that nothing large is held in memory.

use std::io::{self, Read};
use std::process::{Child, ChildStdout, Stdio};

use super::super::call;
use super::super::error::Error;
use super::super::repository::Repository;
use super::tip::File;
use crate::private::{self, Umask};

pub(super) struct Blob {
    child: Child,
    bytes: ChildStdout,
    left: u64,
}

impl Blob {
    pub(super) fn open(repository: &Repository, file: &File) -> Result<Self, Error> {
        let mut command = repository.call(["cat-file", "blob", file.id.as_str()]).into_command();
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let unrunnable = |source| call::unrunnable(repository.git.program.clone(), source);
        let mut child = private::spawn(&mut command, Umask::Private).map_err(unrunnable)?;
        match child.stdout.take() {
            Some(bytes) => Ok(Self { child, bytes, left: file.len }),
            None => Err(unrunnable(io::Error::from(io::ErrorKind::BrokenPipe))),
        }
    }
}

impl Read for Blob {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.bytes.read(buffer)?;
        if count == 0 && self.left > 0 && !buffer.is_empty() {
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "git cat-file ended too early"));
        }
        self.left = self.left.saturating_sub(count as u64);
        Ok(count)
    }
}

impl Drop for Blob {
    fn drop(&mut self) {
        // It has ended by itself, unless nobody read to the end.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
