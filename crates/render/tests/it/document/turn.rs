//! A small session from its first line to its last.

use serde_json::json;
use steno_render::Detail;

use super::{markdown, session, text, whole};

fn small() -> steno_testkit::Session {
    session()
        .custom_title("Fix the *parser* <now>")
        .user("Why does it fail?\n\n- on *all* files")
        .assistant(|message| {
            message
                .thinking("It must be the reader.")
                .text("I look.")
                .tool_use("Bash", json!({"command": "make test\nmake lint", "description": "Run the tests"}))
                .tool_use("Read", json!({"file_path": "/home/dev/project/a.rs", "offset": 3, "limit": 2}))
        })
        .answer_error("exit 1: a.rs:3")
        .answer("3\tlet a;\n4\tlet b;")
        .assistant(|message| {
            let edit = json!({"file_path": "/home/dev/project/a.rs", "old_string": "let a;\nlet b;",
                              "new_string": "let a = 1;\nlet b;"});
            message.tool_use("Edit", edit)
        })
        .answer("The file has been updated.")
        .assistant(|message| message.text("Done: `a` has a value."))
}

#[test]
fn a_session_reads_as_a_document() {
    insta::assert_snapshot!(whole(&small(), &Detail::default()), @r"
    # Fix the \*parser\* \<now>

    - Session: 00000007-5e55-4000-8000-000000000007
    - Project: /home/dev/project
    - Branch: main
    - Time: 2026-11-15 10:00 UTC
    - Models: claude-opus-5-5
    - Client: 2.1.325
    - Contents: 1 turn, 4 messages, 3 tool calls
    - Shortened: long tool inputs and results; --full-results has them whole

    ---

    ## User · 2026-11-15 10:00 UTC

    Why does it fail?

    - on *all* files

    ## Assistant · 2026-11-15 10:00 UTC · thought once (5 words)

    I look.

    **Bash** Run the tests · 2.0s

    ```bash
    make test
    make lint
    ```

    *Error:*

    ```text
    exit 1: a.rs:3
    ```

    **Read** `/home/dev/project/a.rs` · lines 3–4 · 2.0s

    *Result:*

    ```text
    3	let a;
    4	let b;
    ```

    **Edit** `/home/dev/project/a.rs` · +1 −1 · 1.0s

    ```diff
    -let a;
    +let a = 1;
     let b;
    ```

    *Result:*

    ```text
    The file has been updated.
    ```

    Done: `a` has a value.
    ");
}

#[test]
fn plain_text_has_the_same_contents() {
    insta::assert_snapshot!(text(&small(), &Detail::default()), @"
    ────────────────────────────────────────────────────────────────────────
    USER · 2026-11-15 10:00 UTC

    Why does it fail?

    - on *all* files

    ────────────────────────────────────────────────────────────────────────
    ASSISTANT · 2026-11-15 10:00 UTC · thought once (5 words)

    I look.

      Bash: Run the tests · 2.0s

          make test
          make lint

      Error:

          exit 1: a.rs:3

      Read: /home/dev/project/a.rs · lines 3–4 · 2.0s

      Result:

          3	let a;
          4	let b;

      Edit: /home/dev/project/a.rs · +1 −1 · 1.0s

          -let a;
          +let a = 1;
           let b;

      Result:

          The file has been updated.

    Done: `a` has a value.
    ");
}

#[test]
fn thinking_is_shown_when_asked_for() {
    let detail = Detail { thinking: true, ..Detail::default() };
    let session = session().user("Hi").assistant(|message| message.thinking("So.\n\n    - so").text("Ho."));
    insta::assert_snapshot!(markdown(&session, &detail), @"
    ---

    ## User · 2026-11-15 10:00 UTC

    Hi

    ## Assistant · 2026-11-15 10:00 UTC

    <details><summary>Thinking</summary>

    So.

        - so

    </details>

    Ho.
    ");
    insta::assert_snapshot!(text(&session, &detail), @"
    ────────────────────────────────────────────────────────────────────────
    USER · 2026-11-15 10:00 UTC

    Hi

    ────────────────────────────────────────────────────────────────────────
    ASSISTANT · 2026-11-15 10:00 UTC

      Thinking:

    So.

        - so

      [End of thinking]

    Ho.
    ");
}

#[test]
fn what_a_terminal_would_act_on_is_taken_out_of_output_only() {
    let session = session()
        .user("red: \u{1b}[31m")
        .assistant(|message| message.tool_use("Bash", json!({"command": "ls"})))
        .answer("\u{1b}[1;31mred\u{1b}[0m\r\n\u{1b}]0;title\u{7}")
        .local_command_stdout("\u{1b}[2mSet\u{1b}[22m");
    let shown = markdown(&session, &Detail::default());
    assert!(shown.contains("red: \u{1b}[31m"), "what was said stays: {shown}");
    assert!(shown.contains("```text\nred\n␛]0;title␇\n```"), "{shown}");
    assert!(shown.contains("```text\nSet\n```"), "{shown}");
    let all = Detail { all: true, full_results: true, ..Detail::default() };
    assert!(markdown(&session, &all).contains("\u{1b}[2mSet\u{1b}[22m"));
}

#[test]
fn long_inputs_are_cut_between_lines() {
    let content = (1..=100).map(|line| format!("line {line}\n")).collect::<String>();
    let edit = json!({"file_path": "a.rs", "old_string": content, "new_string": ""});
    let write = json!({"file_path": "a.py", "content": content});
    let session = session()
        .user("Go")
        .assistant(|message| message.tool_use("Write", write).tool_use("Edit", edit))
        .answer("ok")
        .answer("ok");
    let shown = markdown(&session, &Detail::default());
    assert!(shown.contains("line 40\n```\n\n*… 60 more lines*"), "{shown}");
    assert!(shown.contains("-line 40\n```\n\n*… 60 more lines*"), "{shown}");
    let full = markdown(&session, &Detail { full_results: true, ..Detail::default() });
    assert!(full.contains(&content) && full.contains("-line 100\n"), "{full}");
}

#[test]
fn long_results_are_cut_between_characters() {
    let call =
        |message: steno_testkit::AssistantMessage| message.tool_use("Bash", json!({"command": "cat a"}));
    let shown = |length: usize, full_results| {
        let session = session().user("Go").assistant(call).answer("ä".repeat(length));
        markdown(&session, &Detail { full_results, ..Detail::default() })
    };
    assert!(shown(600, false).ends_with(&format!("```text\n{}\n```\n", "ä".repeat(600))));
    let cut = format!("```text\n{}\n```\n\n*… 12,345 more characters*\n", "ä".repeat(600));
    assert!(shown(12_945, false).ends_with(&cut));
    assert!(shown(12_945, true).ends_with(&format!("```text\n{}\n```\n", "ä".repeat(12_945))));
}

#[test]
fn a_compaction_stands_between_and_its_summary_can_be_left_out() {
    let session = session()
        .user("One")
        .assistant(|message| message.text("First."))
        .compact("auto", 155_000, 12_000, "# We did one")
        .user("Two");
    insta::assert_snapshot!(markdown(&session, &Detail::default()), @"
    ---

    ## User · 2026-11-15 10:00 UTC

    One

    ## Assistant · 2026-11-15 10:00 UTC

    First.

    ---

    ## Compaction · 2026-11-15 10:00 UTC · auto · 155K → 12.0K tokens

    *What was said so far is replaced by this summary:*

    ```markdown
    This session is being continued from a previous conversation that ran out of context. The conversation is summarized below:
    # We did one
    ```

    ---

    ## User · 2026-11-15 10:00 UTC

    Two
    ");
    let without = Detail { without_compact_summaries: true, ..Detail::default() };
    let shown = markdown(&session, &without);
    assert!(shown.contains("auto · 155K → 12.0K tokens\n\n*Its summary is left out.*"), "{shown}");
    assert!(!shown.contains("We did one"));
}

#[test]
fn a_tail_says_how_much_is_missing() {
    let session = session().turns(3);
    let detail = Detail::default();
    let starts = super::conversation(&session, &detail).message_starts;
    let from_record = starts[starts.len() - 2];
    insta::assert_snapshot!(markdown(&session, &Detail { from_record, ..detail }), @"
    *The first 7 of 9 messages are left out.*

    ## Assistant · 2026-11-15 10:00 UTC · thought once (8 words)

    Starting step 3.

    **Bash** Builds · 2.0s

    ```bash
    make step-3
    ```

    *Result:*

    ```text
    built step 3
    ```

    **Read** `/home/dev/project/step3.txt` · 2.0s

    *Result:*

    ```text
         1	step 3
    ```

    Step 3 is done.
    ");
}

#[test]
fn notes_stand_at_the_end() {
    let detail = Detail { notes: vec!["2 secrets were masked.".into()], ..Detail::default() };
    let shown = markdown(&session().user("Hi"), &detail);
    assert!(shown.ends_with("Hi\n\n---\n\n- 2 secrets were masked.\n"), "{shown}");
    let shown = text(&session().user("Hi"), &detail);
    assert!(shown.ends_with("─\n2 secrets were masked.\n"), "{shown}");
}
