//! Sessions that the client deleted: the same answers from the vault, and again without an index.

use std::fs;

use steno_testkit::Session;

use crate::index::desk::{answers, app, index, session};

#[test]
fn what_the_client_deleted_is_listed_found_and_counted_as_before() {
    let app = app();
    (1..=6).for_each(|number| app.write(&session(number)));
    let before = answers(&app);
    assert!(before[4].1["total"].as_u64().unwrap() > 1, "{before:?}");
    assert_eq!(before.last().unwrap().1["total"], 0);
    app.run("init --local --no-schedule");
    assert_eq!(answers(&app), before, "live and kept");
    fs::remove_dir_all(app.home().path().join("projects")).unwrap();
    assert_eq!(answers(&app), before, "only kept");
    fs::remove_dir_all(index(&app)).unwrap();
    assert_eq!(answers(&app), before, "without an index");
    let listed = app.json("list --deleted --json");
    assert_eq!(listed["sessions"].as_array().unwrap().len(), 6);
    let found = app.json("search parser --json");
    assert!(found["sessions"].as_array().unwrap().iter().all(|session| session["live"] == false), "{found}");
}

#[test]
fn both_files_of_one_session_are_found_when_they_are_gone_too() {
    let app = app();
    let twin = |word: &str, cwd: &str| Session::numbered(1).cwd(cwd).user(format!("about the {word}"));
    app.write(&twin("aardvark", "/home/dev/old"));
    std::thread::sleep(std::time::Duration::from_millis(20));
    app.write(&twin("buffalo", "/home/dev/new"));
    let totals =
        || ["aardvark", "buffalo"].map(|word| app.json(&format!("search {word} --json"))["total"].clone());
    assert_eq!(totals(), [1, 1]);
    app.run("init --local --no-schedule");
    fs::remove_dir_all(app.home().path().join("projects")).unwrap();
    assert_eq!(totals(), [1, 1]);
}

#[test]
fn both_files_of_one_subagent_count_when_they_are_gone_too() {
    let app = app();
    let twin = |cwd: &str, word: &str| {
        let agent =
            |agent: steno_testkit::Agent| agent.id("a1").prompt(format!("about the {word}")).answer("done");
        Session::numbered(1).cwd(cwd).user(format!("go {word}")).agent(agent)
    };
    app.write(&twin("/home/dev/old", "aardvark"));
    std::thread::sleep(std::time::Duration::from_millis(20));
    app.write(&twin("/home/dev/new", "buffalo"));
    let asked = || {
        let session = app.json("list --agents --json")["sessions"][0].clone();
        let found =
            ["aardvark", "buffalo"].map(|word| app.json(&format!("search {word} --json"))["total"].clone());
        (
            session["agents"].clone(),
            session["subagents"].clone(),
            found,
            app.json("stats --json")["total"].clone(),
        )
    };
    let before = asked();
    assert_eq!(before.0, 1);
    app.run("init --local --no-schedule");
    fs::remove_dir_all(app.home().path().join("projects")).unwrap();
    assert_eq!(asked(), before);
}

#[test]
fn a_session_that_comes_back_is_there_once() {
    let app = app();
    (1..=3).for_each(|number| app.write(&session(number)));
    app.run("init --local --no-schedule");
    let before = answers(&app);
    fs::remove_dir_all(app.home().path().join("projects")).unwrap();
    assert_eq!(answers(&app), before);
    app.write(&session(1));
    assert_eq!(answers(&app), before);
    assert_eq!(app.json("list --deleted --json")["total"], 2);
}

#[test]
fn a_purged_session_leaves_no_word_in_the_index() {
    let app = app();
    app.write(&session(1).user("the xylophone password"));
    app.write(&session(2));
    app.run("init --local --no-schedule");
    assert_eq!(app.json("search xylophone --json")["total"], 1);
    let id = session(1).id().to_string();
    app.run(&format!("purge {id} --live --yes"));
    let holds = |bytes: Vec<u8>| bytes.windows(9).any(|window| window == b"xylophone");
    let files = walk(&app.home().root().join(".cache"));
    assert!(files.into_iter().all(|path| !holds(fs::read(path).unwrap())));
    assert_eq!(app.json("search xylophone --json")["total"], 0);
}

fn walk(directory: &std::path::Path) -> Vec<std::path::PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        if entry.path().is_dir() {
            files.extend(walk(&entry.path()));
        } else {
            files.push(entry.path());
        }
    }
    files
}
