//! A whole clone: everything is there, under new names.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt;

use insta::assert_snapshot;
use serde_json::{Value, json};
use steno_testkit::Session;

use crate::clone::desk::{Desk, NEW, session};

#[test]
fn a_clone_says_what_it_is_and_how_to_go_on() {
    let desk = Desk::with(&[session()]);
    assert_snapshot!(desk.run("clone 0000"), @r"
    exit: 0
    ----- stdout -----
    Cloned 00000001 as 0c10ed00-0000-4000-8000-000000000001
      to      $HOME/.claude/projects/-home-dev-project/0c10ed00-0000-4000-8000-000000000001.jsonl (2 files)
      turns   5 of 5
      records 19 kept, 0 dropped, 3 changed
      tokens  about 1.7K
    Resume with: cd /home/dev/project && CLAUDE_CONFIG_DIR=$HOME/.claude claude --resume 0c10ed00-0000-4000-8000-000000000001

    ----- stderr -----
    the original is left as it is: 3 findings, see `steno check`
    warning: /home/dev/project: this directory does not exist: --cwd PATH makes a clone that works in another one
    ");
}

#[test]
fn json_has_the_keys_of_the_contract() {
    let desk = Desk::with(&[session()]);
    let report = desk.json("clone last");
    let cloned = &report["cloned"];
    assert_eq!(report["ok"], true);
    assert_eq!(cloned["from"], session().id().as_str());
    assert_eq!(cloned["uuid"], NEW);
    assert!(cloned["to"].as_str().unwrap().ends_with(&format!("-home-dev-project/{NEW}.jsonl")));
    assert!(cloned["records"]["kept"].as_u64().unwrap() > 10);
    assert_eq!(cloned["tokens"]["before"], cloned["tokens"]["after"]);
    assert_eq!(report["estimate"]["before"]["total"], cloned["tokens"]["before"]);
    assert_eq!(report["resume"], format!("claude --resume {NEW}"));
    assert!(report["goOn"].as_str().unwrap().ends_with(&format!("claude --resume {NEW}")));
}

/// Ids of messages stay, or usage would be counted twice.
#[test]
fn every_name_is_new_but_those_of_messages_and_tools() {
    let desk = Desk::with(&[session()]);
    desk.run("clone last");
    let old = session();
    let ids = |values: &[serde_json::Value], pointer: &str| -> BTreeSet<String> {
        let found = values.iter().filter_map(|value| value.pointer(pointer)?.as_str().map(str::to_owned));
        found.collect()
    };
    let (old, new) = (old.build().values(), desk.records());
    assert!(ids(&old, "/uuid").is_disjoint(&ids(&new, "/uuid")));
    assert_eq!(ids(&new, "/sessionId"), BTreeSet::from([NEW.to_owned()]));
    assert_eq!(ids(&old, "/message/id"), ids(&new, "/message/id"));
    assert_eq!(old.len(), new.len());
    let text = new.iter().map(ToString::to_string).collect::<String>();
    assert!(!text.contains(session().id().as_str()), "{text}");
    let uuids = ids(&new, "/uuid");
    assert!(ids(&new, "/parentUuid").is_subset(&uuids));
}

#[test]
fn nothing_is_counted_twice() {
    let desk = Desk::with(&[session()]);
    let total = |desk: &Desk| desk.json("stats")["total"].clone();
    let before = total(&desk);
    desk.run("clone last");
    let after = total(&desk);
    assert_eq!((&before["messages"], &before["tokens"]), (&after["messages"], &after["tokens"]));
}

#[test]
fn only_its_owner_reads_it() {
    let desk = Desk::with(&[session()]);
    desk.run("clone last");
    let to = desk.live(&format!("projects/-home-dev-project/{NEW}.jsonl"));
    assert_eq!(fs::metadata(to).unwrap().permissions().mode() & 0o777, 0o600);
}

#[test]
fn a_clone_passes_the_check_and_is_cloned_again() {
    let desk = Desk::with(&[session()]);
    desk.run("clone last");
    assert_eq!(desk.json(&format!("check {NEW}"))["findings"], serde_json::json!([]));
    let app = desk
        .app
        .command()
        .env("STENO_NEW_ID", "0c10ed00-0000-4000-8000-000000000002")
        .args(["clone", NEW])
        .output();
    assert!(app.unwrap().status.success());
}

#[test]
fn a_session_that_only_the_vault_has_is_cloned() {
    let desk = Desk::with(&[session(), Session::numbered(2).turns(1)]);
    desk.run("init --local --no-schedule");
    fs::remove_dir_all(desk.live("projects")).unwrap();
    let report = desk.json(&format!("clone {}", session().id()));
    assert_eq!(report["cloned"]["from"], session().id().as_str());
    assert_eq!(desk.records().len(), session().build().values().len());
}

#[test]
fn a_file_outside_of_any_home_is_cloned_to_where_it_worked() {
    let desk = Desk::with(&[]);
    let path = desk.app.home().root().join("lent.jsonl");
    fs::write(&path, session().bytes()).unwrap();
    let report = desk.json(&format!("clone {}", path.display()));
    assert!(
        report["cloned"]["to"]
            .as_str()
            .unwrap()
            .ends_with(&format!("projects/-home-dev-project/{NEW}.jsonl"))
    );
}

#[test]
fn a_clone_may_work_elsewhere() {
    let desk = Desk::with(&[session()]);
    let place = desk.app.home().root().join("moved");
    fs::create_dir(&place).unwrap();
    let report = desk.json(&format!("clone last --cwd {}", place.display()));
    assert_eq!(report["cloned"]["cwd"], "$HOME/moved");
    let real = place.canonicalize().unwrap().display().to_string();
    let project = real.replace(|letter: char| !letter.is_ascii_alphanumeric(), "-");
    let text = fs::read_to_string(desk.live(&format!("projects/{project}/{NEW}.jsonl"))).unwrap();
    assert!(text.contains(&format!("\"cwd\":\"{real}\"")) && !text.contains("\"cwd\":\"/home/dev/project\""));
    assert_eq!(report["warnings"], serde_json::json!([]));
}

#[test]
fn paths_are_rewritten_where_that_is_asked_for() {
    let desk = Desk::with(&[session()]);
    desk.run("clone last --rewrite /home/dev/project=/srv/api");
    let text = desk.records().iter().map(ToString::to_string).collect::<String>();
    assert!(text.contains("/srv/api/a.txt") && text.contains(r#""cwd":"/home/dev/project""#));
}

/// A name that is also a word of the format means the session in no other place.
#[test]
fn a_file_may_have_any_name() {
    let desk = Desk::with(&[]);
    let path = desk.app.home().root().join("user.jsonl");
    fs::write(&path, session().bytes()).unwrap();
    desk.json(&format!("clone {}", path.display()));
    assert!(desk.records().iter().any(|record| record["type"] == "user"));
}

/// Of old programs, or by hand.
#[test]
fn a_session_that_is_called_by_a_number_is_called_by_its_new_id() {
    let record = r#"{"type":"tag","tag":"work","sessionId":17}"#;
    let desk = Desk::with(&[session().raw(format!("{record}\n"))]);
    assert_eq!(desk.json("clone last")["ok"], true);
    let tags: Vec<Value> = desk.records().into_iter().filter(|record| record["type"] == "tag").collect();
    assert_eq!(tags, [json!({ "type": "tag", "tag": "work", "sessionId": NEW })]);
}
