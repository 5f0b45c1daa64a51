//! Records that change: fields, blocks, results and images.

use proptest::prelude::*;
use serde_json::{Value, json};
use steno_transcript::patch::{Limit, Reshape};

fn reshaped(reshape: &Reshape<'_>, json: &str) -> String {
    String::from_utf8(reshape.apply(json.as_bytes()).into_owned()).unwrap()
}

fn set(fields: &[(&'static str, &str)]) -> Reshape<'static> {
    let set = fields.iter().map(|(name, value)| (*name, (*value).to_owned())).collect();
    Reshape { set, ..Reshape::default() }
}

fn shortened(lines: usize, characters: usize, text: &str) -> String {
    let reshape = Reshape { limit: Some(Limit { lines, characters }), ..Reshape::default() };
    let (before, after) = (r#"{"message":{"content":[{"type":"tool_result","content":""#, r#""}]}}"#);
    let new = reshaped(&reshape, &format!("{before}{text}{after}"));
    assert_eq!(reshaped(&reshape, &new), new, "twice is once");
    new.strip_prefix(before).unwrap().strip_suffix(after).unwrap().to_owned()
}

#[test]
fn a_field_is_set_where_it_stands_or_first() {
    let parent = set(&[("parentUuid", "null")]);
    for (json, expected) in [
        (r#"{"type":"user","parentUuid":"a"}"#, r#"{"type":"user","parentUuid":null}"#),
        (r#"{ "parentUuid" : {"a":[1,"}"]} , "b": 1 }"#, r#"{ "parentUuid" : null , "b": 1 }"#),
        (r#"{"parentUuid":true,"a":{"parentUuid":"a"}}"#, r#"{"parentUuid":null,"a":{"parentUuid":"a"}}"#),
        (
            r#"{"parentUuid":"a","x":1,"p\u0061rentUuid":2}"#,
            r#"{"parentUuid":null,"x":1,"p\u0061rentUuid":null}"#,
        ),
        (r#"{"type":"user"}"#, r#"{"parentUuid":null,"type":"user"}"#),
        (r#"{ }"#, r#"{"parentUuid":null }"#),
    ] {
        assert_eq!(reshaped(&parent, json), expected);
    }
    let two = set(&[("b", "1"), ("a", "\"x\"")]);
    assert_eq!(reshaped(&two, r#"{"c":0}"#), r#"{"b":1,"a":"x","c":0}"#);
}

#[test]
fn a_field_goes_with_one_comma() {
    let removing = Reshape { removed: vec!["a", "toolUseResult"], ..Reshape::default() };
    for (json, expected) in [
        (r#"{"a":1,"b":2}"#, r#"{"b":2}"#),
        (r#"{"b":2,"a":1}"#, r#"{"b":2}"#),
        (r#"{"b":2, "a": {"x":[","]}, "c":3}"#, r#"{"b":2, "c":3}"#),
        (r#"{"a":1,"a":2}"#, "{}"),
        (r#"{"a":1,"toolUseResult":{"a":1},"b":[{"a":1}],"a":2}"#, r#"{"b":[{"a":1}]}"#),
        (r#"{"b":{"a":1}}"#, r#"{"b":{"a":1}}"#),
    ] {
        assert_eq!(reshaped(&removing, json), expected);
    }
    let both = Reshape { set: vec![("b", "1".to_owned())], ..removing };
    assert_eq!(reshaped(&both, r#"{"a":1}"#), r#"{"b":1}"#);
    assert_eq!(reshaped(&both, r#"{"a":1,"c":2}"#), r#"{"b":1,"c":2}"#);
}

#[test]
fn blocks_go_by_their_places() {
    let line =
        |content: &str| format!(r#"{{"message":{{"content":{content},"role":"user"}},"content":[1,2]}}"#);
    for (without, content, expected) in [
        (&[0][..], r#"[{"a":[1,2]}, {"b":"]"}]"#, r#"[ {"b":"]"}]"#),
        (&[1], r#"[{"a":1},{"b":2}]"#, r#"[{"a":1}]"#),
        (&[0, 2, 3], r#"[1,{"b":[]},3,4,"5"]"#, r#"[{"b":[]},"5"]"#),
        (&[0, 1], r#"[ 1 , 2 ]"#, "[]"),
        (&[0], r#""text""#, "[]"),
        (&[0], r#"{"type":"text"}"#, "[]"),
        (&[7], "[1]", "[1]"),
        (&[0], "[]", "[]"),
    ] {
        let reshape = Reshape { without, ..Reshape::default() };
        assert_eq!(reshaped(&reshape, &line(content)), line(expected));
    }
    let reshape = Reshape { without: &[0], ..Reshape::default() };
    assert_eq!(reshaped(&reshape, r#"{"message":[1,2]}"#), r#"{"message":[2]}"#);
}

#[test]
fn a_result_is_cut_after_lines_and_characters_that_are_read() {
    for (lines, characters, text, expected) in [
        (2, 100, r"a\nb\nc", r"a\nb…"),
        (2, 100, r"a\nb\n", r"a\nb\n"),
        (2, 100, r"a\r\nb\r\nc", r"a\r\nb…"),
        (2, 100, r"a\u000ab\u000Ac", r"a\u000ab…"),
        (2, 100, r"a\\nb\\nc", r"a\\nb\\nc"),
        (9, 3, "abcd", "abc…"),
        (9, 3, "abc", "abc"),
        (9, 3, "ééé", "ééé"),
        (9, 2, r"a\ud83d\ude00b", r"a\ud83d\ude00…"),
        (9, 1, r"\ud83d\ude00b", r"\ud83d\ude00…"),
        (9, 1, r"\ud83dab", r"\ud83d…"),
        (9, 1, r"\\\\\\", r"\\…"),
        (0, 9, "a", "…"),
        (1, 0, "a", "…"),
        (1, 9, "", ""),
    ] {
        assert_eq!(shortened(lines, characters, text), expected, "{text} to {lines}, {characters}");
    }
}

#[test]
fn only_results_are_cut() {
    let reshape = Reshape { limit: Some(Limit { lines: 1, characters: 3 }), ..Reshape::default() };
    let json = concat!(
        r#"{"message":{"content":[{"type":"text","text":"abcdef"},{"content":"abcdef","type":"tool_result","tool_use_id":"abcdef"},"#,
        r#"{"type":"tool_result","content":[{"text":"abcdef","type":"text"},{"type":"new","text":"abcdef"},"abcdef"]},"#,
        r#"{"type":"web_search_tool_result","content":[{"type":"text","text":"abcdef"}]},{"type":"tool_use","input":{"content":"abcdef"}}]},"#,
        r#""toolUseResult":{"stdout":"abcdef","type":"abcdef","filePath":"abcdef","file":{"content":"ab\ncd","base64":"abcdef"},"l":["abcdef"],"agentId":"abcdef"},"x":"abcdef"}"#
    );
    let expected = json
        .replace(r#""content":"abcdef","type":"tool_result""#, r#""content":"abc…","type":"tool_result""#)
        .replace(r#"{"text":"abcdef","type":"text"}"#, r#"{"text":"abc…","type":"text"}"#)
        .replace(r#","abcdef"]}"#, r#","abc…"]}"#)
        .replace(r#""stdout":"abcdef""#, r#""stdout":"abc…""#)
        .replace(r#""ab\ncd""#, r#""ab…""#)
        .replace(r#""l":["abcdef"]"#, r#""l":["abc…"]"#);
    assert_eq!(reshaped(&reshape, json), expected);
    assert_eq!(reshaped(&reshape, r#"{"toolUseResult":"abcdef"}"#), r#"{"toolUseResult":"abc…"}"#);
}

#[test]
fn a_text_stands_where_an_image_was() {
    let reshape = Reshape { without_images: true, ..Reshape::default() };
    let image = json!({"type": "image", "source": {"type": "base64", "data": "aaaa"}});
    let text = json!({"type": "text", "text": "[image removed]"});
    let line = |image: &Value, data: &str| {
        json!({"message": {"content": [image, {"type": "tool_result", "content": [image, {"type": "text", "text": "t"}]}]},
            "toolUseResult": {"file": {"base64": data}, "list": [image], "type": "image"}})
    };
    let new = reshaped(&reshape, &line(&image, "aaaa").to_string());
    assert_eq!(serde_json::from_str::<Value>(&new).unwrap(), line(&text, ""));
    let removed = Reshape { without: &[0], ..reshape };
    let new = reshaped(&removed, &json!({"message": {"content": [image]}}).to_string());
    assert_eq!(new, r#"{"message":{"content":[]}}"#);
}

#[test]
fn a_turn_ends_where_tools_were_called() {
    let reshape = Reshape { ends_turn: true, ..Reshape::default() };
    for (json, expected) in [
        (r#"{"message":{"stop_reason":"tool_use"}}"#, r#"{"message":{"stop_reason":"end_turn"}}"#),
        (r#"{"message":{"stop_reason":"max_tokens"}}"#, r#"{"message":{"stop_reason":"max_tokens"}}"#),
        (
            r#"{"message":{"stop_reason":null},"stop_reason":"tool_use"}"#,
            r#"{"message":{"stop_reason":null},"stop_reason":"tool_use"}"#,
        ),
    ] {
        assert_eq!(reshaped(&reshape, json), expected);
    }
}

#[test]
fn bad_bytes_stay_where_nothing_changes() {
    let reshape = set(&[("parentUuid", "null")]);
    let line = b"{\"parentUuid\":\"\xff\",\"x\":\"\xfe\"}";
    assert_eq!(reshape.apply(line).as_ref(), b"{\"parentUuid\":null,\"x\":\"\xfe\"}");
}

fn values() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        "[a-z\"\\\\é\n😀]{0,8}".prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        any::<bool>().prop_map(Value::from),
        Just(Value::Null)
    ];
    leaf.prop_recursive(5, 40, 5, |inner| {
        let key = prop_oneof!["message|content|toolUseResult|type|text|source|base64|stop_reason|a|b"];
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            proptest::collection::btree_map(key, inner, 0..5)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn whatever_changes_is_json_again_and_changes_once(
        content in values(), result in values(), a in values(), gone in proptest::collection::btree_set(0_u32..5, 0..4),
        limit in proptest::option::of((0_usize..3, 0_usize..6)), without_images: bool, is_spaced: bool,
    ) {
        let record = json!({"a": a, "message": {"content": content}, "toolUseResult": result, "z": 1});
        let text = if is_spaced { serde_json::to_string_pretty(&record) } else { serde_json::to_string(&record) }.unwrap();
        let gone: Vec<u32> = gone.into_iter().collect();
        let limit = limit.map(|(lines, characters)| Limit { lines, characters });
        let reshape = Reshape { set: vec![("p", "null".to_owned())], removed: vec!["a"], without: &gone, limit, without_images, ends_turn: true };
        let new = reshaped(&reshape, &text);
        let value: Value = serde_json::from_str(&new).unwrap();
        prop_assert_eq!(value.get("a"), None);
        prop_assert_eq!(&value["p"], &Value::Null);
        if let (Value::Array(old), Value::Array(left)) = (&record["message"]["content"], &value["message"]["content"]) {
            let kept = (0_u32..).zip(old).filter(|(place, _)| !gone.contains(place)).count();
            prop_assert_eq!(left.len(), kept);
        }
        let again = Reshape { without: &[], ..reshape };
        prop_assert_eq!(reshaped(&again, &new), new);
    }
}
