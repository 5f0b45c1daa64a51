//! A record behind half of another is not taken for a part of it.

use std::ops::ControlFlow;

use steno_transcript::{Shape, is_one_object, read};

/// As the client writes them, with the session before the payload and behind it.
const PROGRESS: [&str; 2] = [
    r#"{"parentUuid":null,"sessionId":"s","type":"progress","data":{"output":"a {é:\\ \"x\": ","list":[{"n":1},{}],"message":{"type":"user","uuid":"i","message":{"content":"in {"}}},"toolUseID":"t","uuid":"p","timestamp":"now"}"#,
    r#"{"type":"progress","data":{"output":"a, {","list":[true,{"n":[]}]},"uuid":"p","sessionId":"s"}"#,
];
const USER: [&str; 3] = [
    r#"{"parentUuid":null,"sessionId":"s","type":"user","message":{"content":"say \"it"},"uuid":"u"}"#,
    r#"{"type":"user","message":{"content":[{"type":"text","text":"{"}]},"uuid":"u","sessionId":"s"}"#,
    r#"{ "type": "user", "message": { "content": "x" }, "uuid": "u", "sessionId": "s" }"#,
];

/// Every way to tear the one and go on with the other, a line each.
fn torn_lines() -> Vec<u8> {
    let mut lines = Vec::new();
    for (progress, user) in PROGRESS.iter().flat_map(|progress| USER.map(|user| (progress, user))) {
        for torn in 0..=progress.len() {
            for between in ["", "  ", "\t", "\0"] {
                lines.extend_from_slice(progress.as_bytes().get(..torn).unwrap());
                lines.extend_from_slice(format!("{between}{user}\n").as_bytes());
            }
        }
    }
    lines
}

#[test]
fn no_line_that_hides_a_record_looks_like_one_object() {
    let mut hidden = 0;
    for line in torn_lines().split_inclusive(|byte| *byte == b'\n') {
        let mut records = 0;
        read(line, |piece| {
            records += u32::from(matches!(piece.shape, Shape::Record(_)) || !piece.troubles.is_empty());
            ControlFlow::Continue(())
        })
        .unwrap();
        hidden += u32::from(records > 1);
        assert!(records < 2 || !is_one_object(line, line), "{}", line.escape_ascii());
    }
    assert!(hidden > 2000);
}
