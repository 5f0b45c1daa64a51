//! A path → the same from a directory that is open: to find something takes longer with each name that stands before it,
//! and a walk asks for thousands below one directory. And where that is renamed meanwhile, or a link to it turned, all that
//! is looked at and listed is still in one and the same.

use std::path::Path;

use rustix::fd::{AsFd, BorrowedFd, OwnedFd};
use rustix::fs::{AtFlags, CWD, Mode, OFlags, Stat, open, openat, statat};

/// Directories that are open, each with its path as all that lies in it begins.
#[derive(Debug, Default)]
pub(crate) struct Roots(Vec<(Vec<u8>, OwnedFd)>);

impl Roots {
    /// Of these, those that can be opened; what lies in others is found all the same.
    pub(super) fn of(directories: impl IntoIterator<Item: AsRef<Path>>) -> Self {
        let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let opened = directories.into_iter().filter_map(|directory| {
            let directory = directory.as_ref();
            let start = [directory.as_os_str().as_encoded_bytes(), b"/"].concat();
            Some((start, open(directory, flags, Mode::empty()).ok()?))
        });
        Self(opened.collect())
    }

    /// What the system tells of a path.
    pub(crate) fn stat(&self, path: &Path, flags: AtFlags) -> rustix::io::Result<Stat> {
        let (root, rest) = self.apart(path.as_os_str().as_encoded_bytes());
        statat(root, rest, flags)
    }

    /// Opens a directory to list it.
    pub(crate) fn open(&self, directory: &Path) -> rustix::io::Result<OwnedFd> {
        let (root, rest) = self.apart(directory.as_os_str().as_encoded_bytes());
        openat(root, rest, OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())
    }

    fn apart<'p>(&self, path: &'p [u8]) -> (BorrowedFd<'_>, &'p [u8]) {
        let below = self.0.iter().find_map(|(start, root)| {
            let rest = path.strip_prefix(start.as_slice())?;
            // Else it would be another one's path.
            (!rest.is_empty() && !rest.starts_with(b"/")).then(|| (root.as_fd(), rest))
        });
        below.unwrap_or((CWD, path))
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn whatever_the_path_it_is_the_same_file() {
        let place = tempfile::tempdir().unwrap();
        let (here, there) = (place.path().join("here"), place.path().join("there"));
        for directory in [&here, &there, &here.join("below")] {
            fs::create_dir(directory).unwrap();
            fs::write(directory.join("file"), directory.as_os_str().as_encoded_bytes()).unwrap();
        }
        std::os::unix::fs::symlink(&there, here.join("link")).unwrap();
        let roots = Roots::of([&here, &place.path().join("nowhere"), &here]);
        assert_eq!(roots.0.len(), 2);
        let names =
            ["here", "here/", "here//file", "here/file", "here/below/file", "here/link", "here/link/file"];
        let others = ["here/../there/file", "there/file", "here/none", "hereafter", "here/.", ""];
        for path in names.into_iter().chain(others).map(|name| place.path().join(name)) {
            for flags in [AtFlags::empty(), AtFlags::SYMLINK_NOFOLLOW] {
                let told = |stat: rustix::io::Result<Stat>| stat.map(|stat| (stat.st_dev, stat.st_ino));
                assert_eq!(told(roots.stat(&path, flags)), told(statat(CWD, &path, flags)), "{path:?}");
            }
        }
    }
}
