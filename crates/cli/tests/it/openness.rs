//! A vault is read by anybody: an ordinary zstd decoder gives the transcript, and no answer depends on the cache.

#![cfg(unix)]
use crate::standin;

use std::fs;

use serde_json::Value;
use standin::{id, kept, segments, session, vault};

/// What `zstd -dc` writes for these files: the one decoder, over all of them.
fn unpacked(app: &steno_testkit::App) -> Vec<u8> {
    let packed: Vec<u8> = segments(app, 1).iter().flat_map(|path| fs::read(path).unwrap()).collect();
    zstd::decode_all(packed.as_slice()).unwrap()
}

#[test]
fn the_segments_of_a_session_are_its_transcript() {
    let app = kept();
    let path = app.home().project_path(session(1).project()).join(format!("{}.jsonl", id(1)));
    for number in 0..40 {
        app.home().append(&session(1), format!("{{\"type\":\"mode\",\"mode\":\"{number}\"}}\n").as_bytes());
        app.run("sync");
        assert!(unpacked(&app) == fs::read(&path).unwrap(), "after {number} appends");
    }
    assert!(segments(&app, 1).len() < 20, "small segments were merged");
    app.home().append(&session(1), b"{\"torn");
    app.run("sync");
    assert!(unpacked(&app) == fs::read(&path).unwrap());
}

#[test]
fn deleting_the_cache_changes_no_answer() {
    let app = kept();
    app.home().append(&session(1), b"{\"type\":\"mode\"}\n");
    app.run("sync");
    let peek = format!("peek {} --json", id(1));
    let commands = ["restore --list --json", "status --json", "verify --json", "list --json", peek.as_str()];
    let answers = || -> Vec<Value> { commands.iter().map(|command| app.json(command)).collect() };
    let before = answers();
    fs::remove_dir_all(vault(&app).join(".cache")).unwrap();
    assert_eq!(answers(), before);
    assert_eq!(app.json("sync --json")["bytesRead"], 0);
    assert_eq!(answers(), before);
}
