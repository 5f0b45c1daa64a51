//! `steno show`: a session as people read it.

use insta::assert_snapshot;
use serde_json::json;
use steno_testkit::{App, Era, Session, ToolResult};

fn app_of(session: &Session) -> App {
    let app = App::new(env!("CARGO_BIN_EXE_steno"));
    app.write(session);
    app
}

fn done(session: Session) -> Session {
    session.assistant(|message| message.text("Done."))
}

fn talk() -> Session {
    let many_lines = (8..=16).map(|line| format!("{line:>6}\tline {line}")).collect::<Vec<_>>().join("\n");
    Session::numbered(1)
        .user("Fix the parser.\nIt drops the last line.")
        .assistant(|message| {
            message
                .thinking("The reader stops one byte early.\nI should look at the loop.")
                .text("I will look at the reader first, because that is where the last line would be lost, and then at the loop.")
                .tool_use("Read", json!({"file_path": "/home/dev/project/src/line.rs"}))
                .answered(many_lines)
                .tool_use("Bash", json!({"command": "cargo test", "description": "Runs the tests"}))
                .answered_with(ToolResult::text("error: one test failed").error())
        })
        .assistant(|message| message.text("Fixed:\n\n1. the loop\n2. its test"))
}

#[test]
fn a_conversation() {
    assert_snapshot!(app_of(&talk()).run("show last"), @r"
    exit: 0
    ----- stdout -----
    Fix the parser.
    00000001-5e55-4000-8000-000000000001 · /home/dev/project · main · claude-opus-5-5 · client 2.1.325
    2026-11-15 10:00 – 10:00 · 1 turn · 5 messages · 2 tool calls · 2.2K tokens read · 400 written

    ❯ Fix the parser.
      It drops the last line.

    ✻ thought (12 words)

    ● I will look at the reader first, because that is where the last line would be lost, and then at
      the loop.
    ⚙ Read /home/dev/project/src/line.rs (1.0s)
      └  8	line 8
         9	line 9
        10	line 10
        11	line 11
        … 5 more lines
    ⚙ Bash cargo test (1.0s)
      └ ✗ error: one test failed

    ● Fixed:

      1. the loop
      2. its test

    ----- stderr -----
    ");
}

#[test]
fn with_thinking() {
    assert_snapshot!(app_of(&talk()).run("show last --thinking"), @r"
    exit: 0
    ----- stdout -----
    Fix the parser.
    00000001-5e55-4000-8000-000000000001 · /home/dev/project · main · claude-opus-5-5 · client 2.1.325
    2026-11-15 10:00 – 10:00 · 1 turn · 5 messages · 2 tool calls · 2.2K tokens read · 400 written

    ❯ Fix the parser.
      It drops the last line.

    ✻ The reader stops one byte early.
      I should look at the loop.

    ● I will look at the reader first, because that is where the last line would be lost, and then at
      the loop.
    ⚙ Read /home/dev/project/src/line.rs (1.0s)
      └  8	line 8
         9	line 9
        10	line 10
        11	line 11
        … 5 more lines
    ⚙ Bash cargo test (1.0s)
      └ ✗ error: one test failed

    ● Fixed:

      1. the loop
      2. its test

    ----- stderr -----
    ");
}

#[test]
fn with_results_in_full() {
    assert_snapshot!(app_of(&talk()).run("show last --full-results"), @r"
    exit: 0
    ----- stdout -----
    Fix the parser.
    00000001-5e55-4000-8000-000000000001 · /home/dev/project · main · claude-opus-5-5 · client 2.1.325
    2026-11-15 10:00 – 10:00 · 1 turn · 5 messages · 2 tool calls · 2.2K tokens read · 400 written

    ❯ Fix the parser.
      It drops the last line.

    ✻ thought (12 words)

    ● I will look at the reader first, because that is where the last line would be lost, and then at
      the loop.
    ⚙ Read /home/dev/project/src/line.rs (1.0s)
      └      8	line 8
             9	line 9
            10	line 10
            11	line 11
            12	line 12
            13	line 13
            14	line 14
            15	line 15
            16	line 16
    ⚙ Bash cargo test (1.0s)
      └ ✗ error: one test failed

    ● Fixed:

      1. the loop
      2. its test

    ----- stderr -----
    ");
}

#[test]
fn opened_at_a_line() {
    assert_snapshot!(app_of(&talk()).run("show last --at 5"), @"
    exit: 0
    ----- stdout -----
    Fix the parser.
    00000001-5e55-4000-8000-000000000001 · /home/dev/project · main · claude-opus-5-5 · client 2.1.325
    2026-11-15 10:00 – 10:00 · 1 turn · 5 messages · 2 tool calls · 2.2K tokens read · 400 written
    … 1 chunk before

    … 2 steps before

    ▶ line 5
    ⚙ Read /home/dev/project/src/line.rs (1.0s)
      └      8	line 8
             9	line 9
            10	line 10
            11	line 11
            12	line 12
            13	line 13
            14	line 14
            15	line 15
            16	line 16
    ⚙ Bash cargo test (1.0s)
      └ ✗ error: one test failed

    ● Fixed:

      1. the loop
      2. its test

    ----- stderr -----
    ");
    assert_snapshot!(app_of(&done(talk().user("And the docs?"))).run("show last --at 8"), @"
    exit: 0
    ----- stdout -----
    Fix the parser.
    00000001-5e55-4000-8000-000000000001 · /home/dev/project · main · claude-opus-5-5 · client 2.1.325
    2026-11-15 10:00 – 10:00 · 2 turns · 7 messages · 2 tool calls · 3.3K tokens read · 600 written
    … 1 chunk before

    … 4 steps before

    ▶ line 8
    ● Fixed:

      1. the loop
      2. its test

    ❯ And the docs?

    ● Done.

    ----- stderr -----
    ");
}

#[test]
fn everything_a_user_can_do() {
    let session = Session::numbered(2)
        .slash_command("model", "opus")
        .local_command_stdout("Set model to \u{1b}[1mopus\u{1b}[22m")
        .bash_command("git status", "clean\n", "")
        .bash_command("true", "", "")
        .image("Like this picture", "iVBORw0KGgo=");
    let session = done(session).queued_prompt("And quickly").api_error("API Error: 529 overloaded");
    let session = session.teammate_message("scout", "blue", "All clear here.").interrupt();
    assert_snapshot!(app_of(&session).run("show last"), @r"
    exit: 0
    ----- stdout -----
    Like this picture
    00000002-5e55-4000-8000-000000000002 · /home/dev/project · main · claude-opus-5-5 · client 2.1.325
    2026-11-15 10:00 – 10:00 · 2 turns · 11 messages · 0 tool calls · 1.1K tokens read · 200 written

    ❯ /model opus

    ! Set model to opus

    ❯ ! git status
      clean

    ❯ ! true

    ❯ Like this picture
      [image/png, 12 B]

    ● Done.

    ❯ (queued) And quickly

    ! API Error: 529 overloaded

    ❯ (scout) All clear here.

    ■ [Request interrupted by user]

    ----- stderr -----
    ");
}

#[test]
fn plans_with_their_verdicts() {
    let session = Session::numbered(5)
        .user("Plan it")
        .plan("# First plan\n\n1. Do it all at once")
        .reject_plan("smaller steps")
        .plan("# Second plan\n\n1. Do a little")
        .approve_plan();
    assert_snapshot!(app_of(&done(session)).run("show last"), @r"
    exit: 0
    ----- stdout -----
    Second plan
    00000005-5e55-4000-8000-000000000005 · /home/dev/project · main · claude-opus-5-5 · client 2.1.325
    2026-11-15 10:00 – 10:00 · 1 turn · 6 messages · 2 tool calls · 3.3K tokens read · 600 written

    ❯ Plan it

    ◆ plan rejected
    │ # First plan
    │
    │ 1. Do it all at once
    └ feedback: smaller steps

    ◆ plan approved
    │ # Second plan
    │
    │ 1. Do a little

    ● Done.

    ----- stderr -----
    ");
}

#[test]
fn a_plan_carried_out_with_a_cleared_context() {
    let session =
        Session::numbered(6).user("Plan it").plan("# The plan\n\n1. Do it").reject_plan("").interrupt_tool();
    assert_snapshot!(app_of(&done(session.implement_plan())).run("show last"), @r"
    exit: 0
    ----- stdout -----
    The plan
    00000006-5e55-4000-8000-000000000006 · /home/dev/project · main · claude-opus-5-5 · client 2.1.325
    2026-11-15 10:00 – 10:00 · 2 turns · 6 messages · 1 tool call · 2.2K tokens read · 400 written

    ❯ Plan it

    ◆ plan approved, with a cleared context
    │ # The plan
    │
    │ 1. Do it

    ❯ (carry out the plan above)

    ● Done.

    ----- stderr -----
    ");
}

#[test]
fn a_compaction_a_rewind_and_unknown_blocks() {
    let session = done(Session::numbered(7).user("One")).compact("auto", 155_000, 12_300, "We did one.");
    let session = done(session.user("Wrong")).rewind_to(1).user("Right");
    let session =
        session.assistant(|message| message.block(json!({"type": "hologram"})).text("Done.").unfinished());
    assert_snapshot!(app_of(&session).run("show last"), @r"
    exit: 0
    ----- stdout -----
    One
    00000007-5e55-4000-8000-000000000007 · /home/dev/project · main · claude-opus-5-5 · client 2.1.325
    2026-11-15 10:00 – 10:00 · 3 turns · 7 messages · 0 tool calls · 3.3K tokens read · ≥600 written

    ❯ One

    ● Done.

    ── compacted (auto, 155K → 12.3K tokens) ──
      This session is being continued from a previous conversation that ran out of context. The convers…
      We did one.

    ❯ Right

    ? unknown block 'hologram'

    ● Done.

    1 branch left behind by rewinding; see --json

    ----- stderr -----
    ");
}

#[test]
fn an_older_client() {
    assert_snapshot!(app_of(&Session::numbered(8).era(Era::V1_0).turns(1)).run("show last"), @r"
    exit: 0
    ----- stdout -----
    Prompt 1: please do step 1.
    00000008-5e55-4000-8000-000000000008 · /home/dev/project · main · claude-sonnet-4-20250514
    client 1.0.108
    2025-09-07 10:00 – 10:00 · 1 turn · 5 messages · 2 tool calls · 2.2K tokens read · ≥400 written

    ❯ Prompt 1: please do step 1.

    ✻ thought (8 words)

    ● Starting step 1.
    ⚙ Bash make step-1 (2.0s)
      └ built step 1
    ⚙ Read /home/dev/project/step1.txt (2.0s)
      └ 1	step 1

    ● Step 1 is done.

    ----- stderr -----
    ");
}

#[test]
fn nothing_to_show() {
    assert_snapshot!(app_of(&Session::numbered(9)).run("show last"), @r"
    exit: 0
    ----- stdout -----
    (no title)
    00000009-5e55-4000-8000-000000000009
    0 turns · 0 messages · 0 tool calls · 0 tokens read · 0 written

    ----- stderr -----
    ");
}

#[test]
fn what_is_strange_is_mentioned() {
    let session = done(Session::numbered(10).user("go").garbage().tool_result("toolu_gone", "x"));
    assert_snapshot!(app_of(&session).run("show last"), @r"
    exit: 0
    ----- stdout -----
    go
    0000000a-5e55-4000-8000-00000000000a · /home/dev/project · main · claude-opus-5-5 · client 2.1.325
    2026-11-15 10:00 – 10:00 · 1 turn · 3 messages · 0 tool calls · 1.1K tokens read · 200 written

    ❯ go

    ● Done.

    ----- stderr -----
    2 warnings; --json has them
    ");
}

#[test]
fn a_session_by_prefix_by_path_and_by_an_id_inside() {
    let session = Session::new("cafe0001-full").user("one").as_session("inner-part").user("two");
    let app = app_of(&session.as_session("cafe0001-full"));
    let whole = app.run("show cafe");
    assert_eq!(app.run("show cafe0001-full"), whole);
    assert_eq!(app.run("show .claude/projects/-home-dev-project/cafe0001-full.jsonl"), whole);
    assert_snapshot!(app.run("show inner"), @r"
    exit: 0
    ----- stdout -----
    two
    inner-part · part of cafe0001-full · /home/dev/project · main · client 2.1.325
    2026-11-15 10:00 – 10:00 · 1 turn · 1 message · 0 tool calls · 0 tokens read · 0 written

    ❯ two

    ----- stderr -----
    ");
}

#[test]
fn an_interruption_after_a_plan() {
    let rejected = Session::numbered(17).user("Plan it").plan("# One").reject_plan("no").interrupt_tool();
    let approved = rejected.user("Again").plan("# Two").approve_plan().interrupt();
    assert_snapshot!(app_of(&approved).run("show last"), @r"
    exit: 0
    ----- stdout -----
    Two
    00000011-5e55-4000-8000-000000000011 · /home/dev/project · main · claude-opus-5-5 · client 2.1.325
    2026-11-15 10:00 – 10:00 · 2 turns · 8 messages · 2 tool calls · 2.2K tokens read · 400 written

    ❯ Plan it

    ◆ plan rejected
    │ # One
    └ feedback: no

    ❯ Again

    ◆ plan approved
    │ # Two
    ■ [Request interrupted by user]

    ----- stderr -----
    ");
}

#[test]
fn json_is_the_whole_model() {
    let report = app_of(&talk()).json("show last --json --at 3");
    let mut keys: Vec<&str> = report.as_object().unwrap().keys().map(String::as_str).collect();
    keys.sort_unstable();
    assert_snapshot!(keys.join(" "), @"agents aliases at branches chunks cwd endedAt gitBranch id kept live messages models ongoing path phases plans projectHash recordTypes sizeBytes startedAt title titleSource tokens toolCalls tools turns unknownTypes versions warnings");
    assert_snapshot!(serde_json::to_string_pretty(&report["chunks"][0]).unwrap(), @r#"
    {
      "index": 0,
      "startedAt": "2026-11-15T10:00:00Z",
      "endedAt": "2026-11-15T10:00:00Z",
      "records": [
        {
          "uuid": "00000003-0000-4000-8000-25db4dcac073",
          "line": 1
        }
      ],
      "kind": "user",
      "text": "Fix the parser.\nIt drops the last line.",
      "images": [],
      "queued": false
    }
    "#);
    assert_eq!(report["at"], 1);
}

#[test]
fn a_session_that_the_client_deleted_is_still_shown() {
    let app = App::new(env!("CARGO_BIN_EXE_steno")).variable("STENO_MACHINE", "desk");
    let session =
        || Session::numbered(1).user("Question").agent(|agent| agent.prompt("Look around")).turns(2);
    let path = app.home().write(&session());
    let name = format!("show {} --json", session().id());
    let mut before = app.json(&name);
    app.run("init --local --no-schedule");
    assert_eq!(app.json(&name)["kept"], true);
    std::fs::remove_dir_all(path.parent().unwrap()).unwrap();
    let mut after = app.json(&name);
    assert_eq!((&after["live"], &after["kept"]), (&json!(false), &json!(true)));
    for key in ["live", "kept", "path", "agents", "next"] {
        (before[key], after[key]) = (json!(null), json!(null));
    }
    assert_eq!(before, after);
    let left = std::fs::read_dir(app.home().root().join(".claude-backup/.cache")).unwrap();
    assert!(!left.flatten().any(|entry| entry.file_name().to_string_lossy().starts_with("shown-")));
}

#[test]
fn an_edit_is_shown_as_a_diff() {
    let session = Session::numbered(1).user("go").assistant(|message| {
        let edit =
            json!({"file_path": "/home/dev/project/a.rs", "old_string": "one\ntwo", "new_string": "one\n2"});
        let text: String = (1..=20).map(|line| format!("line {line}\n")).collect();
        message
            .tool_use("Edit", edit)
            .answered("The file /home/dev/project/a.rs has been updated.")
            .tool_use("Write", json!({"file_path": "/home/dev/project/b.txt", "content": text}))
            .answered("File created successfully at: /home/dev/project/b.txt")
    });
    let app = app_of(&session);
    assert_snapshot!(app.run("show last"), @"
    exit: 0
    ----- stdout -----
    go
    00000001-5e55-4000-8000-000000000001 · /home/dev/project · main · claude-opus-5-5 · client 2.1.325
    2026-11-15 10:00 – 10:00 · 1 turn · 4 messages · 2 tool calls · 1.1K tokens read · 200 written

    ❯ go

    ⚙ Edit /home/dev/project/a.rs +1 −1 (1.0s)
      │   one
      │ - two
      │ + 2
    ⚙ Write /home/dev/project/b.txt (1.0s)
      │ + line 1
      │ + line 2
      │ + line 3
      │ + line 4
      │ + line 5
      │ + line 6
      │ + line 7
      │ + line 8
      │ + line 9
      │ + line 10
      │ + line 11
      │ + line 12
      │ … 8 more lines

    ----- stderr -----
    ");
    let whole = app.run("show last --full-results");
    assert!(whole.contains("+ line 20") && whole.contains("has been updated"), "{whole}");
}

#[test]
fn markdown_has_colours_where_the_terminal_has() {
    let app = app_of(
        &Session::numbered(1).user("go").assistant(|message| message.text("# Done\n\n- **all** `of it`")),
    );
    assert!(app.run("show last").contains("● # Done\n\n  - **all** `of it`\n"));
    let coloured = app.run("show last --color always");
    assert!(coloured.contains("\u{1b}[1m\u{1b}[4mDone\u{1b}[0m"), "{coloured}");
    assert!(coloured.contains("• \u{1b}[1mall\u{1b}[0m \u{1b}[36mof it\u{1b}[0m"), "{coloured}");
}
