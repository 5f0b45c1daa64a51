//! Opens transcripts and hands their pieces on, up to the size they had when they were opened.

use std::cell::Cell;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::LazyLock;

use steno_conversation::Accountant;
use steno_transcript::{LineReader, Prefilter};

use crate::error::Error;
use crate::file::Lines;
use crate::gate::gate;

/// How far into a file its first prompt is looked for.
pub const HEAD_BYTES: u64 = 512 * 1024;
pub const HEAD_STEP: usize = 16 * 1024;

thread_local! {
    /// Each thread reads one file after the other through the same buffer.
    static BUFFER: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}

/// A buffer that a longer line has grown beyond this is given back.
const KEPT_BUFFER: usize = 1024 * 1024;

/// A part of a file.
#[derive(Debug, Clone, Copy)]
pub struct Stretch {
    pub from: u64,
    /// How many whole lines stand before it.
    pub lines: u64,
    /// The end that the file has now, if it has less.
    pub to: u64,
}

impl Stretch {
    pub const WHOLE: Self = Self { from: 0, lines: 0, to: u64::MAX };
}

/// The bytes of a file from there on, as they stand.
pub fn bytes(
    path: &Path,
    from: u64,
    read: impl FnOnce(&mut dyn Read) -> io::Result<()>,
) -> Result<(), Error> {
    let unreadable = |error| Error::unreadable(path.to_owned(), error);
    let (mut file, len) = open_file(path)?;
    file.seek(SeekFrom::Start(from)).map_err(unreadable)?;
    read(&mut file.take(len.saturating_sub(from))).map_err(unreadable)
}

/// The lines of a part of a file. The next reading sees bytes appended meanwhile.
pub(crate) fn lines_at(
    path: &Path,
    stretch: Stretch,
    read: impl FnOnce(&mut Lines<'_>) -> io::Result<()>,
) -> Result<(), Error> {
    let (file, len) = open_file(path)?;
    lines_in(path, file, Stretch { to: len.min(stretch.to), ..stretch }, read)
}

/// A file, and the size that it has now.
pub fn open_file(path: &Path) -> Result<(File, u64), Error> {
    let (file, metadata) = steno_source::open_file(path)?;
    Ok((file, metadata.len()))
}

/// The same of a file that is open already.
pub(crate) fn lines_in(
    path: &Path,
    mut file: File,
    Stretch { from, lines, to }: Stretch,
    read: impl FnOnce(&mut Lines<'_>) -> io::Result<()>,
) -> Result<(), Error> {
    let unreadable = |error| Error::unreadable(path.to_owned(), error);
    if from > 0 {
        file.seek(SeekFrom::Start(from)).map_err(unreadable)?;
    }
    lines_of(Box::new(file.take(to.saturating_sub(from))), from, lines, read).map_err(unreadable)
}

/// The lines of some bytes, which stand at a place of a file.
pub(crate) fn lines_of<'r>(
    source: Box<dyn Read + 'r>,
    from: u64,
    lines: u64,
    read: impl FnOnce(&mut Lines<'r>) -> io::Result<()>,
) -> io::Result<()> {
    let mut lines = LineReader::from_place(source, from, lines).reusing(BUFFER.take()).guarded_by(gate);
    let outcome = read(&mut lines);
    let buffer = lines.into_buffer();
    if buffer.capacity() <= KEPT_BUFFER {
        BUFFER.set(buffer);
    }
    outcome
}

/// The lines that an account is made of.
pub static ANSWERS: LazyLock<Prefilter> = LazyLock::new(Accountant::lines);
