//! Needles: each in one session, each found there and nowhere else, and opened where it was said.

use std::fs;

use serde_json::{Value, json};
use steno_testkit::{App, Session};

use super::{app, found, id, marked, opened, said, search, total, with};

/// What is looked for, in which session it is, in what role, and what of it is marked.
const NEEDLES: &[(&str, u32, &str, &str)] = &[
    ("quixotic", 1, "user", "quixotic"),
    ("QUIXÓTIC", 1, "user", "quixotic"),
    ("quix*", 1, "user", "quixotic"),
    ("\"seven purple llamas\"", 2, "assistant", "seven purple llamas"),
    ("crossing", 3, "assistant", "crossing"),
    ("zebra_crossing_index", 3, "assistant", "zebra_crossing_index"),
    ("zebraCrossingIndex", 3, "assistant", "zebra_crossing_index"),
    ("giraffe", 4, "assistant", "Giraffe"),
    ("fetchGiraffeList", 4, "assistant", "fetchGiraffeList"),
    ("walnut", 5, "tool", "walnut"),
    ("/srv/walnut/cfg.toml", 5, "tool", "srv/walnut/cfg.toml"),
    ("解析器", 6, "user", "解析器"),
    ("析", 6, "user", "析"),
    ("obsidian", 8, "result", "obsidian"),
    ("periwinkle", 9, "title", "Periwinkle"),
    ("tangerine", 10, "summary", "tangerine"),
    ("kumquat", 11, "plan", "kumquat"),
    ("pondering", 12, "thinking", "pondering"),
];

fn hay(number: u32) -> Session {
    said(
        Session::numbered(number).user("Look at the garden, please"),
        "There are seven llamas; one is purple.",
    )
}

fn planted() -> Vec<Session> {
    let tool = |name: &str, input: Value, result: &str| {
        let (name, result) = (name.to_owned(), result.to_owned());
        move |message: steno_testkit::AssistantMessage| message.tool_use(name, input).answered(result)
    };
    vec![
        hay(1).user("What a quixotic idea"),
        said(hay(2), "I saw seven purple llamas there."),
        said(hay(3), "The value of zebra_crossing_index is 3."),
        said(hay(4), "Call fetchGiraffeList() first."),
        hay(5).assistant(tool("Read", json!({"file_path": "/srv/walnut/cfg.toml"}), "nothing")),
        hay(6).user("修正済みの解析器を試して"),
        hay(7).agent(|agent| agent.foreground().steps(|steps| said(steps, "Found the marmalade."))),
        hay(8).assistant(tool("Bash", json!({"command": "ls"}), "obsidian.txt")),
        hay(9).custom_title("Operation Periwinkle"),
        hay(10).summary("All about a tangerine"),
        hay(11).plan("Plant a kumquat").approve_plan(),
        hay(12).assistant(|message| message.thinking("pondering this").text("Well.")),
    ]
}

fn home() -> App {
    let app = app();
    planted().iter().for_each(|session| app.write(session));
    app
}

/// All of the answer that says where something is.
fn places(app: &App, query: &str) -> Value {
    let mut report = search(app, &["--", query]);
    let hits = report["hits"].as_array_mut().unwrap();
    for hit in hits.iter_mut() {
        hit.as_object_mut().unwrap().remove("score");
    }
    json!([report["total"], report["hits"]])
}

fn all_are_found(app: &App, case: &str) {
    for (query, session, role, mark) in NEEDLES {
        let report = search(app, &["--", query]);
        assert_eq!(found(&report), [id(*session)], "{case}: {query}");
        assert_eq!(report["hits"][0]["role"], *role, "{case}: {query}");
        let marked = marked(&report);
        assert!(marked.contains(&(*mark).to_owned()), "{case}: {query} marks {marked:?}");
        assert_eq!(report["query"], *query);
    }
    let report = search(app, &["marmalade"]);
    assert_eq!(found(&report), [id(7)], "{case}");
    assert!(report["hits"][0]["agent"].is_string(), "{case}: {report}");
}

#[test]
fn every_needle_is_found_where_it_is() {
    let app = home();
    all_are_found(&app, "live");
    for absent in ["xylophonist", "\"llamas purple seven\"", "quixotic obsidian", "zebra -crossing", "quixot"]
    {
        let report = search(&app, &["--", absent]);
        assert_eq!((total(&report), found(&report).len()), (0, 0), "{absent}");
        assert!(!report["hints"].as_array().unwrap().is_empty(), "{absent}");
    }
}

#[test]
fn every_needle_opens_where_it_was_said() {
    let app = home();
    for (query, _, role, mark) in NEEDLES {
        let report = search(&app, &["--", query]);
        let chunk = opened(&app, &report["hits"][0]);
        // A title is nowhere in a conversation, and a plan has its own place.
        if !matches!(*role, "title" | "summary" | "plan") {
            assert!(chunk.contains(mark), "{query}: {chunk}");
        }
    }
    let report = search(&app, &["marmalade"]);
    let agent = report["hits"][0]["agent"].as_str().unwrap();
    assert!(opened(&app, &report["hits"][0]).contains(agent), "{report}");
    let next = report["next"][0]["command"].as_str().unwrap();
    let line = format!("steno show {} --at {} ", id(7), report["hits"][0]["at"].as_str().unwrap());
    assert!(next.starts_with(&line), "{next}");
}

#[test]
fn what_is_gone_is_found_in_the_vault_and_without_an_index() {
    let app = home();
    let answers = |app: &App| -> Vec<Value> { NEEDLES.iter().map(|needle| places(app, needle.0)).collect() };
    let before = answers(&app);
    app.run("init --local --no-schedule");
    assert_eq!(answers(&app), before, "live and kept");
    fs::remove_dir_all(app.home().path().join("projects")).unwrap();
    assert_eq!(answers(&app), before, "only kept");
    let report = search(&app, &["marmalade"]);
    let session = &report["sessions"][0];
    assert_eq!((&session["live"], &session["kept"]), (&json!(false), &json!(true)));
    assert!(opened(&app, &report["hits"][0]).contains(report["hits"][0]["agent"].as_str().unwrap()));
    fs::remove_dir_all(app.home().root().join(".cache/steno")).unwrap();
    assert_eq!(answers(&app), before, "without an index");
    all_are_found(&app, "kept");
}

#[test]
fn the_hits_of_a_session_are_all_there_where_only_its_subagents_are_live() {
    let hay = "and a good deal of other words that say nothing of it at all ".repeat(20);
    let first = said(Session::numbered(1), &format!("A quince, {hay}"));
    let first = first.agent(|agent| agent.foreground().steps(|steps| said(steps, "quince")));
    let app = with(&[first, said(Session::numbered(2), "Is there a quince on the table?")]);
    app.run("init --local --no-schedule");
    let transcripts = fs::read_dir(app.home().path().join("projects"))
        .unwrap()
        .map(|entry| entry.unwrap().path().join(format!("{}.jsonl", id(1))));
    transcripts.for_each(|path| fs::remove_file(path).unwrap());
    let one = search(&app, &["quince", "--limit", "1"]);
    let all = search(&app, &["quince", "--limit", "0"]);
    let hits = |report: &Value| -> Vec<Value> {
        let hits = report["hits"].as_array().unwrap().iter();
        hits.filter(|hit| hit["session"] == id(1).as_str()).map(|hit| hit["line"].clone()).collect()
    };
    assert_eq!((found(&one), one["sessions"][0]["hits"].as_u64()), (vec![id(1).as_str()], Some(2)), "{one}");
    assert_eq!((hits(&one).len(), hits(&one)), (2, hits(&all)), "{one}");
}

#[test]
fn what_grows_is_found_at_once() {
    let app = home();
    assert_eq!(total(&search(&app, &["rutabaga"])), 0);
    let longer = said(hay(1).user("What a quixotic idea"), "A rutabaga, too.");
    app.write(&longer);
    assert_eq!(found(&search(&app, &["rutabaga"])), [id(1)]);
    assert_eq!(total(&search(&app, &["quixotic"])), 1);
}

#[test]
fn the_better_session_comes_first_and_equals_go_by_time() {
    let app = app();
    let long = "word ".repeat(300);
    app.write(&said(Session::numbered(1).user("go"), &format!("{long} walrus {long}")));
    app.write(&said(Session::numbered(2).user("a walrus"), "walrus, walrus"));
    assert_eq!(found(&search(&app, &["walrus"])), [id(2), id(1)]);
    app.write(&said(Session::numbered(3).at("2026-01-01T10:00:00.000Z").user("go"), "an ocelot"));
    app.write(&said(Session::numbered(4).at("2026-11-20T10:00:00.000Z").user("go"), "an ocelot"));
    app.write(&said(Session::numbered(5).at("2026-06-01T10:00:00.000Z").user("go"), "an ocelot"));
    for mode in [&[][..], &["--literal"], &["--regex"]] {
        let line: Vec<&str> = mode.iter().chain(&["ocelot"]).copied().collect();
        assert_eq!(found(&search(&app, &line)), [id(4), id(5), id(3)], "{mode:?}");
    }
}

#[test]
fn as_many_as_are_asked_for() {
    let app = app();
    for number in 1..=4 {
        app.write(&said(said(Session::numbered(number).user("an ibex"), "the ibex"), "ibex"));
    }
    let counts = |arguments: &[&str]| {
        let report = search(&app, arguments);
        let count = |key: &str| report[key].as_array().unwrap().len();
        (total(&report), report["totalSessions"].as_u64().unwrap(), count("sessions"), count("hits"))
    };
    assert_eq!(counts(&["ibex"]), (12, 4, 4, 12));
    assert_eq!(counts(&["ibex", "--limit", "2", "--each", "1"]), (12, 4, 2, 2));
    assert_eq!(counts(&["ibex", "-n", "0", "--each", "2"]), (12, 4, 4, 8));
    let report = search(&app, &["ibex", "--each", "1"]);
    assert!(report["sessions"].as_array().unwrap().iter().all(|session| session["hits"] == 3), "{report}");
}

#[test]
fn words_of_several_messages_find_the_session_that_has_them_all() {
    let apart = |number| said(Session::numbered(number).user("About the wombat"), "It eats grass.");
    let app = with(&[
        said(apart(1).user("And the teapot?"), "It is blue."),
        apart(2),
        Session::numbered(3).user("A teapot, please"),
    ]);
    let found = search(&app, &["wombat teapot"]);
    assert_eq!((&found["scattered"], &found["totalSessions"]), (&json!(true), &json!(1)));
    assert_eq!(found["sessions"][0]["id"], id(1));
    assert_eq!(found["hits"].as_array().unwrap().len(), 2, "one for each word");
    // What one message holds is the better answer, and the only one.
    let together = search(&app, &["wombat about"]);
    assert_eq!((&together["scattered"], &together["totalSessions"]), (&Value::Null, &json!(2)));
    assert_eq!(total(&search(&app, &["wombat teapot nowhere"])), 0);
    assert_eq!(total(&search(&app, &["\"wombat teapot\""])), 0);
}
