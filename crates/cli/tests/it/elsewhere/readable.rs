//! What can be read in a directory by somebody without the key, however it is packed.

use std::collections::BTreeSet;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use crate::elsewhere::stage::{below, git};

/// The words that stand anywhere below a directory, with the place of the first: in names, in files as they are, unpacked,
/// and in whatever git has, named or not.
pub(crate) fn readable(directory: &Path, words: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    let mut tell = |place: &Path, what: &[u8]| {
        let told = words.iter().find(|word| holds(what, word));
        found.extend(told.map(|word| format!("{word} in {}", place.display())));
    };
    for (path, bytes) in below(directory, directory) {
        tell(&path, path.to_string_lossy().as_bytes());
        for form in forms(&bytes) {
            tell(&path, &form);
        }
    }
    for directory in directories(directory) {
        tell(&directory, directory.file_name().unwrap_or_default().as_encoded_bytes());
        if directory.join("objects").is_dir() && directory.join("refs").is_dir() {
            for (object, bytes) in objects(&directory) {
                for form in forms(&bytes) {
                    tell(&directory.join(&object), &form);
                }
            }
        }
    }
    found
}

/// Every object of a repository, as git shows it.
pub(crate) fn objects(repository: &Path) -> Vec<(String, Vec<u8>)> {
    let format = "--batch-check=%(objectname) %(objecttype)";
    let mut listed = std::process::Command::new("git");
    listed.arg("--git-dir").arg(repository).args(["cat-file", "--batch-all-objects", format]);
    let output = listed.output().unwrap();
    let lines = String::from_utf8(output.stdout).unwrap();
    let shown = lines.lines().filter_map(|line| {
        let (name, kind) = line.split_once(' ')?;
        let kind = if kind == "tree" { "-p" } else { kind };
        let place = repository.to_str().unwrap();
        Some((name.to_owned(), git(repository, &["--git-dir", place, "cat-file", kind, name])))
    });
    shown.collect()
}

fn directories(directory: &Path) -> BTreeSet<PathBuf> {
    let mut found = BTreeSet::new();
    let mut left = vec![directory.to_owned()];
    while let Some(directory) = left.pop() {
        let inside = fs::read_dir(&directory).unwrap().map(|entry| entry.unwrap().path());
        left.extend(inside.filter(|path| path.is_dir() && !path.is_symlink()));
        found.insert(directory);
    }
    found
}

/// As it is, and unpacked by whatever unpacks it.
fn forms(bytes: &[u8]) -> Vec<Vec<u8>> {
    let mut forms = vec![bytes.to_vec()];
    let mut unpack = |reader: &mut dyn Read| {
        let mut unpacked = Vec::new();
        let _ = reader.read_to_end(&mut unpacked);
        if !unpacked.is_empty() {
            forms.push(unpacked);
        }
    };
    unpack(&mut flate2::read::ZlibDecoder::new(bytes));
    unpack(&mut flate2::read::MultiGzDecoder::new(bytes));
    if let Ok(mut decoder) = zstd::stream::read::Decoder::new(bytes) {
        unpack(&mut decoder);
    }
    // A loose object of git's: a packed file in a packed file.
    let inner = forms
        .get(1)
        .and_then(|inner| Some(inner.split_at_checked(inner.iter().position(|byte| *byte == 0)? + 1)?.1));
    if let Some(Ok(mut decoder)) =
        inner.map(|inner| zstd::stream::read::Decoder::new(inner.to_vec().leak() as &[u8]))
    {
        let mut unpacked = Vec::new();
        let _ = decoder.read_to_end(&mut unpacked);
        forms.push(unpacked);
    }
    forms
}

pub(crate) fn holds(bytes: &[u8], word: &str) -> bool {
    bytes.windows(word.len()).any(|window| window.eq_ignore_ascii_case(word.as_bytes()))
}
