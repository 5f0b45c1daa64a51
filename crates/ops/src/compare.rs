//! Kept bytes beside live ones.

use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::path::Path;

use steno_vault::Volume;

/// Takes bytes in place of a file that is there, and tells whether they are the same.
#[derive(Debug)]
pub(crate) struct Compare {
    live: BufReader<File>,
    buffer: Vec<u8>,
    is_same: bool,
}

impl Compare {
    pub(crate) fn with(live: &Path) -> io::Result<Self> {
        Ok(Self {
            live: BufReader::with_capacity(128 << 10, File::open(live)?),
            buffer: Vec::new(),
            is_same: true,
        })
    }

    /// Whether everything so far is the same; there may be more.
    pub(crate) fn is_same(&self) -> bool {
        self.is_same
    }

    /// After the last byte.
    pub(crate) fn finish(mut self) -> io::Result<bool> {
        Ok(self.is_same && self.live.read(&mut [0])? == 0)
    }
}

impl Write for Compare {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.is_same {
            self.buffer.resize(bytes.len(), 0);
            self.is_same = match self.live.read_exact(&mut self.buffer) {
                Ok(()) => self.buffer == bytes,
                Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => false,
                Err(error) => return Err(error),
            };
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Whether a generation has all bytes of a live file, which it may have outgrown. Damage proves nothing.
pub(crate) fn has_all(volume: &Volume<'_>, live: &Path) -> io::Result<bool> {
    let file = File::open(live)?;
    if file.metadata()?.len() > volume.generation.len() {
        return Ok(false);
    }
    let (mut live, mut kept) = (BufReader::with_capacity(128 << 10, file), volume.reader());
    let (mut one, mut two) = (vec![0; 64 << 10], Vec::new());
    loop {
        let read = live.read(&mut one)?;
        if read == 0 {
            return Ok(true);
        }
        two.resize(read, 0);
        if kept.read_exact(&mut two).is_err() || one.get(..read) != Some(two.as_slice()) {
            return Ok(false);
        }
    }
}
