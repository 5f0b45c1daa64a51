//! A session's name: its id, a part of it, `last`, an id inside a file, or a path.

use steno_ops::{Error, show};
use steno_testkit::{Home, Session};

use crate::sessions::claude_dirs::{dirs, listed, shown, workspace, written};

fn home_of(ids: &[&str]) -> Home {
    let home = Home::new();
    for id in ids {
        home.write(&Session::new(*id).user(format!("prompt of {id}")));
    }
    home
}

fn refused(home: &Home, session: &str) -> Error {
    show::run(&workspace(home), &show::Request { session: session.to_owned(), at: None }).unwrap_err()
}

fn title(home: &Home, session: &str) -> String {
    shown(home, session).conversation.profile.title.unwrap()
}

#[test]
fn an_id_or_enough_of_it_names_a_session() {
    let home = home_of(&["abcd1111", "abcd2222", "abcd"]);
    assert_eq!(title(&home, "abcd1111"), "prompt of abcd1111");
    assert_eq!(title(&home, "abcd2"), "prompt of abcd2222");
    assert_eq!(title(&home, "abcd"), "prompt of abcd", "a whole id is never ambiguous");
}

#[test]
fn a_name_that_means_several_says_which() {
    let home = home_of(&["abcd1111", "abcd2222"]);
    let error = refused(&home, "abcd");
    assert_eq!(error.kind.name(), "ambiguous");
    assert_eq!(error.to_string(), "'abcd' means 2 sessions");
    let hints = error.hints.join("\n");
    assert!(hints.contains("abcd1111") && hints.contains("abcd2222"), "{hints}");
}

#[test]
fn many_candidates_are_not_all_named() {
    let ids: Vec<String> = (0..30).map(|number| format!("abcd{number:04}")).collect();
    let home = home_of(&ids.iter().map(String::as_str).collect::<Vec<_>>());
    assert!(refused(&home, "abcd").hints.len() < 12);
}

#[test]
fn too_little_names_nothing() {
    let home = home_of(&["abcd1111"]);
    assert_eq!(refused(&home, "abc").kind.name(), "invalid");
    assert_eq!(refused(&home, "").kind.name(), "invalid");
    assert_eq!(refused(&home, "zzzz").kind.name(), "not-found");
}

#[test]
fn last_is_the_one_with_the_latest_record() {
    let home = Home::new();
    let old = home.write(&Session::numbered(1).at("2026-11-01T00:00:00.000Z").user("old"));
    let new = home.write(&Session::numbered(2).at("2026-11-02T00:00:00.000Z").user("new"));
    written(&old, 10);
    written(&new, 10_000);
    assert_eq!(title(&home, "last"), "new");
    assert_eq!(refused(&Home::new(), "last").kind.name(), "not-found");
}

#[test]
fn a_path_names_a_file_anywhere() {
    let home = home_of(&["abcd1111"]);
    let away = home.root().join("elsewhere/full.jsonl");
    std::fs::create_dir_all(away.parent().unwrap()).unwrap();
    std::fs::copy(home.project_path("/home/dev/project").join("abcd1111.jsonl"), &away).unwrap();
    let report = shown(&home, &away.display().to_string()).conversation.profile;
    assert_eq!((report.id.as_str(), report.project_hash), ("full", None));
    assert!(!report.live, "no client would find it there");
    assert_eq!(report.aliases[0].as_str(), "abcd1111");
    let gone = away.with_file_name("gone.jsonl").display().to_string();
    assert_eq!(refused(&home, &gone).kind.name(), "not-found");
    assert_eq!(refused(&home, &home.root().display().to_string()).kind.name(), "not-found");
}

fn joined() -> Home {
    let home = Home::new();
    let session = Session::new("file")
        .mode("normal")
        .user("one")
        .as_session("inner-1")
        .user("two")
        .custom_title("Named inside")
        .as_session("file")
        .user("three")
        .as_session("inner-2")
        .user("four")
        .as_session("inner-1")
        .user("five");
    let built = session.clone().as_session("file");
    home.write(&built);
    home
}

fn prompts(home: &Home, session: &str) -> Vec<String> {
    let chunks = shown(home, session).conversation.chunks;
    let texts = chunks.into_iter().filter_map(|chunk| match chunk.body {
        steno_ops::model::ChunkBody::User(user) => Some(user.text),
        _ => None,
    });
    texts.collect()
}

#[test]
fn an_id_inside_a_file_means_its_part() {
    let home = joined();
    assert_eq!(prompts(&home, "file"), ["one", "two", "three", "four", "five"]);
    assert_eq!(prompts(&home, "inner-1"), ["two", "five"]);
    assert_eq!(prompts(&home, "inner-2"), ["four"]);
    let part = shown(&home, "inner-1").conversation.profile;
    assert_eq!((part.id.as_str(), part.title.as_deref()), ("inner-1", Some("Named inside")));
    assert_eq!((part.turns, part.aliases.len()), (2, 0));
    assert_eq!(refused(&home, "inner").kind.name(), "ambiguous");
}

#[test]
fn a_whole_inner_id_is_never_ambiguous() {
    let home = Home::new();
    let session =
        Session::new("file").user("one").as_session("part").user("two").as_session("part-two").user("three");
    home.write(&session.as_session("file"));
    assert_eq!(prompts(&home, "part"), ["two"]);
}

#[test]
fn an_inner_id_of_two_files_says_which_files() {
    let home = Home::new();
    for file in ["file-a", "file-b"] {
        home.write(&Session::new(file).user("one").as_session("shared").user("two").as_session(file));
    }
    let error = refused(&home, "shared");
    assert_eq!(error.kind.name(), "ambiguous");
    let hints = error.hints.join("\n");
    assert!(hints.contains("file-a") && hints.contains("file-b"), "{hints}");
}

#[test]
fn two_sessions_on_one_line_are_two_parts() {
    let home = Home::new();
    let session =
        Session::new("file").mode("normal").user("one").as_session("inner").glue().user("two").glue();
    home.write(
        &session
            .as_session("file")
            .user("three")
            .mode("plan")
            .glue()
            .as_session("inner")
            .user("four")
            .as_session("file"),
    );
    assert_eq!(prompts(&home, "inner"), ["two", "four"]);
    assert_eq!(prompts(&home, "file"), ["one", "two", "three", "four"]);
}

#[test]
fn what_stands_before_the_first_id_belongs_to_the_first_part() {
    let home = Home::new();
    let note = serde_json::json!({"type": "custom-title", "customTitle": "Named first"});
    let session = Session::new("inner").record(&note).user("one").as_session("file").user("two");
    home.write(&session);
    let part = shown(&home, "inner").conversation;
    assert_eq!((part.profile.title.as_deref(), part.record_types["custom-title"]), (Some("Named first"), 1));
}

#[test]
fn a_part_has_its_own_agents_only() {
    let home = Home::new();
    let session = Session::new("file").user("one").agent(|agent| agent.description("mine"));
    let session = session.as_session("inner").user("two").agent(|agent| agent.description("theirs"));
    home.write(&session.as_session("file"));
    assert_eq!(listed(&home).sessions[0].agents, 2);
    let agents = shown(&home, "inner").conversation.agents;
    let described: Vec<_> = agents.iter().map(|agent| agent.description.as_deref()).collect();
    assert_eq!(described, [Some("theirs")]);
}

#[test]
fn last_looks_no_further_than_files_written_since_its_last_record() {
    let home = Home::new();
    let old = home.write(&Session::numbered(1).at("2026-11-10T00:00:00.000Z").user("old"));
    let new = home.write(&Session::numbered(2).at("2026-11-20T00:00:00.000Z").user("new"));
    written(&new, 10);
    written(&old, 20 * 86_400);
    // A broken rule further down goes unseen; one that is seen makes all files count.
    let odd = home.write(&Session::numbered(3).at("2026-11-25T00:00:00.000Z").user("restored"));
    written(&odd, 30 * 86_400);
    assert_eq!(title(&home, "last"), "new");
    written(&new, 86_400 * 15);
    assert_eq!(title(&home, "last"), "restored");
}

#[cfg(target_os = "linux")]
#[test]
fn the_last_session_may_lie_in_a_directory_whose_name_is_no_text() {
    use std::os::unix::ffi::OsStrExt;
    let home = home_of(&["abcd1111"]);
    let project = home.project_path("/home/dev/project");
    let odd = project.with_file_name(std::ffi::OsStr::from_bytes(b"-odd-\xff"));
    std::fs::rename(project, odd).unwrap();
    assert_eq!(title(&home, "last"), "prompt of abcd1111");
    assert_eq!(title(&home, "abcd"), "prompt of abcd1111");
}

#[cfg(unix)]
#[test]
fn a_pipe_is_never_opened() {
    let home = home_of(&["abcd1111"]);
    let pipe = home.project_path("/home/dev/project").join("pipe.jsonl");
    if !std::process::Command::new("mkfifo").arg(&pipe).status().is_ok_and(|status| status.success()) {
        return;
    }
    let error = refused(&home, &pipe.display().to_string());
    assert_eq!(error.kind.name(), "not-found");
    assert_eq!((listed(&home).total, listed(&home).warnings), (1, 1));
}

#[cfg(unix)]
#[test]
fn an_error_gives_its_reason() {
    let home = home_of(&["abcd1111"]);
    let circle = home.root().join("circle.jsonl");
    std::os::unix::fs::symlink(&circle, &circle).unwrap();
    let error = refused(&home, &circle.display().to_string());
    assert_eq!(error.kind.name(), "io");
    assert!(error.to_string().contains("symbolic links"), "{error}");
    let mut dirs = dirs(&home);
    dirs.paths = vec![circle];
    let error = steno_ops::list::run(&dirs, &Default::default()).unwrap_err();
    assert_eq!(error.kind.name(), "io");
    assert!(error.to_string().contains("symbolic links"), "{error}");
}

#[test]
fn a_file_is_no_claude_directory() {
    let home = home_of(&["abcd1111"]);
    let mut dirs = dirs(&home);
    dirs.paths = vec![home.project_path("/home/dev/project").join("abcd1111.jsonl")];
    let error = steno_ops::list::run(&dirs, &Default::default()).unwrap_err();
    assert_eq!(error.kind.name(), "invalid");
    assert!(!error.hints.is_empty());
}
