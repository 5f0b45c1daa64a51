//! What the vault holds.

use std::fs;

use insta::assert_snapshot;
use serde_json::json;
use steno_testkit::Session;

use crate::restore::desk::{Desk, session};

/// Three sessions in two projects, days apart.
fn three() -> Desk {
    let at = |number: u32, cwd: &str, at: &str, prompt: &str| {
        let session = Session::numbered(number).cwd(cwd).at(at).user(prompt);
        session.assistant(|message| message.text("done"))
    };
    Desk::with(&[
        at(0xa1, "/home/dev/api", "2026-11-20T10:00:00.000Z", "Fix the parser"),
        at(0xb2, "/home/dev/web", "2026-11-29T10:00:00.000Z", "Write the page"),
        at(0xc3, "/home/dev/api", "2026-12-01T10:00:00.000Z", "Release it"),
    ])
}

fn titles(desk: &Desk, arguments: &str) -> Vec<String> {
    let listed = desk.json(arguments);
    let titles = listed["sessions"].as_array().unwrap().iter().map(|row| row["title"].as_str().unwrap());
    titles.map(str::to_owned).collect()
}

#[test]
fn everything_is_listed_by_last_activity() {
    let desk = three().keep();
    fs::remove_dir_all(desk.app.home().project_path("/home/dev/web")).unwrap();
    assert_snapshot!(desk.run("restore"), @r"
    exit: 0
    ----- stdout -----
    SESSION   WHEN        PROJECT  SIZE  WHERE       TITLE
    000000c3  1h ago      api      1.3K  live        Release it
    000000b2  2d ago      web      1.3K  vault only  Write the page
    000000a1  2026-11-20  api      1.3K  live        Fix the parser

    ----- stderr -----
    3 kept sessions
    ");
    assert_eq!(desk.run("restore"), desk.run("restore --list"));
}

#[test]
fn filters_combine() {
    let desk = three().keep();
    assert_eq!(titles(&desk, "restore"), ["Release it", "Write the page", "Fix the parser"]);
    assert_eq!(titles(&desk, "restore --last 2"), ["Release it", "Write the page"]);
    assert_eq!(titles(&desk, "restore --project DEV/API"), ["Release it", "Fix the parser"]);
    assert_eq!(titles(&desk, "restore --project dev-api --last 1"), ["Release it"]);
    assert_eq!(titles(&desk, "restore --date 2026-11-29"), ["Write the page"]);
    assert_eq!(titles(&desk, "restore --date 2026-11-29 --project api"), [""; 0]);
    assert_eq!(
        titles(&desk, "restore --machine desk --list"),
        ["Release it", "Write the page", "Fix the parser"]
    );
}

#[test]
fn a_day_is_a_local_one() {
    let desk = three().keep();
    let elsewhere = Desk { app: desk.app.variable("TZ", "Pacific/Auckland") };
    assert_eq!(titles(&elsewhere, "restore --date 2026-11-29"), ["Write the page"]);
    assert_eq!(titles(&elsewhere, "restore --date 2026-12-01"), ["Release it"]);
    let elsewhere = Desk { app: elsewhere.app.variable("TZ", "Pacific/Kiritimati") };
    assert_eq!(titles(&elsewhere, "restore --date 2026-12-02"), ["Release it"]);
}

#[test]
fn the_keys_are_those_of_the_contract() {
    let desk = Desk::with(&[session(1).agent(|agent| agent).slug("calm-tea").user("a plan")]);
    desk.app.home().file("plans/calm-tea.md", "# plan");
    let desk = desk.keep();
    let row = &desk.json("restore --list")["sessions"][0];
    let kept = &row["backedUpAt"];
    assert_eq!(kept, "2026-12-01T12:00:00Z");
    assert!(
        row["sizeBytes"].as_u64().unwrap() > 0
            && row["uncompressedBytes"].as_u64() > row["sizeBytes"].as_u64()
    );
    let said = ["uuid", "title", "machine", "live", "generations", "files"].map(|key| row[key].clone());
    let expected = json!([Session::numbered(1).id(), "go", "desk", true, 1, 4]);
    assert_eq!(json!(said), expected);
}

#[test]
fn a_title_beside_the_transcript_is_the_title() {
    let desk = Desk::with(&[session(1)]);
    let id = Session::numbered(1).id().to_string();
    let project = steno_testkit::encode_project(Session::numbered(1).project());
    let title = desk
        .app
        .home()
        .file(&format!("projects/{project}/{id}/custom-title.json"), r#"{"customTitle":"Mine"}"#);
    desk.sync();
    assert_eq!(titles(&desk, "restore"), ["Mine"]);
    fs::write(title, r#"{"customTitle":"Ours"}"#).unwrap();
    desk.sync();
    assert_eq!(titles(&desk, "restore"), ["Ours"]);
}

#[test]
fn the_cache_changes_no_answer() {
    let desk = three().keep();
    let before = desk.run("restore --list --json");
    assert!(desk.vault().join(".cache/sessions.json").exists());
    assert_eq!(desk.run("restore --list --json"), before);
    for content in ["", "{", r#"{"format":1,"vault":"other","sessions":{}}"#] {
        fs::write(desk.vault().join(".cache/sessions.json"), content).unwrap();
        assert_eq!(desk.run("restore --list --json"), before);
    }
    desk.drop_cache();
    assert_eq!(desk.run("restore --list --json"), before);
}

#[test]
fn a_transcript_that_grew_is_read_again() {
    let desk = Desk::with(&[session(1)]).keep();
    assert_eq!(desk.json("restore")["sessions"][0]["title"], "go");
    desk.app.home().append(&session(1), b"{\"type\":\"custom-title\",\"customTitle\":\"Better\"}\n");
    desk.sync();
    assert_eq!(desk.json("restore")["sessions"][0]["title"], "Better");
}

#[test]
fn an_emptied_transcript_keeps_its_title() {
    let desk = Desk::with(&[session(1)]).keep();
    let path = desk.app.home().write(&session(1));
    fs::write(path, "").unwrap();
    desk.sync();
    let row = &desk.json("restore")["sessions"][0];
    assert_eq!((&row["title"], &row["generations"]), (&json!("go"), &json!(2)));
}

#[test]
fn what_is_wrong_is_said() {
    let desk = three();
    assert_snapshot!(desk.run("restore --list"), @r"
    exit: 1
    ----- stdout -----

    ----- stderr -----
    error: there is no vault at $HOME/.claude-backup
    hint: `steno init` makes one and runs the first backup
    ");
    let desk = desk.keep();
    assert_snapshot!(desk.run("restore --date yesterday"), @r"
    exit: 1
    ----- stdout -----

    ----- stderr -----
    error: 'yesterday' is not a day
    hint: give it as 2026-03-01
    ");
    assert_snapshot!(desk.run("restore --machine nobody --json"), @r#"
    exit: 1
    ----- stdout -----

    ----- stderr -----
    {"error":"the vault holds no session of a machine 'nobody'","kind":"not-found","code":1,"hints":["it holds those of desk"]}
    "#);
    assert_snapshot!(desk.run("restore --force"), @"
    exit: 1
    ----- stdout -----

    ----- stderr -----
    error: the following required arguments were not provided: <ID|--all>
    hint: `steno restore --list` shows the kept sessions
    hint: `steno restore --help` lists its arguments and flags
    ");
    assert_snapshot!(desk.run("restore --project nothing"), @r"
    exit: 0
    ----- stdout -----

    ----- stderr -----
    no kept session found
    ");
}

#[test]
fn of_two_transcripts_of_one_session_only_the_one_that_is_there_is_live() {
    let desk = Desk::with(&[session(1), session(1).cwd("/home/dev/other")]).keep().lose();
    let hash = steno_testkit::encode_project("/home/dev/other");
    desk.json(&format!("restore {} --project {hash}", session(1).id()));
    let listed = desk.json("restore --list");
    let rows = listed["sessions"].as_array().unwrap();
    let live: Vec<(bool, bool)> =
        rows.iter().map(|row| (row["projectHash"] == json!(hash), row["live"] == json!(true))).collect();
    assert_eq!(live.len(), 2, "{listed}");
    assert!(live.iter().all(|(is_meant, is_live)| is_meant == is_live), "{listed}");
}

#[test]
fn a_project_may_begin_with_a_dash() {
    let desk = Desk::with(&[session(1), session(1).cwd("/home/dev/other")]).keep();
    let id = session(1).id().to_string();
    for command in ["restore --project -home-dev-other", "list --project -home-dev-other"] {
        assert_eq!(desk.json(command)["sessions"].as_array().unwrap().len(), 1, "{command}");
    }
    for project in ["-home-dev-other", "-home-dev-project"] {
        assert_eq!(desk.json(&format!("peek {id} --project {project}"))["projectHash"], json!(project));
    }
}

#[test]
fn a_list_takes_no_flag_that_puts_something_back() {
    let desk = Desk::with(&[session(1)]).keep();
    assert_snapshot!(desk.run("restore --list --cwd /x --json"), @r#"
    exit: 1
    ----- stdout -----

    ----- stderr -----
    {"error":"the argument '--list' cannot be used with '--cwd <PATH>'","kind":"usage","code":1,"hints":["'--cwd' needs ID","`steno restore --help` lists its arguments and flags"]}
    "#);
    assert_snapshot!(desk.run("restore --list --force"), @"
    exit: 1
    ----- stdout -----

    ----- stderr -----
    error: the argument '--list' cannot be used with '--force'
    hint: '--force' needs ID or --all
    hint: `steno restore --help` lists its arguments and flags
    ");
    for line in [
        "restore --last 1 --generation 7",
        "restore --date 2026-03-01 --cwd x",
        "restore --project x --cwd x",
    ] {
        let refused = desk.run(line);
        assert!(refused.starts_with("exit: 1") && refused.contains("ID"), "{line}: {refused}");
    }
    assert!(desk.run("restore --last 1 --generation 7").contains("'--generation' needs ID"));
}
