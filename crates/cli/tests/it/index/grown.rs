//! Files that grow, are cut, rewritten, torn, moved and deleted between questions.

use std::fs;
use std::path::PathBuf;

use steno_testkit::{App, Rng, Session};

use crate::index::desk::{answers, app, fresh_answers, session};

#[test]
fn after_every_change_the_answers_are_those_of_a_fresh_index() {
    let app = app();
    let whole: Vec<(PathBuf, Vec<u8>)> = (1..=5)
        .map(|number| {
            let path = app.home().write(&session(number));
            let bytes = fs::read(&path).unwrap();
            (path, bytes)
        })
        .collect();
    let mut rng = Rng::new(11);
    for step in 0..12 {
        for _ in 0..=rng.below(2) {
            let (path, bytes) = &whole[rng.below(whole.len() as u64) as usize];
            change(path, bytes, &mut rng);
        }
        agree(&app, step);
    }
}

/// In place, at any byte, whatever it was before.
fn change(path: &PathBuf, whole: &[u8], rng: &mut Rng) {
    let now = fs::read(path).unwrap_or_default();
    let any = |rng: &mut Rng| rng.below(whole.len() as u64 + 1) as usize;
    let bytes = match rng.below(6) {
        // Grows, mostly to the end of some line.
        0 | 1 => {
            let end = any(rng).max(now.len().min(whole.len()));
            let end = whole[end..].iter().position(|byte| *byte == b'\n').map_or(end, |line| end + line + 1);
            whole[..end].to_vec()
        }
        2 => whole[..any(rng)].to_vec(),
        3 => [whole, whole].concat(),
        4 => whole.iter().map(|byte| if *byte == b'p' { b'q' } else { *byte }).collect(),
        _ => {
            let _ = fs::remove_file(path);
            return;
        }
    };
    fs::write(path, bytes).unwrap();
}

fn agree(app: &App, step: usize) {
    let (now, fresh) = (answers(app), fresh_answers(app));
    for (one, two) in now.iter().zip(&fresh) {
        assert_eq!(one, two, "step {step}");
    }
}

#[test]
fn a_word_that_is_blotted_out_is_not_found_any_more() {
    let app = app();
    let secret = Session::numbered(1).turns(40).user("the password is hunter2hunter2").turns(40);
    let path = app.home().write(&secret);
    assert_eq!(app.json("search hunter2hunter2 --json")["total"], 1);
    let blotted =
        String::from_utf8(fs::read(&path).unwrap()).unwrap().replace("hunter2hunter2", "XXXXXXXXXXXXXX");
    fs::write(&path, blotted).unwrap();
    assert_eq!(app.json("search hunter2hunter2 --json")["total"], 0);
    assert_eq!(app.json("search XXXXXXXXXXXXXX --json")["total"], 1);
}

#[test]
fn new_text_is_found_at_once() {
    let app = app();
    let built = session(1);
    let path = app.home().write(&built);
    assert_eq!(app.json("search quokka --json")["total"], 0);
    let longer = built.user("where does the quokka live").turns(1);
    fs::write(&path, longer.bytes()).unwrap();
    let found = app.json("search quokka --json");
    assert_eq!((&found["total"], &found["hits"][0]["role"]), (&1.into(), &"user".into()));
    assert_eq!(
        app.json("list --json")["sessions"][0]["turns"],
        app.json("list --json")["sessions"][0]["turns"]
    );
}
