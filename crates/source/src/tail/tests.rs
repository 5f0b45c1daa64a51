//! Growing, shrinking and rewritten files, and what reading on makes of them.

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

    fn take(&self) -> Checkpoint {
        Checkpoint::take(&self.path, fs::metadata(&self.path).unwrap().len()).unwrap()
    }

    fn observe(&self, known: &Checkpoint) -> Change {
        observe(&self.path, Some(known)).unwrap()
    }
}

#[test]
fn an_unknown_file_is_all_new() {
    let scratch = Scratch::holding(b"one\n");
    assert_eq!(observe(&scratch.path, None).unwrap(), Change::Grown { from: 0, to: 4 });
}

#[test]
fn an_untouched_file_is_unchanged() {
    let scratch = Scratch::holding(b"one\n");
    assert_eq!(scratch.observe(&scratch.take()), Change::Unchanged);
}

#[test]
fn a_file_of_the_same_length_that_was_touched_may_be_another() {
    let mut bytes = vec![b'a'; 20_000];
    let mut scratch = Scratch::holding(&bytes);
    let known = scratch.take();
    bytes[10_000] = b'b';
    scratch.write(&bytes);
    assert_eq!(scratch.observe(&known), Change::Rewritten);
}

#[test]
fn appended_bytes_are_growth() {
    let mut scratch = Scratch::holding(b"one\n");
    let known = scratch.take();
    scratch.write(b"one\ntwo\n");
    assert_eq!(scratch.observe(&known), Change::Grown { from: 4, to: 8 });
}

#[test]
fn an_empty_file_grows() {
    let mut scratch = Scratch::holding(b"");
    let known = scratch.take();
    assert_eq!(scratch.observe(&known), Change::Unchanged);
    scratch.write(b"one\n");
    assert_eq!(scratch.observe(&known), Change::Grown { from: 0, to: 4 });
}

#[test]
#[cfg(unix)]
fn another_file_is_another_even_if_it_begins_alike() {
    let mut scratch = Scratch::holding(b"one\n");
    let known = scratch.take();
    scratch.replace(b"one\ntwo\n");
    assert_ne!(scratch.take().inode, known.inode);
    assert_eq!(scratch.observe(&known), Change::Rewritten);
}

#[test]
fn other_bytes_of_the_same_length_are_a_rewrite() {
    let mut scratch = Scratch::holding(b"one\n");
    let known = scratch.take();
    scratch.write(b"two\n");
    assert_eq!(scratch.observe(&known), Change::Rewritten);
}

#[test]
fn a_longer_file_that_begins_otherwise_is_a_rewrite() {
    let mut scratch = Scratch::holding(b"one\n");
    let known = scratch.take();
    scratch.write(b"zero\none\n");
    assert_eq!(scratch.observe(&known), Change::Rewritten);
}

#[test]
fn a_change_just_before_the_known_end_is_a_rewrite() {
    let mut bytes = vec![b'a'; 20_000];
    let mut scratch = Scratch::holding(&bytes);
    let known = scratch.take();
    bytes[19_000] = b'b';
    bytes.extend_from_slice(b"more");
    scratch.write(&bytes);
    assert_eq!(scratch.observe(&known), Change::Rewritten);
}

#[test]
fn a_shorter_file_is_truncated() {
    let mut scratch = Scratch::holding(b"one\ntwo\n");
    let known = scratch.take();
    scratch.write(b"one\n");
    assert_eq!(scratch.observe(&known), Change::Truncated);
}

#[test]
fn a_checkpoint_before_the_end_sees_the_rest_as_growth() {
    let scratch = Scratch::holding(b"one\ntwo");
    let known = Checkpoint::take(&scratch.path, 4).unwrap();
    assert_eq!(scratch.observe(&known), Change::Grown { from: 4, to: 7 });
}

#[test]
fn a_file_that_shrank_before_its_checkpoint_is_truncated() {
    let scratch = Scratch::holding(b"one\n");
    let known = Checkpoint::take(&scratch.path, 9_000).unwrap();
    assert_eq!(scratch.observe(&known), Change::Truncated);
}

#[test]
fn no_file_is_missing_and_a_directory_is_none() {
    let scratch = Scratch::holding(b"one\n");
    let known = scratch.take();
    assert!(matches!(observe(scratch.folder.path(), None), Err(Error::NotAFile { .. })));
    fs::remove_file(&scratch.path).unwrap();
    assert_eq!(scratch.observe(&known), Change::Missing);
    assert_eq!(observe(&scratch.path, None).unwrap(), Change::Missing);
    assert!(matches!(Checkpoint::take(&scratch.path, 0), Err(Error::MissingFile { .. })));
}

#[test]
fn every_byte_counts_and_so_does_their_number() {
    let text: Vec<u8> = (0..100).collect();
    for place in 0..text.len() {
        let mut other = text.clone();
        other[place] ^= 1;
        assert!(hash(&other) != hash(&text) && hash(&text[..place]) != hash(&text), "{place}");
    }
    assert_ne!(hash(b""), hash(&[0; 8]));
}

#[test]
fn times_before_the_epoch_are_negative() {
    assert_eq!(nanoseconds(SystemTime::UNIX_EPOCH - Duration::from_micros(5)), -5_000);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn appending_is_always_growth_and_checkpoints_survive_json(
        first in proptest::collection::vec(any::<u8>(), 0..9_000),
        more in proptest::collection::vec(any::<u8>(), 1..100),
    ) {
        let mut scratch = Scratch::holding(&first);
        let json = serde_json::to_string(&scratch.take()).unwrap();
        let known: Checkpoint = serde_json::from_str(&json).unwrap();
        prop_assert_eq!(scratch.observe(&known), Change::Unchanged);
        let all = [first.as_slice(), more.as_slice()].concat();
        scratch.write(&all);
        let (from, to) = (first.len() as u64, all.len() as u64);
        prop_assert_eq!(scratch.observe(&known), Change::Grown { from, to });
    }
}
