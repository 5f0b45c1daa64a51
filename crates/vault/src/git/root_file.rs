//! `.gitignore` and `.gitattributes`: our lines are put in, the lines of others stay.
//!
//! The same attributes go into `.git/info/attributes`, which outranks every attributes file in the tree. A copied
//! skill may well bring one that asks for its line ends to be changed.

use std::path::Path;

use super::error::Error;
use super::repository::Repository;
use crate::private;

pub(super) const IGNORE: &str = ".gitignore";
pub(super) const ATTRIBUTES: &str = ".gitattributes";
pub(super) const VAULT: &str = "vault.json";

const IGNORED: &str = "/.cache/\n/.lock\n/manifest.json\n/exchange.json\n";
const AS_THEY_ARE: &str = "* -text\n*.zst -delta\n*.gz -delta\n*.age -delta\n";
const ABOVE_ALL: &str =
    "* -text -eol -crlf -ident -filter -working-tree-encoding\n*.zst -delta\n*.gz -delta\n*.age -delta\n";

pub(super) fn write(repository: &Repository) -> Result<(), Error> {
    let information = repository.directory.join("info");
    private::create_dir_all(&information).map_err(Error::file(&information))?;
    add_lines(&information.join("attributes"), ABOVE_ALL)?;
    add_lines(&repository.root.join(IGNORE), IGNORED)?;
    add_lines(&repository.root.join(ATTRIBUTES), AS_THEY_ARE)
}

fn add_lines(path: &Path, lines: &str) -> Result<(), Error> {
    let old = private::read_if_there(path).map_err(Error::file(path))?.unwrap_or_default();
    match union(&old, lines.as_bytes()) {
        new if new == old => Ok(()),
        new => private::replace(path, &new).map_err(Error::file(path)),
    }
}

/// Whether a file is one of these two: no other file has all of these lines.
pub(super) fn has_our_lines(bytes: &[u8]) -> bool {
    // What older versions wrote has fewer.
    let has_all = |lines: &[&str]| {
        lines
            .iter()
            .all(|line| bytes.split(|byte| *byte == b'\n').any(|own| own.trim_ascii_end() == line.as_bytes()))
    };
    has_all(&["/.cache/", "/.lock"]) || has_all(&["* -text", "*.zst -delta"])
}

/// `one`, and the lines of `other` that it lacks.
pub(super) fn union(one: &[u8], other: &[u8]) -> Vec<u8> {
    let mut all = one.to_vec();
    let trimmed = |line: &[u8]| line.trim_ascii_end().to_vec();
    for line in other.split(|byte| *byte == b'\n').map(trimmed).filter(|line| !line.is_empty()) {
        if all.split(|byte| *byte == b'\n').any(|known| trimmed(known) == line) {
            continue;
        }
        if !all.is_empty() && !all.ends_with(b"\n") {
            all.push(b'\n');
        }
        all.extend(line);
        all.push(b'\n');
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_others_stay_and_ours_come_once() {
        assert_eq!(union(b"mine\r\n/.lock", b"/.cache/\n/.lock\n"), b"mine\r\n/.lock\n/.cache/\n");
        assert_eq!(union(b"a\nb\n", b"b\na\n"), b"a\nb\n");
        assert_eq!(union(b"", b"a\n"), b"a\n");
    }
}
