//! A file that grows → its new lines.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::PathBuf;

/// What one look reads at most; the rest is read by the next.
const CHUNK: u64 = 4 << 20;
/// A longer line is passed over: a look must stay short.
const LONGEST: usize = 32 << 20;

/// Follows a file from near its end.
#[derive(Debug)]
pub struct Tail {
    pub path: PathBuf,
    /// Up to where the file was read.
    offset: Option<u64>,
    /// The start of a line whose end is not written yet.
    partial: Vec<u8>,
    /// The first line is not whole, or too long.
    skips_line: bool,
    before: u64,
}

impl Tail {
    /// Starts at most `before` bytes before the end.
    pub fn new(path: PathBuf, before: u64) -> Self {
        Self { path, offset: None, partial: Vec::new(), skips_line: false, before }
    }

    /// Calls `visit` with each new whole line. Whether there was one.
    pub fn read(&mut self, mut visit: impl FnMut(&[u8])) -> io::Result<bool> {
        let mut file = File::open(&self.path)?;
        let len = file.metadata()?.len();
        let offset = self.start(len);
        if len == offset {
            return Ok(false);
        }
        file.seek(SeekFrom::Start(offset))?;
        let mut bytes = Vec::new();
        let read = file.take(CHUNK.min(len - offset)).read_to_end(&mut bytes)? as u64;
        self.offset = Some(offset + read);
        let mut any = false;
        for line in bytes.split_inclusive(|byte| *byte == b'\n') {
            any |= self.take(line, &mut visit);
        }
        Ok(any)
    }

    /// Where to go on. A file that became shorter was written anew.
    fn start(&mut self, len: u64) -> u64 {
        match self.offset {
            Some(offset) if offset <= len => offset,
            _ => {
                let offset = len.saturating_sub(self.before);
                self.partial.clear();
                self.skips_line = offset > 0;
                offset
            }
        }
    }

    fn take(&mut self, line: &[u8], visit: &mut impl FnMut(&[u8])) -> bool {
        let is_whole = line.ends_with(b"\n");
        if self.partial.len() + line.len() > LONGEST {
            self.partial.clear();
            self.skips_line = true;
        }
        if self.skips_line {
            self.skips_line = !is_whole;
            return false;
        }
        self.partial.extend_from_slice(line);
        if is_whole {
            visit(&self.partial);
            self.partial.clear();
        }
        is_whole
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn lines_come_whole_and_once() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a.jsonl");
        std::fs::write(&path, "first\nsecond\nthi").unwrap();
        let mut tail = Tail::new(path.clone(), 10);
        let mut look = || {
            let mut lines = Vec::new();
            tail.read(|line| lines.push(String::from_utf8_lossy(line).into_owned())).unwrap();
            lines
        };
        let append = |text: &str| {
            File::options().append(true).open(&path).unwrap().write_all(text.as_bytes()).unwrap()
        };

        assert_eq!(look(), Vec::<String>::new(), "the line before the last is not whole");
        append("rd\n\n4");
        assert_eq!(look(), ["third\n", "\n"]);
        append("\n");
        assert_eq!(look(), ["4\n"]);
        std::fs::write(&path, "new\n").unwrap();
        assert_eq!(look(), ["new\n"]);
        assert_eq!(look(), Vec::<String>::new());
    }
}
