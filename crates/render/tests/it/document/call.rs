//! Each kind of call in the form that suits it.

use serde_json::json;
use steno_render::Detail;
use steno_testkit::ToolResult;

use super::{markdown, session, text};

#[test]
fn each_tool_has_its_form() {
    let session = session()
        .user("Go")
        .assistant(|message| {
            let todos = json!({"todos": [{"content": "Plan *it*", "status": "completed"},
                {"content": "Do it", "status": "in_progress"}, {"content": "Show it", "status": "pending"}]});
            let questions = json!({"questions": [{"question": "Which one?", "header": "Choice", "options": [
                {"label": "The first", "description": "It is fast"}, {"label": "The second"}]}]});
            message
                .tool_use("Write", json!({"file_path": "/a/b.py", "content": "print('```')\n"}))
                .tool_use("TodoWrite", todos)
                .tool_use("Grep", json!({"pattern": "a`b", "path": "src"}))
                .tool_use("WebFetch", json!({"url": "https://example.org/a_b", "prompt": "What is it?"}))
                .tool_use("AskUserQuestion", questions)
                .tool_use("mcp__forge__get_issue", json!({"number": 3, "owner": "ann"}))
                .tool_use("KillShell", json!({"shell_id": "b1"}))
        })
        .answer("Created.")
        .answer("Todos have been modified successfully.")
        .answer("")
        .answer_with(ToolResult::image("iVBORw0KGgo="))
        .answer_error("");
    insta::assert_snapshot!(markdown(&session, &Detail::default()), @r#"
    ---

    ## User · 2026-11-15 10:00 UTC

    Go

    ## Assistant · 2026-11-15 10:00 UTC

    **Write** `/a/b.py` · 7.0s

    ````python
    print('```')
    ````

    *Result:*

    ```text
    Created.
    ```

    **TodoWrite** 1 of 3 done · 7.0s

    - [x] Plan \*it\*
    - [ ] Do it – in progress
    - [ ] Show it

    **Grep** ``a`b`` · in src · 7.0s

    *No output*

    **WebFetch** `https://example.org/a_b` · 7.0s

    ```text
    What is it?
    ```

    *Image: image/png, 12 B*

    **AskUserQuestion** · 7.0s

    Which one?

    - The first – It is fast
    - The second

    *Error*

    **forge · get_issue** `ann`

    ```json
    {
      "number": 3,
      "owner": "ann"
    }
    ```

    *No result*

    **KillShell** `b1`

    *No result*
    "#);
    insta::assert_snapshot!(text(&session, &Detail::default()), @r#"
    ────────────────────────────────────────────────────────────────────────
    USER · 2026-11-15 10:00 UTC

    Go

    ────────────────────────────────────────────────────────────────────────
    ASSISTANT · 2026-11-15 10:00 UTC

      Write: /a/b.py · 7.0s

          print('```')

      Result:

          Created.

      TodoWrite: 1 of 3 done · 7.0s

          [x] Plan *it*
          [ ] Do it (in progress)
          [ ] Show it

      Grep: a`b · in src · 7.0s

      [No output]

      WebFetch: https://example.org/a_b · 7.0s

          What is it?

      [Image: image/png, 12 B]

      AskUserQuestion · 7.0s

    Which one?

          - The first (It is fast)
          - The second

      [Error]

      forge · get_issue: ann

          {
            "number": 3,
            "owner": "ann"
          }

      [No result]

      KillShell: b1

      [No result]
    "#);
}

#[test]
fn output_in_a_file_of_its_own_is_named() {
    let call = json!({"command": "yes"});
    let session = session().user("Go").assistant(|message| message.tool_use("Bash", call));
    let session = session.answer_with(ToolResult::persisted("y\n".repeat(20_000)));
    let shown = markdown(&session, &Detail::default());
    assert!(shown.contains("*The whole output (40.0 kB) is in /home/dev/.claude/projects/"), "{shown}");
}
