//! Vaults and directories that mean harm.

use std::fs;
use std::os::unix::fs::symlink;

use insta::assert_snapshot;
use serde_json::json;
use steno_testkit::Session;

use crate::restore::desk::{Desk, forge, session};

fn project() -> String {
    format!("projects/{}", steno_testkit::encode_project(session(1).project()))
}

fn id() -> String {
    Session::numbered(1).id().to_string()
}

#[test]
fn a_header_cannot_lead_out_of_the_sessions() {
    for path in [
        "../escaped.json",
        "/tmp/escaped.json",
        "settings.json",
        "hooks/run.sh",
        ".credentials.json",
        "todos/../../escaped.json",
        "todos/%2E%2E/escaped.json",
        "",
    ] {
        let desk = Desk::with(&[session(1)]);
        desk.app.home().file(&format!("todos/{}.json", id()), "[]");
        let desk = desk.keep().lose();
        forge(&desk.segments("desk", &format!("todos/{}.json", id()))[0], |header| {
            header["path"] = json!(path)
        });
        desk.drop_cache();
        let before = everything(&desk);
        let shown = desk.run(&format!("restore {}", id()));
        assert!(shown.starts_with("exit: 2") && shown.contains("refused"), "{path}: {shown}");
        let report = desk.json("restore --all");
        assert_eq!(report["skipped"][0]["reason"], "damaged", "{path}: {report}");
        assert_eq!(everything(&desk), before, "{path}");
    }
}

#[test]
fn a_transcript_that_would_lie_elsewhere_is_refused() {
    let desk = Desk::with(&[session(1)]).keep().lose();
    let segment = &desk.segments("desk", &format!("{}/{}.jsonl", project(), id()))[0];
    forge(segment, |header| header["path"] = json!("projects/../evil-1.jsonl"));
    desk.drop_cache();
    assert_snapshot!(desk.run("restore evil-1"), @r"
    exit: 2
    ----- stdout -----

    ----- stderr -----
    error: refused to write 'projects/../evil-1.jsonl': it is no place for a file of a session
    hint: somebody else may have written to this vault: `steno verify`
    ");
    assert!(desk.files().is_empty());
}

#[test]
fn a_link_inside_a_project_is_not_written_through() {
    let desk = Desk::with(&[session(1).agent(|agent| agent)]).keep().lose();
    let outside = desk.app.home().root().join("outside");
    fs::create_dir_all(&outside).unwrap();
    fs::create_dir_all(desk.live(&project())).unwrap();
    symlink(&outside, desk.live(&format!("{}/{}", project(), id()))).unwrap();
    let shown = desk.run(&format!("restore {}", id()));
    assert!(shown.starts_with("exit: 1") && shown.contains("leads elsewhere"), "{shown}");
    assert_eq!(fs::read_dir(&outside).unwrap().count(), 0);
}

#[test]
fn linked_projects_are_fine() {
    let desk = Desk::with(&[session(1)]);
    let before = desk.files();
    let desk = desk.keep().lose();
    let outside = desk.app.home().root().join("disk");
    fs::create_dir_all(&outside).unwrap();
    symlink(&outside, desk.live("projects")).unwrap();
    assert!(desk.run(&format!("restore {}", id())).starts_with("exit: 0"));
    assert_eq!(desk.files(), before);
}

#[test]
fn a_link_in_place_of_the_transcript_is_replaced_and_not_followed() {
    let desk = Desk::with(&[session(1)]).keep();
    let path = desk.app.home().write(&session(1));
    let good = fs::read(&path).unwrap();
    let outside = desk.app.home().root().join("copy.jsonl");
    fs::rename(&path, &outside).unwrap();
    symlink(&outside, &path).unwrap();
    assert!(desk.run(&format!("restore {}", id())).starts_with("exit: 1"));
    assert!(desk.run(&format!("restore {} --force", id())).starts_with("exit: 0"));
    assert!(!path.is_symlink());
    assert_eq!((fs::read(&path).unwrap(), fs::read(&outside).unwrap()), (good.clone(), good));
}

#[test]
fn titles_and_names_do_nothing_to_a_terminal() {
    let evil = "\u{1b}]0;owned\u{7}\u{1b}[2J";
    let desk =
        Desk::with(&[Session::numbered(1).user(evil).assistant(|message| message.text(evil))]).keep().lose();
    for command in ["restore", "peek last", "restore last"] {
        let shown = desk.run(command);
        assert!(
            shown.starts_with("exit: 0") && !shown.contains('\u{1b}') && !shown.contains('\u{7}'),
            "{shown:?}"
        );
    }
}

fn everything(desk: &Desk) -> Vec<String> {
    let mut found = Vec::new();
    let mut open = vec![desk.app.home().root().to_owned()];
    while let Some(directory) = open.pop() {
        for entry in fs::read_dir(&directory).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() && !path.starts_with(desk.vault()) {
                open.push(path.clone());
            }
            found.push(path.display().to_string());
        }
    }
    found.sort();
    found
}
