//! Files → an archive, the same bytes for the same files.

use std::fs::{self, Metadata};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use flate2::{Compression, GzBuilder};
use tar::{Builder, Header};

use super::error::Error;
use super::name::Names;
use crate::private;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Written {
    pub files: u64,
    /// Of the archive.
    pub bytes: u64,
}

/// Writes files under their names, in the order of the names, readable by the owner only. Links are followed; what
/// stood at the target is replaced as a whole.
pub fn write(files: &[(String, PathBuf)], target: &Path) -> Result<Written, Error> {
    let cannot_write = |source| Error::Write { path: target.to_owned(), source };
    let temporary = beside(target);
    // Left by a run that was killed.
    let _ = fs::remove_file(&temporary);
    let file = private::create(&temporary).map_err(cannot_write)?;
    let written = pack(files, BufWriter::new(file), target).and_then(|(written, file)| {
        let durable =
            file.into_inner().map_err(io::IntoInnerError::into_error).and_then(|file| file.sync_all());
        durable.and_then(|()| fs::rename(&temporary, target)).map_err(cannot_write)?;
        Ok(written)
    });
    if written.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    written
}

/// What [`write`] would make of the same files.
pub fn measure(files: &[(String, PathBuf)], target: &Path) -> Result<Written, Error> {
    pack(files, io::sink(), target).map(|(written, _)| written)
}

fn pack<W: Write>(files: &[(String, PathBuf)], writer: W, target: &Path) -> Result<(Written, W), Error> {
    let cannot_write = |source| Error::Write { path: target.to_owned(), source };
    let gzip = GzBuilder::new().write(Counted { inner: writer, count: 0 }, Compression::best());
    let mut builder = Builder::new(gzip);
    let mut names = Names::default();
    let mut sorted: Vec<&(String, PathBuf)> = files.iter().collect();
    sorted.sort();
    for (name, path) in sorted {
        let refused = |trouble| Error::Entry { path: target.to_owned(), name: name.clone(), trouble };
        let name = names.add_file(name).map_err(refused)?;
        let (mut header, bytes) = entry(path).map_err(|source| Error::Read { path: path.clone(), source })?;
        builder.append_data(&mut header, &name, bytes.as_slice()).map_err(cannot_write)?;
    }
    let counted = builder.into_inner().and_then(|gzip| gzip.finish()).map_err(cannot_write)?;
    Ok((Written { files: files.len() as u64, bytes: counted.count }, counted.inner))
}

/// Read whole, so that a file that grows meanwhile cannot tear the archive.
fn entry(path: &Path) -> io::Result<(Header, Vec<u8>)> {
    let metadata = fs::metadata(path)?;
    if !metadata.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a plain file"));
    }
    let bytes = fs::read(path)?;
    let mut header = Header::new_gnu();
    header.set_size(bytes.len() as u64);
    header.set_mode(if is_executable(&metadata) { 0o755 } else { 0o644 });
    let modified = metadata.modified().ok().and_then(|modified| modified.duration_since(UNIX_EPOCH).ok());
    header.set_mtime(modified.map_or(0, |since| since.as_secs()));
    Ok((header, bytes))
}

#[cfg(unix)]
fn is_executable(metadata: &Metadata) -> bool {
    std::os::unix::fs::PermissionsExt::mode(&metadata.permissions()) & 0o100 != 0
}

#[cfg(not(unix))]
fn is_executable(_: &Metadata) -> bool {
    false
}

fn beside(target: &Path) -> PathBuf {
    let mut name = std::ffi::OsString::from(format!(".steno-{}-", std::process::id()));
    name.push(target.file_name().unwrap_or_default());
    target.with_file_name(name)
}

struct Counted<W> {
    inner: W,
    count: u64,
}

impl<W: Write> Write for Counted<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.inner.write(bytes)?;
        self.count += count as u64;
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}
