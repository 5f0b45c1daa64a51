//! Names that mean nothing: what is offered instead, for commands, flags, sessions and projects.

use insta::assert_snapshot;
use serde_json::Value;
use steno_testkit::{App, Session};

/// A kept session that is gone, and two that are live.
fn app() -> App {
    let app = App::new(env!("CARGO_BIN_EXE_steno"));
    let gone = app.home().write(&Session::numbered(0xabcd_0001).cwd("/home/dev/shop").user("Paint the door"));
    app.run("init --local --no-schedule");
    std::fs::remove_file(gone).unwrap();
    app.write(&Session::numbered(0x1c9e_0001).cwd("/home/dev/api").user("Fix the parser"));
    app.write(&Session::numbered(0x77aa_0001).cwd("/home/dev/api").user("Write tests"));
    app
}

fn hints(app: &App, line: &str) -> Vec<String> {
    let output = app.output(&line.split(' ').chain(["--json"]).collect::<Vec<_>>());
    let error: Value = serde_json::from_slice(&output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{line}: {error}");
    error["hints"].as_array().unwrap().iter().map(|hint| hint.as_str().unwrap().to_owned()).collect()
}

#[test]
fn every_command_is_found_again_with_a_letter_missing_or_too_many() {
    let app = App::new(env!("CARGO_BIN_EXE_steno"));
    let described = app.json("help --json");
    for command in described["commands"].as_array().unwrap() {
        let name = command["name"].as_str().unwrap();
        let (start, end) = name.split_at(name.len() / 2);
        // Of three letters none can be missed.
        let shorter = format!("{start}{}", &end[1..]);
        for typed in [shorter, format!("{start}x{end}")].iter().filter(|typed| typed.len() > 2) {
            let hints = hints(&app, typed);
            assert!(hints.iter().any(|hint| hint.contains(&format!("'{name}'"))), "{typed}: {hints:?}");
        }
    }
    assert!(hints(&app, "list --projct x").iter().any(|hint| hint.contains("'--project'")));
    assert!(app.run("list --projct x").contains("hint: a similar argument exists: '--project'"));
}

#[test]
fn a_session_with_a_wrong_digit() {
    let app = app();
    assert_snapshot!(app.run("show 1c8e"), @r#"
    exit: 1
    ----- stdout -----

    ----- stderr -----
    error: session '1c8e' not found
    hint: did you mean 1c9e0001-5e55-4000-8000-00001c9e0001 ("Fix the parser")?
    hint: `steno list` shows all sessions; a session can also be given by the path of its file
    "#);
    assert_eq!(
        hints(&app, "show abdc0001")[0],
        "did you mean abcd0001-5e55-4000-8000-0000abcd0001 (\"Paint the door\")?"
    );
    for command in ["peek", "restore", "purge"] {
        let hints = hints(&app, &format!("{command} abcd1"));
        assert!(hints[0].starts_with("did you mean abcd0001-5e55"), "{command}: {hints:?}");
        assert_eq!(hints.len(), 2, "{command}: {hints:?}");
    }
}

#[test]
fn a_word_of_a_title() {
    let app = app();
    assert_eq!(
        hints(&app, "show PARSER")[0],
        "did you mean 1c9e0001-5e55-4000-8000-00001c9e0001 (\"Fix the parser\")?"
    );
    assert_eq!(
        hints(&app, "peek door")[0],
        "did you mean abcd0001-5e55-4000-8000-0000abcd0001 (\"Paint the door\")?"
    );
    assert!(!hints(&app, "peek parser")[0].starts_with("did you mean"), "that one is not kept");
}

#[test]
fn the_case_of_an_id_does_not_count() {
    let app = app();
    for line in ["show 1C9E", "show ABCD0001", "peek ABCD", "restore Abcd --dry-run", "purge aBCD --dry-run"]
    {
        assert!(app.run(line).starts_with("exit: 0"), "{line}: {}", app.run(line));
    }
}

#[test]
fn a_project_that_none_is() {
    let app = app();
    assert_snapshot!(app.run("list --project apo"), @r"
    exit: 0
    ----- stdout -----

    ----- stderr -----
    no sessions found
    hint: did you mean --project api?
    ");
    assert_eq!(app.json("list --project shpo --json")["hints"][0], "did you mean --project shop?");
    assert_eq!(app.json("restore --project shpo --json")["hints"][0], "did you mean --project shop?");
    assert!(
        app.run("restore --project shpo")
            .ends_with("no kept session found\nhint: did you mean --project shop?\n")
    );
    assert!(app.json("list --project api --since 2026-11-30 --json").get("hints").is_none(), "there is one");
    assert_eq!(hints(&app, "peek abcd --project shpo")[0], "did you mean --project shop?");
}
