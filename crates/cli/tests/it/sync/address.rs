//! Addresses that a vault can be sent to, and those that it cannot.

use std::fs;
use std::path::Path;

use serde_json::json;
use steno_testkit::{App, Session};

use crate::sync::{bare, git, sent, with_sessions};

/// A repository of somebody's, with one file.
fn foreign(app: &App, name: &str, file: &str) -> String {
    let remote = bare(app, name);
    let work = app.home().root().join(format!("{name}-work"));
    git(app.home().root(), &format!("clone -q {remote} {}", work.display()));
    fs::write(work.join(file), "theirs\n").unwrap();
    git(&work, "add .");
    git(&work, "-c user.name=x -c user.email=x@localhost commit -q -m theirs");
    git(&work, "push -q origin HEAD:main");
    remote
}

#[test]
fn a_repository_of_something_else_is_not_written_to() {
    let app = with_sessions();
    let theirs = foreign(&app, "project.git", "main.c");
    let refused = app.json(&format!("init --remote {theirs} --no-schedule --json"));
    assert_eq!(refused["sync"]["push"]["state"], "refused", "{refused}");
    assert!(refused["sync"]["push"]["reason"].as_str().unwrap().contains("main.c"), "{refused}");
    for arguments in [format!("remote {theirs} --json"), "sync --json".to_owned()] {
        let refused = app.json(&arguments);
        assert_eq!((&refused["ok"], &refused["push"]["state"]), (&json!(false), &json!("refused")));
    }
    assert_eq!(sent(&theirs), ["main.c"]);
    let made_by_a_host = foreign(&app, "new.git", "README.md");
    assert_eq!(app.json(&format!("remote {made_by_a_host} --json"))["pushed"], true);
    assert!(sent(&made_by_a_host).contains(&"README.md".to_owned()));
}

#[test]
fn an_address_that_is_none_changes_nothing() {
    let app = with_sessions();
    let remote = bare(&app, "remote.git");
    app.run(&format!("init --remote {remote} --no-schedule"));
    for bad in ["ext::sh -c true", "", " "] {
        let output = app.output(&["remote", bad, "--json"]);
        assert_eq!(output.status.code(), Some(1), "{bad:?}");
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(error.contains("\"kind\":\"invalid\""), "{error}");
        assert_eq!(app.json("remote --json")["mode"], "git");
        app.home().append(&Session::numbered(1), b"{\"type\":\"mode\"}\n");
        assert_eq!(app.json("sync --json")["push"]["state"], "pushed");
    }
}

#[test]
fn a_relative_directory_is_one_of_the_current_directory() {
    let app = with_sessions();
    bare(&app, "one.git");
    bare(&app, "two.git");
    let answer = app.json("init --remote one.git --no-schedule --json");
    assert_eq!((&answer["repo"], &answer["sync"]["pushed"]), (&json!("$HOME/one.git"), &json!(true)));
    let answer = app.json("remote ./two.git --json");
    assert_eq!((&answer["repo"], &answer["pushed"]), (&json!("$HOME/two.git"), &json!(true)));
}

#[test]
fn an_empty_remote_gets_the_branch_that_it_stands_on() {
    let app = with_sessions();
    let remote = bare(&app, "remote.git");
    git(Path::new(&remote), "symbolic-ref HEAD refs/heads/trunk");
    assert_eq!(app.json(&format!("init --remote {remote} --no-schedule --json"))["sync"]["pushed"], true);
    assert_eq!(git(Path::new(&remote), "for-each-ref --format=%(refname)"), "refs/heads/trunk");
    app.home().append(&Session::numbered(1), b"{\"type\":\"mode\"}\n");
    assert_eq!(app.json("sync --json")["push"]["state"], "pushed");
    assert_eq!(git(Path::new(&remote), "for-each-ref --format=%(refname)"), "refs/heads/trunk");
}
