//! Plan: proposed, and then approved, rejected, or accepted by starting over.

use steno_conversation::model::{Hidden, TitleSource, Verdict};
use steno_conversation::{Conversation, Implementation};
use steno_testkit::{Era, Session, ToolResult};
use steno_transcript::SessionId;

use crate::passes::explaining::explain;
use crate::passes::words::outline;

const PLAN: &str = "# Move the parser\n\n1. Never leave a line rejected.\n2. Test.";

fn planned(era: Era) -> Session {
    Session::numbered(1).era(era).user("plan it").plan(PLAN)
}

/// Verdict, feedback and whether the context was cleared, of each plan.
fn verdicts(conversation: &Conversation) -> Vec<(Verdict, Option<&str>, bool)> {
    conversation
        .plans
        .iter()
        .map(|plan| (plan.verdict, plan.feedback.as_deref(), plan.cleared_context))
        .collect()
}

#[test]
fn approved() {
    for era in Era::ALL {
        let session = planned(era).approve_plan().assistant(|message| message.text("on it"));
        let shown = explain(&session);
        assert_eq!(verdicts(&shown), [(Verdict::Approved, None, false)], "{era:?}");
        assert_eq!(outline(&shown.chunks), ["user: plan it", "ai: plan 0, text on it"], "{era:?}");
        assert_eq!(
            (shown.plans[0].text.as_str(), &shown.plans[0].tool_id),
            (PLAN, &Some(session.made().tools[0].clone()))
        );
        assert_eq!(shown.profile.title.as_deref(), Some("Move the parser"), "{era:?}");
        assert_eq!(shown.profile.title_source, Some(TitleSource::Plan), "{era:?}");
    }
}

#[test]
fn rejected_with_and_without_words() {
    for era in Era::ALL {
        let shown = explain(&planned(era).reject_plan("smaller steps").interrupt_tool());
        assert_eq!(verdicts(&shown), [(Verdict::Rejected, Some("smaller steps"), false)], "{era:?}");
        assert_eq!(shown.profile.title_source, Some(TitleSource::Prompt), "{era:?}");
        let shown = explain(&planned(era).reject_plan(""));
        assert_eq!(verdicts(&shown), [(Verdict::Rejected, None, false)], "{era:?}");
    }
}

#[test]
fn pending_until_somebody_answers() {
    for era in Era::ALL {
        assert_eq!(verdicts(&explain(&planned(era))), [(Verdict::Pending, None, false)], "{era:?}");
    }
}

#[test]
fn staying_in_plan_mode_is_a_rejection() {
    for era in Era::ALL {
        assert_eq!(
            verdicts(&explain(&planned(era).keep_planning())),
            [(Verdict::Rejected, None, false)],
            "{era:?}"
        );
    }
}

#[test]
fn accepted_with_a_cleared_context_in_the_same_file() {
    for era in Era::ALL {
        let session = planned(era)
            .reject_plan("")
            .interrupt_tool()
            .user(format!(
                "Implement the following plan:\n\n{PLAN}\n\nIf you need specific details, read the old file."
            ))
            .assistant(|message| message.text("on it"));
        let shown = explain(&session);
        assert_eq!(verdicts(&shown), [(Verdict::Approved, None, true)], "{era:?}");
        assert_eq!(shown.profile.title.as_deref(), Some("Move the parser"), "{era:?}");
        assert_eq!(shown.plans[0].implemented_in, None, "{era:?}");
        assert!(outline(&shown.chunks)[2].starts_with("user (plan 0): "), "{era:?}");
        assert_eq!(shown.profile.turns, 2, "{era:?}: the hidden request starts a turn");
    }
}

#[test]
fn a_request_for_another_plan_changes_nothing() {
    let session = planned(Era::V2_1_325).reject_plan("no").implement("# Something else");
    let shown = explain(&session);
    assert_eq!(verdicts(&shown), [(Verdict::Rejected, Some("no"), false), (Verdict::Approved, None, true)]);
    assert_eq!((shown.plans[1].tool_id.clone(), shown.plans[1].text.as_str()), (None, "# Something else"));
}

#[test]
fn a_second_call_decides_only_about_itself() {
    let session = planned(Era::V2_1_325).reject_plan("add step two").plan(PLAN).approve_plan();
    assert_eq!(
        verdicts(&explain(&session)),
        [(Verdict::Rejected, Some("add step two"), false), (Verdict::Approved, None, false)]
    );
}

#[test]
fn newer_clients_say_feedback_in_a_field() {
    let session = Session::numbered(1).user("plan it").plan(PLAN).reject_plan("said in words");
    let bytes = String::from_utf8(session.build().bytes).unwrap();
    let field = "\"userFeedback\":\"said in a field\",\"toolUseResult\":";
    let bytes = bytes.replace("\"toolUseResult\":", field);
    let shown = crate::passes::explaining::explain_bytes(&session, bytes.as_bytes());
    assert_eq!(verdicts(&shown), [(Verdict::Rejected, Some("said in a field"), false)]);
}

#[test]
fn an_approval_known_only_by_its_field_counts() {
    let session = Session::numbered(1)
        .user("plan it")
        .plan(PLAN)
        .answer_with(ToolResult::text("ok").structured(serde_json::json!({"plan": PLAN, "isAgent": false})));
    assert_eq!(verdicts(&explain(&session)), [(Verdict::Approved, None, false)]);
}

#[test]
fn the_old_name_of_the_tool_proposes_plans_too() {
    let session = Session::numbered(1)
        .era(Era::V1_0)
        .user("plan it")
        .assistant(|message| message.tool_use("exit_plan_mode", serde_json::json!({"plan": PLAN})));
    assert_eq!(verdicts(&explain(&session)), [(Verdict::Pending, None, false)]);
}

#[test]
fn accepted_in_a_new_file_is_found_among_what_the_project_was_asked_to_implement() {
    let request = |id: &str, text: &str, at: &str| {
        (SessionId::new(id), Implementation { text: text.to_owned(), at: at.parse().ok() })
    };
    let mut shown = explain(&planned(Era::V2_1_325).reject_plan("").interrupt_tool());
    assert!(shown.has_open_plans());
    let followed = format!("{PLAN}\n\nIf you need more, look.");
    shown.settle_plans(&[
        request("other", "# Another", "2099-01-01T00:00:00Z"),
        request("before", &followed, "1999-01-01T00:00:00Z"),
    ]);
    assert!(shown.has_open_plans(), "another plan, or a request from before this one was made");
    shown.settle_plans(&[request("new", &followed, "2099-01-01T00:00:00Z")]);
    assert_eq!(verdicts(&shown), [(Verdict::Approved, None, true)]);
    assert_eq!(shown.plans[0].implemented_in, Some(SessionId::new("new")));
    assert!(!shown.has_open_plans());
}

#[test]
fn a_session_that_starts_with_a_plan_shows_it_in_place_of_the_prompt() {
    for era in Era::ALL {
        let session =
            Session::numbered(2).era(era).implement(PLAN).assistant(|message| message.text("on it"));
        let shown = explain(&session);
        assert_eq!(verdicts(&shown), [(Verdict::Approved, None, true)], "{era:?}");
        assert_eq!((shown.plans[0].tool_id.clone(), shown.plans[0].text.as_str()), (None, PLAN), "{era:?}");
        assert!(outline(&shown.chunks)[0].starts_with("user (plan 0): "), "{era:?}");
        assert_eq!(shown.profile.turns, 1, "{era:?}");
        assert_eq!(shown.profile.title.as_deref(), Some("Move the parser"), "{era:?}");
    }
}

#[test]
fn an_empty_plan_matches_nothing() {
    let session = Session::numbered(1).user("x").plan("").reject_plan("").implement("# Real");
    assert_eq!(
        verdicts(&explain(&session)),
        [(Verdict::Rejected, None, false), (Verdict::Approved, None, true)]
    );
}

#[test]
fn who_types_such_words_asks_for_something() {
    for text in [
        "Implement the following plan: tidy up",
        "Implement the following plan:\ntidy up",
        "Implement the following plan:\n\ntidy up",
        "Implement the following plan: first this\nthen that",
    ] {
        let session = Session::numbered(1).user(text).assistant(|message| message.text("on it"));
        let shown = explain(&session);
        assert_eq!(outline(&shown.chunks)[0], format!("user: {text}"));
        assert!(shown.plans.is_empty(), "{text}");
        assert!(shown.placing.iter().all(|placing| placing.hidden.is_none()), "{text}");
        assert_eq!((shown.profile.turns, shown.message_starts.len()), (1, 2), "{text}");
    }
}

#[test]
fn a_plan_of_one_line_is_known_by_having_been_made() {
    let session = Session::numbered(1).user("plan it").plan("tidy up").reject_plan("").implement("tidy up");
    let shown = explain(&session);
    assert_eq!(verdicts(&shown), [(Verdict::Approved, None, true)]);
    assert!(shown.placing.iter().any(|placing| placing.hidden == Some(Hidden::PlanRequest)));
}
