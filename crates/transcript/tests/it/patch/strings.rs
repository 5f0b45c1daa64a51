//! Every string of a line is offered, decoded, with its key; what is said of it changes, and not a byte besides.

use std::borrow::Cow;
use std::ops::Range;

use proptest::prelude::*;
use serde_json::Value;
use steno_transcript::patch::{Spot, strings};

type Replacements = Vec<(Range<usize>, String)>;

/// Every `secret` becomes `MASKED`.
fn mask(spot: &Spot<'_>) -> Replacements {
    if spot.is_media {
        return Vec::new();
    }
    spot.text.match_indices("secret").map(|(at, word)| (at..at + word.len(), "MASKED".to_owned())).collect()
}

fn masked(line: &str) -> String {
    String::from_utf8(strings(line.as_bytes(), true, &mut mask).into_owned()).unwrap()
}

/// What is offered: under which key, whether it is a key, and the text.
fn offered(line: &[u8]) -> Vec<String> {
    let mut seen = Vec::new();
    let same = strings(line, true, &mut |spot| {
        let mark = if spot.is_key { "#" } else { "" };
        seen.push(format!("{}{mark}={}", spot.key.unwrap_or("-"), spot.text));
        Vec::new()
    });
    assert!(matches!(same, Cow::Borrowed(_)));
    seen
}

#[test]
fn every_string_is_offered_with_its_key() {
    let line = r#"{"a":"1","b":["2",["3",{"c":"4"},"5"]],"d":{"\u0065":"\u0036\n"},"n":7,"f":null,"f":"8"}"#;
    assert_eq!(
        offered(line.as_bytes()),
        [
            "-#=a", "a=1", "-#=b", "b=2", "b=3", "b#=c", "c=4", "b=5", "-#=d", "d#=e", "e=6\n", "-#=n",
            "-#=f", "-#=f", "f=8"
        ]
    );
}

#[test]
fn strings_change_wherever_they_stand() {
    for (line, expected) in [
        (r#"{"type":"user","x":"a secret."}"#, r#"{"type":"user","x":"a MASKED."}"#),
        (r#"{"secret":{"my secret":1.50}}"#, r#"{"MASKED":{"my MASKED":1.50}}"#),
        (r#"{"x":"s\u0065cr\u0065t\ud800 \/"}"#, r#"{"x":"MASKED\ud800 \/"}"#),
        (r#"{"x":"secret","x":"secret"}"#, r#"{"x":"MASKED","x":"MASKED"}"#),
        (r#"{"x":"secretsecret \"secret"}"#, r#"{"x":"MASKEDMASKED \"MASKED"}"#),
        ("\u{feff} {\"x\":\"secret\"}\r\n", "\u{feff} {\"x\":\"MASKED\"}\r\n"),
        ("\0\0{\"x\":\"secret\"}\n", "\0\0{\"x\":\"MASKED\"}\n"),
        (r#"{"x":"secret"} {"y":["secret"]}"#, r#"{"x":"MASKED"} {"y":["MASKED"]}"#),
        (
            r#"{"type":"assis{"type":"user","uuid":"u","x":"secret"}"#,
            r#"{"type":"assis{"type":"user","uuid":"u","x":"MASKED"}"#,
        ),
        // The reader reads nothing of these.
        (r#"{"x":"secret"#, r#"{"x":"secret"#),
        (r#"["secret"]"#, r#"["secret"]"#),
        ("", ""),
    ] {
        assert_eq!(masked(line), expected, "{line}");
    }
}

#[test]
fn a_byte_order_mark_is_one_only_in_the_first_line() {
    let line = "\u{feff}{\"x\":\"secret\"}";
    assert_eq!(&*strings(line.as_bytes(), false, &mut mask), line.as_bytes());
}

/// A word to mask within so much base64 that it can only be media.
fn media() -> String {
    format!("{}secret{}==", "A".repeat(124), "B/+9".repeat(32))
}

#[test]
fn encoded_media_is_left_alone_and_what_only_looks_like_it_is_not() {
    for (line, count) in [
        (r#"{"source":{"type":"base64","media_type":"image/png","data":"MEDIA"}}"#, 0),
        (r#"{"source":{"data":"MEDIA","media_type":"image/png","type":"base64"}}"#, 0),
        (r#"{"source":{"d\u0061ta":"\u0041A\/AMEDIA","t\u0079pe":"bas\u00656\u0034"}}"#, 0),
        (r#"{"file":{"base64":"MEDIA","type":"image/png"}}"#, 0),
        (r#"{"file":{"base64":"MEDIA "}}"#, 1),
        (r#"{"file":{"base64":"MEDIA\n"}}"#, 1),
        (r#"{"file":{"base64":"MEDIA===="}}"#, 1),
        (r#"{"file":{"base64":"=MEDIA==="}}"#, 1),
        (r#"{"source":{"type":"text","media_type":"text/plain","data":"MEDIA"}}"#, 1),
        (r#"{"source":{"data":"MEDIA","media_type":"text/plain","type":"text"}}"#, 1),
        (r#"{"type":"base64","data":"my-MEDIA"}"#, 1),
        (r#"{"type":"base64","data":"MEDIA","type":"text"}"#, 1),
        (r#"{"type":"text","data":"MEDIA","type":"base64"}"#, 1),
        (r#"{"type":"base64","data":["MEDIA"],"more":{"data":"MEDIA"},"text":"MEDIA"}"#, 3),
        (r#"{"data":"MEDIA","more":{"type":"base64","data":"MEDIA"},"text":"MEDIA"}"#, 2),
        (r#"[{"data":"MEDIA"}]"#, 0),
    ] {
        let line = line.replace("MEDIA", &media());
        assert_eq!(masked(&line).matches("MASKED").count(), count, "{line}");
        assert_eq!(masked(&line).replace("MASKED", "secret"), line);
    }
}

#[test]
fn encoded_media_is_offered_as_such() {
    let line = format!(r#"{{"type":"base64","data":"{}","text":"x"}}"#, media());
    let mut seen = Vec::new();
    let shorter = strings(line.as_bytes(), true, &mut |spot| {
        seen.push((spot.key.map(str::to_owned), spot.is_media));
        if spot.is_media { vec![(0..spot.text.len(), "AAAA".to_owned())] } else { Vec::new() }
    });
    assert!(
        seen.contains(&(Some("data".to_owned()), true)) && !seen.contains(&(Some("text".to_owned()), true))
    );
    assert_eq!(&*shorter, br#"{"type":"base64","data":"AAAA","text":"x"}"#);
}

#[test]
fn a_secret_that_poses_as_media_is_offered() {
    let long = media();
    for (data, is_offered) in [
        ("AKIAIOSFODNN7secret1", true),
        ("secret", true),
        ("secret==", true),
        (&long, false),
        (long.get(4..).unwrap(), false),
        (long.get(8..).unwrap(), true),
        (long.get(1..).unwrap(), true),
        // What small images begin with.
        ("iVBORw0KGgosecretA==", false),
        ("R0lGODsecret", false),
        ("/9j/AAsecret", false),
        ("UklGRAsecret", false),
        ("/9j/secret", true),
        ("iVBORw0KGgo my secret", true),
    ] {
        for line in [
            format!(r#"{{"type":"base64","data":"{data}"}}"#),
            format!(r#"{{"data":"{data}","type":"base64"}}"#),
            format!(r#"{{"file":{{"base64":"{data}"}}}}"#),
        ] {
            assert_eq!(masked(&line) != line, is_offered, "{line}");
        }
    }
}

#[test]
fn numbers_under_a_key_are_offered_as_they_are_spelled() {
    let seen = |line: &str| {
        let mut seen = Vec::new();
        strings(line.as_bytes(), true, &mut |spot| {
            let spelled = format!("{}={}", spot.key.unwrap_or("-"), spot.text);
            seen.extend(spot.is_number.then_some(spelled));
            Vec::new()
        });
        seen
    };
    for (line, expected) in [
        (r#"{"password":12345678}"#, &["password=12345678"][..]),
        (r#"{"a" : -1234 , "b":1.50e+30,"c":{"d":9999}}"#, &["a=-1234", "b=1.50e+30", "d=9999"]),
        (r#"{"p\u0069n":1234}"#, &["pin=1234"]),
        (r#"{"data":1234,"type":5678}"#, &["data=1234", "type=5678"]),
        (r#"{"a":123,"b":-123,"c":1e-2,"d":true,"e":null,"f":"12345"}"#, &[]),
        (r#"{"a":[12345,[12345]],"b":[{"c":12345}]}"#, &["c=12345"]),
        (r#"{"a":{},"b":12345}"#, &["b=12345"]),
    ] {
        assert_eq!(seen(line), expected, "{line}");
    }
}

#[test]
fn a_number_of_which_something_is_replaced_becomes_a_string() {
    for (line, expected) in [
        (r#"{"password":12345678}"#, r#"{"password":"[\"1\"]"}"#),
        (
            r#"{"a": 5123456789 ,"b":[12345678],"c":12345678}"#,
            r#"{"a": "5[\"1\"]9" ,"b":[12345678],"c":"[\"1\"]"}"#,
        ),
        (r#"{"a":1234,"b":1}"#, r#"{"a":1234,"b":1}"#),
    ] {
        let answer = strings(line.as_bytes(), true, &mut |spot| {
            let found = spot.text.match_indices("12345678");
            found.map(|(at, digits)| (at..at + digits.len(), "[\"1\"]".to_owned())).collect()
        });
        assert_eq!(std::str::from_utf8(&answer).unwrap(), expected);
    }
}

#[test]
fn bad_utf8_is_offered_as_it_is_read() {
    let line = b"{\"a\":\"\xffsecret\",\"b\":\"\xfe\",\"sec\xffret\":1}\n";
    assert_eq!(offered(line), ["-#=a", "a=?secret", "-#=b", "b=?", "-#=sec?ret"]);
    let line = strings(line, true, &mut mask);
    assert_eq!(&*line, b"{\"a\":\"?MASKED\",\"b\":\"\xfe\",\"sec\xffret\":1}\n");
}

#[test]
fn stretches_that_overlap_or_cut_a_character_are_all_replaced() {
    let line = "{\"x\":\"aébcd\\u00e9f\"}";
    let replaced = |ranges: &[Range<usize>]| {
        let answer = strings(line.as_bytes(), true, &mut |spot| match spot.is_key {
            true => Vec::new(),
            false => ranges.iter().map(|range| (range.clone(), "*".to_owned())).collect(),
        });
        String::from_utf8(answer.into_owned()).unwrap()
    };
    assert_eq!(replaced(&[4..5, 1..3]), r#"{"x":"a*b*d\u00e9f"}"#);
    assert_eq!(replaced(&[0..4, 1..2, 3..5, 0..4]), r#"{"x":"**d\u00e9f"}"#);
    assert_eq!(replaced(&[2..3, 7..99]), r#"{"x":"a*bcd*"}"#);
}

#[test]
fn deep_and_long_keys_cost_no_more_than_their_length() {
    let (open, close) = (r#"{"\u0064ata":"x","a":["#.repeat(50_000), "]}".repeat(50_000));
    let line = format!(r#"{{"{}\n":{open}"secret"{close}}}"#, "k".repeat(500_000));
    assert_eq!(masked(&line), line.replace("secret", "MASKED"));
}

const SMALL_IMAGE: &str = "R0lGODsecret";

fn value() -> impl Strategy<Value = Value> {
    let text = || {
        prop::sample::select(vec!["secret", "a secret", "x", "", "base64", "é\"\\\n", "data", SMALL_IMAGE])
    };
    let key = prop::sample::select(vec!["type", "data", "base64", "x", "é secret"]).prop_map(str::to_owned);
    let leaf =
        prop_oneof![text().prop_map(Value::from), any::<i32>().prop_map(Value::from), Just(Value::Null)];
    leaf.prop_recursive(5, 60, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((key.clone(), inner), 0..5).prop_map(|fields| fields.into_iter().collect()),
        ]
    })
}

/// The same told by other means: the whole value, from the top.
fn expected(value: &Value, is_media: bool) -> Value {
    match value {
        Value::String(text) if !is_media => text.replace("secret", "MASKED").into(),
        Value::Array(list) => list.iter().map(|value| expected(value, false)).collect(),
        Value::Object(fields) => {
            let is_encoded = value.get("type").and_then(Value::as_str) == Some("base64");
            let change = |(key, value): (&String, &Value)| {
                let is_small_image = value.as_str().is_some_and(|text| text == SMALL_IMAGE);
                let is_media = is_small_image && (key == "base64" || (key == "data" && is_encoded));
                (key.replace("secret", "MASKED"), expected(value, is_media))
            };
            fields.iter().map(change).collect()
        }
        other => other.clone(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_stay_where_nothing_is_replaced(bytes in prop::collection::vec(any::<u8>(), 0..500)) {
        prop_assert!(matches!(strings(&bytes, true, &mut |_| Vec::new()), Cow::Borrowed(_)));
    }

    #[test]
    fn the_shape_stays_and_every_word_is_reached(value in value()) {
        let line = serde_json::json!({"x": value}).to_string();
        let answer: Value = serde_json::from_str(&masked(&line)).unwrap();
        prop_assert_eq!(answer, serde_json::json!({"x": expected(&value, false)}));
    }
}
