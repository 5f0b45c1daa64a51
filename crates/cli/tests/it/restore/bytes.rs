//! Every byte that was kept comes back.

use steno_testkit::{Era, Session, random_session};

use crate::restore::desk::Desk;

#[test]
fn homes_of_every_era_come_back() {
    for (number, era) in Era::ALL.into_iter().enumerate() {
        let desk = Desk::new();
        for seed in 0..6 {
            desk.app.write(&random_session(100 * number as u64 + seed, 40).era(era));
        }
        let full = Session::numbered(1).era(era).user("go").agent(|agent| agent).garbage();
        desk.app.write(&full);
        let project = format!("projects/{}", steno_testkit::encode_project(full.project()));
        for (path, bytes) in [
            (format!("{project}/notes.txt"), &b"no newline at the end"[..]),
            (format!("{project}/settings.json"), b"{\"a\": 1}"),
            (format!("{project}/empty.jsonl"), b""),
            (format!("{project}/torn.jsonl"), b"{\"type\":\"user\",\"mess"),
            (format!("{project}/odd name é %.jsonl"), b"\xff\xfe\x00"),
            (format!("{project}/{}/tool-results/x.txt", full.id()), b"\r\n\r\n"),
            ("history.jsonl".to_owned(), b"{}"),
        ] {
            desk.app.home().file(&path, bytes);
        }
        let before = desk.files();
        let desk = desk.keep().lose();
        let report = desk.json("restore --all");
        assert_eq!(report["ok"], true, "{report}");
        let after = desk.files();
        assert!(before.keys().eq(after.keys()), "{era:?}");
        let changed: Vec<_> = before.keys().filter(|path| before[*path] != after[*path]).collect();
        assert!(changed.is_empty(), "{era:?} {changed:?}");
    }
}

#[test]
fn each_session_comes_back_by_itself() {
    for era in Era::ALL {
        let desk = Desk::new();
        for seed in 0..6 {
            desk.app.write(&random_session(seed, 30));
        }
        desk.app.write(&Session::numbered(1).era(era).user("go").agent(|agent| agent).agent(|agent| agent));
        let before = desk.files();
        let desk = desk.keep().lose();
        for row in desk.json("restore")["sessions"].as_array().unwrap() {
            let id = row["uuid"].as_str().unwrap();
            assert_eq!(desk.json(&format!("restore {id}"))["restored"]["files"], row["files"], "{id}");
        }
        let after = desk.files();
        let missing: Vec<_> = before.keys().filter(|path| before.get(*path) != after.get(*path)).collect();
        assert!(missing.is_empty(), "{era:?} {missing:?}");
    }
}
