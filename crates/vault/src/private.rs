//! Files and directories that only their owner reads, and how their bytes become durable.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::process::{Child, Command};
#[cfg(unix)]
use std::sync::{Mutex, PoisonError};

use crate::rename::rename;

/// The prefix of a document's temporary name.
const TEMPORARY: &str = ".steno-";

/// A new file; one that is there already is an error.
pub fn create(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

pub fn create_dir_all(path: &Path) -> io::Result<()> {
    if path.is_dir() {
        return Ok(());
    }
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

/// Takes the rights of others from a directory that was there before.
#[cfg(unix)]
pub fn make_private(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let mode = fs::metadata(path)?.permissions().mode();
    if mode & 0o077 == 0 { Ok(()) } else { fs::set_permissions(path, fs::Permissions::from_mode(0o700)) }
}

#[cfg(not(unix))]
pub fn make_private(_: &Path) -> io::Result<()> {
    Ok(())
}

/// Removes a directory with everything below it, or a file; one that is not there is fine.
pub fn remove_all(path: &Path) -> io::Result<()> {
    let removed = match fs::symlink_metadata(path) {
        Ok(metadata) if metadata.is_dir() => {
            for entry in fs::read_dir(path)? {
                remove_all(&entry?.path())?;
            }
            crate::fault::point();
            fs::remove_dir(path)
        }
        Ok(_) => {
            crate::fault::point();
            fs::remove_file(path)
        }
        Err(error) => Err(error),
    };
    match removed {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Removes a file; one that is not there is fine.
pub(crate) fn remove_file(path: &Path) -> io::Result<()> {
    crate::fault::point();
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// The bytes of a file; `None` where there is none.
pub(crate) fn read_if_there(path: &Path) -> io::Result<Option<Vec<u8>>> {
    match fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

/// Whether a part of a path below `root` is a symbolic link.
pub(crate) fn leads_through_link(root: &Path, name: &str) -> bool {
    let is_inside = |parent: &&Path| !parent.as_os_str().is_empty();
    Path::new(name).ancestors().filter(is_inside).any(|parent| root.join(parent).is_symlink())
}

/// Who may read what a program makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Umask {
    /// Only the owner.
    Private,
    /// As the user's own umask says.
    Users,
}

/// Takes the rights of others from files that a program made with the user's umask.
#[cfg(unix)]
pub(crate) fn make_all_private(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let Ok(metadata) = fs::symlink_metadata(path) else { return Ok(()) };
    let mode = metadata.permissions().mode();
    if mode & 0o077 != 0 && !metadata.is_symlink() {
        fs::set_permissions(path, fs::Permissions::from_mode(mode & 0o700))?;
    }
    if metadata.is_dir() {
        for entry in fs::read_dir(path)? {
            make_all_private(&entry?.path())?;
        }
    }
    Ok(())
}

#[cfg(not(unix))]
pub(crate) fn make_all_private(_: &Path) -> io::Result<()> {
    Ok(())
}

/// Starts a program.
#[cfg(unix)]
pub(crate) fn spawn(command: &mut Command, umask: Umask) -> io::Result<Child> {
    use rustix::fs::Mode;
    // The umask is the whole process's: no thread must take another's for the user's.
    static TURN: Mutex<()> = Mutex::new(());
    crate::fault::point();
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    if umask == Umask::Users {
        return command.spawn();
    }
    let users = rustix::process::umask(Mode::RWXG | Mode::RWXO);
    let spawned = command.spawn();
    rustix::process::umask(users);
    spawned
}

#[cfg(not(unix))]
pub(crate) fn spawn(command: &mut Command, _: Umask) -> io::Result<Child> {
    crate::fault::point();
    command.spawn()
}

/// Replaces a document as a whole, durably.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write_beside(path, bytes, true)
}

/// Replaces a file that can be made again: as a whole, but not waiting for the disk.
pub fn replace_cache(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write_beside(path, bytes, false)
}

/// Removes the temporary files of documents that killed processes were replacing.
pub(crate) fn sweep(directory: &Path) {
    sweep_of(directory, "");
}

/// The same of one document alone, where others may be at work on the rest.
pub(crate) fn sweep_of(directory: &Path, document: &str) {
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let name = name.as_encoded_bytes();
        if name.starts_with(TEMPORARY.as_bytes()) && name.ends_with(document.as_bytes()) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

fn write_beside(path: &Path, bytes: &[u8], durable: bool) -> io::Result<()> {
    let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    create_dir_all(directory)?;
    let mut name = std::ffi::OsString::from(TEMPORARY);
    name.push(std::process::id().to_string());
    name.push("-");
    name.push(path.file_name().unwrap_or_default());
    let temporary = directory.join(name);
    let _ = fs::remove_file(&temporary);
    let written = create(&temporary).and_then(|mut file| {
        file.write_all(bytes)?;
        if durable { file.sync_all() } else { Ok(()) }
    });
    let renamed = written.and_then(|()| rename(&temporary, path));
    if renamed.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    renamed?;
    if durable { flush_directory(directory) } else { Ok(()) }
}

/// Windows flushes only files that are open for writing.
pub(crate) fn flush(path: &Path) -> io::Result<()> {
    File::options().read(true).write(cfg!(windows)).open(path)?.sync_all()
}

#[cfg(unix)]
pub fn flush_directory(path: &Path) -> io::Result<()> {
    File::open(path)?.sync_all()
}

/// Elsewhere directories cannot be opened, and need not be.
#[cfg(not(unix))]
pub fn flush_directory(_: &Path) -> io::Result<()> {
    Ok(())
}

/// `false` where there is no such call.
#[cfg(any(target_os = "linux", target_os = "android"))]
pub(crate) fn flush_file_system(root: &Path) -> io::Result<bool> {
    rustix::fs::syncfs(File::open(root)?)?;
    Ok(true)
}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
pub(crate) fn flush_file_system(_: &Path) -> io::Result<bool> {
    Ok(false)
}
