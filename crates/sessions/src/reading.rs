//! Opens transcripts and hands their pieces on, up to the size they had when they were opened.

use std::cell::Cell;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Take};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::LazyLock;

use steno_conversation::{Accountant, Gathered, Profiler, Warnings, observe};
use steno_transcript::{LineReader, Piece, Prefilter, SessionId, read_lines};

use crate::error::Error;
use crate::gate::gate;

/// How far into a file its first prompt is looked for.
pub const HEAD_BYTES: u64 = 512 * 1024;
pub const HEAD_STEP: usize = 16 * 1024;

/// Every piece of a file, until `visit` breaks off.
pub fn pieces(path: &Path, visit: impl FnMut(Piece<'_>) -> ControlFlow<()>) -> Result<(), Error> {
    open(path, |lines| read_lines(lines, visit))
}

thread_local! {
    /// Each thread reads one file after the other through the same buffer.
    static BUFFER: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}

/// A buffer that a longer line has grown beyond this is given back.
const KEPT_BUFFER: usize = 1024 * 1024;

/// Opens a file for reading. The next reading sees bytes appended meanwhile.
fn open(path: &Path, read: impl FnOnce(&mut LineReader<Take<File>>) -> io::Result<()>) -> Result<(), Error> {
    open_from(path, Stretch::WHOLE, |file| file, read)
}

/// The same of a part.
pub fn open_at(
    path: &Path,
    stretch: Stretch,
    read: impl FnOnce(&mut LineReader<Box<dyn Read>>) -> io::Result<()>,
) -> Result<(), Error> {
    open_from(path, stretch, |file| Box::new(file) as Box<dyn Read>, read)
}

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

fn open_from<R: Read>(
    path: &Path,
    Stretch { from, lines, to }: Stretch,
    source: impl FnOnce(Take<File>) -> R,
    read: impl FnOnce(&mut LineReader<R>) -> io::Result<()>,
) -> Result<(), Error> {
    let (file, len) = open_file(path)?;
    let stretch = Stretch { to: len.min(to), from, lines };
    read_from(path, file, stretch, source, read)
}

/// A file, and the size that it has now.
pub fn open_file(path: &Path) -> Result<(File, u64), Error> {
    let (file, metadata) = steno_source::open_file(path)?;
    Ok((file, metadata.len()))
}

/// A part of a file that is open already.
pub fn read_opened(
    path: &Path,
    file: File,
    stretch: Stretch,
    read: impl FnOnce(&mut LineReader<Box<dyn Read>>) -> io::Result<()>,
) -> Result<(), Error> {
    read_from(path, file, stretch, |file| Box::new(file) as Box<dyn Read>, read)
}

fn read_from<R: Read>(
    path: &Path,
    mut file: File,
    Stretch { from, lines, to }: Stretch,
    source: impl FnOnce(Take<File>) -> R,
    read: impl FnOnce(&mut LineReader<R>) -> io::Result<()>,
) -> Result<(), Error> {
    let unreadable = |error| Error::unreadable(path.to_owned(), error);
    if from > 0 {
        file.seek(SeekFrom::Start(from)).map_err(unreadable)?;
    }
    let file = file.take(to.saturating_sub(from));
    lines_of(source(file), from, lines, read).map_err(unreadable)
}

/// The lines of some bytes, which stand at a place of a file.
pub(crate) fn lines_of<R: Read>(
    source: R,
    from: u64,
    lines: u64,
    read: impl FnOnce(&mut LineReader<R>) -> io::Result<()>,
) -> io::Result<()> {
    let mut lines = LineReader::from_place(source, from, lines).reusing(BUFFER.take()).guarded_by(gate);
    let outcome = read(&mut lines);
    let buffer = lines.into_buffer();
    if buffer.capacity() <= KEPT_BUFFER {
        BUFFER.set(buffer);
    }
    outcome
}

/// The profile of a whole transcript.
pub fn profile(path: &Path, id: &SessionId) -> Result<(Gathered, Warnings), Error> {
    let mut profiler = Profiler::default();
    let mut warnings = Warnings::new(path.display().to_string());
    let visit = |piece: Piece<'_>| {
        observe(&piece, &mut profiler, &mut warnings);
        ControlFlow::Continue(())
    };
    open(path, |lines| read_lines(lines, visit))?;
    Ok((profiler.finish(id.clone()), warnings))
}

/// The lines that an account is made of.
pub static ANSWERS: LazyLock<Prefilter> = LazyLock::new(Accountant::lines);
