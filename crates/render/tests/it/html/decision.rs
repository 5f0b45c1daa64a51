//! What the user decided while the agent worked: answers and refusals.

use serde_json::{Value, json};
use steno_render::Detail;
use steno_testkit::{Session, ToolResult};

use crate::html::look::Page;
use crate::html::reading::page;

const REFUSED: &str = "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a \
                       file edit, the new_string was NOT written to the file).";

fn asked(result: ToolResult) -> Page {
    let choices = json!([{"label": "SQLite", "description": "one file"}, {"label": "Postgres"}]);
    let questions =
        json!({"questions": [{"question": "Which database?", "header": "DB", "options": choices}]});
    called("AskUserQuestion", questions, result)
}

fn called(name: &str, input: Value, result: ToolResult) -> Page {
    let session = Session::numbered(1).user("go");
    let session = session.assistant(|message| message.tool_use(name, input).answered_with(result));
    page(&session, &Detail::default())
}

#[test]
fn the_choice_is_ticked_and_nothing_is_folded_away() {
    let text = "User has answered your questions: \"Which database?\"=\"Postgres\". You can now go on.";
    let kept = json!({"answers": {"Which database?": "Postgres"}});
    for result in [ToolResult::text(text), ToolResult::text("User answered").structured(kept)] {
        let page = asked(result);
        assert!(page.has("☐ SQLite one file☑ chosen: Postgres"), "{}", page.text);
        assert!(!page.has("answered") && page.body.matches("<details").count() == 0, "{}", page.body);
    }
}

#[test]
fn words_of_the_user_stand_beside_the_choices() {
    let page = asked(ToolResult::text("\"Which database?\"=\"none at all\"."));
    assert!(page.has("Answer none at all") && !page.has("☑"), "{}", page.text);
}

#[test]
fn what_was_not_answered_says_why() {
    let page = asked(ToolResult::text("No response after 60s"));
    assert!(page.has("No response after 60s") && !page.has("☑"), "{}", page.text);
}

#[test]
fn a_refusal_is_no_error_and_its_reason_is_seen() {
    let said = format!("{REFUSED} To tell you how to proceed, the user said:\nnot *now*");
    for (text, reason) in [(REFUSED.to_owned(), false), (said, true)] {
        let page = called("Bash", json!({"command": "make"}), ToolResult::text(text).error());
        assert!(
            page.has("refused by the user") && !page.has("error") && !page.has("doesn't want"),
            "{}",
            page.text
        );
        assert_eq!(page.body.contains("</details><div class=\"feedback\">"), reason, "{}", page.body);
        assert_eq!(page.has("not now"), reason);
    }
}

#[test]
fn what_a_refusal_stopped_is_not_said_twice() {
    let session = Session::numbered(1).user("go").assistant(|message| {
        let call = message.tool_use("Bash", json!({"command": "make"}));
        call.answered_with(ToolResult::text(REFUSED).error())
    });
    let page = page(&session.interrupt_tool(), &Detail::default());
    assert!(page.has("refused by the user") && !page.has("stopped by the user"), "{}", page.text);
}
