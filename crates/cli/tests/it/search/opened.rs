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
    assert!(said.contains("this record is on a branch that a rewind left"), "{said}");
    assert!(said.contains("▶ line 3 · user\n  an aardvark\n"), "{said}");
}

#[test]
fn what_stands_behind_the_conversation_opens_its_end() {
    let session = said(Session::numbered(1).user("first"), "one").custom_title("The Axolotl");
    let app = with(&[session]);
    let report = search(&app, &["axolotl", "role:title"]);
    let opened = shown(&app, &report["hits"][0]);
    assert_eq!(opened["at"], 1);
    assert!(opened["note"].as_str().unwrap().contains("not part of the conversation"), "{opened}");
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

#[test]
fn a_record_without_a_conversation_opens_what_there_is() {
    let app =
        with(&[Session::numbered(1).system_with("informational", json!({"content": "a quokka came by"}))]);
    let id = Session::numbered(1).id().to_string();
    let report = app.json(&format!("show {id} --at 1 --json"));
    assert_eq!((report.get("at"), &report["chunks"]), (None, &json!([])));
    assert!(report["note"].as_str().unwrap().contains("this file has none"), "{report}");
    let text = app.run(&format!("show {id} --at 1"));
    assert!(text.starts_with("exit: 0") && text.contains("a quokka came by"), "{text}");
    let beyond = app.run(&format!("show {id} --at 2"));
    assert!(beyond.starts_with("exit: 1"), "{beyond}");
}

/// One chunk of many steps, the last of them worth a look.
fn long() -> Session {
    let lines: Vec<String> = (1..=30).map(|line| format!("row {line}")).collect();
    let answer = format!("{}\na numbat\n", lines.join("\n"));
    let session = (0..20)
        .fold(Session::numbered(1).user("first"), |session, step| said(session, &format!("step {step}")));
    let input = json!({"command": format!("{}\nfind kakapo", "true\n".repeat(9)), "description": "look"});
    session.assistant(|message| {
        message.thinking("where is the dugong").tool_use("Bash", input).answered(answer).text("after")
    })
}

#[test]
fn what_was_found_is_shown_in_full_and_marked() {
    let app = with(&[long()]);
    for word in ["numbat", "kakapo", "dugong"] {
        let at = search(&app, &[word])["hits"][0]["at"].as_str().unwrap().to_owned();
        let text = app.run(&format!("show last --at {at}"));
        assert!(text.contains(word) && text.contains(&format!("▶ line {at}\n")), "{word}: {text}");
        assert!(text.contains("steps before") && !text.contains("● step 19"), "{word}: {text}");
        assert!(text.contains("● after"), "{word}: {text}");
    }
    assert!(!app.run("show last").contains("numbat"));
}

#[test]
fn what_a_subagent_found_is_shown_in_full_inside_of_its_call() {
    for era in Era::ALL {
        let session = said(Session::numbered(1).era(era).user("first"), "one");
        let session = session.agent(|agent| {
            agent.description("dig").foreground().steps(|steps| {
                let steps = (0..9).fold(steps, |steps, step| said(steps, &format!("dug {step}")));
                let rows = "row\n".repeat(9) + "a bilby";
                steps.assistant(|message| message.tool_use("Bash", json!({"command": "ls"})).answered(rows))
            })
        });
        let app = with(&[said(session, "three")]);
        let at = search(&app, &["bilby"])["hits"][0]["at"].as_str().unwrap().to_owned();
        let text = app.run(&format!("show last --at {at}"));
        assert!(text.contains("a bilby") && text.contains("▶ line"), "{era:?}: {text}");
        assert!(text.contains("dig") && !text.contains("dug 2"), "{era:?}: {text}");
    }
}

#[test]
fn digits_are_a_line_though_an_id_begins_with_them() {
    let prompt = json!({"type": "user", "uuid": "2f000000-0000-4000-8000-000000000000", "parentUuid": null,
        "sessionId": super::id(1), "timestamp": "2026-11-15T10:00:00.000Z", "cwd": "/home/dev/project",
        "message": {"role": "user", "content": "go"}});
    let app = with(&[Session::numbered(1).record(&prompt).custom_title("The Kiwi")]);
    let opened = app.json("show last --at 2 --json");
    assert!(opened["note"].as_str().is_some_and(|note| note.contains("not part of")), "{opened}");
}

#[test]
fn the_next_step_shows_the_hit_wherever_it_stands() {
    let summary = json!({"type": "summary", "summary": "Hunting the cassowary", "leafUuid": "x"});
    let app = with(&[said(Session::numbered(1).record(&summary).user("first"), "one")]);
    let report = app.json("search cassowary --json");
    let line = report["next"][0]["command"].as_str().unwrap();
    assert!(line.contains("--at 1"), "{line}");
    let shown = app.run("show last --at 1");
    assert!(shown.contains("▶ line 1 · summary\n  Hunting the cassowary\n"), "{shown}");
    assert_eq!(app.json("show last --at 1 --json")["beside"][0]["role"], "summary");
}

#[test]
fn a_line_may_have_a_sign_before_its_number() {
    let app = with(&[said(Session::numbered(1).user("first"), "one")]);
    assert_eq!(app.run("show last --at #2"), app.run("show last --at 2"));
}
