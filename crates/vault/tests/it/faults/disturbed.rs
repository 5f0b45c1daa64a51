//! Sources that are no files any more, or change while they are read, and a writer that failed before.

use std::collections::HashSet;
use std::fs;
use std::os::unix::fs::FileExt;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};

use steno_vault::{Error, Keep, Outcome, Trouble};

use crate::desk::Desk;

const PATH: &str = "projects/-a/s1.jsonl";

#[test]
fn a_pipe_in_the_place_of_a_file_keeps_nobody_waiting() {
    let desk = Desk::new();
    desk.write(PATH, b"one\n");
    let candidates = desk.candidates();
    desk.remove(PATH);
    assert!(Command::new("mkfifo").arg(desk.live(PATH)).status().unwrap().success());
    assert_eq!(desk.keep_these(&candidates), [Outcome::Failed(Trouble::Changed)]);
}

#[test]
fn a_file_that_is_rewritten_while_it_is_read_is_compared_next_time() {
    let desk = Desk::new();
    desk.write(PATH, &[b'x'; 20_000]);
    let purged = HashSet::new();
    let is_done = AtomicBool::new(false);
    let rewrite = |_| {
        if !is_done.swap(true, Ordering::Relaxed) {
            let file = fs::OpenOptions::new().write(true).open(desk.live(PATH)).unwrap();
            file.write_all_at(b"yyyy", 0).unwrap();
        }
    };
    let keep = Keep { progress: &rewrite, ..desk.usual(&purged) };
    let kept = desk.writer().keep(&keep, &desk.candidates()).unwrap();
    assert_eq!(kept.outcomes, [Outcome::Added { bytes: 20_000 }]);
    assert_eq!(desk.keep(), [Outcome::Rewritten { bytes: 20_000, generation: 2 }]);
    assert_eq!(desk.restore(PATH, Some(1)), [b'x'; 20_000]);
    assert_eq!(desk.restore(PATH, None), desk.read(PATH).unwrap());
}

#[test]
fn a_writer_that_failed_goes_on() {
    let desk = Desk::new();
    desk.write("projects/-a/s1.jsonl", b"one, and longer than the other\n");
    desk.write("projects/-b/s2.jsonl", b"two\n");
    let purged = HashSet::new();
    let keep = desk.usual(&purged);
    let mut writer = desk.writer();
    // The second finds no directory to be renamed to; the first may have got its name by then, or not.
    fs::create_dir_all(desk.vault_path("projects")).unwrap();
    fs::write(desk.vault_path("projects/-b"), b"in the way").unwrap();
    let failed = writer.keep(&keep, &desk.candidates());
    assert!(matches!(failed, Err(Error::Write { .. })), "{failed:?}");
    fs::remove_file(desk.vault_path("projects/-b")).unwrap();
    let kept = writer.keep(&keep, &desk.candidates()).unwrap();
    let [first, second] = kept.outcomes.as_slice() else { panic!("{kept:?}") };
    assert!(matches!(first, Outcome::Unchanged | Outcome::Added { bytes: 31 }), "{kept:?}");
    assert_eq!(*second, Outcome::Added { bytes: 4 });
    drop(writer);
    assert_eq!(desk.restore("projects/-a/s1.jsonl", None), b"one, and longer than the other\n");
    assert_eq!(desk.restore("projects/-b/s2.jsonl", None), b"two\n");
    assert!(desk.verify().damaged.is_empty());
}

/// Two kept files, of which one has grown since.
fn one_of_two_has_grown() -> Desk {
    let desk = Desk::new();
    desk.write("projects/-a/s1.jsonl", b"one\n");
    desk.write("projects/-b/s2.jsonl", b"two\n");
    desk.keep();
    desk.append("projects/-a/s1.jsonl", b"more\n");
    desk
}

fn take_away(desk: &Desk) {
    fs::remove_file(desk.vault_path("projects/-b/s2.jsonl.g1.000001.zst")).unwrap();
}

fn assert_taken_again(desk: &Desk) {
    desk.keep();
    assert_eq!(desk.restore("projects/-b/s2.jsonl", None), b"two\n");
}

/// Somebody takes a segment away between a look at the directories and the next.
#[test]
fn what_is_lost_after_it_was_looked_at_is_missed_by_the_next() {
    let desk = one_of_two_has_grown();
    let purged = HashSet::new();
    let mut writer = desk.writer();
    take_away(&desk);
    writer.keep(&desk.usual(&purged), &desk.candidates()).unwrap();
    drop(writer);
    assert_taken_again(&desk);
}

#[test]
fn what_is_lost_while_others_are_kept_is_missed_by_the_next() {
    let desk = one_of_two_has_grown();
    let purged = HashSet::new();
    let is_done = AtomicBool::new(false);
    let lose = |_| {
        if !is_done.swap(true, Ordering::Relaxed) {
            take_away(&desk);
        }
    };
    let keep = Keep { progress: &lose, ..desk.usual(&purged) };
    desk.writer().keep(&keep, &desk.candidates()).unwrap();
    assert!(is_done.load(Ordering::Relaxed));
    assert_taken_again(&desk);
}

/// The same where the file that has grown lies in the same directory.
#[test]
fn what_is_lost_before_anything_was_looked_at_is_taken_again_at_once() {
    let desk = one_of_two_has_grown();
    take_away(&desk);
    assert_taken_again(&desk);
}
