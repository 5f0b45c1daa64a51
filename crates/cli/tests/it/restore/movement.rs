//! A session that comes back to another directory.

use std::fs;

use insta::assert_snapshot;
use serde_json::{Value, json};
use steno_testkit::{Session, encode_project};

use crate::restore::desk::Desk;

fn session() -> Session {
    Session::numbered(1)
        .cwd("/home/dev/old")
        .user("look at /home/dev/old/src and /home/dev/older")
        .agent(|agent| agent)
}

fn id() -> String {
    session().id().to_string()
}

fn records(path: &std::path::Path) -> Vec<Value> {
    fs::read_to_string(path).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn its_directory_changes_everywhere() {
    let desk = Desk::with(&[session()]).keep().lose();
    let new = desk.app.home().root().canonicalize().unwrap().join("new home");
    fs::create_dir_all(&new).unwrap();
    let output = desk.app.output(&["restore", &id(), "--cwd", "new home", "--json"]);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["warnings"], json!([]));
    let claude_dir = desk.app.home().path().display().to_string();
    let resume = format!("cd '{}' && CLAUDE_CONFIG_DIR={claude_dir} claude --resume {}", new.display(), id());
    assert_eq!(report["resume"], resume);
    let project = desk.live("projects").join(encode_project(new.to_str().unwrap()));
    let transcript = project.join(format!("{}.jsonl", id()));
    assert_eq!(report["restored"]["to"], transcript.display().to_string());
    let agents =
        fs::read_dir(project.join(id()).join("subagents")).unwrap().map(|entry| entry.unwrap().path());
    let agents = agents.filter(|path| path.extension().is_some_and(|extension| extension == "jsonl"));
    for path in agents.chain([transcript.clone()]) {
        let directories: Vec<Value> =
            records(&path).iter().filter_map(|record| record.get("cwd").cloned()).collect();
        assert!(!directories.is_empty() && directories.iter().all(|cwd| *cwd == json!(new)), "{path:?}");
    }
    let said = fs::read_to_string(&transcript).unwrap();
    assert!(said.contains("look at /home/dev/old/src and"), "only directories change");
    assert!(!desk.live("projects").join("-home-dev-old").exists());
}

#[test]
fn paths_change_where_it_was_asked_for() {
    let desk = Desk::with(&[session()]).keep().lose();
    let shown = desk.run(&format!("restore {} --rewrite /home/dev/old=/srv/new", id()));
    assert!(shown.starts_with("exit: 0"), "{shown}");
    let transcript = desk.app.home().project_path("/home/dev/old").join(format!("{}.jsonl", id()));
    let said = fs::read_to_string(&transcript).unwrap();
    assert!(said.contains("look at /srv/new/src and /home/dev/older"), "{said}");
    assert!(
        records(&transcript).iter().filter_map(|record| record.get("cwd")).all(|cwd| cwd == "/home/dev/old")
    );
}

#[test]
fn paths_change_by_the_rules_that_have_names() {
    let session = session().user("/home/dev/old/a, /mnt/c/b c, https://example.org/mnt/c/d");
    let said = |flags: &str| {
        let desk = Desk::with(std::slice::from_ref(&session)).keep().lose();
        let shown = desk.run(&format!("restore {flags}"));
        assert!(shown.starts_with("exit: 0"), "{shown}");
        let transcript = desk.app.home().project_path("/home/dev/old").join(format!("{}.jsonl", id()));
        let records = records(&transcript);
        assert!(records.iter().filter_map(|record| record.get("cwd")).all(|cwd| cwd == "/home/dev/old"));
        let said = records.iter().filter_map(|record| record["message"]["content"].as_str());
        said.filter(|said| said.contains("example.org")).collect::<Vec<_>>().join("\n")
    };
    assert_eq!(
        said(&format!("{} --rewrite wsl-to-win --rewrite /home/dev/old=/new", id())),
        r"/new/a, C:\b c, https://example.org/mnt/c/d"
    );
    let stripped = "<path>/a, <path> c, https://example.org/mnt/c/d";
    assert_eq!(said(&format!("{} --rewrite strip", id())), stripped);
    assert_eq!(said("--all --rewrite strip"), stripped);
}

#[test]
fn a_directory_that_is_not_there_is_said() {
    let desk = Desk::with(&[session()]).keep().lose();
    let shown = desk.run(&format!("restore {} --cwd gone/./../there --dry-run", id()));
    let there = desk.app.home().root().canonicalize().unwrap().join("there");
    assert_snapshot!(shown.replace(&encode_project(there.to_str().unwrap()), "[there]"), @r"
    exit: 0
    ----- stdout -----
    Would restore 00000001-5e55-4000-8000-000000000001 (3 files)
      to $HOME/.claude/projects/[there]/00000001-5e55-4000-8000-000000000001.jsonl
      write     $HOME/.claude/projects/[there]/00000001-5e55-4000-8000-000000000001.jsonl (4.1K)
      write     $HOME/.claude/projects/[there]/00000001-5e55-4000-8000-000000000001/subagents/agent-a25db4dcac0730004.jsonl (4.8K)
      write     $HOME/.claude/projects/[there]/00000001-5e55-4000-8000-000000000001/subagents/agent-a25db4dcac0730004.meta.json (148B)
    Resume with: cd $HOME/there && CLAUDE_CONFIG_DIR=$HOME/.claude claude --resume 00000001-5e55-4000-8000-000000000001

    ----- stderr -----
    warning: $HOME/there: this directory does not exist: make it before you resume the session there
    ");
}

#[test]
fn moved_away_and_kept_again_both_are_there() {
    let desk = Desk::with(&[session()]).keep();
    let before = desk.files();
    fs::create_dir_all(desk.app.home().root().join("new")).unwrap();
    let report = desk.json(&format!("restore {} --cwd new", id()));
    assert_eq!(report["warnings"][0]["kind"], "duplicate-session");
    desk.sync();
    let desk = desk.lose();
    desk.json(&format!("restore {} --project dev-old", id()));
    assert_eq!(desk.files(), before);
}

#[test]
fn what_makes_no_sense_is_refused() {
    let desk = Desk::with(&[session()]).keep().lose();
    assert_snapshot!(desk.run("restore last --rewrite nothing"), @r"
    exit: 1
    ----- stdout -----

    ----- stderr -----
    error: 'nothing' is no rewrite
    hint: give it as wsl-to-win, win-to-wsl, strip, or OLD=NEW, two paths
    ");
    assert_snapshot!(desk.run("restore --all --cwd x --json"), @r#"
    exit: 1
    ----- stdout -----

    ----- stderr -----
    {"error":"the argument '--all' cannot be used with '--cwd <PATH>'","kind":"usage","code":1,"hints":["'--cwd' needs ID","`steno restore --help` lists its arguments and flags"]}
    "#);
}
