//! An index that somebody else wrote over.

use std::fs;
use std::path::{Path, PathBuf};

use steno_testkit::App;

use crate::index::desk::{answers, app, index, session};

/// What becomes of a file's bytes; nothing where it is deleted.
type Damage = fn(&[u8]) -> Option<Vec<u8>>;

fn with_index() -> (App, Vec<(String, serde_json::Value)>) {
    let app = app();
    (1..=4).for_each(|number| app.write(&session(number)));
    let answers = answers(&app);
    (app, answers)
}

fn files(directory: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(directory).unwrap().flatten() {
        if entry.path().is_dir() {
            found.extend(files(&entry.path()));
        } else {
            found.push(entry.path());
        }
    }
    found.sort();
    found
}

#[test]
fn whatever_is_done_to_a_file_of_it_the_answers_stay_right() {
    let damages: [(&str, Damage); 4] = [
        ("garbage", |_| Some(b"garbage".to_vec())),
        ("half", |bytes| Some(bytes[..bytes.len() / 2].to_vec())),
        ("a byte", |bytes| {
            let mut bytes = bytes.to_vec();
            let middle = bytes.len() / 2;
            bytes.get_mut(middle).into_iter().for_each(|byte| *byte ^= 0xff);
            Some(bytes)
        }),
        ("none", |_| None),
    ];
    for (name, damage) in damages {
        let (app, before) = with_index();
        for path in files(&index(&app)) {
            // A later one may be gone by now: the index was made anew.
            let Ok(bytes) = fs::read(&path) else { continue };
            match damage(&bytes) {
                Some(bytes) => fs::write(&path, bytes).unwrap(),
                None => fs::remove_file(&path).unwrap(),
            }
            let after = answers(&app);
            for (one, two) in before.iter().zip(&after) {
                assert_eq!(one, two, "{name}: {}", path.display());
            }
        }
    }
}

#[test]
fn it_says_that_it_was_made_anew() {
    let (app, _) = with_index();
    let rows = files(&index(&app)).into_iter().find(|path| path.ends_with("rows.db")).unwrap();
    fs::write(&rows, vec![7; 8192]).unwrap();
    let said = app.run("stats");
    assert!(said.contains("the index was damaged, and has been made anew"), "{said}");
    assert!(!app.run("stats").contains("index"));
}

#[test]
#[cfg(unix)]
fn without_a_place_for_it_everything_is_read_each_time() {
    let app = app().variable("STENO_CACHE", "/dev/null/nowhere");
    (1..=2).for_each(|number| app.write(&session(number)));
    assert_eq!(app.json("list --json")["total"], 2);
    assert!(app.json("stats --json")["total"]["messages"].as_u64().unwrap() > 2);
    let said = app.run("search parser");
    assert!(said.starts_with("exit: 2") && said.contains("--literal"), "{said}");
    assert!(app.json("search --literal number --json")["total"].as_u64().unwrap() > 0);
}

#[test]
#[cfg(unix)]
fn nobody_else_can_look_into_it() {
    use std::os::unix::fs::PermissionsExt;
    let (app, _) = with_index();
    let index = index(&app);
    for directory in fs::read_dir(&index).unwrap().flatten() {
        assert_eq!(directory.metadata().unwrap().permissions().mode() & 0o77, 0, "{directory:?}");
    }
}
