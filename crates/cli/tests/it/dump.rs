//! `steno dump`: a session as a document.

use std::fs;

use insta::assert_snapshot;
use serde_json::json;
use steno_testkit::{App, Session, ToolResult};

const ID: &str = "00000001-5e55-4000-8000-000000000001";

fn app() -> App {
    let app = App::new(env!("CARGO_BIN_EXE_steno"));
    app.write(
        &Session::numbered(1)
            .user("Fix the parser in /mnt/c/work/api.\nIt drops the last line.")
            .assistant(|message| {
                message
                    .thinking("The reader stops one byte early.")
                    .text("I will look at the reader.")
                    .tool_use("Bash", json!({"command": "cat /mnt/c/work/api/line.rs"}))
                    .answered("x".repeat(700))
            })
            .assistant(|message| message.text("Fixed:\n\n```rust\nlet a = \"```\";\n```"))
            .user("Thanks")
            .assistant(|message| message.text("You are welcome.")),
    );
    app
}

#[test]
fn markdown_is_the_default_and_is_on_stdout() {
    assert_snapshot!(app().run("dump last"), @r#"
    exit: 0
    ----- stdout -----
    # Fix the parser in /mnt/c/work/api.

    - Session: 00000001-5e55-4000-8000-000000000001
    - Project: /home/dev/project
    - Branch: main
    - Time: 2026-11-15 10:00 UTC
    - Models: claude-opus-5-5
    - Client: 2.1.325
    - Contents: 2 turns, 5 messages, 1 tool call
    - Shortened: long tool inputs and results; --full-results has them whole

    ---

    ## User · 2026-11-15 10:00 UTC

    Fix the parser in /mnt/c/work/api.
    It drops the last line.

    ## Assistant · 2026-11-15 10:00 UTC · thought once (6 words)

    I will look at the reader.

    **Bash** · 1.0s

    ```bash
    cat /mnt/c/work/api/line.rs
    ```

    *Result:*

    ```text
    xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
    ```

    *… 100 more characters*

    Fixed:

    ```rust
    let a = "```";
    ```

    ---

    ## User · 2026-11-15 10:00 UTC

    Thanks

    ## Assistant · 2026-11-15 10:00 UTC

    You are welcome.

    ----- stderr -----
    "#);
}

#[test]
fn the_last_messages() {
    assert_snapshot!(app().run("dump last --tail 2 --format text"), @"
    exit: 0
    ----- stdout -----
    Fix the parser in /mnt/c/work/api.
    ════════════════════════════════════════════════════════════════════════

    Session:   00000001-5e55-4000-8000-000000000001
    Project:   /home/dev/project
    Branch:    main
    Time:      2026-11-15 10:00 UTC
    Models:    claude-opus-5-5
    Client:    2.1.325
    Contents:  2 turns, 5 messages, 1 tool call
    Shortened: long tool inputs and results; --full-results has them whole

      [The first 3 of 5 messages are left out.]

    ────────────────────────────────────────────────────────────────────────
    USER · 2026-11-15 10:00 UTC

    Thanks

    ────────────────────────────────────────────────────────────────────────
    ASSISTANT · 2026-11-15 10:00 UTC

    You are welcome.

    ----- stderr -----
    ");
}

#[test]
fn a_file_is_written_once_unless_it_may_be_replaced() {
    let app = app();
    let file = app.home().root().join("out.md");
    let line = |flags: &str| app.run(&format!("dump last -o {} {flags}", file.display()));
    assert!(line("--dry-run").contains("Would write") && !file.exists());
    let told = line("");
    assert!(told.contains("/out.md ("), "{told}");
    let first = fs::read(&file).unwrap();
    let refused = line("");
    assert!(refused.contains("exit: 1") && refused.contains("--force"), "{refused}");
    fs::write(&file, "something else").unwrap();
    assert!(line("").contains("exit: 1"));
    assert_eq!(fs::read_to_string(&file).unwrap(), "something else");
    assert!(line("--force").contains("exit: 0"));
    assert_eq!(fs::read(&file).unwrap(), first);
    let left: Vec<_> =
        fs::read_dir(app.home().root()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(left.iter().all(|name| !name.to_string_lossy().starts_with(".out")), "{left:?}");
}

#[test]
fn no_document_takes_the_place_of_a_session() {
    let app = app();
    let sessions = app.home().path().join("projects");
    let transcript =
        walk(&sessions).into_iter().find(|path| path.to_string_lossy().ends_with(".jsonl")).unwrap();
    let before = fs::read(&transcript).unwrap();
    let line = format!("dump last --format jsonl --force -o {}", transcript.display());
    let refused = app.run(&line);
    assert!(refused.contains("exit: 1") && refused.contains("among the client's files"), "{refused}");
    assert_eq!(fs::read(&transcript).unwrap(), before);
    app.run("init --local --no-schedule");
    let vault = app.home().root().join(".claude-backup/x.md");
    assert!(app.run(&format!("dump last -o {}", vault.display())).contains("exit: 1"));
}

fn walk(directory: &std::path::Path) -> Vec<std::path::PathBuf> {
    let entries = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { walk(&path) } else { vec![path] }).collect()
}

#[test]
fn paths_are_rewritten_and_told() {
    let app = app();
    let report = app.json("dump last --rewrite wsl-to-win --json");
    let text = report["content"].as_str().unwrap();
    assert!(text.contains(r"C:\work\api\line.rs") && !text.contains("/mnt/c"), "{text}");
    assert_eq!(report["rewritten"][0]["from"], "/mnt/c/work/api");
    let told = app.run("dump last --rewrite wsl-to-win --rewrite-report --format json -o -");
    assert!(told.contains(r"/mnt/c/work/api → C:\work\api"), "{told}");
    assert!(app.run("dump last --rewrite sideways").contains("wsl-to-win"));
}

#[test]
fn json_is_the_portable_conversation_and_a_report_holds_it() {
    let app = app();
    let output = app.output(&["dump", "last", "--format", "json"]);
    let portable: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&portable["id"], &portable["source"]["agent"]), (&json!(ID), &json!("claude-code")));
    let report = app.json("dump last --format json --json");
    assert_eq!((&report["conversation"], &report["format"]), (&portable, &json!("json")));
    let lines = app.output(&["dump", "last", "--format", "jsonl"]);
    let lines: Vec<serde_json::Value> = String::from_utf8(lines.stdout)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(portable["messages"], json!(lines));
}

#[test]
fn what_only_the_vault_has_is_a_document_too() {
    let app = app();
    let live = app.output(&["dump", ID]).stdout;
    app.run("init --local --no-schedule");
    fs::remove_dir_all(app.home().path().join("projects")).unwrap();
    let kept = app.output(&["dump", ID]);
    assert_eq!(String::from_utf8(kept.stdout).unwrap(), String::from_utf8(live).unwrap());
    assert!(String::from_utf8(kept.stderr).unwrap().contains("restore"));
}

#[test]
fn a_kept_session_tells_as_much_as_a_live_one() {
    let app = App::new(env!("CARGO_BIN_EXE_steno"));
    let output = format!("{}the end of it", "a line of output\n".repeat(400));
    let plan = "# Plan\n\n1. Count each crate once";
    let asked = Session::numbered(1).user("Plan it").assistant(|message| {
        message
            .tool_use("Bash", json!({"command": "make"}))
            .answered_with(ToolResult::persisted(output))
            .tool_use("ExitPlanMode", json!({"plan": plan}))
            .answered_with(ToolResult::text("The user doesn't want to proceed with this tool use.").error())
    });
    app.write(&asked);
    let implementing = format!("Implement the following plan:\n\n{plan}\n\nIf you need specific details…");
    app.write(
        &Session::numbered(2)
            .at("2026-11-15T11:00:00Z")
            .user(implementing)
            .assistant(|message| message.text("Done.")),
    );
    let live = app.json(&format!("dump {ID} --full-results --json"));
    assert!(live["content"].as_str().unwrap().contains("Plan approved"), "{live}");
    app.run("init --local --no-schedule");
    let project = walk(&app.home().path().join("projects")).remove(0).parent().unwrap().to_owned();
    fs::remove_file(project.join(format!("{ID}.jsonl"))).unwrap();
    let _ = fs::remove_dir_all(project.join(ID));
    let kept = app.json(&format!("dump {ID} --full-results --json"));
    assert_eq!(kept["content"], live["content"]);
    fs::remove_dir_all(app.home().path().join("projects")).unwrap();
    let alone = app.json(&format!("dump {ID} --full-results --json"));
    assert_eq!(alone["content"], live["content"]);
    assert!(!alone.to_string().contains("shown-"), "{alone}");
}

#[test]
fn a_terminal_escape_stays_in_a_file_and_a_pipe() {
    let app = App::new(env!("CARGO_BIN_EXE_steno"));
    app.write(&Session::numbered(1).user("red \u{1b}[31mtext\u{1b}[0m"));
    assert!(String::from_utf8(app.output(&["dump", "last"]).stdout).unwrap().contains("\u{1b}[31mtext"));
}

#[test]
fn a_transcript_is_not_replaced_by_its_own_document() {
    let app = app();
    let file = app.home().root().join("copy.jsonl");
    let written = app.home().write(&Session::numbered(2).user("Hello"));
    fs::copy(written, &file).unwrap();
    let before = fs::read(&file).unwrap();
    let refused = app.run(&format!("dump {} -o copy.jsonl --force", file.display()));
    assert!(refused.contains("exit: 1") && refused.contains("a file of this session"), "{refused}");
    assert_eq!(fs::read(&file).unwrap(), before);
    let settings = app.home().settings(&json!({"model": "opus"}));
    assert!(app.run(&format!("dump last --force -o {}", settings.display())).contains("exit: 1"));
}

#[cfg(unix)]
#[test]
fn a_file_that_is_replaced_keeps_its_permissions() {
    use std::os::unix::fs::PermissionsExt;
    let app = app();
    let file = app.home().root().join("out.md");
    fs::write(&file, "private").unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
    assert!(app.run("dump last -o out.md --force").contains("exit: 0"));
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
}

#[test]
fn a_result_that_lies_in_a_file_is_whole_in_every_format() {
    let app = App::new(env!("CARGO_BIN_EXE_steno"));
    let output = format!("{}the end of it", "a line of output\n".repeat(400));
    let session = Session::numbered(1).user("Run it").assistant(|message| {
        message.tool_use("Bash", json!({"command": "make"})).answered_with(ToolResult::persisted(output))
    });
    app.write(&session);
    for format in ["markdown", "text", "html", "json", "jsonl"] {
        for flags in ["", " --rewrite strip", " --redact"] {
            let document = app.run(&format!("dump last --full-results --format {format}{flags}"));
            assert!(document.contains("the end of it"), "{format}{flags}: {document}");
        }
    }
}

#[test]
fn rewriting_a_kept_session_keeps_the_results_that_are_in_files_of_their_own() {
    let end = "to its very end";
    let whole = format!("{}{end}", "a long result, ".repeat(4000));
    let app = App::with_session(env!("CARGO_BIN_EXE_steno"), |session| {
        session
            .user("go")
            .assistant(|message| message.tool_use("Bash", json!({"command": "ls"})))
            .answer_with(ToolResult::persisted(whole))
    });
    app.run("init --local --no-schedule");
    fs::remove_dir_all(app.home().path().join("projects")).unwrap();
    let line = "dump last --full-results --rewrite /home/dev=/home/ada";
    assert!(app.run(line).contains(end));
}

#[test]
fn the_ending_of_the_file_says_the_format() {
    let app = app();
    let written = |line: &str, file: &str| {
        assert!(app.run(line).starts_with("exit: 0"), "{line}");
        fs::read_to_string(app.home().root().join(file)).unwrap()
    };
    assert!(written("dump last -o a.html", "a.html").starts_with("<!DOCTYPE html>"));
    assert!(written("dump last -o a.JSON", "a.JSON").starts_with('{'));
    assert!(written("dump last -o a.dat", "a.dat").starts_with("# Fix"));
    assert!(written("dump last -o b.html --format text", "b.html").starts_with("Fix"));
    assert!(written("share last -o a.md", "a.md").starts_with("# Fix"));
}
