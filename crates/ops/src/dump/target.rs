//! Where a document goes → whether it may go there, and then it is there as a whole.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::error::{Error, ErrorKind};
use crate::workspace::Workspace;

/// Nothing is written among the client's files or into the vault, whatever was typed.
pub(super) fn check(workspace: &Workspace, to: &Path, force: bool) -> Result<(), Error> {
    let invalid = |message: String| Error::new(ErrorKind::Invalid, message);
    if to.is_dir() {
        return Err(invalid(format!("{} is a directory", to.display())).hint("name the file itself"));
    }
    let parent = directory_of(to);
    let real = parent.canonicalize().map_err(|error| {
        let message = format!("cannot write to {}: {error}", parent.display());
        Error::new(ErrorKind::Io, message).hint("make the directory first, or give another name")
    })?;
    let guarded = workspace.dirs.paths.iter().chain([&workspace.vault]);
    let is_guarded =
        guarded.filter_map(|place| place.canonicalize().ok()).any(|place| real.starts_with(place));
    // Of another user, or when another directory was named.
    let is_client = || real.ancestors().any(|place| place.ends_with(".claude/projects"));
    if is_guarded || is_client() {
        let message = format!("{} would lie among the client's files or in the vault", to.display());
        return Err(invalid(message).hint("give a name in another directory"));
    }
    if !force && is_taken(to) {
        return Err(exists(to));
    }
    Ok(())
}

/// The same name, or the first like it that no file has.
pub(super) fn free(to: PathBuf) -> PathBuf {
    let stem = to.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let end = to.extension().map(|end| format!(".{}", end.to_string_lossy())).unwrap_or_default();
    let numbered = (2..1000).map(|number| to.with_file_name(format!("{stem}-{number}{end}")));
    std::iter::once(to.clone()).chain(numbered).find(|name| !is_taken(name)).unwrap_or(to)
}

/// A dump must not replace a file that it is made from.
pub(super) fn check_sources<'a>(to: &Path, mut sources: impl Iterator<Item = &'a Path>) -> Result<(), Error> {
    let Ok(real) = to.canonicalize() else { return Ok(()) };
    if sources.any(|source| source.canonicalize().is_ok_and(|source| source == real)) {
        let message = format!("{} is a file of this session", to.display());
        return Err(Error::new(ErrorKind::Invalid, message).hint("give another name"));
    }
    Ok(())
}

/// The file gets its name when it is whole. One that is replaced keeps its permissions.
pub(super) fn write(to: &Path, bytes: &[u8], force: bool) -> Result<(), Error> {
    let failed = |error: io::Error| match error.kind() {
        io::ErrorKind::AlreadyExists => exists(to),
        _ => Error::new(ErrorKind::Io, format!("cannot write {}: {error}", to.display()))
            .hint("is there room on the disk, and may you write there?"),
    };
    if is_device(to) {
        return fs::write(to, bytes).map_err(failed);
    }
    let draft = Draft::beside(to).map_err(failed)?;
    draft.fill(bytes).map_err(failed)?;
    if force { draft.replace(to) } else { draft.become_new(to) }.map_err(failed)
}

/// A file without its name yet; it goes away with this.
struct Draft {
    path: PathBuf,
    file: File,
}

impl Draft {
    fn beside(to: &Path) -> io::Result<Self> {
        let mut taken = io::Error::from(io::ErrorKind::AlreadyExists);
        for number in 0..100 {
            let path = directory_of(to).join(format!(".steno-{}-{number}", std::process::id()));
            match File::create_new(&path) {
                Ok(file) => return Ok(Self { path, file }),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => taken = error,
            }
        }
        Err(io::Error::other(taken))
    }

    fn fill(&self, bytes: &[u8]) -> io::Result<()> {
        (&self.file).write_all(bytes)?;
        self.file.sync_all()
    }

    fn replace(&self, to: &Path) -> io::Result<()> {
        if let Ok(metadata) = fs::metadata(to) {
            self.file.set_permissions(metadata.permissions())?;
        }
        steno_vault::rename(&self.path, to)
    }

    /// A second name is only given where there is none; some file systems know no second names.
    fn become_new(&self, to: &Path) -> io::Result<()> {
        match fs::hard_link(&self.path, to) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists && !is_taken(to) => {
                steno_vault::rename(&self.path, to)
            }
            linked => linked,
        }
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}

fn directory_of(to: &Path) -> &Path {
    to.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Also by a link that leads nowhere.
fn is_taken(to: &Path) -> bool {
    to.symlink_metadata().is_ok() && !is_device(to)
}

/// A terminal, a pipe, or a name that the system has for something else: it is written to and not replaced.
fn is_device(to: &Path) -> bool {
    let is_special = to.metadata().is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir());
    // `/dev/stdout` may be a file that a shell opened; a path below `/dev/shm` is a file like any other.
    let is_named = to.starts_with("/dev") && !to.starts_with("/dev/shm") || to.starts_with("/proc");
    is_special || is_named
}

fn exists(to: &Path) -> Error {
    Error::new(ErrorKind::Exists, format!("{} exists", to.display()))
        .hint("--force replaces it; -o FILE gives another name")
}
