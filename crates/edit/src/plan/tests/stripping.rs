//! What is taken out, and what goes with it.

use super::*;
use crate::options::{Preset, Strip, Tools};

fn tools(tools: Tools) -> CloneOptions {
    CloneOptions { strip: Strip { tools: Some(tools), ..Strip::default() }, ..CloneOptions::default() }
}

#[test]
fn calls_go_with_their_results_and_the_thinking_that_led_to_them() {
    let (outline, plan) = planned(&session(2), &tools(Tools::NONE));
    assert_eq!(line(&outline, &plan), ["asked-0000", "said-0000", "asked-0001", "said-0001"]);
    let said = plan.changes[&node(&outline, "said-0000")].clone();
    assert_eq!(said.parent, Some(Parent::Node(node(&outline, "asked-0000"))));
    assert!(plan.calls.is_empty());
    assert_eq!((plan.after.tool_calls, plan.after.tool_results, plan.after.thinking), (0, 0, 0));
    assert_eq!(plan.counts, Counts { kept: 4, dropped: 6, changed: 2 });
}

#[test]
fn the_last_turns_with_calls_keep_them() {
    let mut records = session(3);
    records.push(user("thanks", Some("said-0002"), 100, json!("thanks")));
    let (outline, plan) = planned(&records, &tools(Tools { keep_recent: 1, ..Tools::NONE }));
    let gone = dropped(&outline, &plan);
    let past = ["thought-0000", "called-0000", "result-0000", "thought-0001", "called-0001", "result-0001"];
    assert_eq!(gone, past);
    assert_eq!(plan.calls.iter().map(|id| outline.text(*id)).collect::<Vec<_>>(), ["t-0002"]);
}

#[test]
fn results_are_shortened_where_nothing_is_removed() {
    let options =
        Tools { removes: false, keep_recent: 1, truncation: Truncation::of_lines(1), ..Tools::NONE };
    let (outline, plan) = planned(&session(3), &tools(options));
    assert!(dropped(&outline, &plan).is_empty());
    let shortened: Vec<NodeId> =
        plan.changes.iter().filter(|(_, change)| change.truncation.is_some()).map(|(id, _)| *id).collect();
    assert_eq!(shortened, [node(&outline, "result-0000"), node(&outline, "result-0001")]);
    assert_eq!(plan.calls.len(), 3);
}

#[test]
fn presets_shorten_a_part_of_what_they_keep() {
    let options = CloneOptions { strip: Preset::Heavy.strip(), ..CloneOptions::default() };
    let (outline, plan) = planned(&session(12), &options);
    let shortened = plan.changes.values().filter(|change| change.truncation.is_some()).count();
    assert_eq!((plan.calls.len(), shortened), (10, 8));
    assert_eq!(plan.after.thinking, 0);
    assert!(line(&outline, &plan).iter().all(|uuid| !uuid.starts_with("thought")));
}

#[test]
fn what_a_message_still_says_stays_and_ends_the_turn() {
    let records = [
        user("a", None, 0, json!("please")),
        assistant("b", Some("a"), 1, "m", json!([thinking(), text("first this"), call("t")])),
        user("c", Some("b"), 2, json!([result("t"), text("and hurry")])),
        assistant("d", Some("c"), 3, "n", json!([text("done")])),
    ];
    let (outline, plan) = planned(&records, &tools(Tools::NONE));
    let (said, answered) = (&plan.changes[&node(&outline, "b")], &plan.changes[&node(&outline, "c")]);
    assert_eq!((&said.without[..], said.ends_turn), (&[2][..], true));
    assert_eq!((&answered.without[..], answered.drops_result), (&[0][..], true));
    assert_eq!(plan.line.len(), 4);
    assert!(!plan.changes.contains_key(&node(&outline, "d")));
}

#[test]
fn white_space_that_is_left_alone_goes() {
    let records = [
        user("a", None, 0, json!("please")),
        assistant("b", Some("a"), 1, "m", json!([text("\n\n")])),
        assistant("c", Some("b"), 2, "m", json!([call("t")])),
        user("d", Some("c"), 3, json!([result("t")])),
        assistant("e", Some("d"), 4, "n", json!([text("done")])),
    ];
    let (outline, plan) = planned(&records, &tools(Tools::NONE));
    assert_eq!(line(&outline, &plan), ["a", "e"]);
    let (outline, plan) = planned(&records, &CloneOptions::default());
    assert_eq!(line(&outline, &plan).len(), 5);
}

#[test]
fn tools_of_the_api_go_with_what_they_found() {
    let found = json!([
        {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {}},
        {"type": "web_search_tool_result", "tool_use_id": "s", "content": []},
        {"type": "text", "text": "found"},
    ]);
    let records = [user("a", None, 0, json!("look")), assistant("b", Some("a"), 1, "m", found)];
    let (outline, plan) = planned(&records, &tools(Tools::NONE));
    assert_eq!(plan.changes[&node(&outline, "b")].without, [0, 1]);
}

#[test]
fn images_leave_a_mark() {
    let image =
        json!({"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "QUJD"}});
    let records =
        [user("a", None, 0, json!([image])), assistant("b", Some("a"), 1, "m", json!([text("ok")]))];
    let options =
        CloneOptions { strip: Strip { images: true, ..Strip::default() }, ..CloneOptions::default() };
    let (outline, plan) = planned(&records, &options);
    assert!(plan.changes[&node(&outline, "a")].without_images);
    assert!(plan.before.images > 1000 && plan.after.images < 10);
}

#[test]
fn logs_go_with_any_wish_but_not_without() {
    let mut records = session(1);
    records.push(with(record("progress", "p", Some("said-0000"), 50), "data", json!({"type": "x"})));
    records.push(json!({"type": "api-request", "requestRef": "r"}));
    records.push(json!({"type": "file-history-snapshot", "messageId": "asked-0000", "snapshot": {}}));
    let (outline, plan) = planned(&records, &CloneOptions::default());
    assert!(dropped(&outline, &plan).is_empty());
    let thinking = Strip { thinking: true, ..Strip::default() };
    let (outline, plan) = planned(&records, &CloneOptions { strip: thinking, ..CloneOptions::default() });
    assert_eq!(dropped(&outline, &plan), ["thought-0000", "p", "", ""]);
    assert!(plan.changes[&node(&outline, "said-0000")].drops_request);
}
