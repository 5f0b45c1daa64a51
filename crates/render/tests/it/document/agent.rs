//! Subagents at the place of their call, or in a line.

use steno_render::Detail;
use steno_testkit::Session;

use super::{markdown, session, text};

fn nested() -> Session {
    let inner = |session: Session| {
        session.agent(|agent| {
            agent.description("Count").prompt("Count all.").kind("Explore").foreground().answer("Three.")
        })
    };
    session()
        .user("Find out")
        .agent(|agent| {
            let agent = agent.description("Look around").prompt("Look at all.").kind("Plan").foreground();
            agent.steps(inner).answer("There are three.")
        })
        .assistant(|message| message.text("Three, it seems."))
}

#[test]
fn agents_are_a_line_unless_asked_for() {
    insta::assert_snapshot!(markdown(&nested(), &Detail::default()), @"
    ---

    ## User · 2026-11-15 10:00 UTC

    Find out

    ## Assistant · 2026-11-15 10:00 UTC

    **Agent** Look around · 4.0s

    ```markdown
    Look at all.
    ```

    *Subagent: 4 messages, 1 tool call*

    *Result:*

    ```text
    There are three.
    agentId: a7a08b43563ab0004 (for resuming to continue this agent's work if needed)
    ```

    Three, it seems.
    ");
}

#[test]
fn agents_stand_inside_their_calls() {
    let detail = Detail { agents: true, ..Detail::default() };
    insta::assert_snapshot!(markdown(&nested(), &detail), @"
    ---

    ## User · 2026-11-15 10:00 UTC

    Find out

    ## Assistant · 2026-11-15 10:00 UTC

    **Agent** Look around · 4.0s

    ```markdown
    Look at all.
    ```

    ### Subagent: Look around · Plan a7a08b43563ab0004 · 4 messages · 1 tool call · 2.6K tokens

    #### Assistant · 2026-11-15 10:00 UTC

    **Agent** Count · 5.0s

    ```markdown
    Count all.
    ```

    ##### Subagent: Count · Explore a7a08b43563ab0007 · 4 messages · 1 tool call · 2.6K tokens

    ###### Assistant · 2026-11-15 10:00 UTC · thought once (4 words)

    **Bash** Looks around · 1.0s

    ```bash
    ls
    ```

    *Result:*

    ```text
    src
    ```

    Three.

    *End of subagent: Count*

    #### Assistant · continued

    There are three.

    *End of subagent: Look around*

    ## Assistant · continued

    Three, it seems.
    ");
    insta::assert_snapshot!(text(&nested(), &detail), @"
    ────────────────────────────────────────────────────────────────────────
    USER · 2026-11-15 10:00 UTC

    Find out

    ────────────────────────────────────────────────────────────────────────
    ASSISTANT · 2026-11-15 10:00 UTC

      Agent: Look around · 4.0s

          Look at all.

    ── Subagent: Look around · Plan a7a08b43563ab0004 · 4 messages · 1 tool call · 2.6K tokens

    > ASSISTANT · 2026-11-15 10:00 UTC

      Agent: Count · 5.0s

          Count all.

    > ── Subagent: Count · Explore a7a08b43563ab0007 · 4 messages · 1 tool call · 2.6K tokens

    > > ASSISTANT · 2026-11-15 10:00 UTC · thought once (4 words)

      Bash: Looks around · 1.0s

          ls

      Result:

          src

    Three.

      [End of subagent: Count]

    > ASSISTANT · continued

    There are three.

      [End of subagent: Look around]

    ────────────────────────────────────────────────────────────────────────
    ASSISTANT · continued

    Three, it seems.
    ");
}

#[test]
fn a_report_names_its_task() {
    let session = session()
        .user("Find out")
        .agent(|agent| agent.description("Look *around*").prompt("Look at all.").answer("# All\n\nThree."));
    let shown = markdown(&session, &Detail::default());
    let report = "*Background task completed: Look \\*around\\**\n\n```markdown\n# All\n\nThree.\n```";
    assert!(shown.contains(report), "{shown}");
}

#[test]
fn an_agent_that_no_call_shows_stands_at_the_end() {
    let agents = nested().build().agents;
    let is_outer = |bytes: &[u8]| String::from_utf8_lossy(bytes).contains("There are three.");
    let other = agents.into_iter().map(|agent| agent.bytes).find(|bytes| is_outer(bytes)).unwrap();
    let session = session().user("Hi").assistant(|message| message.text("Ho.")).agent_file("lost", other);
    let detail = Detail { agents: true, ..Detail::default() };
    let shown = markdown(&session, &detail);
    let (_, end) = shown.split_once("Ho.\n\n---\n\n").expect("something at the end");
    assert!(end.starts_with("## Subagents without a call above\n\n### Subagent: lost"), "{shown}");
    assert!(end.contains("Look at all."), "its prompt was told by no call");
}

#[test]
fn agents_of_what_is_left_out_are_left_out() {
    let session = nested().user("And now?");
    let starts = super::conversation(&session, &Detail::default()).message_starts;
    let detail = Detail { agents: true, from_record: *starts.last().unwrap(), ..Detail::default() };
    let shown = markdown(&session, &detail);
    assert!(!shown.contains("Subagent"), "{shown}");
}
