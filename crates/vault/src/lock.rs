//! One writer at a time, by a lock that dies with its process.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::error::Error;
use crate::private;

const NAME: &str = ".lock";
/// Windows forbids reading a file that another process has locked: there the holder's name is in a second file.
const HOLDER: Option<&str> = if cfg!(windows) { Some(".cache/holder") } else { None };
const PAUSE: Duration = Duration::from_millis(50);

/// Held until it is dropped.
#[derive(Debug)]
pub struct Lock {
    _file: File,
}

impl Lock {
    /// Waits a little while another process holds it. `owner` is what that process will be shown of us.
    pub fn take(root: &Path, owner: &str, patience: Duration) -> Result<Self, Error> {
        let path = root.join(NAME);
        let mut file = open(&path)?;
        let start = Instant::now();
        let mut opened = 1;
        loop {
            match file.try_lock() {
                // Some file systems do not tell files apart: there it is believed after all.
                Ok(()) if is_at(&file, &path) || opened > 3 => break,
                // The file was removed, and other processes lock the one that came after it.
                Ok(()) => {
                    file = open(&path)?;
                    opened += 1;
                }
                Err(TryLockError::WouldBlock) if start.elapsed() < patience => std::thread::sleep(PAUSE),
                Err(TryLockError::WouldBlock) => return Err(Error::Busy { holder: holder(root, &mut file) }),
                Err(TryLockError::Error(error)) => return Err(Error::write(path)(error)),
            }
        }
        // The holder's name is a courtesy: a full disk does not prevent the lock.
        let _ = introduce(root, &mut file, owner);
        Ok(Self { _file: file })
    }

    /// The name that the holder gave; `None` where the lock is free.
    pub fn holder(root: &Path) -> Option<String> {
        let mut file = File::open(root.join(NAME)).ok()?;
        let is_held = matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock));
        is_held.then(|| holder(root, &mut file))
    }
}

fn open(path: &PathBuf) -> Result<File, Error> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path).map_err(Error::write(path))
}

#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let identity = |metadata: std::fs::Metadata| (metadata.dev(), metadata.ino());
    file.metadata().ok().map(identity) == path.metadata().ok().map(identity)
}

/// Other systems do not tell files apart, but a removed file has no name any more.
#[cfg(not(unix))]
fn is_at(_: &File, path: &Path) -> bool {
    path.exists()
}

fn introduce(root: &Path, file: &mut File, owner: &str) -> io::Result<()> {
    let text = format!("process {}, {owner}\n", std::process::id());
    if let Some(beside) = HOLDER {
        return private::replace_cache(&root.join(beside), text.as_bytes());
    }
    file.set_len(0)?;
    file.rewind()?;
    file.write_all(text.as_bytes())
}

fn holder(root: &Path, file: &mut File) -> String {
    let mut text = String::new();
    let read = match HOLDER {
        Some(beside) => {
            File::open(root.join(beside)).and_then(|file| file.take(300).read_to_string(&mut text))
        }
        None => file.rewind().and_then(|()| file.take(300).read_to_string(&mut text)),
    };
    let text = text.trim();
    if read.is_err() || text.is_empty() {
        "a process that does not say who it is".to_owned()
    } else {
        text.to_owned()
    }
}
