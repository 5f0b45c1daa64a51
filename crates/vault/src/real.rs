//! A path → the same with its links resolved, spelled as other programs do.
//!
//! Separate from `std`, which on Windows answers with a `\\?\` in front: git and the client know no such paths, and the
//! client names a project's directory after the letters of its path.

use std::io;
use std::path::{Path, PathBuf};

use crate::name::is_odd_on_windows;

/// The path has to be there.
pub fn real(path: &Path) -> io::Result<PathBuf> {
    let real = path.canonicalize()?;
    let plain = if cfg!(windows) { real.to_str().and_then(plain) } else { None };
    Ok(plain.map_or(real, PathBuf::from))
}

/// `C:\a` of `\\?\C:\a`, `\\host\share\a` of `\\?\UNC\host\share\a`; nothing where the prefix has a meaning.
fn plain(path: &str) -> Option<String> {
    let rest = path.strip_prefix(r"\\?\")?;
    let (root, names) = match rest.strip_prefix(r"UNC\") {
        Some(share) => (r"\\", share),
        None => rest.split_at_checked(3).filter(|(root, _)| is_drive(root))?,
    };
    let is_plain = names.split('\\').all(|name| !is_odd_on_windows(name) && !name.contains('/'));
    is_plain.then(|| format!("{root}{names}"))
}

fn is_drive(root: &str) -> bool {
    matches!(root.as_bytes(), [letter, b':', b'\\'] if letter.is_ascii_alphabetic())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_of_windows_loses_the_prefix_that_others_do_not_know() {
        assert_eq!(plain(r"\\?\C:\Users\ann").as_deref(), Some(r"C:\Users\ann"));
        assert_eq!(plain(r"\\?\C:\").as_deref(), Some(r"C:\"));
        assert_eq!(plain(r"\\?\UNC\host\share\app").as_deref(), Some(r"\\host\share\app"));
    }

    #[test]
    fn it_stays_where_the_path_means_something_else_without_it() {
        for path in
            [r"C:\a", r"\\?\C:\a\nul", r"\\?\C:\end. \a", r"\\?\Volume{1}\a", r"\\?\é:\a", r"\\?\C:", ""]
        {
            assert_eq!(plain(path), None, "{path}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn links_are_resolved() {
        let directory = tempfile::tempdir().unwrap();
        let there = directory.path().canonicalize().unwrap();
        std::os::unix::fs::symlink(&there, there.join("link")).unwrap();
        assert_eq!(real(&there.join("link")).unwrap(), there);
        assert!(real(&there.join("none")).is_err());
    }
}
