//! What lies beside transcripts: results that the client put into files of their own, and titles.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};
use steno_testkit::{App, Session, ToolResult};

use super::{app, found, id, marked, opened, roles, said, search, total};

/// So long that nothing but the file has what stands at its end.
fn long(end: &str) -> String {
    format!("{}{end}\n", "a line of output\n".repeat(2500))
}

fn bash(session: Session, command: &str, output: String) -> Session {
    session.assistant(|message| {
        message.tool_use("Bash", json!({"command": command})).answered_with(ToolResult::persisted(output))
    })
}

fn planted() -> Vec<Session> {
    vec![
        said(bash(Session::numbered(1).user("go"), "make", long("a lone sarsaparilla")), "Made."),
        Session::numbered(2).user("go").agent(|agent| {
            let steps = |steps| bash(steps, "cargo build", long("the butterscotch_error = 3"));
            agent.foreground().steps(steps)
        }),
        said(Session::numbered(3).user("go"), "Nothing is long here."),
    ]
}

fn home() -> App {
    let app = app();
    planted().iter().for_each(|session| app.write(session));
    app.home().file(&beside(3, "custom-title.json"), r#"{"customTitle":"Operation \"Nutmeg\""}"#);
    app
}

fn beside(session: u32, name: &str) -> String {
    format!("projects/-home-dev-project/{}/{name}", id(session))
}

fn index(app: &App) -> PathBuf {
    app.home().root().join(".cache/steno")
}

/// What is asked, and in which session and in what role it is.
const NEEDLES: &[(&[&str], u32, &str)] = &[
    (&["sarsaparilla"], 1, "result"),
    (&["\"lone sarsaparilla\" role:result tool:bash"], 1, "result"),
    (&["sarsap*", "--since", "2020-01-01"], 1, "result"),
    (&["--literal", "lone sarsaparilla"], 1, "result"),
    (&["--literal", "lone sarsaparilla", "--tool", "Bash", "--role", "result"], 1, "result"),
    (&["--regex", "^a lone sarsa\\w+$"], 1, "result"),
    (&["-i", "--regex", "SARSAPARILLA", "--since", "2020-01-01"], 1, "result"),
    (&["butterscotch"], 2, "result"),
    (&["--literal", "butterscotch_error = 3"], 2, "result"),
    (&["nutmeg"], 3, "title"),
    (&["operation role:title"], 3, "title"),
    (&["--literal", "\"Nutmeg\""], 3, "title"),
    (&["--regex", "Nut.eg", "--role", "title"], 3, "title"),
];

/// All of every answer that says where something is.
fn answers(app: &App) -> Vec<Value> {
    let of = |query: &[&str]| {
        let mut report = search(app, query);
        for hit in report["hits"].as_array_mut().unwrap() {
            hit.as_object_mut().unwrap().remove("score");
        }
        json!([report["total"], report["hits"]])
    };
    NEEDLES.iter().map(|needle| of(needle.0)).collect()
}

fn all_are_found(app: &App, case: &str) {
    for (query, session, role) in NEEDLES {
        let report = search(app, query);
        assert_eq!(found(&report), [id(*session)], "{case}: {query:?}");
        assert_eq!((total(&report), roles(&report)), (1, vec![*role]), "{case}: {query:?}");
        assert!(!marked(&report).is_empty(), "{case}: {query:?}");
    }
    for absent in
        ["sarsaparilla role:assistant", "sarsaparilla tool:read", "nutmeg role:user", "a lone nutmeg"]
    {
        assert_eq!(total(&search(app, &[absent])), 0, "{case}: {absent}");
    }
    let literal = |more: &[&str]| total(&search(app, &[&["--literal", "sarsaparilla"], more].concat()));
    assert_eq!((literal(&["--role", "user"]), literal(&["--tool", "Read"])), (0, 0), "{case}");
    assert_eq!((literal(&["--until", "2020-01-01"]), literal(&["--branch", "none"])), (0, 0), "{case}");
}

#[test]
fn what_lies_in_a_file_of_its_own_is_found_and_opens_where_it_was_given() {
    let app = home();
    all_are_found(&app, "live");
    for query in [&["sarsaparilla"][..], &["--literal", "sarsaparilla"]] {
        let report = search(&app, query);
        let hit = &report["hits"][0];
        assert_eq!((&hit["tool"], hit["timestamp"].is_string()), (&json!("Bash"), true), "{query:?}");
        assert!(hit["snippet"].as_str().unwrap().ends_with("a lone sarsaparilla"), "{query:?}");
        assert!(hit["record"]["line"].as_u64().unwrap() > 1 && hit["record"]["uuid"].is_string());
        assert!(opened(&app, hit).contains("persisted-output"), "{query:?}");
    }
    let report = search(&app, &["butterscotch"]);
    let hit = &report["hits"][0];
    assert!(opened(&app, hit).contains(hit["agent"].as_str().unwrap()), "{report}");
}

#[test]
fn what_no_record_has_opens_its_session() {
    let app = home();
    app.home().file(&beside(3, "tool-results/b7.txt"), "nobody asked for a rhubarb\n");
    for query in [&["rhubarb"][..], &["--literal", "rhubarb"], &["nutmeg"]] {
        let report = search(&app, query);
        let hit = &report["hits"][0];
        assert_eq!(found(&report), [id(3)], "{query:?}");
        assert_eq!(hit["record"], json!({"uuid": null, "line": 0}), "{query:?}");
        assert_eq!((&hit["at"], &hit["timestamp"]), (&json!("1"), &json!(null)), "{query:?}");
        assert!(opened(&app, hit).contains("go"), "{query:?}");
    }
}

#[test]
fn the_vault_has_it_and_so_has_a_new_index() {
    let app = home();
    let before = answers(&app);
    app.run("init --local --no-schedule");
    assert_eq!(answers(&app), before, "live and kept");
    let results = app.home().path().join(beside(1, "tool-results"));
    fs::remove_dir_all(&results).unwrap();
    assert_eq!(answers(&app), before, "one file is gone");
    fs::remove_dir_all(app.home().path().join("projects")).unwrap();
    assert_eq!(answers(&app), before, "only kept");
    all_are_found(&app, "kept");
    assert!(opened(&app, &search(&app, &["sarsaparilla"])["hits"][0]).contains("persisted-output"));
    fs::remove_dir_all(index(&app)).unwrap();
    assert_eq!(answers(&app), before, "without an index");
    all_are_found(&app, "kept, without an index");
}

#[test]
fn what_comes_grows_and_goes_is_seen_at_once() {
    let app = home();
    let count = |word: &str| total(&search(&app, &[word]));
    assert_eq!((count("liquorice"), count("sarsaparilla")), (0, 1));
    let file = app.home().file(&beside(3, "tool-results/b7.txt"), "some liquorice\n");
    assert_eq!((count("liquorice"), count("sarsaparilla")), (1, 1));
    fs::write(&file, "some liquorice\nand aniseed\n").unwrap();
    assert_eq!((count("liquorice"), count("aniseed")), (1, 1));
    fs::write(&file, "fennel\n").unwrap();
    assert_eq!((count("liquorice"), count("aniseed"), count("fennel")), (0, 0, 1));
    fs::remove_file(&file).unwrap();
    assert_eq!((count("fennel"), count("sarsaparilla")), (0, 1));
    app.home().file(&beside(3, "custom-title.json"), r#"{"customTitle":"Mace"}"#);
    assert_eq!((count("nutmeg"), count("mace")), (0, 1));
}

/// The client writes the file first.
#[test]
fn a_record_that_comes_later_is_found_later() {
    let app = app();
    let before = Session::numbered(1).user("go");
    let whole = bash(before.clone(), "make", long("a lone sarsaparilla"));
    app.write(&whole);
    let path = app.home().write(&before);
    let report = search(&app, &["sarsaparilla"]);
    assert_eq!((&report["hits"][0]["at"], &report["hits"][0]["tool"]), (&json!("1"), &json!(null)));
    assert_eq!(total(&search(&app, &["sarsaparilla tool:bash"])), 0);
    app.home().append(&before, &whole.bytes()[fs::read(path).unwrap().len()..]);
    assert_eq!(total(&search(&app, &["sarsaparilla tool:bash"])), 1);
    let report = search(&app, &["sarsaparilla"]);
    assert!(opened(&app, &report["hits"][0]).contains("persisted-output"));
}

#[test]
fn what_did_not_change_is_not_read_again() {
    let app = home();
    let file = app.home().file(&beside(3, "tool-results/b7.txt"), "liquorice\n");
    let time = fs::metadata(&file).unwrap().modified().unwrap();
    assert_eq!(total(&search(&app, &["liquorice"])), 1);
    fs::write(&file, "wormwoods\n").unwrap();
    fs::File::options().write(true).open(&file).unwrap().set_modified(time).unwrap();
    assert_eq!(total(&search(&app, &["wormwoods"])), 0, "it looks as it did");
    assert_eq!(total(&search(&app, &["--literal", "wormwoods"])), 1);
}

#[test]
fn a_result_is_one_hit_of_its_record_however_often_it_is_there() {
    let app = app();
    let output = format!("cardamom\n{}cardamom\n", "a line of output\n".repeat(2500));
    app.write(&bash(Session::numbered(1).user("go"), "make", output));
    for query in [&["cardamom"][..], &["--literal", "cardamom"]] {
        let report = search(&app, query);
        assert_eq!((total(&report), roles(&report)), (2, vec!["result"]), "{query:?}");
    }
}

#[test]
fn large_files_are_read_in_stretches_and_what_is_no_text_is_left_out() {
    let app = app();
    app.write(&Session::numbered(1).user("go"));
    let mut large = "lavender line\n".repeat(70_000);
    large.push_str("at the very end a saffron\n");
    app.home().file(&beside(1, "tool-results/large.txt"), &large);
    app.home().file(&beside(1, "tool-results/line.txt"), "x".repeat(700_000) + " turmeric");
    app.home().file(&beside(1, "tool-results/image.png"), b"\x89PNG\0\0 coriander");
    app.home().file(&beside(1, "tool-results/latin.txt"), b"caf\xe9 and caraway\n");
    app.home().file(&beside(1, "tool-results/empty.txt"), "");
    for word in ["saffron", "turmeric", "caraway"] {
        for query in [&[word][..], &["--literal", word]] {
            let report = search(&app, query);
            assert_eq!((total(&report), marked(&report)), (1, vec![word.to_owned()]), "{query:?}");
        }
    }
    for query in [&["coriander"][..], &["--literal", "coriander"]] {
        assert_eq!(total(&search(&app, query)), 0, "{query:?}");
    }
    let stretches = total(&search(&app, &["lavender"]));
    assert!(stretches > 1 && stretches == total(&search(&app, &["--literal", "lavender"])), "{stretches}");
}
