//! Fields that point to records, and strings that only look so.

use super::*;

const A: &str = "0a000000-0000-4000-8000-00000000000a";
const B: &str = "0a000000-0000-4000-8000-00000000000b";

fn of(kind: &str, json: &str) -> Pointers {
    let json = json.replace("$A", A).replace("$B", B);
    pointers(&Kind::from_name(kind), &serde_json::from_str(&json).unwrap())
}

#[test]
fn fields_that_point_are_known_by_name() {
    let found = of("file-history-snapshot", r#"{"messageId":"a","snapshot":{"messageId":"b","x":1}}"#);
    assert_eq!(found.named, ["a", "b"]);
    assert_eq!(of("last-prompt", r#"{"leafUuid":"a"}"#).named, ["a"]);
    assert_eq!(of("user", r#"{"sourceToolAssistantUUID":"a","messageId":"b"}"#).named, ["a"]);
    assert!(of("last-prompt", r#"{"leafUuid":null}"#).named.is_empty());
}

#[test]
fn other_strings_may_point_where_they_are_uuids_as_a_whole() {
    let found = of("novel", r#"{"a":{"b":["$A"," $B"],"$B":1},"c":"it is \"$B\""}"#);
    assert_eq!(found.possible, [A]);
    assert!(of("user", r#"{"message":{"content":"$A"},"toolUseResult":"$A"}"#).possible.is_empty());
}

#[test]
fn messages_that_a_compaction_lists_go_before_its_segment() {
    let both = r#"{"compactMetadata":{"preservedSegment":{"headUuid":"h","anchorUuid":"n","tailUuid":"t"},
        "preservedMessages":{"anchorUuid":"n","uuids":["h","t"]}}}"#;
    let kept = Preserves::Messages { anchor: Some("n".into()), uuids: vec!["h".into(), "t".into()] };
    assert_eq!(of("system", both).preserved, Some(kept));
    assert!(of("system", r#"{"compactMetadata":{"trigger":"manual"}}"#).preserved.is_none());
}
