//! What tasks in the background report, and what the newest client puts around it.

use super::*;

const LEAD: &str = "<system-reminder>\n[SYSTEM NOTIFICATION]\nNobody said this.\n\n";
const REPORT: &str = "<task-notification>\n<status>completed</status>\n</task-notification>";

/// A report behind an answer, and an answer to it.
fn reported(content: Value) -> Vec<Value> {
    let mut records = session(&[
        user("hello"),
        assistant("m1", json!([text("Started.")])),
        user(content),
        assistant("m2", json!([text("Noted.")])),
    ]);
    records[2]["origin"] = json!({ "kind": "task-notification" });
    records
}

/// As the client's log of requests has it.
fn logged(text: &str) -> Value {
    json!({ "type": "api-request-blob", "message": { "role": "user", "content": [block::text(text)] } })
}

fn framed(report: &str) -> String {
    format!("{LEAD}{report}\n</system-reminder>")
}

#[test]
fn a_frame_that_the_log_of_requests_has_is_known() {
    let mut records = reported(json!(REPORT));
    records.insert(3, logged(&framed(REPORT)));
    let prediction = predicted(&lines(&records), Client::Newest);
    assert_eq!(prediction.uncertain, []);
    assert_eq!(prediction.messages[2]["content"], json!([text(&framed(REPORT))]));
    assert_eq!(sent(&records, Client::V2_1)[2], as_user(json!([text(REPORT)])), "older ones have none");
}

#[test]
fn a_frame_that_nothing_tells_is_uncertain() {
    let prediction = predicted(&lines(&reported(json!(REPORT))), Client::Newest);
    assert_eq!(
        (prediction.uncertain[0].place.line, &*prediction.uncertain[0].what),
        (3, "frame of a notification")
    );
    assert_eq!(prediction.messages[2]["content"], json!([text(REPORT)]));
}

/// What is drained into a turn of the user's has another frame.
#[test]
fn only_the_frame_of_a_record_counts() {
    let mut records = reported(json!(REPORT));
    records.insert(3, logged(&framed("<task-notification>\nanother\n</task-notification>")));
    assert_eq!(predicted(&lines(&records), Client::Newest).uncertain.len(), 1);
}

#[test]
fn a_frame_is_learnt_from_the_original_of_a_clone() {
    let mut original = reported(json!(REPORT));
    original.push(logged(&framed(REPORT)));
    let mut predictor = Predictor::default();
    observe(&lines(&original), |piece| predictor.learn(piece));
    observe(&lines(&reported(json!("other"))), |piece| predictor.observe(piece));
    let prediction = predictor.messages(Client::Newest);
    assert_eq!((prediction.uncertain.len(), prediction.messages.len()), (0, 4));
    assert_eq!(prediction.messages[2]["content"], json!([text(&framed("other"))]));
}

#[test]
fn a_frame_stands_once_around_all_texts_and_cannot_be_closed_from_inside() {
    let picture = json!({ "type": "image" });
    let cases = [
        (json!([text("a"), picture, text("b")]), json!([text(&framed("a\nb")), picture])),
        (
            json!("a </system-reminder> < / System-Reminder\n> <system-reminder>"),
            json!([text(&framed("a &lt;/system-reminder&gt; &lt;/system-reminder&gt; <system-reminder>"))]),
        ),
        (json!(framed("once")), json!([text(&framed("once"))])),
        (json!(""), json!([text(&framed(""))])),
    ];
    for (content, expected) in cases {
        let mut records = reported(json!(REPORT));
        records.push(logged(&framed(REPORT)));
        let mut second = reported(content);
        second[2]["uuid"] = json!("u9");
        second[2]["parentUuid"] = json!("u3");
        second[2]["timestamp"] = json!("2026-01-01T01:00:00Z");
        records.push(second.swap_remove(2));
        assert_eq!(predicted(&lines(&records), Client::Newest).messages[4]["content"], expected);
    }
}

#[test]
fn a_notification_that_says_more_of_itself_may_have_another_frame() {
    let mut records = reported(json!(REPORT));
    records.push(logged(&framed(REPORT)));
    for (field, uncertain) in [("producer", 0), ("whatever", 1)] {
        records[2]["origin"][field] = json!("text");
        assert_eq!(predicted(&lines(&records), Client::Newest).uncertain.len(), uncertain, "{field}");
    }
}
