//! One session comes back.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};

use insta::assert_snapshot;
use steno_testkit::Session;

use crate::restore::desk::{Desk, session};

fn id(number: u32) -> String {
    Session::numbered(number).id().to_string()
}

#[test]
fn a_session_comes_back_with_all_that_belongs_to_it() {
    let desk = Desk::with(&[session(1).agent(|agent| agent).slug("calm-tea").user("plan"), session(2)]);
    let id = id(1);
    for (path, bytes) in [
        (format!("file-history/{id}/1@v1"), "before"),
        (format!("todos/{id}-agent-{id}.json"), "[]"),
        (format!("tasks/{id}/1.json"), "{}"),
        ("plans/calm-tea.md".to_owned(), "# plan"),
        ("plans/calm-tea-agent-a1.md".to_owned(), "# part"),
        ("plans/loud-tea.md".to_owned(), "# other"),
        ("projects/-home-dev-project/memory/MEMORY.md".to_owned(), "remember"),
    ] {
        desk.app.home().file(&path, bytes);
    }
    let before = desk.files();
    let desk = desk.keep().lose();
    assert_snapshot!(desk.run(&format!("restore {id}")), @r"
    exit: 0
    ----- stdout -----
    Restored 00000001-5e55-4000-8000-000000000001 (8 files)
      to $HOME/.claude/projects/-home-dev-project/00000001-5e55-4000-8000-000000000001.jsonl
    Resume with: cd /home/dev/project && CLAUDE_CONFIG_DIR=$HOME/.claude claude --resume 00000001-5e55-4000-8000-000000000001

    ----- stderr -----
    warning: /home/dev/project: this directory does not exist: --cwd PATH moves the session to one that is
    ");
    let after = desk.files();
    assert!(after.iter().all(|(path, bytes)| before[path] == *bytes));
    let missing: Vec<_> = before.keys().filter(|path| !after.contains_key(*path)).collect();
    assert_eq!(missing.len(), 3, "{missing:?}");
}

#[test]
fn json_has_the_keys_of_the_contract() {
    let desk = Desk::with(&[session(1)]).keep().lose();
    assert_snapshot!(desk.run("restore last --json"), @r#"
    exit: 0
    ----- stdout -----
    {"ok":true,"restored":{"from":"$HOME/.claude-backup/machines/desk/projects/-home-dev-project/00000001-5e55-4000-8000-000000000001.jsonl.g1.000001.zst","to":"$HOME/.claude/projects/-home-dev-project/00000001-5e55-4000-8000-000000000001.jsonl","files":1,"uuid":"00000001-5e55-4000-8000-000000000001","machine":"desk","generation":1,"cwd":"/home/dev/project"},"dryRun":false,"partial":false,"warnings":[{"file":"/home/dev/project","line":null,"kind":"missing-directory","message":"this directory does not exist: --cwd PATH moves the session to one that is"}],"resume":"cd /home/dev/project && CLAUDE_CONFIG_DIR=$HOME/.claude claude --resume 00000001-5e55-4000-8000-000000000001"}

    ----- stderr -----
    "#);
}

#[test]
fn a_dry_run_says_what_would_be_done() {
    let desk = Desk::with(&[session(1).agent(|agent| agent)]).keep().lose();
    assert_snapshot!(desk.run("restore last --dry-run"), @r"
    exit: 0
    ----- stdout -----
    Would restore 00000001-5e55-4000-8000-000000000001 (3 files)
      to $HOME/.claude/projects/-home-dev-project/00000001-5e55-4000-8000-000000000001.jsonl
      write     $HOME/.claude/projects/-home-dev-project/00000001-5e55-4000-8000-000000000001.jsonl (5.1K)
      write     $HOME/.claude/projects/-home-dev-project/00000001-5e55-4000-8000-000000000001/subagents/agent-a25db4dcac0730007.jsonl (4.9K)
      write     $HOME/.claude/projects/-home-dev-project/00000001-5e55-4000-8000-000000000001/subagents/agent-a25db4dcac0730007.meta.json (148B)
    Resume with: cd /home/dev/project && CLAUDE_CONFIG_DIR=$HOME/.claude claude --resume 00000001-5e55-4000-8000-000000000001

    ----- stderr -----
    warning: /home/dev/project: this directory does not exist: --cwd PATH moves the session to one that is
    ");
    assert!(desk.files().is_empty());
    assert_snapshot!(desk.run("restore last --dry-run --json"), @r#"
    exit: 0
    ----- stdout -----
    {"ok":true,"restored":{"from":"$HOME/.claude-backup/machines/desk/projects/-home-dev-project/00000001-5e55-4000-8000-000000000001.jsonl.g1.000001.zst","to":"$HOME/.claude/projects/-home-dev-project/00000001-5e55-4000-8000-000000000001.jsonl","files":3,"uuid":"00000001-5e55-4000-8000-000000000001","machine":"desk","generation":1,"cwd":"/home/dev/project"},"dryRun":true,"partial":false,"plan":{"files":[{"path":"$HOME/.claude/projects/-home-dev-project/00000001-5e55-4000-8000-000000000001.jsonl","bytes":5212,"action":"write"},{"path":"$HOME/.claude/projects/-home-dev-project/00000001-5e55-4000-8000-000000000001/subagents/agent-a25db4dcac0730007.jsonl","bytes":4928,"action":"write"},{"path":"$HOME/.claude/projects/-home-dev-project/00000001-5e55-4000-8000-000000000001/subagents/agent-a25db4dcac0730007.meta.json","bytes":148,"action":"write"}]},"warnings":[{"file":"/home/dev/project","line":null,"kind":"missing-directory","message":"this directory does not exist: --cwd PATH moves the session to one that is"}],"resume":"cd /home/dev/project && CLAUDE_CONFIG_DIR=$HOME/.claude claude --resume 00000001-5e55-4000-8000-000000000001","next":[{"command":"steno restore 00000001-5e55-4000-8000-000000000001 --claude-dir $HOME/.claude","why":"writes these files"}]}

    ----- stderr -----
    "#);
    assert!(!desk.live("projects").exists());
}

#[test]
fn files_are_private_and_of_this_moment() {
    let desk = Desk::with(&[session(1).agent(|agent| agent)]);
    let path = desk.app.home().write(&session(1).agent(|agent| agent));
    let old = std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1_700_000_000);
    let age = || fs::File::options().append(true).open(&path).unwrap().set_modified(old).unwrap();
    age();
    let desk = desk.keep().lose();
    desk.json(&format!("restore {}", id(1)));
    let metadata = fs::metadata(&path).unwrap();
    assert_eq!(metadata.permissions().mode() & 0o777, 0o600);
    assert_eq!(fs::metadata(path.parent().unwrap()).unwrap().permissions().mode() & 0o777, 0o700);
    assert!(metadata.mtime() > 1_700_000_000);
    let desk = desk.lose();
    desk.json(&format!("restore {} --original-times", id(1)));
    assert_eq!(fs::metadata(&path).unwrap().mtime(), 1_700_000_000);
}

#[test]
fn a_prefix_is_enough_and_a_short_one_is_not() {
    let desk = Desk::with(&[session(0xa1), session(0xa2), session(0xb1)]).keep().lose();
    assert_snapshot!(desk.run("restore 000000a --json"), @r#"
    exit: 1
    ----- stdout -----

    ----- stderr -----
    {"error":"'000000a' means 2 sessions","kind":"ambiguous","code":1,"hints":["could be 000000a1-5e55-4000-8000-0000000000a1 (\"go\", 2026-11-15 10:00Z)","could be 000000a2-5e55-4000-8000-0000000000a2 (\"go\", 2026-11-15 10:00Z)"]}
    "#);
    assert_snapshot!(desk.run("restore 000"), @r"
    exit: 1
    ----- stdout -----

    ----- stderr -----
    error: '000' is too short for a session
    hint: give at least 4 characters of its id, or `last`
    ");
    assert_snapshot!(desk.run("restore nobody"), @r"
    exit: 1
    ----- stdout -----

    ----- stderr -----
    error: the vault holds no session 'nobody'
    hint: `steno restore --list` shows all that it holds
    ");
    assert_eq!(desk.json("restore 000000b")["restored"]["uuid"], id(0xb1));
    assert!(desk.run("restore 000000a1").starts_with("exit: 0"));
    let path = desk.live("projects/anywhere").join(format!("{}.jsonl", id(0xa2)));
    assert!(desk.run(&format!("restore {}", path.display())).starts_with("exit: 0"));
}

#[test]
fn a_generation_that_was_rewritten_comes_back() {
    let desk = Desk::with(&[session(1)]).keep();
    let path = desk.app.home().write(&session(1));
    let good = fs::read(&path).unwrap();
    fs::write(&path, "{}\n").unwrap();
    desk.sync();
    let desk = desk.lose();
    assert_snapshot!(desk.run(&format!("restore {} --generation 7", id(1))), @r"
    exit: 1
    ----- stdout -----

    ----- stderr -----
    error: session 00000001-5e55-4000-8000-000000000001 has no generation 7
    hint: it has 1, 2
    ");
    assert_eq!(desk.json(&format!("restore {}", id(1)))["restored"]["generation"], 2);
    assert_eq!(fs::read(&path).unwrap(), b"{}\n");
    let desk = desk.lose();
    assert_eq!(desk.json(&format!("restore {} --generation 1", id(1)))["restored"]["generation"], 1);
    assert_eq!(fs::read(&path).unwrap(), good);
}

#[test]
fn another_directory_may_be_the_target() {
    let desk = Desk::with(&[session(1)]).keep();
    let to = desk.app.home().root().join("else where/claude");
    let report: serde_json::Value = {
        let output = desk.app.output(&["restore", "last", "--to", to.to_str().unwrap(), "--json"]);
        serde_json::from_slice(&output.stdout).unwrap()
    };
    assert!(report["resume"].as_str().unwrap().contains("CLAUDE_CONFIG_DIR='"), "{report}");
    assert_eq!(crate::restore::desk::files_below(&to), desk.files());
}

#[test]
fn one_id_in_two_projects_means_the_later_one() {
    let desk = Desk::with(&[session(1).cwd("/home/dev/a")]).keep();
    let old = std::time::SystemTime::now() - std::time::Duration::from_secs(600);
    let first = desk.app.home().write(&session(1).cwd("/home/dev/a"));
    fs::File::options().append(true).open(&first).unwrap().set_modified(old).unwrap();
    let second = desk.app.home().write(&session(1).cwd("/home/dev/b").user("more"));
    desk.sync();
    let desk = desk.lose();
    let report = desk.json(&format!("restore {}", id(1)));
    assert_eq!(report["warnings"][0]["kind"], "duplicate-session");
    assert!(second.exists() && !first.exists());
    desk.json(&format!("restore {} --project dev-a", id(1)));
    assert!(first.exists());
}

#[test]
fn nothing_is_left_behind() {
    let desk = Desk::with(&[session(1).agent(|agent| agent)]).keep().lose();
    desk.json("restore last");
    assert!(desk.files().keys().all(|path| !path.to_str().unwrap().contains(".steno-")));
}
