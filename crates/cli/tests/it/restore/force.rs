//! What is there already, and who may overwrite it.

use std::fs;

use insta::assert_snapshot;
use steno_testkit::Session;

use crate::restore::desk::{Desk, session};

fn id() -> String {
    Session::numbered(1).id().to_string()
}

#[test]
fn a_transcript_that_is_there_stays() {
    let desk = Desk::with(&[session(1)]).keep();
    let path = desk.app.home().write(&session(1));
    let before = fs::read(&path).unwrap();
    let identical = desk.app.json(&format!("restore {} --json", id()));
    assert_eq!((&identical["ok"], &identical["restored"]["files"]), (&true.into(), &0.into()), "{identical}");
    assert_snapshot!(desk.run(&format!("restore {}", id())), @r"
    exit: 0
    ----- stdout -----
    Already in place and identical: 00000001-5e55-4000-8000-000000000001
      $HOME/.claude/projects/-home-dev-project/00000001-5e55-4000-8000-000000000001.jsonl
    Resume with: cd /home/dev/project && CLAUDE_CONFIG_DIR=$HOME/.claude claude --resume 00000001-5e55-4000-8000-000000000001

    ----- stderr -----
    warning: /home/dev/project: this directory does not exist: --cwd PATH moves the session to one that is
    ");
    assert_eq!(fs::read(&path).unwrap(), before);
    let longer = [&before[..], b"{}\n"].concat();
    for other in [&before[..100], &longer] {
        fs::write(&path, other).unwrap();
        let refused = desk.run(&format!("restore {} --json", id())).to_string();
        assert!(refused.contains("\"kind\":\"exists\""), "{refused}");
        assert!(refused.contains("it differs from what the vault holds"), "{refused}");
        assert_eq!(fs::read(&path).unwrap(), other);
    }
}

#[test]
fn with_force_it_is_overwritten_if_the_vault_has_it() {
    let desk = Desk::with(&[session(1)]).keep();
    let path = desk.app.home().write(&session(1));
    let good = fs::read(&path).unwrap();
    fs::write(&path, &good[..100]).unwrap();
    assert_snapshot!(desk.run(&format!("restore {} --force", id())), @r"
    exit: 0
    ----- stdout -----
    Restored 00000001-5e55-4000-8000-000000000001 (1 file)
      to $HOME/.claude/projects/-home-dev-project/00000001-5e55-4000-8000-000000000001.jsonl
    Resume with: cd /home/dev/project && CLAUDE_CONFIG_DIR=$HOME/.claude claude --resume 00000001-5e55-4000-8000-000000000001

    ----- stderr -----
    warning: /home/dev/project: this directory does not exist: --cwd PATH moves the session to one that is
    ");
    assert_eq!(fs::read(&path).unwrap(), good);
}

#[test]
fn what_the_vault_does_not_have_is_kept_before_it_is_overwritten() {
    let desk = Desk::with(&[session(1)]).keep();
    let path = desk.app.home().write(&session(1));
    let good = fs::read(&path).unwrap();
    fs::write(&path, "something new\n").unwrap();
    assert!(desk.run(&format!("restore {} --force --dry-run", id())).starts_with("exit: 0"));
    assert_eq!(fs::read(&path).unwrap(), b"something new\n");
    assert!(desk.run(&format!("restore {} --force", id())).starts_with("exit: 0"));
    assert_eq!(fs::read(&path).unwrap(), good);
    let elsewhere = desk.app.home().root().join("elsewhere");
    let again = format!("restore {} --generation 2 --to {}", id(), elsewhere.display());
    assert!(desk.run(&again).starts_with("exit: 0"));
    let project = path.parent().unwrap().file_name().unwrap();
    let kept = elsewhere.join("projects").join(project).join(path.file_name().unwrap());
    assert_eq!(fs::read(&kept).unwrap(), b"something new\n");
    // A directory that is nobody's home is not kept: what is only there stays there.
    fs::write(&kept, "only here\n").unwrap();
    let refused = desk.run(&format!("restore {} --force --to {}", id(), elsewhere.display()));
    assert!(refused.contains("holds bytes that the vault does not have"), "{refused}");
    assert_eq!(fs::read(&kept).unwrap(), b"only here\n");
}

#[test]
fn new_lines_of_a_live_session_are_kept_before_they_are_overwritten() {
    let desk = Desk::with(&[session(1)]).keep();
    let path = desk.app.home().write(&session(1));
    let good = fs::read(&path).unwrap();
    desk.app.home().append(&session(1), b"{\"type\":\"mode\"}\n");
    let longer = fs::read(&path).unwrap();
    assert!(desk.run(&format!("restore {} --force", id())).starts_with("exit: 0"));
    assert_eq!(fs::read(&path).unwrap(), good);
    assert!(desk.run(&format!("restore {} --force", id())).starts_with("exit: 0"));
    assert_eq!(fs::read(&path).unwrap(), longer);
}

#[test]
fn a_running_session_is_never_touched() {
    let desk = Desk::with(&[session(1)]).keep();
    desk.app.home().registry(&session(1), std::process::id(), "busy");
    assert_snapshot!(desk.run(&format!("restore {} --force", id())), @r"
    exit: 1
    ----- stdout -----

    ----- stderr -----
    error: session 00000001-5e55-4000-8000-000000000001 is running, and is not touched
    hint: leave it in the client first
    ");
    assert_eq!(desk.json("restore --all --force")["skipped"][0]["reason"], "running");
    let elsewhere = desk.app.home().root().join("other");
    assert!(desk.run(&format!("restore {} --to {}", id(), elsewhere.display())).starts_with("exit: 0"));
}

#[test]
fn other_files_that_are_there_stay_and_are_named() {
    let desk = Desk::with(&[session(1)]);
    let todo = desk.app.home().file(&format!("todos/{}.json", id()), "[1]");
    let task = desk.app.home().file(&format!("tasks/{}/1.json", id()), "{}");
    let desk = desk.keep();
    let path = desk.app.home().write(&session(1));
    fs::remove_file(&path).unwrap();
    fs::write(&todo, "[2]").unwrap();
    let report = desk.json(&format!("restore {}", id()));
    assert_eq!(report["restored"]["files"], 1);
    let warned = report["warnings"].as_array().unwrap().iter().filter(|warning| warning["kind"] == "exists");
    assert_eq!(warned.count(), 1, "{report}");
    assert_eq!(fs::read(&todo).unwrap(), b"[2]");
    let report = desk.run(&format!("restore {} --force", id()));
    assert!(report.starts_with("exit: 0"), "{report}");
    assert_eq!(fs::read(&todo).unwrap(), b"[1]");
    assert_eq!(fs::read(&task).unwrap(), b"{}");
}
