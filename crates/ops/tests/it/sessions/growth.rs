//! A session that grows while it is read.

use std::sync::atomic::{AtomicBool, Ordering};

use steno_testkit::{Home, Session};

use crate::sessions::claude_dirs::{kinds, listed, shown};

#[test]
fn a_line_that_is_being_written_comes_with_the_next_reading() {
    let home = Home::new();
    let session = Session::numbered(1).user("one");
    home.write(&session);
    let more = session.clone().user("two");
    let line = &more.bytes()[session.bytes().len()..];
    let (first, second) = line.split_at(line.len() / 2);
    home.append(&session, first);
    let report = listed(&home);
    assert_eq!((report.sessions[0].profile.turns, report.warnings), (1, 1));
    assert_eq!(kinds(&home), ["torn-line"]);
    home.append(&session, second);
    let report = listed(&home);
    assert_eq!((report.sessions[0].profile.turns, report.warnings), (2, 0));
}

#[test]
fn a_writer_at_work_disturbs_nobody() {
    let home = Home::new();
    let session = Session::numbered(1).turns(1);
    home.write(&session);
    let whole = session.clone().turns(60);
    let rest = &whole.bytes()[session.bytes().len()..];
    let is_done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for piece in rest.chunks(997) {
                home.append(&session, piece);
            }
            is_done.store(true, Ordering::Release);
        });
        let mut last = 0;
        while !is_done.load(Ordering::Acquire) {
            let report = listed(&home);
            assert!(report.warnings <= 1);
            let kinds = kinds(&home);
            assert!(kinds.iter().all(|kind| *kind == "torn-line"), "{kinds:?}");
            let turns = report.sessions[0].profile.turns;
            assert!(turns >= last);
            last = turns;
            let strange = shown(&home, "last").conversation.warnings;
            let is_end = |kind: &str| matches!(kind, "torn-line" | "tool-without-result");
            assert!(strange.iter().all(|warning| is_end(&warning.kind)), "{strange:?}");
        }
    });
    assert_eq!(listed(&home).sessions[0].profile.turns, 61);
}
