//! What readers see only when they ask for all, and what is not the agent's nor the user's.

use serde_json::json;
use steno_render::Detail;
use steno_testkit::Session;

use super::{markdown, session, text};

fn odd() -> Session {
    session()
        .slash_command("model", "opus")
        .local_command_stdout("Set model to opus")
        .bash_command("ls -a", "a\nb", "no c")
        .image("See this", "iVBORw0KGgo=")
        .system_reminder("Be brief.")
        .assistant(|message| {
            message.text("I see.").block(json!({"type": "hologram", "size": 3})).redacted_thinking()
        })
        .api_error("API Error: 529")
        .teammate_message("ann", "blue", "Are you done?")
        .assistant(|message| message.text("Not yet").tool_use("Bash", json!({"command": "make"})))
        .interrupt_tool()
}

#[test]
fn everything_has_its_form() {
    insta::assert_snapshot!(markdown(&odd(), &Detail::default()), @"
    ---

    ## User · 2026-11-15 10:00 UTC

    /model opus

    ## System · 2026-11-15 10:00 UTC · local command

    ```text
    Set model to opus
    ```

    ---

    ## User · 2026-11-15 10:00 UTC

    ```bash
    ! ls -a
    ```

    ```text
    a
    b
    ```

    ```text
    no c
    ```

    ---

    ## User · 2026-11-15 10:00 UTC

    See this

    *Image: image/png, 12 B*

    ## Assistant · 2026-11-15 10:00 UTC

    I see.

    *Unknown block 'hologram'*

    ## System · 2026-11-15 10:00 UTC · api error

    ```text
    API Error: 529
    ```

    ---

    ## Teammate ann · 2026-11-15 10:00 UTC

    Are you done?

    ## Assistant · 2026-11-15 10:00 UTC

    Not yet

    **Bash**

    ```bash
    make
    ```

    *No result*

    *Stopped by the user*
    ");
}

#[test]
fn refusals_and_interruptions_are_said_in_a_word() {
    let call = |command| {
        move |message: steno_testkit::AssistantMessage| message.tool_use("Bash", json!({"command": command}))
    };
    let refused = "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a \
                   file edit, the new_string was NOT written to the file).";
    let session = session()
        .user("Go")
        .assistant(call("make"))
        .answer_error(format!("{refused} To tell you how to proceed, the user said:\nnot *that*"))
        .assistant(call("rm a"))
        .answer_error(format!(
            "{refused} STOP what you are doing and wait for the user to tell you how to proceed."
        ))
        .interrupt_tool()
        .user("Go on")
        .assistant(|message| message.text("So"))
        .interrupt();
    let shown = markdown(&session, &Detail::default());
    assert!(shown.contains("*Refused by the user, who said:*\n\nnot *that*\n"), "{shown}");
    assert!(shown.contains("*Refused by the user*\n\n---"), "{shown}");
    assert!(shown.ends_with("So\n\n*Stopped by the user*\n"), "{shown}");
    let full = markdown(&session, &Detail { full_results: true, ..Detail::default() });
    assert!(full.contains(refused), "{full}");
}

#[test]
fn all_shows_all() {
    insta::assert_snapshot!(markdown(&odd(), &Detail { all: true, ..Detail::default() }), @r#"
    ---

    ## User · 2026-11-15 10:00 UTC

    \<command-name>/model\</command-name>
                \<command-message>model\</command-message>
                \<command-args>opus\</command-args>

    ## System · 2026-11-15 10:00 UTC · local command

    ```text
    <local-command-stdout>Set model to opus</local-command-stdout>
    ```

    ---

    ## User · 2026-11-15 10:00 UTC

    \<bash-input>ls -a\</bash-input>

    ## System · 2026-11-15 10:00 UTC · bash

    ```text
    <bash-stdout>a
    b</bash-stdout><bash-stderr>no c</bash-stderr>
    ```

    ---

    ## User · 2026-11-15 10:00 UTC

    See this

    *Image: image/png, 12 B*

    ## System · 2026-11-15 10:00 UTC · meta

    ```text
    <system-reminder>
    Be brief.
    </system-reminder>
    ```

    ## Assistant · 2026-11-15 10:00 UTC

    I see.

    *Unknown block 'hologram'*

    ```json
    {
      "type": "hologram",
      "size": 3
    }
    ```

    ## System · 2026-11-15 10:00 UTC · api error

    ```text
    API Error: 529
    ```

    ---

    ## Teammate ann · 2026-11-15 10:00 UTC

    \<teammate-message teammate_id="ann" color="blue">
    Are you done?
    \</teammate-message>

    ## Assistant · 2026-11-15 10:00 UTC

    Not yet

    **Bash**

    ```bash
    make
    ```

    *No result*

    [Request interrupted by user for tool use]
    "#);
    insta::assert_snapshot!(text(&odd(), &Detail::default()), @"
    ────────────────────────────────────────────────────────────────────────
    USER · 2026-11-15 10:00 UTC

    /model opus

    ────────────────────────────────────────────────────────────────────────
    SYSTEM · 2026-11-15 10:00 UTC · local command

          Set model to opus

    ────────────────────────────────────────────────────────────────────────
    USER · 2026-11-15 10:00 UTC

          ! ls -a

          a
          b

          no c

    ────────────────────────────────────────────────────────────────────────
    USER · 2026-11-15 10:00 UTC

    See this

      [Image: image/png, 12 B]

    ────────────────────────────────────────────────────────────────────────
    ASSISTANT · 2026-11-15 10:00 UTC

    I see.

      [Unknown block 'hologram']

    ────────────────────────────────────────────────────────────────────────
    SYSTEM · 2026-11-15 10:00 UTC · api error

          API Error: 529

    ────────────────────────────────────────────────────────────────────────
    TEAMMATE ANN · 2026-11-15 10:00 UTC

    Are you done?

    ────────────────────────────────────────────────────────────────────────
    ASSISTANT · 2026-11-15 10:00 UTC

    Not yet

      Bash

          make

      [No result]

      [Stopped by the user]
    ");
}
