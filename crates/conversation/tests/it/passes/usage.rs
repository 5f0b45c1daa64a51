//! Usage: each message once, with the most of each field.

use serde_json::{Value, json};
use steno_conversation::model::Tokens;
use steno_testkit::{Era, Session, Usage};
use steno_transcript::MessageId;

use crate::passes::explaining::explain;

fn tokens(session: &Session) -> Tokens {
    explain(session).profile.tokens
}

const USAGE: Usage = Usage { input: 10, output: 500, cache_read: 3000, cache_5m: 40, cache_1h: 7 };

#[test]
fn records_of_one_message_count_once_in_every_era() {
    for era in Era::ALL {
        let session = Session::numbered(1).era(era).user("go").assistant(|message| {
            message
                .thinking("a")
                .text("b")
                .tool_use("Bash", json!({"command": "ls"}))
                .answered("c")
                .usage(USAGE)
        });
        let unknown = u64::from(matches!(era, Era::V1_0 | Era::V2_1_56));
        let expected = Tokens {
            input: 10,
            output: 500,
            cache_read: 3000,
            cache_write_5m: 40,
            cache_write_1h: 7,
            without_final_usage: unknown,
        };
        assert_eq!(tokens(&session), expected, "{era:?}");
    }
}

#[test]
fn a_message_is_final_when_any_of_its_records_says_why_it_stopped() {
    for era in Era::ALL {
        let stopped = Session::numbered(1)
            .era(era)
            .user("go")
            .assistant(|message| message.thinking("a").text("b").stop_reason("end_turn"));
        assert_eq!(tokens(&stopped).without_final_usage, 0, "{era:?}");
        let cut_off = stopped.assistant(|message| message.text("cut").unfinished());
        assert_eq!(tokens(&cut_off).without_final_usage, 1, "{era:?}");
    }
}

#[test]
fn the_same_id_under_another_request_counts_again() {
    let say = |session: Session, request: &'static str| {
        session.assistant(|message| {
            message.text("x").id(MessageId::new("msg_1")).request_id(request).usage(USAGE)
        })
    };
    let session = say(say(Session::numbered(1).user("go"), "req_1"), "req_2");
    assert_eq!(tokens(&session).output, 1000);
    assert_eq!(tokens(&say(session, "req_2")).output, 1000);
}

#[test]
fn messages_without_an_id_count_each() {
    let say = |session: Session| session.assistant(|message| message.text("x").without_id().usage(USAGE));
    assert_eq!(tokens(&say(say(Session::numbered(1).user("go")))).output, 1000);
}

fn with_usage(usage: &Value) -> Session {
    Session::numbered(1).user("go").linked(json!({
        "type": "assistant", "uuid": null, "timestamp": null,
        "message": {"id": "msg_1", "role": "assistant", "model": "m", "stop_reason": "end_turn",
                    "content": [{"type": "text", "text": "x"}], "usage": usage},
    }))
}

#[test]
fn cache_writes_without_a_lifetime_lived_five_minutes() {
    let both = |usage: Value| {
        let tokens = tokens(&with_usage(&usage));
        (tokens.cache_write_5m, tokens.cache_write_1h)
    };
    assert_eq!(both(json!({"cache_creation_input_tokens": 90})), (90, 0));
    let split = json!({"ephemeral_5m_input_tokens": 30, "ephemeral_1h_input_tokens": 60});
    assert_eq!(both(json!({"cache_creation_input_tokens": 90, "cache_creation": split})), (30, 60));
    assert_eq!(both(json!({"cache_creation": split})), (30, 60));
    assert_eq!(both(json!({"cache_creation_input_tokens": 90, "cache_creation": null})), (90, 0));
}

#[test]
fn odd_counts_count_nothing_and_fail_nothing() {
    let odd = json!({"input_tokens": -5, "output_tokens": "many", "cache_read_input_tokens": 1e300});
    let total = tokens(&with_usage(&odd));
    assert_eq!((total.input, total.output), (0, 0));
    assert_eq!(tokens(&with_usage(&json!(null))).output, 0);
    assert_eq!(tokens(&with_usage(&json!("none"))).output, 0);
}

#[test]
fn synthetic_messages_cost_nothing_and_are_no_model() {
    let shown = explain(&Session::numbered(1).user("go").api_error("API Error: 529"));
    assert_eq!(shown.profile.tokens, Tokens::default());
    assert!(shown.profile.models.is_empty());
}

#[test]
fn the_request_log_and_the_cost_state_are_not_counted() {
    let session = Session::numbered(1).turns(1);
    let once = tokens(&session);
    let blob = json!([{"type": "text", "text": "x"}]);
    assert_eq!(
        tokens(&session.cost_state().cost_state().api_request_blob("assistant", blob).api_request()),
        once
    );
}

#[test]
fn an_agents_tokens_are_its_own() {
    for era in [Era::V2_0_42, Era::V2_1_56, Era::V2_1_325] {
        let session = Session::numbered(1).era(era).user("go").agent(|agent| agent);
        let shown = explain(&session);
        assert_eq!(shown.profile.tokens.output, 200, "{era:?}: the call");
        assert_eq!(shown.agents[0].tokens.output, 400, "{era:?}: its two messages");
    }
}
