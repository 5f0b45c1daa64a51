//! Literals and expressions: the text as it stands, without the index.

use std::fs;

use serde_json::json;
use steno_testkit::{App, Era, Session};

use super::{app, found, id, marked, roles, said, search, total, with};

/// How many lines of all transcripts have these bytes.
fn lines_with(app: &App, needle: &str) -> u64 {
    let mut waiting = vec![app.home().path().join("projects")];
    let mut count = 0;
    while let Some(folder) = waiting.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                waiting.push(path);
            } else if path.extension().is_some_and(|extension| extension == "jsonl") {
                let text = String::from_utf8_lossy(&fs::read(path).unwrap()).into_owned();
                count += text.lines().filter(|line| line.contains(needle)).count() as u64;
            }
        }
    }
    count
}

#[test]
fn a_plain_word_is_counted_by_lines() {
    let app = app();
    for era in Era::ALL {
        let number = 1 + Era::ALL.iter().position(|other| *other == era).unwrap() as u32;
        let session = Session::numbered(number).era(era).user("go").turns(4);
        app.write(&session.agent(|agent| agent.foreground()).torn());
    }
    for needle in ["assistant", "user", "claude", "Bash", "e", "null,", "parentUuid", "nowhere at all"] {
        let report = search(&app, &["--literal", needle]);
        assert_eq!(total(&report), lines_with(&app, needle), "{needle}");
        let regex = search(&app, &["--regex", "\\bgo\\b"]);
        assert_eq!(total(&regex), total(&search(&app, &["--regex", "-i", "\\bGO\\b"])));
    }
    let before = search(&app, &["--literal", "Bash"]);
    app.run("init --local --no-schedule");
    fs::remove_dir_all(app.home().path().join("projects")).unwrap();
    let after = search(&app, &["--literal", "Bash"]);
    assert_eq!((total(&before), &before["hits"]), (total(&after), &after["hits"]), "only kept");
}

#[test]
fn what_json_spells_otherwise_is_found() {
    let text =
        "Say \"hello\" to C:\\work\\日本 and src/main.rs:\n\tfn main() {}\r\n\u{1b}[31mred\u{1b}[0m é 😀";
    let app =
        with(&[said(Session::numbered(1).user("go"), text), said(Session::numbered(2).user("go"), "other")]);
    // As writers do it that keep to ASCII.
    let escaped: String = text.encode_utf16().map(|unit| format!("\\u{unit:04x}")).collect();
    let record = format!(
        r#"{{"type":"assistant","uuid":"u3","timestamp":"2026-11-15T10:00:00.000Z","sessionId":"s","message":{{"role":"assistant","content":[{{"type":"text","text":"{escaped}"}}]}}}}"#
    );
    app.write(&Session::numbered(3).user("go").raw(record + "\n"));
    let cases = [
        "\"hello\"",
        "C:\\work",
        "日本",
        "日",
        "src/main.rs",
        ":\n\tfn",
        "\u{1b}[31m",
        "é 😀",
        "{}\r\n",
        "😀",
    ];
    for needle in cases {
        let report = search(&app, &["--literal", needle]);
        let mut sessions = found(&report);
        sessions.sort_unstable();
        // The third says it in nothing but escapes, where no stretch of it can be sifted by.
        assert_eq!(sessions.first(), Some(&id(1).as_str()), "{needle:?}");
        assert!(!sessions.contains(&id(2).as_str()), "{needle:?}");
        assert_eq!(report["hits"][0]["role"], "assistant", "{needle:?}");
    }
    for needle in ["日本", "é", "😀", "日"] {
        assert_eq!(found(&search(&app, &["--literal", needle])).len(), 2, "{needle}");
    }
}

#[test]
fn the_case_counts_unless_it_is_ignored() {
    let app = with(&[said(Session::numbered(1).user("Über Bord"), "UEBER bord")]);
    let count = |arguments: &[&str]| total(&search(&app, arguments));
    assert_eq!((count(&["--literal", "bord"]), count(&["--literal", "-i", "bord"])), (1, 2));
    assert_eq!((count(&["--literal", "über"]), count(&["--literal", "--ignore-case", "über"])), (0, 1));
    assert_eq!((count(&["--regex", "b.rd$"]), count(&["--regex", "-i", "B.RD$"])), (1, 2));
    assert_eq!(count(&["bord"]), 2);
}

#[test]
fn an_expression_is_about_texts() {
    let code = "use std::fs;\nfn main() {\n    println!(\"hi\");\n}";
    let session = Session::numbered(1).user("go").assistant(|message| {
        message.tool_use("Write", json!({"file_path": "/a/main.rs", "content": code})).answered("written")
    });
    let app = with(&[session]);
    for (expression, mark) in
        [("^fn main", "fn main"), (r#"\("hi"\)"#, "(\"hi\")"), ("^use .*;$", "use std::fs;")]
    {
        let report = search(&app, &["--regex", expression, "--role", "tool"]);
        assert_eq!((roles(&report), marked(&report)), (vec!["tool"], vec![mark.to_owned()]), "{expression}");
        assert_eq!(report["hits"][0]["tool"], "Write");
    }
    assert_eq!(total(&search(&app, &["--regex", "^println"])), 0);
}

#[test]
fn a_result_names_its_tool_and_metadata_is_a_record() {
    let session = Session::numbered(1)
        .user("go")
        .assistant(|message| message.tool_use("Bash", json!({"command": "ls"})).answered("an okapi"));
    let app = with(&[session.permission_mode("plan")]);
    let report = search(&app, &["--literal", "an okapi"]);
    let hit = &report["hits"][0];
    assert_eq!((&hit["role"], &hit["tool"]), (&json!("result"), &json!("Bash")));
    let report = search(&app, &["--literal", "permission-mode"]);
    assert_eq!(roles(&report), ["record"]);
    assert!(marked(&report).iter().all(|mark| mark == "permission-mode"), "{report}");
}
