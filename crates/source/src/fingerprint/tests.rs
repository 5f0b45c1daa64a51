//! Growing, shrinking and rewritten files, compared with their fingerprints.

use std::path::PathBuf;

use proptest::prelude::*;

use super::*;

struct Scratch {
    folder: tempfile::TempDir,
    path: PathBuf,
    time: u64,
}

impl Scratch {
    fn holding(bytes: &[u8]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s.jsonl");
        let mut scratch = Self { folder, path, time: 1_000 };
        scratch.write(bytes);
        scratch
    }

    /// Every write has a later time, without waiting for the clock.
    fn write(&mut self, bytes: &[u8]) {
        fs::write(&self.path, bytes).unwrap();
        self.time += 1;
        let time = SystemTime::UNIX_EPOCH + Duration::from_secs(self.time);
        File::options().write(true).open(&self.path).unwrap().set_modified(time).unwrap();
    }

    /// As editors do: a new file takes the old one's name.
    #[cfg(unix)]
    fn replace(&mut self, bytes: &[u8]) {
        let old = self.folder.path().join("old");
        fs::rename(&self.path, &old).unwrap();
        self.write(bytes);
    }

    fn fingerprint(&self) -> FileFingerprint {
        FileFingerprint::open(&self.path).unwrap().fingerprint
    }
}

/// What becomes of a file that was first the one, then the other.
fn change(before: &[u8], after: &[u8]) -> Change {
    let mut scratch = Scratch::holding(before);
    let known = scratch.fingerprint();
    assert_eq!(known.compare(&scratch.path), Change::Unchanged);
    scratch.write(after);
    known.compare(&scratch.path)
}

#[test]
fn appended_bytes_are_growth() {
    assert_eq!(change(b"one\n", b"one\ntwo\n"), Change::Grown { from: 4 });
    assert_eq!(change(b"", b"one\n"), Change::Grown { from: 0 });
}

#[test]
fn anything_else_is_a_rewrite() {
    assert_eq!(change(b"one\n", b"two\n"), Change::Rewritten);
    assert_eq!(change(b"one\n", b"zero\none\n"), Change::Rewritten, "it begins otherwise");
    assert_eq!(change(b"one\ntwo\n", b"one\n"), Change::Rewritten, "it is shorter");
    let long = vec![b'a'; 20_000];
    let changed_at = |place: usize, more: &[u8]| {
        let mut bytes = long.clone();
        bytes[place] = b'b';
        bytes.extend_from_slice(more);
        bytes
    };
    assert_eq!(change(&long, &changed_at(10_000, b"")), Change::Rewritten, "touched at the same length");
    assert_eq!(change(&long, &changed_at(19_500, b"more")), Change::Rewritten, "just before the known end");
}

#[test]
#[cfg(unix)]
fn another_file_is_a_rewrite_even_if_it_begins_alike() {
    let mut scratch = Scratch::holding(b"one\n");
    let known = scratch.fingerprint();
    scratch.replace(b"one\ntwo\n");
    assert_eq!(known.compare(&scratch.path), Change::Rewritten);
}

#[test]
fn only_a_regular_file_has_a_fingerprint() {
    let scratch = Scratch::holding(b"one\n");
    let known = scratch.fingerprint();
    assert!(matches!(FileFingerprint::open(scratch.folder.path()), Err(Error::NotAFile { .. })));
    fs::remove_file(&scratch.path).unwrap();
    assert_eq!(known.compare(&scratch.path), Change::Rewritten);
    assert!(matches!(FileFingerprint::open(&scratch.path), Err(Error::MissingFile { .. })));
    fs::create_dir(&scratch.path).unwrap();
    assert_eq!(known.compare(&scratch.path), Change::Rewritten);
}

#[test]
fn a_file_is_at_its_beginning_and_its_last_line_is_looked_at() {
    for (text, ends_line) in [("", true), ("one\n", true), ("one\ntwo", false)] {
        let scratch = Scratch::holding(text.as_bytes());
        let mut open = FileFingerprint::open(&scratch.path).unwrap();
        let mut read = String::new();
        open.file.read_to_string(&mut read).unwrap();
        assert_eq!((read.as_str(), open.ends_line), (text, ends_line));
    }
}

#[test]
fn times_before_the_epoch_are_negative() {
    assert_eq!(nanoseconds(SystemTime::UNIX_EPOCH - Duration::from_micros(5)), -5_000);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn appending_is_always_growth_and_fingerprints_survive_storing(
        first in proptest::collection::vec(any::<u8>(), 0..9_000),
        more in proptest::collection::vec(any::<u8>(), 1..100),
    ) {
        let mut scratch = Scratch::holding(&first);
        let json = serde_json::to_string(&scratch.fingerprint()).unwrap();
        let known: FileFingerprint = serde_json::from_str(&json).unwrap();
        prop_assert_eq!(known.compare(&scratch.path), Change::Unchanged);
        scratch.write(&[first.as_slice(), more.as_slice()].concat());
        prop_assert_eq!(known.compare(&scratch.path), Change::Grown { from: first.len() as u64 });
    }
}
