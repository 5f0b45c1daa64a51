//! `steno stats` of what only the vault still has: the same answers.

use std::fs;

use serde_json::Value;
use steno_testkit::{App, Era, Session};

const QUESTIONS: [&str; 7] = ["daily", "weekly", "monthly", "project", "model", "session", "branch"];

fn app() -> App {
    App::new(env!("CARGO_BIN_EXE_steno")).variable("STENO_MACHINE", "desk")
}

fn answers(app: &App) -> Vec<Value> {
    let ask = |by: &str| {
        let mut report = app.json(&format!("stats {by} --json"));
        report.as_object_mut().unwrap().retain(|key, _| key == "rows" || key == "total");
        report
    };
    QUESTIONS.iter().map(|by| ask(by)).collect()
}

#[test]
fn what_the_client_deleted_counts_as_before() {
    for era in [Era::V2_0_42, Era::V2_1_325] {
        let app = app();
        let one = Session::numbered(1).era(era).user("go").turns(2).agent(|agent| agent);
        app.write(&one);
        app.write(&Session::numbered(2).fork_of(&one).turns(1));
        let before = answers(&app);
        assert!(before[0]["total"]["messages"].as_u64().unwrap() > 5, "{before:?}");
        app.run("init --local --no-schedule");
        assert_eq!(answers(&app), before, "{era:?}: kept and live");
        let vault = app.home().root().join(".claude-backup");
        fs::remove_dir_all(app.home().path().join("projects")).unwrap();
        assert_eq!(answers(&app), before, "{era:?}: only kept");
        let files = &app.json("stats --explain --json")["explain"]["files"];
        assert_eq!((&files["read"], &files["agents"]), (&files["kept"], &Value::from(1)), "{era:?}");
        fs::remove_dir_all(vault.join(".cache")).unwrap();
        assert_eq!(answers(&app), before, "{era:?}: without a cache");
    }
}

#[test]
fn a_subagent_alone_may_be_gone() {
    let app = app();
    let path = app.home().write(&Session::numbered(1).user("go").agent(|agent| agent));
    let before = answers(&app);
    app.run("init --local --no-schedule");
    fs::remove_dir_all(path.with_extension("")).unwrap();
    assert_eq!(answers(&app), before);
}

/// The directory says whose a subagent is, whatever its records say, here as in the vault.
#[test]
fn a_subagent_whose_transcript_is_gone_counts_for_the_same_session_from_the_vault() {
    let app = app();
    let path = app.home().write(&Session::numbered(1).user("go").agent(|agent| agent.answer("a zebra")));
    fs::remove_file(&path).unwrap();
    let agents = path.with_extension("").join("subagents");
    for entry in fs::read_dir(&agents).unwrap().map(Result::unwrap) {
        let text = fs::read_to_string(entry.path()).unwrap();
        let id = path.file_stem().unwrap().to_str().unwrap();
        fs::write(entry.path(), text.replace(id, "somebody-else")).unwrap();
    }
    let before = answers(&app);
    let by_session = &before[5]["rows"];
    assert_eq!(by_session[0]["key"], path.file_stem().unwrap().to_str().unwrap(), "{by_session}");
    let searches = || {
        ["search zebra --json", "search zebra --project dev-project --json"].map(|line| {
            let report = app.json(line);
            (report["total"].clone(), report["sessions"][0]["id"].clone())
        })
    };
    let found = searches();
    assert_eq!(found[0], found[1], "its project is known, too");
    assert_eq!(found[0].1, by_session[0]["key"]);
    app.run("init --local --no-schedule");
    fs::remove_dir_all(app.home().path().join("projects")).unwrap();
    assert_eq!(answers(&app), before);
    assert_eq!(searches(), found);
}

#[test]
fn what_two_machines_kept_of_one_session_counts_once_and_whole() {
    let app = app();
    let session = |number| Session::numbered(number).user("go").turns(1);
    app.write(&session(1));
    app.write(&session(2).turns(1));
    let before = app.json("stats --json")["total"].clone();
    app.run("init --local --no-schedule");
    let vault = app.home().root().join(".claude-backup");
    fs::rename(vault.join("machines/desk"), vault.join("machines/laptop")).unwrap();
    fs::remove_dir_all(vault.join(".cache")).unwrap();
    fs::remove_dir_all(app.home().path().join("projects")).unwrap();
    app.write(&session(2));
    app.run("sync");
    assert_eq!(app.json("stats --json")["total"], before, "this machine has less of the second");
    fs::remove_dir_all(app.home().path().join("projects")).unwrap();
    assert_eq!(app.json("stats --json")["total"], before);
}

#[test]
fn a_vault_that_cannot_be_read_takes_nothing_from_live_sessions() {
    let app = app();
    app.write(&Session::numbered(1).user("go").turns(1));
    let before = app.json("stats --json");
    app.run("init --local --no-schedule");
    fs::write(app.home().root().join(".claude-backup/vault.json"), r#"{"format":99}"#).unwrap();
    let after = app.json("stats --json");
    assert_eq!((&after["total"], &after["warnings"]), (&before["total"], &Value::from(1)));
}
