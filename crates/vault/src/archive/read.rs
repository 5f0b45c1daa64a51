//! An archive → the files in it, or the reason why none of them is taken.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;

use flate2::bufread::MultiGzDecoder;
use tar::{Archive, Entry, EntryType};

use super::error::{Error, Trouble};
use super::name::Names;
use super::{Limits, Plan, PlannedFile};

const BLOCK: u64 = 512;
/// Headers and padding around one entry; a name may need entries of its own.
const AROUND_ENTRY: u64 = 8 * BLOCK;
/// After the end, `tar` fills up a record.
const AROUND_ARCHIVE: u64 = 1024 * 1024;

/// A small archive can unpack to terabytes: the stream ends at a limit.
type Stream = io::Take<MultiGzDecoder<BufReader<File>>>;

/// Reads an archive to its end and checks every entry; nothing is written.
pub fn plan(path: &Path, limits: Limits) -> Result<Plan, Error> {
    let around = limits.entries.saturating_mul(AROUND_ENTRY).saturating_add(AROUND_ARCHIVE);
    let most = limits.total_bytes.saturating_add(around);
    let mut archive = Archive::new(open(path)?.take(most));
    let read = read_entries(path, limits, &mut archive);
    let mut stream = archive.into_inner();
    let finished = read.and_then(|(files, end)| {
        let has_end = most - stream.limit() >= end + BLOCK;
        finish(path, &mut stream, has_end).map(|()| files)
    });
    match finished {
        // What follows the limit was not read, and the checksum after it not compared.
        Ok(_) | Err(Error::Damaged { .. } | Error::NotAnArchive { .. }) if stream.limit() == 0 => {
            Err(Error::TooManyBytes { path: path.to_owned(), limit: limits.total_bytes })
        }
        Err(error) => Err(error),
        Ok(mut files) => {
            files.sort_by(|one, other| one.name.cmp(&other.name));
            Ok(Plan { path: path.to_owned(), files })
        }
    }
}

fn open(path: &Path) -> Result<MultiGzDecoder<BufReader<File>>, Error> {
    let cannot_read = |source| Error::Read { path: path.to_owned(), source };
    let file = File::open(path).map_err(cannot_read)?;
    if !file.metadata().map_err(cannot_read)?.is_file() {
        return Err(Error::NotAnArchive { path: path.to_owned() });
    }
    let mut reader = BufReader::new(file);
    let start = io::BufRead::fill_buf(&mut reader).map_err(cannot_read)?;
    if !start.starts_with(&[0x1f, 0x8b]) {
        return Err(Error::NotAnArchive { path: path.to_owned() });
    }
    Ok(MultiGzDecoder::new(reader))
}

/// The files, and the place where the last entry ended.
fn read_entries(
    path: &Path,
    limits: Limits,
    archive: &mut Archive<Stream>,
) -> Result<(Vec<PlannedFile>, u64), Error> {
    let damaged = |error: io::Error| Error::Damaged { path: path.to_owned(), reason: error.to_string() };
    let (mut names, mut files) = (Names::default(), Vec::new());
    let (mut end, mut entries, mut bytes) = (0, 0, 0_u64);
    for entry in archive.entries().map_err(damaged)? {
        let mut entry = entry.map_err(|error| unreadable(path, end, error))?;
        entries += 1;
        if entries > limits.entries {
            return Err(Error::TooManyEntries { path: path.to_owned(), limit: limits.entries });
        }
        let file = check(&entry, limits, &mut names).map_err(|trouble| {
            let name = clean(&String::from_utf8_lossy(&entry.path_bytes()));
            Error::Entry { path: path.to_owned(), name, trouble }
        })?;
        bytes = bytes.saturating_add(entry.size());
        if bytes > limits.total_bytes {
            return Err(Error::TooManyBytes { path: path.to_owned(), limit: limits.total_bytes });
        }
        end = entry.raw_file_position().saturating_add(entry.size()).next_multiple_of(BLOCK);
        if let Some(name) = file {
            let is_executable = entry.header().mode().is_ok_and(|mode| mode & 0o100 != 0);
            let bytes = read_whole(&mut entry).map_err(damaged)?;
            files.push(PlannedFile { name, bytes, is_executable });
        }
    }
    Ok((files, end))
}

/// The first header decides whether this is a tar at all.
fn unreadable(path: &Path, end: u64, error: io::Error) -> Error {
    let path = path.to_owned();
    let is_gzip_fine = !matches!(error.kind(), io::ErrorKind::UnexpectedEof | io::ErrorKind::InvalidInput);
    if end == 0 && is_gzip_fine {
        return Error::NotAnArchive { path };
    }
    Error::Damaged { path, reason: error.to_string() }
}

/// The name of a file; none for a directory, which comes into being with its files.
fn check(entry: &Entry<'_, Stream>, limits: Limits, names: &mut Names) -> Result<Option<String>, Trouble> {
    let name = entry.path_bytes();
    let name = std::str::from_utf8(&name).map_err(|_| Trouble::OddName)?;
    match entry.header().entry_type() {
        EntryType::Regular | EntryType::Continuous if entry.size() > limits.file_bytes => {
            Err(Trouble::TooLarge { limit: limits.file_bytes })
        }
        EntryType::Regular | EntryType::Continuous => names.add_file(name).map(Some),
        EntryType::Directory if entry.size() == 0 => names.add_directory(name).map(|()| None),
        EntryType::Link | EntryType::Symlink => Err(Trouble::Link),
        EntryType::Char | EntryType::Block => Err(Trouble::Device),
        EntryType::Fifo => Err(Trouble::Pipe),
        _ => Err(Trouble::OtherKind),
    }
}

/// The end of the tar must be marked, only padding may follow, and the gzip checksum follows.
fn finish(path: &Path, stream: &mut Stream, has_end: bool) -> Result<(), Error> {
    let damaged = |reason: String| Error::Damaged { path: path.to_owned(), reason };
    let mut buffer = [0; 8192];
    loop {
        let count = stream.read(&mut buffer).map_err(|error| damaged(error.to_string()))?;
        if count == 0 {
            break;
        }
        if buffer.iter().take(count).any(|byte| *byte != 0) {
            return Err(damaged("something follows its end".to_owned()));
        }
    }
    if has_end { Ok(()) } else { Err(damaged("its end is missing".to_owned())) }
}

/// Control characters could do something to a terminal.
fn clean(name: &str) -> String {
    name.chars().map(|character| if character.is_control() { '\u{fffd}' } else { character }).collect()
}

/// A stream that ends within an entry is no error to the reader of archives.
fn read_whole(entry: &mut Entry<'_, Stream>) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    entry.read_to_end(&mut bytes)?;
    if bytes.len() as u64 == entry.size() { Ok(bytes) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
}
