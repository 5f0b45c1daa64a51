//! `steno list`: what it prints, for people and for programs.

use std::time::{Duration, SystemTime};

use insta::assert_snapshot;
use serde_json::json;
use steno_testkit::{App, Era, Session, Usage};

fn empty() -> App {
    App::new(env!("CARGO_BIN_EXE_steno"))
}

fn done(session: Session, answer: &str) -> Session {
    let usage = Usage { input: 12, output: 340, cache_read: 15_000, cache_5m: 900, cache_1h: 0 };
    session.assistant(|message| message.text(answer).usage(usage))
}

/// Three sessions of two projects, written by three clients.
fn three() -> App {
    let app = empty();
    let parser =
        Session::numbered(0xa1).era(Era::V2_1_56).cwd("/home/dev/api").at("2026-03-01T10:00:00.000Z");
    app.write(&done(
        parser.user("Fix the parser so that it keeps every byte, also of lines that are broken"),
        "done",
    ));
    let page =
        Session::numbered(0xb2).cwd("/home/dev/web").at("2026-11-29T09:00:00.000Z").user("Write the page");
    app.write(&done(done(page, "half").user("and the rest"), "done").custom_title("The 日本語 page"));
    let release =
        Session::numbered(0xb3).era(Era::V2_0_42).cwd("/home/dev/api").at("2026-12-01T11:00:00.000Z");
    app.write(&done(release.user("Release it"), "released").summary("Release 1.2"));
    app
}

/// Makes a session's file look written to so many seconds before the program's clock.
fn written(app: &App, session: &Session, seconds_ago: u64) {
    let path = app.home().project_path(session.project()).join(format!("{}.jsonl", session.id()));
    let now = SystemTime::UNIX_EPOCH + Duration::from_secs(1_796_126_400);
    let file = std::fs::File::options().append(true).open(path).unwrap();
    file.set_modified(now - Duration::from_secs(seconds_ago)).unwrap();
}

/// A worktree's project is called like its repository's, with something behind it.
#[test]
fn of_two_files_of_a_subagent_the_one_beside_its_transcript_is_listed_live_or_kept() {
    let app = empty();
    let session = Session::numbered(7).cwd("/home/dev/api").user("go").agent(|agent| agent.answer("done"));
    let path = app.home().write(&session);
    let agents = path.with_extension("").join("subagents");
    let mut files = std::fs::read_dir(&agents).unwrap().map(|entry| entry.unwrap().path());
    let agent = files.find(|path| path.extension().is_some_and(|end| end == "jsonl")).unwrap();
    let elsewhere = app.home().project_path("/home/dev/api/worktree").join(session.id().to_string());
    std::fs::create_dir_all(elsewhere.join("subagents")).unwrap();
    let first = std::fs::read_to_string(&agent).unwrap().lines().next().unwrap().to_owned();
    std::fs::write(elsewhere.join("subagents").join(agent.file_name().unwrap()), first + "\n").unwrap();
    let listed = || app.json("list --agents --json")["sessions"][0]["subagents"].clone();
    let before = listed();
    assert!(before[0]["messages"].as_u64().unwrap() > 1, "{before}");
    app.run("init --local --no-schedule");
    std::fs::remove_dir_all(app.home().path().join("projects")).unwrap();
    assert_eq!(listed(), before);
}

#[test]
fn a_table_newest_first() {
    assert_snapshot!(three().run("list"), @r"
    exit: 0
    ----- stdout -----
      WHEN        PROJECT  TURNS  TOKENS  SESSION   TITLE
      59m ago     api          1   16.3K  000000b3  Release 1.2
      2d ago      web          2   32.5K  000000b2  The 日本語 page
      2026-03-01  api          1  ≥16.3K  000000a1  Fix the parser so that it keeps every byte, also of…

    ----- stderr -----
    3 sessions
    hint: Claude Code deletes sessions 30 days after their last use; `steno init` backs them up
    ");
}

#[test]
fn one_json_object() {
    let mut report = three().json("list --json");
    for row in report["sessions"].as_array_mut().unwrap() {
        assert!(row["sizeBytes"].as_u64().unwrap() > 500);
        row["sizeBytes"] = json!("[bytes]");
    }
    assert_snapshot!(serde_json::to_string_pretty(&report["sessions"][1]).unwrap(), @r#"
    {
      "id": "000000b2-5e55-4000-8000-0000000000b2",
      "aliases": [],
      "title": "The 日本語 page",
      "titleSource": "custom",
      "projectHash": "-home-dev-web",
      "cwd": "/home/dev/web",
      "gitBranch": "main",
      "startedAt": "2026-11-29T09:00:00Z",
      "endedAt": "2026-11-29T09:00:03Z",
      "messages": 4,
      "turns": 2,
      "toolCalls": 0,
      "models": [
        "claude-opus-5-5"
      ],
      "versions": [
        "2.1.325"
      ],
      "tokens": {
        "input": 24,
        "output": 680,
        "cacheRead": 30000,
        "cacheWrite5m": 1800,
        "cacheWrite1h": 0,
        "withoutFinalUsage": 0
      },
      "sizeBytes": "[bytes]",
      "ongoing": false,
      "live": true,
      "kept": false,
      "path": "$HOME/.claude/projects/-home-dev-web/000000b2-5e55-4000-8000-0000000000b2.jsonl",
      "agents": 0
    }
    "#);
    assert_eq!((report["sessions"].as_array().unwrap().len(), &report["warnings"]), (3, &json!(0)));
}

#[test]
fn narrowed_to_a_project() {
    assert_snapshot!(three().run("list --project web"), @r"
    exit: 0
    ----- stdout -----
      WHEN    PROJECT  TURNS  TOKENS  SESSION   TITLE
      2d ago  web          2   32.5K  000000b2  The 日本語 page

    ----- stderr -----
    1 session
    hint: Claude Code deletes sessions 30 days after their last use; `steno init` backs them up
    ");
}

#[test]
fn narrowed_to_a_time() {
    assert_snapshot!(three().run("list --since 7d --until 2026-11-30"), @r"
    exit: 0
    ----- stdout -----
      WHEN    PROJECT  TURNS  TOKENS  SESSION   TITLE
      2d ago  web          2   32.5K  000000b2  The 日本語 page

    ----- stderr -----
    1 session
    hint: Claude Code deletes sessions 30 days after their last use; `steno init` backs them up
    ");
    assert_snapshot!(three().run("list --since 2026-12-01T10:30:00Z"), @r"
    exit: 0
    ----- stdout -----
      WHEN     PROJECT  TURNS  TOKENS  SESSION   TITLE
      59m ago  api          1   16.3K  000000b3  Release 1.2

    ----- stderr -----
    1 session
    hint: Claude Code deletes sessions 30 days after their last use; `steno init` backs them up
    ");
}

#[test]
fn narrowed_by_words_in_the_title() {
    assert_snapshot!(three().run("list --grep PARSER"), @r"
    exit: 0
    ----- stdout -----
      WHEN        PROJECT  TURNS  TOKENS  SESSION   TITLE
      2026-03-01  api          1  ≥16.3K  000000a1  Fix the parser so that it keeps every byte, also of…

    ----- stderr -----
    1 session
    hint: Claude Code deletes sessions 30 days after their last use; `steno init` backs them up
    ");
}

#[test]
fn in_another_order_and_not_all() {
    assert_snapshot!(three().run("list --sort started --limit 2"), @r"
    exit: 0
    ----- stdout -----
      WHEN        PROJECT  TURNS  TOKENS  SESSION   TITLE
      2026-03-01  api          1  ≥16.3K  000000a1  Fix the parser so that it keeps every byte, also of…
      2d ago      web          2   32.5K  000000b2  The 日本語 page

    ----- stderr -----
    2 of 3 sessions
    hint: Claude Code deletes sessions 30 days after their last use; `steno init` backs them up
    ");
    assert_snapshot!(three().run("list --sort turns -n 1"), @r"
    exit: 0
    ----- stdout -----
      WHEN    PROJECT  TURNS  TOKENS  SESSION   TITLE
      2d ago  web          2   32.5K  000000b2  The 日本語 page

    ----- stderr -----
    1 of 3 sessions
    hint: Claude Code deletes sessions 30 days after their last use; `steno init` backs them up
    ");
}

#[test]
fn only_what_runs() {
    let app = three();
    let open = |number| {
        let bash = json!({"command": "make"});
        Session::numbered(number)
            .at("2026-12-01T11:58:00.000Z")
            .user("Build it")
            .assistant(|message| message.tool_use("Bash", bash))
    };
    for (number, seconds_ago) in [(0xc1, 60), (0xc2, 3600)] {
        app.write(&open(number));
        written(&app, &open(number), seconds_ago);
    }
    assert_snapshot!(app.run("list --ongoing"), @r"
    exit: 0
    ----- stdout -----
      WHEN    PROJECT  TURNS  TOKENS  SESSION   TITLE
    ● 1m ago  project      1    1.3K  000000c1  Build it

    ----- stderr -----
    1 session
    hint: Claude Code deletes sessions 30 days after their last use; `steno init` backs them up
    ");
}

#[test]
fn narrowed_to_nothing() {
    assert_snapshot!(three().run("list --grep nowhere"), @r"
    exit: 0
    ----- stdout -----

    ----- stderr -----
    no sessions found
    ");
    assert_snapshot!(three().run("list --grep nowhere --json"), @r#"
    exit: 0
    ----- stdout -----
    {"sessions":[],"total":0,"warnings":0}

    ----- stderr -----
    "#);
}

#[test]
fn a_home_without_sessions() {
    assert_snapshot!(empty().run("list"), @r"
    exit: 0
    ----- stdout -----

    ----- stderr -----
    no sessions found
    hint: there are no sessions in $HOME/.claude; --claude-dir DIR looks elsewhere
    ");
    assert_snapshot!(empty().run("list --json"), @r#"
    exit: 0
    ----- stdout -----
    {"sessions":[],"total":0,"warnings":0,"hints":["there are no sessions in $HOME/.claude; --claude-dir DIR looks elsewhere"]}

    ----- stderr -----
    "#);
}

#[test]
fn a_home_that_is_not_there() {
    assert_snapshot!(empty().run("list --claude-dir /nowhere/at/all"), @r"
    exit: 1
    ----- stdout -----

    ----- stderr -----
    error: no such directory: /nowhere/at/all
    hint: Claude Code has not run here yet, or its directory is another one: see --claude-dir
    ");
    assert_snapshot!(empty().run("list --claude-dir /nowhere/at/all --json"), @r#"
    exit: 1
    ----- stdout -----

    ----- stderr -----
    {"error":"no such directory: /nowhere/at/all","kind":"not-found","code":1,"hints":["Claude Code has not run here yet, or its directory is another one: see --claude-dir"]}
    "#);
}

#[test]
fn what_is_strange_is_mentioned_and_doctor_named() {
    let app = empty();
    app.write(&done(Session::numbered(1).user("go").garbage(), "done").torn());
    assert_snapshot!(app.run("list"), @r"
    exit: 0
    ----- stdout -----
      WHEN        PROJECT  TURNS  TOKENS  SESSION   TITLE
      2026-11-15  project      1       0  00000001  go

    ----- stderr -----
    1 session · 2 strange places, see `steno doctor`
    hint: Claude Code deletes sessions 30 days after their last use; `steno init` backs them up
    ");
    assert_snapshot!(app.run("list --quiet"), @r"
    exit: 0
    ----- stdout -----
      WHEN        PROJECT  TURNS  TOKENS  SESSION   TITLE
      2026-11-15  project      1       0  00000001  go

    ----- stderr -----
    ");
}

#[test]
fn colours_where_they_are_wanted() {
    let app = empty().variable("NO_COLOR", "1");
    app.write(&done(Session::numbered(1).user("go"), "done"));
    assert!(!app.run("list").contains('\u{1b}'));
    assert!(app.run("list --color always").contains('\u{1b}'), "asked for, whatever the environment says");
    assert!(!app.run("list --color never").contains('\u{1b}'));
}

#[test]
fn a_narrow_window_cuts_the_title() {
    let app = three().variable("COLUMNS", "60");
    assert_snapshot!(app.run("list"), @r"
    exit: 0
    ----- stdout -----
      WHEN  PROJECT  TOKENS  SESSION   TITLE
      59m   api       16.3K  000000b3  Release 1.2
      2d    web       32.5K  000000b2  The 日本語 page
      9mo   api      ≥16.3K  000000a1  Fix the parser so that i…

    ----- stderr -----
    3 sessions
    hint: Claude Code deletes sessions 30 days after their last use; `steno init` backs them up
    ");
}

#[test]
fn titles_cannot_act_on_the_terminal() {
    let app = empty();
    app.write(
        &done(Session::numbered(1).user("go"), "x")
            .custom_title("\u{1b}]0;owned\u{7}\u{1b}[2J\u{202e}gnp.exe"),
    );
    assert_snapshot!(app.run("list"), @r"
    exit: 0
    ----- stdout -----
      WHEN        PROJECT  TURNS  TOKENS  SESSION   TITLE
      2026-11-15  project      1   16.3K  00000001  ␛]0;owned␇␛[2J�gnp.exe

    ----- stderr -----
    1 session
    hint: Claude Code deletes sessions 30 days after their last use; `steno init` backs them up
    ");
    assert!(!app.run("list --color always").contains("\u{1b}]0"));
}

#[test]
fn without_a_window_nothing_is_cut() {
    for columns in ["0", "abc", "-5", ""] {
        let text = three().variable("COLUMNS", columns).run("list");
        assert!(text.contains("also of lines that are broken\n"), "{columns}: {text}");
    }
    let narrow = three().variable("COLUMNS", "20").run("list");
    let narrow = narrow.split("----- stderr").next().unwrap();
    assert!(narrow.lines().all(|line| line.chars().count() <= 20), "{narrow}");
}

#[test]
fn help_fits_a_screen() {
    let help = empty().run("list --help");
    assert!(help.contains("Examples:") && help.lines().count() < 40, "{help}");
    let help = empty().run("show --help");
    assert!(help.contains("Examples:") && help.lines().count() < 40, "{help}");
}

#[test]
fn a_session_that_the_client_deleted_is_still_listed() {
    let app = App::new(env!("CARGO_BIN_EXE_steno")).variable("STENO_MACHINE", "desk");
    for number in [1, 2] {
        app.write(&Session::numbered(number).user(format!("Question {number}")).turns(2));
    }
    let before = app.json("list --json");
    assert_eq!(before["sessions"][0]["kept"], false);
    app.run("init --local --no-schedule");
    let gone = app.home().write(&Session::numbered(2).user("Question 2").turns(2));
    std::fs::remove_file(gone).unwrap();
    let after = app.json("list --json");
    assert_eq!(after["total"], 2);
    for row in after["sessions"].as_array().unwrap() {
        let is_gone = row["id"] == Session::numbered(2).id().as_str();
        assert_eq!((row["live"] == true, row["kept"] == true), (!is_gone, true), "{row}");
        let old = before["sessions"].as_array().unwrap().iter().find(|old| old["id"] == row["id"]).unwrap();
        for key in ["title", "turns", "tokens", "startedAt", "endedAt", "sizeBytes", "projectHash", "cwd"] {
            assert_eq!(row[key], old[key], "{key}");
        }
    }
    // Another directory's sessions are not this one's.
    let other = app.home().root().join("other");
    std::fs::create_dir_all(other.join("projects")).unwrap();
    assert_eq!(app.json(&format!("list --claude-dir {} --json", other.display()))["total"], 0);
}

/// Sessions 1 and 2 of a laptop; 2 and 3 of this desk, the live files of 2 gone.
fn of_two_machines() -> App {
    let app = empty().variable("STENO_MACHINE", "desk");
    let session = |number| done(Session::numbered(number).user(format!("Question {number}")), "x");
    app.write(&session(1));
    app.write(&done(session(2).user("on the laptop"), "y"));
    app.run("init --local --no-schedule");
    let vault = app.home().root().join(".claude-backup");
    steno_testkit::rename_machine(&vault, "desk", "laptop");
    std::fs::remove_dir_all(app.home().path().join("projects")).unwrap();
    let gone = app.home().write(&session(2));
    app.write(&session(3));
    app.run("sync");
    std::fs::remove_file(gone).unwrap();
    app
}

#[test]
fn what_another_machine_kept_is_listed_with_its_name() {
    let app = of_two_machines();
    assert_snapshot!(app.run("list"), @r"
    exit: 0
    ----- stdout -----
      WHEN        PROJECT  TURNS  TOKENS  SESSION   MACHINE  TITLE
    ○ 2026-11-15  project      1   16.3K  00000001  laptop   Question 1
    ○ 2026-11-15  project      1   16.3K  00000002           Question 2
      2026-11-15  project      1   16.3K  00000003           Question 3

    ----- stderr -----
    3 sessions
    ");
    let report = app.json("list --json");
    let [one, two, _] = report["sessions"].as_array().unwrap().as_slice() else { panic!("{report}") };
    assert_eq!(
        (&one["machine"], &one["live"], &one["kept"]),
        (&json!("laptop"), &json!(false), &json!(true))
    );
    assert_eq!((two.get("machine"), &two["turns"]), (None, &json!(1)), "as this machine kept it");
    let narrow = app.variable("COLUMNS", "40").run("list");
    let narrow = narrow.split("----- stderr").next().unwrap();
    assert!(narrow.lines().all(|line| line.chars().count() <= 40) && !narrow.contains("MACHINE"), "{narrow}");
}

#[test]
fn what_came_from_another_machine_is_kept_all_the_same() {
    let app = of_two_machines();
    let id = Session::numbered(1).id().to_string();
    app.run(&format!("restore {id}"));
    let report = app.json("list --json");
    let row = report["sessions"].as_array().unwrap().iter().find(|row| row["id"] == id.as_str()).unwrap();
    assert_eq!((&row["live"], &row["kept"], row.get("machine")), (&json!(true), &json!(true), None));
}

#[test]
fn what_two_other_machines_kept_is_listed_and_shown_as_the_one_that_went_on() {
    let app = of_two_machines();
    let vault = app.home().root().join(".claude-backup");
    steno_testkit::rename_machine(&vault, "desk", "tower");
    std::fs::remove_dir_all(app.home().path().join("projects")).unwrap();
    let report = app.json("list --json");
    assert_eq!(report["total"], 3, "{report}");
    for row in report["sessions"].as_array().unwrap() {
        let shown = app.json(&format!("show {} --json", row["id"].as_str().unwrap()));
        assert_eq!((&shown["turns"], &shown["path"]), (&row["turns"], &row["path"]), "{row}");
        let next = shown["next"][0]["command"].as_str().unwrap();
        assert!(next.contains(&format!(" --machine {}", row["machine"].as_str().unwrap())), "{next}");
    }
    assert!(app.run("show 00000002").starts_with("exit: 0"), "{}", app.run("show 00000002"));
}

#[test]
fn nothing_says_why() {
    let app = empty();
    assert_snapshot!(app.run("list"), @r"
    exit: 0
    ----- stdout -----

    ----- stderr -----
    no sessions found
    hint: there are no sessions in $HOME/.claude; --claude-dir DIR looks elsewhere
    ");
    app.write(&done(Session::numbered(1).user("go"), "done"));
    assert_snapshot!(app.run("list --deleted"), @r"
    exit: 0
    ----- stdout -----

    ----- stderr -----
    no sessions found
    hint: there is no vault yet; `steno init` makes one
    ");
    assert_eq!(app.json("list -n 0 --json")["sessions"].as_array().unwrap().len(), 1, "all of them");
    app.run("init --local --no-schedule");
    assert!(!app.run("list --deleted").contains("hint:"));
}

#[test]
fn ids_are_as_long_as_it_takes_to_name_a_session() {
    let app = empty();
    let ids = [
        "019f0000-0003-7000-8000-000000000003",
        "019f0000-0004-7000-8000-000000000004",
        "long-name-of-a-session",
    ];
    ids.iter().for_each(|id| app.write(&Session::new(*id).user("go")));
    let text = app.run("list");
    for shown in ["019f0000-0003  go", "019f0000-0004  go", "long-nam "] {
        assert!(text.contains(shown), "{text}");
    }
    assert!(app.run("show long-nam").starts_with("exit: 0"));
}
