//! A clone remembers what it came from.

use std::fs;

use serde_json::{Value, json};

use crate::clone::desk::{Desk, NEW, session};

#[test]
fn what_it_came_from_stands_beside_it() {
    let desk = Desk::with(&[session()]);
    desk.run("clone last --turns 2 --strip tools");
    let path = desk.live(&format!("projects/-home-dev-project/{NEW}/steno-lineage.json"));
    let lineage: Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    assert_eq!(lineage["from"], session().id().as_str());
    assert_eq!(
        (&lineage["by"], &lineage["wish"]),
        (&json!("clone"), &json!({"turns": 2, "strip": ["tools"]}))
    );
    assert!(lineage["at"].is_string());
}

#[test]
fn lists_and_conversations_tell_it() {
    let desk = Desk::with(&[session()]);
    desk.run("clone last");
    let from = |desk: &Desk| {
        let listed = desk.json("list");
        let sessions = listed["sessions"].as_array().unwrap();
        let found = sessions.iter().find(|session| session["id"] == NEW).unwrap();
        found["clonedFrom"].clone()
    };
    let id = session().id().to_string();
    assert_eq!(from(&desk), id.as_str());
    assert!(desk.run("list").contains("(clone of 00000001)"));
    assert_eq!(desk.json(&format!("show {NEW}"))["clonedFrom"], id.as_str());
    assert!(desk.run(&format!("show {NEW}")).contains(&format!("clone of {id}")));
    assert!(desk.json(&format!("show {id}")).get("clonedFrom").is_none());
    desk.run("init --local --no-schedule");
    fs::remove_dir_all(desk.live("projects")).unwrap();
    assert_eq!(from(&desk), id.as_str(), "the vault knows it, too");
    assert_eq!(desk.json(&format!("show {NEW}"))["clonedFrom"], id.as_str());
}
