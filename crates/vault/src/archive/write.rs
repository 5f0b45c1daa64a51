//! Files → an archive, the same bytes for the same files.

use std::borrow::Cow;
use std::fs::{self, Metadata};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use flate2::{Compression, GzBuilder};
use tar::{Builder, Header};

use super::error::Error;
use super::name::Names;
use crate::private;
use crate::rename::rename;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Written {
    pub files: u64,
    /// Of the archive.
    pub bytes: u64,
}

/// The source of a file's bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    File(PathBuf),
    /// Here.
    Held {
        bytes: Vec<u8>,
        is_executable: bool,
        modified: Option<SystemTime>,
    },
}

impl From<PathBuf> for Origin {
    fn from(path: PathBuf) -> Self {
        Self::File(path)
    }
}

impl Origin {
    /// Read whole, so that a file that grows meanwhile cannot tear the archive.
    fn entry(&self) -> io::Result<(Header, Cow<'_, [u8]>)> {
        let path = match self {
            Self::File(path) => path,
            Self::Held { bytes, is_executable, modified } => {
                return Ok((header(bytes.len(), *is_executable, *modified), Cow::Borrowed(bytes)));
            }
        };
        let metadata = fs::metadata(path)?;
        if !metadata.is_file() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a plain file"));
        }
        let bytes = fs::read(path)?;
        let header = header(bytes.len(), is_executable(&metadata), metadata.modified().ok());
        Ok((header, Cow::Owned(bytes)))
    }

    fn path(&self) -> PathBuf {
        match self {
            Self::File(path) => path.clone(),
            Self::Held { .. } => PathBuf::new(),
        }
    }
}

fn header(length: usize, is_executable: bool, modified: Option<SystemTime>) -> Header {
    let mut header = Header::new_gnu();
    header.set_size(length as u64);
    header.set_mode(if is_executable { 0o755 } else { 0o644 });
    let modified = modified.and_then(|modified| modified.duration_since(UNIX_EPOCH).ok());
    header.set_mtime(modified.map_or(0, |since| since.as_secs()));
    header
}

/// Writes files under their names, in the order of the names, readable by the owner only. Links are followed; what
/// stood at the target is replaced as a whole.
pub fn write(files: &[(String, Origin)], target: &Path) -> Result<Written, Error> {
    let cannot_write = |source| Error::Write { path: target.to_owned(), source };
    let temporary = beside(target);
    // Left by a run that was killed.
    let _ = fs::remove_file(&temporary);
    let file = private::create(&temporary).map_err(cannot_write)?;
    let written = pack(files, BufWriter::new(file), target).and_then(|(written, file)| {
        let durable =
            file.into_inner().map_err(io::IntoInnerError::into_error).and_then(|file| file.sync_all());
        durable.and_then(|()| rename(&temporary, target)).map_err(cannot_write)?;
        Ok(written)
    });
    if written.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    written
}

/// The result of [`write()`] for the same files, without writing.
pub fn measure(files: &[(String, Origin)], target: &Path) -> Result<Written, Error> {
    pack(files, io::sink(), target).map(|(written, _)| written)
}

fn pack<W: Write>(files: &[(String, Origin)], writer: W, target: &Path) -> Result<(Written, W), Error> {
    let cannot_write = |source| Error::Write { path: target.to_owned(), source };
    let gzip = GzBuilder::new().write(Counted { inner: writer, count: 0 }, Compression::best());
    let mut builder = Builder::new(gzip);
    let mut names = Names::default();
    let mut sorted: Vec<&(String, Origin)> = files.iter().collect();
    sorted.sort_by(|(one, _), (two, _)| one.cmp(two));
    for (name, origin) in sorted {
        let refused = |trouble| Error::Entry { path: target.to_owned(), name: name.clone(), trouble };
        let name = names.add_file(name).map_err(refused)?;
        let (mut header, bytes) =
            origin.entry().map_err(|source| Error::Read { path: origin.path(), source })?;
        builder.append_data(&mut header, &name, &*bytes).map_err(cannot_write)?;
    }
    let counted = builder.into_inner().and_then(|gzip| gzip.finish()).map_err(cannot_write)?;
    Ok((Written { files: files.len() as u64, bytes: counted.count }, counted.inner))
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
