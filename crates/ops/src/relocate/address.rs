//! Words of a command line → the path of a directory, of this system or of another one.
//!
//! Separate from `std::path`, which knows the paths of one system: a project that moves from WSL to Windows has both.

use std::path::Path;

use crate::error::{Error, ErrorKind};
use crate::restore::movement::real;

/// A full path, without `.` and `..` in it.
pub(super) fn address(word: &str, here: Option<&Path>) -> Result<String, Error> {
    let invalid = |message: String, hint: &str| Error::new(ErrorKind::Invalid, message).hint(hint);
    if word.trim().is_empty() {
        return Err(invalid("a directory has no name".to_owned(), "`steno move OLD NEW` takes two paths"));
    }
    if word == "~" || word.starts_with("~/") || word.starts_with("~\\") {
        let hint = "write it without quotes, or write the home directory in full";
        return Err(invalid(format!("'{word}' begins with a tilde that the shell did not expand"), hint));
    }
    if root_of(word).is_some() {
        return Ok(normal(word));
    }
    let here = here.map(|here| here.join(word)).map(|path| path.to_string_lossy().into_owned());
    here.map(|path| normal(&path))
        .ok_or_else(|| invalid(format!("'{word}' is not a full path"), "write it in full, from the root"))
}

/// With its links resolved, as the client sees a directory: as far as it is of this system, and there.
pub(super) fn real_address(path: &str) -> String {
    if !is_native(path) {
        return path.to_owned();
    }
    real(Path::new(path)).to_string_lossy().into_owned()
}

/// Whether this system has such paths.
pub(super) fn is_native(path: &str) -> bool {
    cfg!(windows) != path.starts_with('/')
}

pub(super) fn is_directory(path: &str) -> bool {
    is_native(path) && Path::new(path).is_dir()
}

/// `/`, `C:\`, or the two backslashes of a share.
fn root_of(path: &str) -> Option<&str> {
    let behind = path.strip_prefix(|first: char| first.is_ascii_alphabetic());
    let behind = behind.and_then(|rest| rest.strip_prefix(":\\").or_else(|| rest.strip_prefix(":/")));
    let rest = behind.or_else(|| path.strip_prefix("\\\\")).or_else(|| path.strip_prefix('/'))?;
    path.get(..path.len() - rest.len())
}

fn normal(path: &str) -> String {
    let root = root_of(path).unwrap_or_default();
    let is_windows = root != "/";
    let separator = if is_windows && path.contains('\\') { "\\" } else { "/" };
    let mut parts: Vec<&str> = Vec::new();
    let rest = path.strip_prefix(root).unwrap_or(path);
    for part in rest.split(|letter| letter == '/' || (is_windows && letter == '\\')) {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    format!("{root}{}", parts.join(separator))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(word: &str) -> String {
        address(word, Some(Path::new("/home/ann/work"))).unwrap()
    }

    #[test]
    fn paths_of_either_system_are_full_ones() {
        assert_eq!(path("/home/ann//app/./x/../"), "/home/ann/app");
        assert_eq!(path(r"C:\work\.\app\"), r"C:\work\app");
        assert_eq!(path("c:/work/app/"), "c:/work/app");
        assert_eq!(path(r"\\host\share\app"), r"\\host\share\app");
        assert_eq!(path(r"C:\"), r"C:\");
        assert_eq!(path("/.."), "/");
        assert_eq!(path(r"/a\b"), r"/a\b");
    }

    #[test]
    fn others_begin_where_the_command_runs() {
        assert_eq!(path("../app"), "/home/ann/app");
        assert_eq!(path("."), "/home/ann/work");
        assert_eq!(path("~app"), "/home/ann/work/~app");
        assert_eq!(address("app", None).unwrap_err().to_string(), "'app' is not a full path");
    }

    #[test]
    fn a_tilde_is_no_directory() {
        for word in ["~", "~/app", r"~\app", "", " "] {
            assert_eq!(address(word, None).unwrap_err().kind, ErrorKind::Invalid, "{word}");
        }
    }
}
