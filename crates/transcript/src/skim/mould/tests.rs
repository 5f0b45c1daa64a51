//! What is read through a mould is what is read without one.

use super::*;
use crate::skim::{self, Depth, Skimmer};
use crate::trouble::Troubles;

/// Answers as several clients write them, and some that nobody writes.
const ANSWERS: [&str; 8] = [
    r#"{"parentUuid":"p1","isSidechain":false,"userType":"external","cwd":"/a","sessionId":"s","version":"1","gitBranch":"m","message":{"model":"x","id":"m1","type":"message","role":"assistant","content":[{"type":"text","text":"a \"b\" ]"}],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":3,"cache_creation_input_tokens":40,"cache_read_input_tokens":5,"cache_creation":{"ephemeral_5m_input_tokens":10,"ephemeral_1h_input_tokens":30},"output_tokens":7,"service_tier":"standard"}},"requestId":"r1","type":"assistant","uuid":"u1","timestamp":"2026-01-01T00:00:00.000Z"}"#,
    r#"{"parentUuid":"p2","isSidechain":false,"userType":"external","cwd":"/a","sessionId":"s","version":"1","gitBranch":"m","message":{"model":"x","id":"m2","type":"message","role":"assistant","content":[],"stop_reason":"end_turn","stop_sequence":null,"usage":{"input_tokens":0,"cache_creation_input_tokens":0,"cache_read_input_tokens":123456,"cache_creation":{"ephemeral_5m_input_tokens":0,"ephemeral_1h_input_tokens":0},"output_tokens":99,"service_tier":"standard"}},"requestId":"r2","type":"assistant","uuid":"u2","timestamp":"2026-01-01T00:00:01.000Z"}"#,
    r#"{"parentUuid":"p","isSidechain":true,"cwd":"/é","sessionId":"s","version":"1","slug":"x","agentId":"a1","message":{"id":"m","model":"x","content":"words","container":{"id":"c","n":[1,-2.5]},"stop_reason":null,"usage":{"input_tokens":1,"server_tool_use":{"web_search_requests":2,"web_fetch_requests":1},"speed":"fast","inference_geo":"us","iterations":[{"a":1}],"output_tokens":2}},"isMeta":false,"isApiErrorMessage":null,"more":true,"type":"assistant","uuid":"u","timestamp":"t"}"#,
    r#"{"type":"assistant","message":{"id":"m","usage":null},"parentUuid":null,"uuid":"u","count":7,"list":[{"type":"user"}]}"#,
    r#"{"type":"assistant","uuid":"u","timestamp":"t"}"#,
    r#"{"type":"assistant","message":{"id":"m","content":[],"usage":{"cache_creation":null,"server_tool_use":null}},"uuid":"u"}"#,
    r#"{"type":"user","message":{"id":"m","content":[]},"uuid":"u"}"#,
    r#"{"type":"assistant","isApiErrorMessage":true,"message":{"id":"m","content":[]},"uuid":"u"}"#,
];

/// What is read of a line, with a mould or without.
fn read(mould: Mould, line: &str) -> Option<(String, bool)> {
    let skimmer = Skimmer { depth: Depth::Usage, mould, ..Skimmer::default() };
    let mut envelope = Envelope::default();
    let skimmed = skim::fill(&mut envelope, line.as_bytes(), &skimmer, &mut Troubles::default())?;
    Some((format!("{envelope:?}"), skimmed.is_cast))
}

fn mould(line: &str) -> Mould {
    Mould { cast: Cast::of(line), misses: 0 }
}

#[test]
fn a_mould_fits_its_own_line_and_those_like_it() {
    for line in &ANSWERS[..6] {
        assert!(read(mould(line), line).unwrap().1, "{line}");
    }
    assert!(read(mould(ANSWERS[0]), ANSWERS[1]).unwrap().1);
    assert!(read(mould(ANSWERS[1]), ANSWERS[0]).unwrap().1);
    assert!(!read(mould(ANSWERS[0]), ANSWERS[2]).unwrap().1);
    for line in &ANSWERS[6..] {
        assert!(!read(mould(line), line).unwrap().1, "{line}");
    }
}

#[test]
fn a_mould_changes_nothing_in_what_is_read() {
    for line in ANSWERS {
        for other in ANSWERS {
            let expected = read(Mould::default(), line).map(|(read, _)| read);
            assert_eq!(read(mould(other), line).map(|(read, _)| read), expected, "{line} {other}");
        }
    }
}

#[test]
fn nothing_is_read_in_another_way_when_a_byte_is_wrong() {
    for line in ANSWERS {
        for place in 0..line.len() {
            for wrong in *b"\"\\{}[]:,0-.eun \x01x" {
                let mut bytes = line.as_bytes().to_vec();
                bytes[place] = wrong;
                let Ok(wrong) = std::str::from_utf8(&bytes) else { continue };
                let expected = read(Mould::default(), wrong).map(|(read, _)| read);
                assert_eq!(read(mould(line), wrong).map(|(read, _)| read), expected, "{wrong}");
                // Nor where the mould is of it, and what follows is right.
                let expected = read(Mould::default(), line).map(|(read, _)| read);
                assert_eq!(read(mould(wrong), line).map(|(read, _)| read), expected, "{wrong}");
            }
        }
    }
}

#[test]
fn where_nothing_fits_fewer_and_fewer_are_tried() {
    let mut mould = Mould::default();
    let mut tried = Vec::new();
    for number in 1..=20 {
        let recast = mould.recast(ANSWERS[0]);
        if recast.is_some() {
            tried.push(number);
        }
        mould.note_miss(recast);
    }
    assert_eq!(tried, [1, 2, 4, 8, 16]);
    mould.note_fit();
    assert!(mould.recast(ANSWERS[0]).is_some());
}
