//! The promise of the account: what is counted quickly is what a thorough reading counts, however a file is written.

use std::ops::ControlFlow;

use proptest::prelude::*;
use steno_conversation::{Account, Accountant, Warnings};
use steno_transcript::{LineReader, Piece, read_lines, read_types};

/// The account of some bytes, read by `read`.
fn account(read: impl FnOnce(&mut dyn FnMut(Piece<'_>) -> ControlFlow<()>)) -> Account {
    let mut accountant = Accountant::counting_repeats(true);
    let mut warnings = Warnings::new("file");
    read(&mut |piece| {
        accountant.observe(&piece, &mut warnings);
        ControlFlow::Continue(())
    });
    let mut account = accountant.finish();
    // Which record names the session first depends on which are looked at.
    account.session = None;
    account
}

fn quick(bytes: &[u8]) -> Account {
    account(|visit| read_types(&mut LineReader::new(bytes), &Accountant::lines(), visit).unwrap())
}

fn thorough(bytes: &[u8]) -> Account {
    account(|visit| read_lines(&mut LineReader::new(bytes), visit).unwrap())
}

/// One of these, as a field or a value of a record.
fn one_of(choices: &'static [&'static str]) -> impl Strategy<Value = String> {
    prop::sample::select(choices).prop_map(str::to_owned)
}

/// Fields of a usage; some of them not as the client writes them.
const COUNTS: &[&str] = &[
    r#""input_tokens":3"#,
    r#""output_tokens":700"#,
    r#""output_tokens":12"#,
    r#""output_tokens":1.5e2"#,
    r#""output_tokens":"many""#,
    r#""output_tokens":99999999999999999999999"#,
    r#""cache_read_input_tokens":null"#,
    r#""cache_creation_input_tokens":40"#,
    r#""cache_creation":{"ephemeral_5m_input_tokens":10,"ephemeral_1h_input_tokens":30}"#,
    r#""cache_creation":null"#,
    r#""server_tool_use":{"web_search_requests":2,"web_fetch_requests":0}"#,
    r#""service_tier":"standard""#,
    r#""speed":"fast""#,
    r#""inference_geo":"us""#,
    r#""output\u005ftokens":8"#,
];

const CONTENTS: &[&str] = &[
    r#""content":[]"#,
    r#""content":[{"type":"text","text":"a \"quoted\" ] } { [ \\"}]"#,
    r#""content":[{"type":"tool_use","id":"t","name":"n","input":{"type":"assistant","usage":{"output_tokens":1}}}]"#,
    r#""content":"words: {\"type\":\"assistant\"}""#,
    r#""content":null"#,
    r#""content":7"#,
];

const OF_MESSAGE: &[&str] = &[
    r#""id":"m1""#,
    r#""id":"m2""#,
    r#""id":null"#,
    r#""\u0069d":"m3""#,
    r#""model":"claude""#,
    r#""model":"<synthetic>""#,
    r#""model":"cl\u0061ude""#,
    r#""role":"assistant""#,
    r#""stop_reason":null"#,
    r#""stop_reason":"end_turn""#,
    r#""usage":null"#,
    r#""usage":[]"#,
];

const OF_RECORD: &[&str] = &[
    r#""type":"assistant""#,
    r#""type":"user""#,
    r#""type":"progress""#,
    r#""t\u0079pe":"assistant""#,
    r#""uuid":"u1""#,
    r#""uuid":"u2""#,
    r#""requestId":"r1""#,
    r#""requestId":null"#,
    r#""timestamp":"2026-01-01T00:00:00.000Z""#,
    r#""timestamp":"2026-01-02T03:04:05+09:00""#,
    r#""timestamp":1767812640310"#,
    r#""timestamp":"yesterday""#,
    r#""cwd":"/home/dev/api","sessionId":"s","version":"1","gitBranch":"main""#,
    r#""cwd":"/home/d\u00e9v","sessionId":"s","version":"1","gitBranch":"é""#,
    r#""isSidechain":true"#,
    r#""isSidechain":false"#,
    r#""message":"said so""#,
    r#""message":null"#,
    r#""data":{"message":{"type":"assistant","message":{"id":"m9","usage":{"output_tokens":9}}}}"#,
    r#""toolUseResult":{"agentId":"a","usage":{"output_tokens":5}}"#,
];

fn object(fields: &[String]) -> String {
    format!("{{{}}}", fields.join(","))
}

fn usage() -> impl Strategy<Value = String> {
    prop::collection::vec(one_of(COUNTS), 0..6).prop_map(|fields| format!(r#""usage":{}"#, object(&fields)))
}

fn message() -> impl Strategy<Value = String> {
    let field = prop_oneof![3 => one_of(OF_MESSAGE), 2 => usage(), 2 => one_of(CONTENTS)];
    prop::collection::vec(field, 0..7).prop_map(|fields| format!(r#""message":{}"#, object(&fields)))
}

/// A record; keys may stand in it twice.
fn record() -> impl Strategy<Value = String> {
    let field = prop_oneof![4 => one_of(OF_RECORD), 2 => message()];
    let kind = prop_oneof![3 => Just(r#""type":"assistant""#.to_owned()), 1 => one_of(OF_RECORD)];
    (prop::collection::vec(field, 0..7), kind, any::<prop::sample::Index>(), any::<bool>()).prop_map(
        |(mut fields, kind, place, is_spaced)| {
            fields.insert(place.index(fields.len() + 1), kind);
            let record = object(&fields);
            if is_spaced { record.replace("\":", "\": ").replace(",\"", ", \"") } else { record }
        },
    )
}

/// A whole record or a torn one, with what follows it.
fn stretch() -> impl Strategy<Value = Vec<u8>> {
    let between = prop_oneof![
        8 => Just("\n"), 1 => Just(""), 1 => Just(" "), 1 => Just("\r\n"), 1 => Just("\n\n"), 1 => Just("\0\n"),
    ];
    let torn = prop::option::weighted(0.1, any::<prop::sample::Index>());
    (record(), torn, between).prop_map(|(record, torn, between)| {
        let bytes = record.as_bytes();
        let whole = torn.map_or(bytes.len(), |cut| cut.index(bytes.len()));
        [bytes.get(..whole).unwrap_or_default(), between.as_bytes()].concat()
    })
}

fn files() -> impl Strategy<Value = Vec<u8>> {
    let start = prop_oneof![9 => Just(""), 1 => Just("\u{feff}")];
    (start, prop::collection::vec(stretch(), 0..12))
        .prop_map(|(start, stretches)| [start.as_bytes(), &stretches.concat()].concat())
}

proptest! {
    #[test]
    fn the_quick_account_is_the_thorough_one(bytes in files()) {
        prop_assert_eq!(quick(&bytes), thorough(&bytes), "{}", bytes.escape_ascii());
    }
}
