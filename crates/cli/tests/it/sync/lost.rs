//! What is lost or damaged, here or on another machine, is not lost anywhere else.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use steno_testkit::{App, Session};

use crate::sync::{bare, git, sent, vault, with_sessions};

fn flip(path: &Path) {
    let mut bytes = fs::read(path).unwrap();
    let place = bytes.len() - 5;
    bytes[place] ^= 1;
    fs::write(path, bytes).unwrap();
}

fn is_warned(answer: &Value, kind: &str) -> bool {
    answer["warnings"].as_array().unwrap().iter().any(|warning| warning["kind"] == kind)
}

/// As a version did that did not look.
fn send_damaged(app: &App, name: &str) {
    flip(&vault(app).join(name));
    by_hand(app, &format!("add -f {name}"));
    by_hand(app, "commit -q -m damaged");
    by_hand(app, "push -q origin HEAD:main");
}

fn by_hand(app: &App, arguments: &str) {
    git(&vault(app), &format!("-c user.name=x -c user.email=x@localhost {arguments}"));
}

#[test]
fn a_segment_that_somebody_deleted_comes_back_from_git() {
    let app = with_sessions();
    let remote = bare(&app, "remote.git");
    app.run(&format!("init --remote {remote} --no-schedule"));
    let all = sent(&remote);
    let name = all.iter().find(|name| name.contains("/projects/")).unwrap();
    let bytes = fs::read(vault(&app).join(name)).unwrap();
    fs::remove_dir_all(app.home().path().join("projects")).unwrap();
    fs::remove_file(vault(&app).join(name)).unwrap();
    let synced = app.json("sync --json");
    assert_eq!(synced["ok"], true, "{synced}");
    assert!(is_warned(&synced, "healed") && !is_warned(&synced, "lost"), "{synced}");
    assert_eq!(fs::read(vault(&app).join(name)).unwrap(), bytes);
    assert_eq!(sent(&remote), all);
    assert_eq!(app.json("verify --json")["ok"], true);
}

#[test]
fn a_segment_that_is_lost_for_good_is_told_until_it_is_purged() {
    let app = with_sessions();
    app.run("init --local --no-schedule");
    fs::remove_dir_all(app.home().path().join("projects")).unwrap();
    let id = Session::numbered(1).id().to_string();
    let project = vault(&app).join("machines/desk/projects");
    let project = fs::read_dir(project).unwrap().next().unwrap().unwrap().path();
    fs::remove_file(project.join(format!("{id}.jsonl.g1.000001.zst"))).unwrap();
    for _ in 0..2 {
        app.run("sync");
        assert_eq!(app.json("verify --json")["ok"], false);
    }
    fs::remove_dir_all(vault(&app).join(".cache")).unwrap();
    assert_eq!(app.json("verify --json")["ok"], false);
}

#[test]
fn a_segment_that_was_damaged_is_not_sent_over_the_good_one() {
    let app = with_sessions();
    let remote = bare(&app, "remote.git");
    app.run(&format!("init --remote {remote} --no-schedule"));
    let before = git(Path::new(&remote), "ls-tree -r main");
    let all = sent(&remote);
    let name = all.iter().find(|name| name.ends_with(".zst")).unwrap();
    let bytes = fs::read(vault(&app).join(name)).unwrap();
    fs::remove_dir_all(app.home().path().join("projects")).unwrap();
    flip(&vault(&app).join(name));
    let synced = app.json("sync --json");
    assert!(is_warned(&synced, "healed"), "{synced}");
    assert_eq!(fs::read(vault(&app).join(name)).unwrap(), bytes);
    assert_eq!(git(Path::new(&remote), "ls-tree -r main"), before);
    let other = all.iter().filter(|name| name.ends_with(".zst")).nth(1).unwrap();
    fs::copy(vault(&app).join(other), vault(&app).join(name)).unwrap();
    assert!(is_warned(&app.json("sync --json"), "healed"), "a whole one of another place");
    assert_eq!(fs::read(vault(&app).join(name)).unwrap(), bytes);
    let again = app.json("sync --json");
    assert_eq!((&again["warnings"], &again["push"]["state"]), (&json!([]), &json!("up-to-date")));
}

#[test]
fn a_segment_that_somebody_replaced_at_the_remote_is_sent_again() {
    let app = with_sessions();
    let remote = bare(&app, "remote.git");
    app.run(&format!("init --remote {remote} --no-schedule"));
    let before = git(Path::new(&remote), "ls-tree -r main");
    let all: Vec<String> = sent(&remote).into_iter().filter(|name| name.ends_with(".zst")).collect();
    let bytes = fs::read(vault(&app).join(&all[0])).unwrap();
    let work = app.home().root().join("work");
    git(app.home().root(), &format!("clone -q {remote} {}", work.display()));
    fs::copy(work.join(&all[1]), work.join(&all[0])).unwrap();
    git(&work, "-c user.name=x -c user.email=x@localhost commit -q -a -m replaced");
    git(&work, "push -q origin HEAD:main");
    app.run("sync");
    assert!(is_warned(&app.json("sync --json"), "healed"));
    assert_eq!(fs::read(vault(&app).join(&all[0])).unwrap(), bytes);
    assert_eq!(git(Path::new(&remote), "ls-tree -r main"), before);
}

#[test]
fn a_damaged_segment_that_was_sent_is_replaced_by_the_whole_one() {
    let app = with_sessions();
    let remote = bare(&app, "remote.git");
    app.run(&format!("init --remote {remote} --no-schedule"));
    let name = sent(&remote).into_iter().find(|name| name.ends_with(".zst")).unwrap();
    let bytes = fs::read(vault(&app).join(&name)).unwrap();
    send_damaged(&app, &name);
    fs::write(vault(&app).join(&name), bytes).unwrap();
    let whole = git(&vault(&app), &format!("hash-object --no-filters {name}"));
    assert_eq!(app.json("sync --json")["pushed"], true);
    assert_eq!(git(Path::new(&remote), &format!("rev-parse main:{name}")), whole);
}

#[test]
fn what_another_machine_lost_or_damaged_stays_whole_here() {
    let one = with_sessions();
    one.home().file("history.jsonl", "a prompt\n");
    one.home().file("settings.json", "{}");
    let remote = bare(&one, "remote.git");
    one.run(&format!("init --remote {remote} --no-schedule"));
    let two = App::new(env!("CARGO_BIN_EXE_steno")).variable("STENO_MACHINE", "lap");
    two.run(&format!("init --remote {remote} --no-schedule"));
    one.run("sync");
    let names: Vec<String> =
        sent(&remote).into_iter().filter(|name| name.starts_with("machines/desk/")).collect();
    let held = |name: &String| fs::read(vault(&two).join(name)).unwrap();
    let before: Vec<Vec<u8>> = names.iter().map(held).collect();
    send_damaged(&one, names.iter().find(|name| name.ends_with(".zst")).unwrap());
    let told = two.json("sync --json");
    assert!(is_warned(&told, "remote"), "{told}");
    assert_eq!(names.iter().map(held).collect::<Vec<_>>(), before);
    by_hand(&one, "rm -r -q machines/desk");
    by_hand(&one, "commit -q -m nothing");
    by_hand(&one, "push -q origin HEAD:main");
    let told = two.json("sync --json");
    assert!(is_warned(&told, "remote"), "{told}");
    let kept = |name: &&String| !name.ends_with("manifest.json");
    for (name, bytes) in names.iter().zip(&before).filter(|(name, _)| kept(name)) {
        assert_eq!(&held(name), bytes, "{name}");
    }
    assert_eq!(two.json("restore --list --json")["sessions"].as_array().unwrap().len(), 2);
    assert_eq!(two.json("sync --json")["warnings"], json!([]));
}

#[test]
fn what_another_machine_purged_goes_here_too() {
    let one = with_sessions();
    for number in [1, 2] {
        let session = Session::numbered(number);
        one.home().history(&session, &format!("prompt {number}"), "2026-11-01T00:00:00.000Z");
    }
    let remote = bare(&one, "remote.git");
    one.run(&format!("init --remote {remote} --no-schedule"));
    let two = App::new(env!("CARGO_BIN_EXE_steno")).variable("STENO_MACHINE", "lap");
    two.run(&format!("init --remote {remote} --no-schedule"));
    one.run(&format!("purge {} --live --rewrite-history --yes", Session::numbered(1).id()));
    let told = two.json("sync --json");
    assert_eq!(told["warnings"], json!([]), "{told}");
    assert_eq!(two.json("restore --list --json")["sessions"].as_array().unwrap().len(), 1);
    let theirs = |app: &App| {
        let mut names = sent(&remote);
        names.retain(|name| name.starts_with("machines/desk/"));
        names.iter().for_each(|name| assert!(vault(app).join(name).exists(), "{name}"));
        fs::read_dir(vault(app).join("machines/desk")).unwrap().count()
    };
    assert_eq!(theirs(&two), theirs(&one), "the list of prompts with hers is gone");
}
