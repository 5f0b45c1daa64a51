//! What people see, and what is said where there is nothing to see.

use insta::assert_snapshot;
use serde_json::json;
use steno_testkit::{App, Session};
use unicode_width::UnicodeWidthStr;

use super::{app, said, search, with};

fn home() -> App {
    let long =
        "The emu ran over the hills and far away, where nobody had ever seen an animal of that kind before. ";
    let one = Session::numbered(1).user("Where is the emu?").assistant(|message| {
        message
            .text(long.repeat(3))
            .tool_use("Bash", json!({"command": "find / -name emu"}))
            .answered("/srv/emu")
    });
    let two = Session::numbered(2)
        .cwd("/home/dev/動物園")
        .at("2026-11-30T10:00:00.000Z")
        .custom_title("Tiere\u{1b}[2J");
    let two = said(two.user("動物園のエミュー emu を探してください。".repeat(4)), "emu\u{1b}]0;x\u{7}");
    let app = app();
    app.write(&one.agent(|agent| agent.foreground().steps(|steps| said(steps, "An emu!"))));
    app.write(&two);
    app
}

#[test]
fn hits_by_session() {
    assert_snapshot!(home().run("search emu"), @"
    exit: 0
    ----- stdout -----
    Tiere␛[2J
      00000002 · 1d ago · 動物園 · main
      3  assistant  emu
      2  user       動物園のエミュー emu を探してください。動物園のエミュー emu を探してください。動物園
                    のエミュー emu を探してください。動物園のエミュー emu…

    Where is the emu?
      00000001 · 2026-11-15 · project · main
               1  user               Where is the emu?
      a25db4dc:2  assistant (agent)  An emu!
               3  tool Bash          find / -name emu
      … and 2 more hits here

    ----- stderr -----
    7 hits in 2 sessions
    next: steno show 00000002-5e55-4000-8000-000000000002 --at 3 --claude-dir $HOME/.claude
    ");
    assert_snapshot!(home().run("search emu --role user -n 1"), @"
    exit: 0
    ----- stdout -----
    Where is the emu?
      00000001 · 2026-11-15 · project · main
      1  user  Where is the emu?

    ----- stderr -----
    2 hits in 2 sessions · the best 1 shown
    hint: --limit N shows more sessions, --each N more of each
    next: steno show 00000001-5e55-4000-8000-000000000001 --at 1 --claude-dir $HOME/.claude
    ");
}

#[test]
fn every_width_is_kept_and_nothing_acts_on_a_terminal() {
    for width in [40, 60, 80, 120] {
        let app = home().variable("COLUMNS", &width.to_string());
        for mode in [&["search", "emu"][..], &["search", "--literal", "emu"]] {
            let output = app.output(mode);
            let text = String::from_utf8(output.stdout).unwrap();
            assert!(text.lines().all(|line| line.width() <= width), "{width}:\n{text}");
            assert!(!text.contains('\u{1b}') && !text.contains('\u{7}'), "{text}");
        }
    }
    let painted = home().run("search emu --color always");
    assert!(painted.contains("\u{1b}[1m\u{1b}[31memu\u{1b}[0m"), "{painted}");
}

#[test]
fn what_is_only_in_the_vault_says_so() {
    let app = home();
    app.run("init --local --no-schedule");
    std::fs::remove_dir_all(app.home().path().join("projects")).unwrap();
    let text = app.run("search emu --each 1");
    assert_eq!(text.matches("only in the vault").count(), 2, "{text}");
}

#[test]
fn nothing_found_is_no_error() {
    let app = home();
    assert_snapshot!(app.run("search ostrich"), @r"
    exit: 0
    ----- stdout -----

    ----- stderr -----
    nothing found
    hint: `word*` finds longer words; --literal also finds text inside words
    ");
    assert_snapshot!(app.run("search ostrich emu --since 1d"), @r"
    exit: 0
    ----- stdout -----

    ----- stderr -----
    nothing found
    hint: all words must be in one message; `one OR other` finds either
    hint: without filters there may be more
    ");
    assert_snapshot!(app.run("search --literal Ostrich"), @r"
    exit: 0
    ----- stdout -----

    ----- stderr -----
    nothing found
    hint: -i ignores the case
    ");
    assert_snapshot!(with(&[]).run("search ostrich"), @"
    exit: 0
    ----- stdout -----

    ----- stderr -----
    nothing found
    hint: there are no sessions in $HOME/.claude; --claude-dir DIR looks elsewhere
    ");
}

#[test]
fn what_cannot_be_looked_for_is_said() {
    let app = home();
    assert_snapshot!(app.run_args(&["search", ""]), @r#"
    exit: 1
    ----- stdout -----

    ----- stderr -----
    error: this query has nothing to search for
    hint: give words, a "phrase", or the beginning of a word: `steno search 'parser fix*'`
    "#);
    assert_snapshot!(app.run_args(&["search", "?!"]), @r"
    exit: 1
    ----- stdout -----

    ----- stderr -----
    error: this query has nothing to search for
    hint: it has no words; --literal finds signs, too
    ");
    assert_snapshot!(app.run("search emu since:someday"), @r"
    exit: 1
    ----- stdout -----

    ----- stderr -----
    error: 'someday' is not a time
    hint: give a date (2026-03-01), a time (2026-03-01T12:00:00Z), an age (12h, 7d, 2w), today, yesterday or last-week
    ");
    assert_snapshot!(app.run("search emu role:nobody"), @r"
    exit: 1
    ----- stdout -----

    ----- stderr -----
    error: 'nobody' is not a role
    hint: roles are user, assistant, thinking, tool, result, title, summary, plan, system
    ");
    assert_snapshot!(app.run_args(&["search", "--regex", "(emu"]), @r"
    exit: 1
    ----- stdout -----

    ----- stderr -----
    error: this is not a regular expression
    hint: unclosed group
    hint: --literal finds a text as it is written
    ");
    assert_snapshot!(app.run("search --literal --regex emu"), @"
    exit: 1
    ----- stdout -----

    ----- stderr -----
    error: the argument '--literal' cannot be used with '--regex'
    hint: `steno search --help` lists its arguments and flags
    ");
}

#[test]
fn any_query_is_answered_or_refused_politely() {
    let app = home();
    for query in [
        "\"",
        "\"emu",
        "emu\"",
        "*",
        "emu*",
        "-emu",
        "--",
        "a:b",
        "role:",
        "OR",
        "emu OR",
        "OR emu",
        "()",
        "\\",
        "日",
        "role:user",
        "since:",
        "-",
        "-\"emu ran\"",
        "file:*",
        "tool:*",
        "\u{0}",
        "emu\u{301}",
        "😀",
        "a b c d e f g h i j k l m",
    ] {
        for mode in [&[][..], &["--literal"], &["--regex"]] {
            let line = [&["search", "--json"], mode, &["--", query]].concat();
            // A zero byte cannot be handed over.
            if query.contains('\u{0}') {
                continue;
            }
            let output = app.output(&line);
            let is_polite = match output.status.code() {
                Some(0) => output.stderr.is_empty(),
                Some(1) => {
                    output.stdout.is_empty()
                        && String::from_utf8_lossy(&output.stderr).contains("\"hints\":[\"")
                }
                _ => false,
            };
            assert!(is_polite, "{line:?}: {output:?}");
        }
    }
    assert_eq!(search(&app, &["emu"])["partial"], false);
}

#[test]
fn a_minus_that_leaves_out_is_said() {
    let app = home();
    assert_snapshot!(app.run_args(&["search", "emu -name", "--each", "1"]), @r#"
    exit: 0
    ----- stdout -----
    Tiere␛[2J
      00000002 · 1d ago · 動物園 · main
      3  assistant  emu
      … and 1 more hit here

    Where is the emu?
      00000001 · 2026-11-15 · project · main
      1  user  Where is the emu?
      … and 3 more hits here

    ----- stderr -----
    6 hits in 2 sessions
    hint: `-name` leaves out messages with name; put it in double quotes to look for it: '"-name"'
    next: steno show 00000002-5e55-4000-8000-000000000002 --at 3 --claude-dir $HOME/.claude
    "#);
    assert_snapshot!(app.run_args(&["search", "--", "-x"]), @r#"
    exit: 1
    ----- stdout -----

    ----- stderr -----
    error: this query only says what to leave out
    hint: `-x` leaves out messages with x; put it in double quotes to look for it: '"-x"'
    "#);
    assert_snapshot!(app.run_args(&["search", "\"-name\""]), @"
    exit: 0
    ----- stdout -----
    Where is the emu?
      00000001 · 2026-11-15 · project · main
      3  tool Bash  find / -name emu

    ----- stderr -----
    1 hit in 1 session
    next: steno show 00000001-5e55-4000-8000-000000000001 --at 3 --claude-dir $HOME/.claude
    ");
}

#[test]
fn what_looks_like_an_operator_and_is_none_is_said() {
    let app = home();
    let hints = |query: &str| search(&app, &[query])["hints"].clone();
    assert_eq!(hints("emu AND hills"), json!(null));
    assert_eq!(
        hints("emu NOT hills")[0],
        "NOT is a word like any other; `-word` leaves out messages with it"
    );
    assert_eq!(hints("title:emu")[0], "`title:` is not a filter; role:title looks in titles only");
    let filters = "role: tool: project: file: branch: model: session: since: until:";
    assert_eq!(hints("prject:api emu")[0], format!("`prject:` is not a filter; filters are {filters}"));
    assert_eq!(hints("colour:emu")[0], format!("`colour:` is not a filter; filters are {filters}"));
    for plain in ["https://emu", "emu::hills", "a:b"] {
        assert!(!hints(plain).to_string().contains("filter"), "{plain}: {}", hints(plain));
    }
    assert_eq!(hints("emu tool:Bsh")[0], "no session has tool:Bsh");
    assert_eq!(hints("emu role:plan")[0], "no session has role:plan");
    assert!(
        !hints("ostrich tool:Bash").to_string().contains("any session"),
        "{}",
        hints("ostrich tool:Bash")
    );
}

#[test]
fn a_title_does_not_take_the_place_of_what_was_said() {
    let talk = |number: u32| said(Session::numbered(number).user("a"), "b");
    let one = talk(1).custom_title("The Potoroo").custom_title("The Potoroo");
    let app = with(&[
        said(one.user("c"), "somewhere a potoroo sat in a very long sentence about it"),
        talk(2).custom_title("Potoroo"),
    ]);
    let report = search(&app, &["potoroo", "--each", "1"]);
    let role = |id: String| {
        let hits = report["hits"].as_array().unwrap();
        hits.iter().find(|hit| hit["session"] == json!(id)).unwrap()["role"].clone()
    };
    assert_eq!((role(super::id(1)), role(super::id(2))), (json!("assistant"), json!("title")));
}

#[test]
fn the_id_is_seen_however_narrow_the_page_is() {
    let long = "a-very-long-name-of-a-branch-that-somebody-made-for-one-ticket-only";
    let talk = Session::numbered(7).cwd("/home/dev/a-directory-with-a-long-name-too").git_branch(long);
    let app = with(&[said(talk.user("where is the emu"), "here")]).variable("COLUMNS", "80");
    assert_snapshot!(app.run("search emu"), @"
    exit: 0
    ----- stdout -----
    where is the emu
      00000007 · 2026-11-15 · a-directory-with-a-long… · a-very-long-name-of-a-b…
      1  user  where is the emu

    ----- stderr -----
    1 hit in 1 session
    next: steno show 00000007-5e55-4000-8000-000000000007 --at 1 --claude-dir $HOME/.claude
    ");
}

/// As `move` and `restore --cwd` leave it: the same records in another project.
#[test]
fn a_session_that_was_copied_to_another_project_is_found_once() {
    let talk = |cwd: &str| said(Session::numbered(1).cwd(cwd).user("where is the emu"), "an emu");
    let talk = |cwd: &str| talk(cwd).agent(|agent| agent.steps(|steps| said(steps, "emu")));
    let app = with(&[talk("/srv/old")]);
    let once = search(&app, &["emu"]);
    app.write(&talk("/srv/new"));
    for query in [&["emu"][..], &["--literal", "emu"]] {
        let report = search(&app, query);
        assert_eq!((super::total(&report), report["hits"].as_array().unwrap().len()), (3, 3), "{report}");
        for hit in report["hits"].as_array().unwrap() {
            assert!(!hit["at"].as_str().unwrap().contains('-'), "{hit}");
        }
    }
    assert_eq!(super::total(&once), 3);
}
