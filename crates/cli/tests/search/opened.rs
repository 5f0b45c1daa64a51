//! `steno show --at`: every record that a search can give, wherever it stands.

use serde_json::json;
use steno_testkit::{Era, Session};

use super::{opened, said, search, shown, with};

#[test]
fn a_record_of_a_subagent_opens_where_it_was_called() {
    for era in Era::ALL {
        let session = said(Session::numbered(1).era(era).user("first"), "one");
        let session = session
            .user("second")
            .agent(|agent| agent.description("dig").foreground().steps(|steps| said(steps, "a wombat")));
        let app = with(&[said(session.user("third"), "three")]);
        for mode in [&["wombat"][..], &["--literal", "a wombat"]] {
            let report = search(&app, mode);
            let chunk = opened(&app, &report["hits"][0]);
            assert!(chunk.contains("dig"), "{era:?} {mode:?}: {chunk}");
            if let Some(uuid) = report["hits"][0]["record"]["uuid"].as_str() {
                let by_uuid = app.json(&format!("show last --at {uuid} --json"));
                assert_eq!(by_uuid["at"], shown(&app, &report["hits"][0])["at"], "{era:?}");
            }
        }
    }
}

#[test]
fn a_line_that_a_rewind_left_opens_beside_it_and_says_so() {
    let session = said(Session::numbered(1).user("first"), "one").user("an aardvark");
    let session = said(said(session, "two").rewind_to(1).user("better"), "three");
    let app = with(&[session]);
    let report = search(&app, &["aardvark"]);
    let opened = shown(&app, &report["hits"][0]);
    assert!(opened["note"].as_str().unwrap().contains("rewind"), "{opened}");
    let uuid = report["hits"][0]["record"]["uuid"].as_str().unwrap();
    assert_eq!(app.json(&format!("show last --at {uuid} --json"))["at"], opened["at"]);
    let said = app.run(&format!("show last --at {uuid}"));
    assert!(said.contains("this record is on a line that a rewind left"), "{said}");
}

#[test]
fn what_stands_behind_the_conversation_opens_its_end() {
    let session = said(Session::numbered(1).user("first"), "one").custom_title("The Axolotl");
    let app = with(&[session]);
    let report = search(&app, &["axolotl", "role:title"]);
    let opened = shown(&app, &report["hits"][0]);
    assert_eq!((&opened["at"], opened.get("note")), (&json!(1), None));
    let beyond = app.run("show last --at 99");
    assert!(beyond.starts_with("exit: 1") && beyond.contains("AGENT:LINE"), "{beyond}");
    for nobody in ["nobody:3", "a:b:c", ":", "-1"] {
        let output = app.output(&["show", "last", &format!("--at={nobody}")]);
        assert_eq!(output.status.code(), Some(1), "{nobody}");
    }
}

#[test]
fn people_see_it_from_there_on() {
    let session = said(Session::numbered(1).user("first"), "one").user("a tapir");
    let app = with(&[said(session, "two")]);
    let at = search(&app, &["tapir"])["hits"][0]["at"].as_str().unwrap().to_owned();
    let text = app.run(&format!("show last --at {at}"));
    assert!(
        text.contains("2 chunks before") && text.contains("a tapir") && !text.contains("● one"),
        "{text}"
    );
}
