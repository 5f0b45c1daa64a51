//! Plans, with what became of them.

use steno_render::Detail;

use super::{markdown, session, text};

const PLAN: &str = "# Rework\n\n1. Cut\n2. Sew";

#[test]
fn every_verdict_is_shown() {
    let verdicts = [
        session().user("Plan it").plan(PLAN).approve_plan().assistant(|message| message.text("I start.")),
        session().user("Plan it").plan(PLAN).reject_plan("Sew first."),
        session().user("Plan it").plan(PLAN).reject_plan("").interrupt_tool().implement_plan(),
        session().user("Plan it").plan(PLAN),
    ];
    let shown: Vec<String> = verdicts.iter().map(|session| markdown(session, &Detail::default())).collect();
    insta::assert_snapshot!(shown.join("\n=====\n\n"), @"
    ---

    ## User · 2026-11-15 10:00 UTC

    Plan it

    ## Assistant · 2026-11-15 10:00 UTC

    ### Plan approved

    ```markdown
    # Rework

    1. Cut
    2. Sew
    ```

    ## Assistant · continued

    I start.

    =====

    ---

    ## User · 2026-11-15 10:00 UTC

    Plan it

    ## Assistant · 2026-11-15 10:00 UTC

    ### Plan rejected

    ```markdown
    # Rework

    1. Cut
    2. Sew
    ```

    *Feedback:*

    Sew first.

    =====

    ---

    ## User · 2026-11-15 10:00 UTC

    Plan it

    ## Assistant · 2026-11-15 10:00 UTC

    ### Plan approved · with a cleared context

    ```markdown
    # Rework

    1. Cut
    2. Sew
    ```

    =====

    ---

    ## User · 2026-11-15 10:00 UTC

    Plan it

    ## Assistant · 2026-11-15 10:00 UTC

    ### Plan pending

    ```markdown
    # Rework

    1. Cut
    2. Sew
    ```
    ");
}

#[test]
fn a_plan_of_another_session_stands_where_it_is_carried_out() {
    let session = session().implement(PLAN).assistant(|message| message.text("I start."));
    insta::assert_snapshot!(markdown(&session, &Detail::default()), @"
    ---

    ## Plan approved · with a cleared context · made in another session

    ```markdown
    # Rework

    1. Cut
    2. Sew
    ```

    ## Assistant · 2026-11-15 10:00 UTC

    I start.
    ");
    insta::assert_snapshot!(text(&session, &Detail { all: true, ..Detail::default() }), @"
    ────────────────────────────────────────────────────────────────────────
    USER · 2026-11-15 10:00 UTC · plan approved · written by the client

    Implement the following plan:

    # Rework

    1. Cut
    2. Sew

    ────────────────────────────────────────────────────────────────────────
    ASSISTANT · 2026-11-15 10:00 UTC

    I start.
    ");
}
