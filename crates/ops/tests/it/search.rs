//! `search` as a library call: any query is answered or refused, and a deadline is kept.

use std::sync::Arc;
use std::time::{Duration, Instant};

use jiff::tz::TimeZone;
use steno_ops::schedule::Tools;
use steno_ops::search::{self, Mode, Report, Request};
use steno_ops::{ClaudeDirs, ErrorKind, Program, Silent, Workspace};
use steno_testkit::{Home, Rng, Session};

const MODES: [Mode; 3] = [Mode::Words, Mode::Literal, Mode::Regex];

/// A machine without a vault.
fn workspace(home: &Home) -> Workspace {
    let now = "2026-12-01T12:00:00Z".parse().unwrap();
    Workspace {
        dirs: ClaudeDirs { paths: vec![home.path()], is_default: false, now },
        vault: home.root().join("vault"),
        is_default_vault: true,
        cache: Some(home.root().join("cache")),
        machine: "box".to_owned(),
        version: String::new(),
        zone: TimeZone::UTC,
        patience: Duration::ZERO,
        room: None,
        git: Program::default(),
        gh: Program::default(),
        schedule: Tools::default(),
        managed_settings: None,
        project: None,
        progress: Arc::new(Silent),
        keys: steno_ops::sealing::Keys::default(),
        access: steno_ops::s3::Access::default(),
    }
}

fn home() -> Home {
    let home = Home::new();
    for number in 1..=3 {
        home.write(&Session::numbered(number).user("The \"quoted\" 日本 (a|b)* text: C:\\x").turns(2));
    }
    home
}

fn request(query: &str, mode: Mode) -> Request {
    Request { query: query.to_owned(), mode, each: 3, ..Request::default() }
}

/// Pieces of which strange queries are made.
const PIECES: [&str; 30] = [
    "the", "text", " ", "  ", "\"", "*", "-", "OR", ":", "role:", "user", "since:", "7d", "project:", "日",
    "本", "é", "(", ")", "[", "\\", "|", "+", "{2}", "?", "\n", "\u{1b}", "😀", "_", "/",
];

#[test]
fn any_query_is_answered_or_refused_with_a_hint() {
    let home = home();
    let workspace = workspace(&home);
    let mut rng = Rng::new(7);
    for _ in 0..150 {
        let length = 1 + rng.below(6);
        let query: String = (0..length).map(|_| *rng.choose(&PIECES)).collect();
        for mode in MODES {
            match search::run(&workspace, &request(&query, mode)) {
                Ok(report) => is_sound(&query, &report),
                Err(error) => {
                    assert_eq!(error.kind, ErrorKind::Invalid, "{query:?} {mode:?}: {error}");
                    assert!(!error.hints.is_empty(), "{query:?} {mode:?}: {error}");
                }
            }
        }
    }
}

/// Sums are right, and what is marked lies within the snippet.
fn is_sound(query: &str, report: &Report) {
    assert_eq!(report.total, report.sessions.iter().map(|session| session.hits).sum::<u64>(), "{query:?}");
    assert_eq!(report.total_sessions, report.sessions.len() as u64, "{query:?}");
    for hit in &report.hits {
        for (start, end) in &hit.highlights {
            assert!(hit.snippet.get(*start..*end).is_some_and(|text| !text.is_empty()), "{query:?}: {hit:?}");
        }
        assert!(!hit.snippet.contains('\n'), "{query:?}: {hit:?}");
    }
}

#[test]
fn what_comes_and_goes_is_found_however_often_somebody_asked_before() {
    let home = home();
    let workspace = workspace(&home);
    let found = |workspace: &Workspace| {
        let report = search::run(workspace, &request("text", Mode::Words)).unwrap();
        let mut sessions: Vec<String> = report.sessions.into_iter().map(|session| session.id).collect();
        sessions.sort();
        sessions
    };
    let expected = |numbers: &[u32]| -> Vec<String> {
        numbers.iter().map(|number| Session::numbered(*number).id().to_string()).collect()
    };
    for _ in 0..3 {
        assert_eq!(found(&workspace), expected(&[1, 2, 3]));
    }
    tick(&home);
    home.write(&Session::numbered(4).cwd("/home/dev/other").user("more text"));
    home.write(&Session::numbered(5).user("another text"));
    assert_eq!(found(&workspace), expected(&[1, 2, 3, 4, 5]));
    assert_eq!(found(&workspace), expected(&[1, 2, 3, 4, 5]));
    tick(&home);
    let gone = Session::numbered(2);
    let path = home.project_path(gone.project()).join(format!("{}.jsonl", gone.id()));
    std::fs::remove_file(path).unwrap();
    home.append(&Session::numbered(3), b"{\"type\":\"user\",\"message\":{\"content\":\"zebra\"}}\n");
    assert_eq!(found(&workspace), expected(&[1, 3, 4, 5]));
    assert_eq!(search::run(&workspace, &request("zebra", Mode::Words)).unwrap().total, 1);
}

/// Until the file system's clock has moved on: before, two changes may have one time.
fn tick(home: &Home) {
    let path = home.root().join("clock");
    let time = || {
        std::fs::write(&path, "tick").unwrap();
        std::fs::metadata(&path).unwrap().modified().unwrap()
    };
    let before = time();
    while time() == before {}
}

#[test]
fn a_deadline_that_has_come_gives_what_there_is() {
    let home = home();
    let workspace = workspace(&home);
    let whole = search::run(&workspace, &request("text", Mode::Words)).unwrap();
    assert!(!whole.partial && whole.total >= 3);
    for mode in MODES {
        let late = Request { deadline: Some(Instant::now()), ..request("text", mode) };
        let report = search::run(&workspace, &late).unwrap();
        assert!(report.partial, "{mode:?}");
        let timely = Request {
            deadline: Instant::now().checked_add(Duration::from_secs(600)),
            ..request("text", mode)
        };
        assert!(!search::run(&workspace, &timely).unwrap().partial, "{mode:?}");
    }
}
