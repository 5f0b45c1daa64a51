//! What is kept comes back, whatever happened to the live files since.

use crate::desk;

use desk::Desk;
use proptest::prelude::*;
use steno_vault::{Outcome, Reason};

const TRANSCRIPT: &str = "projects/-a/s1.jsonl";

#[test]
fn a_grown_file_gets_a_segment_and_an_unchanged_one_nothing() {
    let desk = Desk::new();
    desk.write(TRANSCRIPT, b"one\n");
    assert_eq!(desk.keep(), [Outcome::Added { bytes: 4 }]);
    assert_eq!(desk.keep(), [Outcome::Unchanged]);
    desk.append(TRANSCRIPT, b"two");
    assert_eq!(desk.keep(), [Outcome::Grown { bytes: 3 }]);
    assert_eq!(desk.restore(TRANSCRIPT, None), b"one\ntwo");
    assert_eq!(desk.segments(), ["projects/-a/s1.jsonl.g1.000001.zst", "projects/-a/s1.jsonl.g1.000002.zst"]);
}

#[test]
fn a_shorter_file_and_a_rewritten_one_start_generations() {
    let desk = Desk::new();
    desk.write(TRANSCRIPT, b"one\ntwo\n");
    desk.keep();
    desk.write(TRANSCRIPT, b"one\n");
    assert_eq!(desk.keep(), [Outcome::Rewritten { bytes: 4, generation: 2 }]);
    desk.write(TRANSCRIPT, b"eno\nand more\n");
    assert_eq!(desk.keep(), [Outcome::Rewritten { bytes: 13, generation: 3 }]);
    assert_eq!(desk.restore(TRANSCRIPT, Some(1)), b"one\ntwo\n");
    assert_eq!(desk.restore(TRANSCRIPT, Some(2)), b"one\n");
    assert_eq!(desk.restore(TRANSCRIPT, None), b"eno\nand more\n");
}

#[test]
fn a_touched_or_replaced_file_with_the_same_bytes_is_no_new_generation() {
    let desk = Desk::new();
    desk.write(TRANSCRIPT, b"one\n");
    desk.keep();
    desk.replace(TRANSCRIPT, b"one\n");
    assert_eq!(desk.keep(), [Outcome::Unchanged]);
    desk.replace(TRANSCRIPT, b"one\ntwo\n");
    assert_eq!(desk.keep(), [Outcome::Grown { bytes: 4 }]);
}

#[test]
fn a_change_in_the_middle_is_seen_when_all_bytes_are_compared() {
    let desk = Desk::new();
    let mut bytes = vec![b'x'; 20_000];
    desk.write(TRANSCRIPT, &bytes);
    desk.keep();
    bytes[10_000] = b'y';
    desk.write(TRANSCRIPT, &bytes);
    assert_eq!(desk.keep_full(), [Outcome::Rewritten { bytes: 20_000, generation: 2 }]);
}

#[test]
fn a_transcript_that_moves_goes_on_where_it_was() {
    let desk = Desk::new();
    desk.write(TRANSCRIPT, b"one\n");
    desk.write("projects/-a/s1/subagents/agent-1.jsonl", b"agent\n");
    desk.keep();
    desk.rename("projects/-a", "projects/-b");
    assert_eq!(desk.keep(), [Outcome::Moved, Outcome::Moved]);
    desk.append("projects/-b/s1.jsonl", b"two\n");
    assert_eq!(desk.keep(), [Outcome::Grown { bytes: 4 }, Outcome::Unchanged]);
    assert_eq!(desk.restore("projects/-b/s1.jsonl", None), b"one\ntwo\n");
    assert!(desk.segments().iter().all(|name| name.starts_with("projects/-a/")), "{:?}", desk.segments());
    desk.rename("projects/-b", "projects/-a");
    desk.keep();
    assert_eq!(desk.restore(TRANSCRIPT, None), b"one\ntwo\n");
}

#[test]
fn two_live_files_with_one_id_are_two_streams() {
    let desk = Desk::new();
    desk.write(TRANSCRIPT, b"one\n");
    desk.keep();
    desk.write("projects/-b/s1.jsonl", b"one\nother\n");
    assert_eq!(desk.keep(), [Outcome::Unchanged, Outcome::Added { bytes: 10 }]);
    assert_eq!(desk.restore("projects/-b/s1.jsonl", None), b"one\nother\n");
}

#[test]
fn a_new_file_where_a_moved_one_lay_is_another_stream() {
    let desk = Desk::new();
    desk.write(TRANSCRIPT, b"one\n");
    desk.keep();
    desk.rename("projects/-a", "projects/-b");
    desk.keep();
    desk.write(TRANSCRIPT, b"something else\n");
    desk.keep();
    assert_eq!(desk.restore(TRANSCRIPT, None), b"something else\n");
    assert_eq!(desk.restore("projects/-b/s1.jsonl", None), b"one\n");
}

#[test]
fn a_moved_file_that_was_rewritten_is_another_stream() {
    let desk = Desk::new();
    desk.write(TRANSCRIPT, b"one\n");
    desk.keep();
    desk.remove(TRANSCRIPT);
    desk.write("projects/-b/s1.jsonl", b"eno\n");
    assert_eq!(desk.keep(), [Outcome::Added { bytes: 4 }]);
    assert_eq!(desk.restore(TRANSCRIPT, None), b"one\n");
    assert_eq!(desk.restore("projects/-b/s1.jsonl", None), b"eno\n");
}

#[test]
fn an_empty_file_is_kept_as_one() {
    let desk = Desk::new();
    desk.write("todos/t.json", b"");
    assert_eq!(desk.keep(), [Outcome::Added { bytes: 0 }]);
    assert_eq!(desk.keep_full(), [Outcome::Unchanged]);
    assert_eq!(desk.restore("todos/t.json", None), b"");
}

#[test]
fn nothing_depends_on_the_cache() {
    let desk = Desk::new();
    desk.write(TRANSCRIPT, b"one\n");
    desk.keep();
    desk.append(TRANSCRIPT, b"two\n");
    desk.keep();
    let before = desk.catalog();
    desk.drop_cache();
    assert_eq!(desk.catalog(), before);
    assert_eq!(desk.keep(), [Outcome::Unchanged]);
    desk.spoil_cache();
    assert_eq!(desk.catalog(), before);
    desk.append(TRANSCRIPT, b"three\n");
    assert_eq!(desk.keep(), [Outcome::Grown { bytes: 6 }]);
}

#[test]
fn a_deleted_segment_is_missed_and_taken_from_the_live_file_again() {
    let desk = Desk::new();
    desk.write(TRANSCRIPT, b"one\n");
    desk.keep();
    std::fs::remove_file(desk.vault_path("projects/-a/s1.jsonl.g1.000001.zst")).unwrap();
    let checked = desk.verify();
    assert_eq!((checked.missing.len(), checked.missing[0].reason), (1, Reason::Gone));
    let purged = std::collections::HashSet::new();
    let kept = desk.writer().keep(&desk.usual(&purged), &desk.candidates()).unwrap();
    assert_eq!((kept.outcomes, kept.healed), (vec![Outcome::Unchanged], checked.missing));
    assert_eq!(desk.restore(TRANSCRIPT, None), b"one\n");
}

#[test]
fn many_small_segments_become_one() {
    let desk = Desk::new();
    let mut all = Vec::new();
    for number in 0..40 {
        let line = format!("line {number}\n");
        all.extend_from_slice(line.as_bytes());
        desk.append(TRANSCRIPT, line.as_bytes());
        desk.keep();
        assert_eq!(desk.restore(TRANSCRIPT, None), all);
    }
    assert!(desk.segments().len() < 16, "{:?}", desk.segments());
    let checked = desk.verify();
    assert_eq!((checked.damaged, checked.missing), (Vec::new(), Vec::new()));
    desk.drop_cache();
    assert_eq!(desk.restore(TRANSCRIPT, None), all);
    assert_eq!(desk.keep_full(), [Outcome::Unchanged]);
}

#[test]
fn a_large_file_is_cut_into_segments() {
    let desk = Desk::new();
    let bytes: Vec<u8> = (0..40_u32 << 18).flat_map(u32::to_le_bytes).collect();
    desk.write(TRANSCRIPT, &bytes);
    desk.keep();
    assert!(desk.segments().len() >= 3);
    assert!(desk.restore(TRANSCRIPT, None) == bytes);
    assert_eq!(desk.keep_full(), [Outcome::Unchanged]);
}

#[test]
fn what_cannot_be_read_is_said_and_harms_nothing_else() {
    let desk = Desk::new();
    desk.write(TRANSCRIPT, b"one\n");
    desk.write("projects/-a/s2.jsonl", b"two\n");
    let candidates = desk.candidates();
    desk.remove("projects/-a/s2.jsonl");
    let outcomes = desk.keep_these(&candidates);
    assert_eq!(outcomes[0], Outcome::Added { bytes: 4 });
    assert!(matches!(outcomes[1], Outcome::Failed(_)));
}

#[cfg(unix)]
#[test]
fn odd_names_come_back() {
    let desk = Desk::new();
    let long = format!("projects/-{}/{}.jsonl", "ä".repeat(120), "n".repeat(240));
    for path in
        [long.as_str(), "projects/-a/with space\nand % line.jsonl", "projects/-a/x.jsonl.g1.000001.zst"]
    {
        desk.write(path, path.as_bytes());
    }
    desk.keep();
    desk.drop_cache();
    for path in
        [long.as_str(), "projects/-a/with space\nand % line.jsonl", "projects/-a/x.jsonl.g1.000001.zst"]
    {
        assert_eq!(desk.restore(path, None), path.as_bytes());
    }
}

#[test]
fn a_large_file_that_shrinks_while_it_is_read_leaves_nothing_half_kept() {
    use std::sync::atomic::{AtomicBool, Ordering};
    let desk = Desk::new();
    desk.write(TRANSCRIPT, b"");
    let file = std::fs::OpenOptions::new().write(true).open(desk.live(TRANSCRIPT)).unwrap();
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !stop.load(Ordering::Relaxed) {
                file.set_len(40 << 20).unwrap();
                std::thread::sleep(std::time::Duration::from_millis(7));
                file.set_len(1 << 20).unwrap();
                std::thread::sleep(std::time::Duration::from_millis(3));
            }
        });
        for _ in 0..12 {
            desk.keep();
        }
        stop.store(true, Ordering::Relaxed);
    });
    desk.keep_full();
    assert_eq!(desk.restore(TRANSCRIPT, None), desk.read(TRANSCRIPT).unwrap());
    let checked = desk.verify();
    assert_eq!((checked.damaged, checked.missing), (Vec::new(), Vec::new()));
}

#[test]
fn a_change_in_the_middle_that_keeps_the_length_is_seen_by_its_time() {
    let desk = Desk::new();
    let mut bytes = vec![b'x'; 20_000];
    desk.write(TRANSCRIPT, &bytes);
    desk.keep();
    bytes[10_000] = b'y';
    desk.write(TRANSCRIPT, &bytes);
    let file = std::fs::File::options().append(true).open(desk.live(TRANSCRIPT)).unwrap();
    file.set_modified(std::time::SystemTime::now() + std::time::Duration::from_secs(9)).unwrap();
    assert_eq!(desk.keep(), [Outcome::Rewritten { bytes: 20_000, generation: 2 }]);
}

#[derive(Debug, Clone)]
enum Step {
    Append(Vec<u8>),
    Rewrite(Vec<u8>),
    Truncate(u8),
    Move,
    Remove,
    DropCache,
}

fn step() -> impl Strategy<Value = Step> {
    let bytes = || prop::collection::vec(any::<u8>(), 0..200);
    prop_oneof![
        4 => bytes().prop_map(Step::Append),
        1 => bytes().prop_map(Step::Rewrite),
        1 => any::<u8>().prop_map(Step::Truncate),
        1 => Just(Step::Move),
        1 => Just(Step::Remove),
        1 => Just(Step::DropCache),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]
    #[test]
    fn everything_that_was_ever_kept_comes_back(steps in prop::collection::vec(step(), 1..30)) {
        let desk = Desk::new();
        let mut path = TRANSCRIPT;
        let mut seen: Vec<Vec<u8>> = Vec::new();
        for step in steps {
            match step {
                Step::Append(bytes) => desk.append(path, &bytes),
                Step::Rewrite(bytes) => desk.write(path, &bytes),
                Step::Truncate(len) => desk.truncate(path, len.into()),
                Step::Move => {
                    let to = if path == TRANSCRIPT { "projects/-b/s1.jsonl" } else { TRANSCRIPT };
                    desk.rename(path, to);
                    path = to;
                }
                Step::Remove => desk.remove(path),
                Step::DropCache => desk.drop_cache(),
            }
            // A rewrite within one tick of the clock that keeps the length needs the full comparison.
            desk.keep_full();
            if let Some(bytes) = desk.read(path) {
                prop_assert_eq!(desk.restore(path, None), bytes.clone());
                seen.push(bytes);
            }
            let kept = desk.everything();
            for bytes in &seen {
                prop_assert!(kept.iter().any(|kept| kept.starts_with(bytes)), "{bytes:?} is lost");
            }
        }
        let checked = desk.verify();
        prop_assert!(checked.damaged.is_empty() && checked.missing.is_empty(), "{:?}", checked);
    }
}
