//! The promise of the reader: whatever the bytes, reading and writing them changes nothing and fails never.

#![allow(clippy::unwrap_used, reason = "a test that fails should say where")]

use std::ops::ControlFlow;

use proptest::prelude::*;
use steno_transcript::{Shape, Troubles, read};

/// Writes what was read, after looking at everything a record can be asked for.
fn rewritten(bytes: &[u8]) -> Vec<u8> {
    let mut written = Vec::with_capacity(bytes.len());
    read(bytes, |piece| {
        written.extend_from_slice(piece.bytes);
        if let Shape::Record(record) = &piece.shape {
            let mut troubles = Troubles::default();
            let blocks = record.blocks(&mut troubles);
            assert!(blocks.is_empty() || record.envelope.message.is_some());
        }
        ControlFlow::Continue(())
    })
    .unwrap();
    written
}

/// Lines that look enough like transcripts to reach the interesting code.
fn transcript_like() -> impl Strategy<Value = Vec<u8>> {
    let fragment = prop_oneof![
            Just(r#"{"type":"user","uuid":"u","message":{"content":"hi"}}"#.as_bytes().to_vec()),
            Just(
                r#"{"type":"assistant","message":{"id":"m","content":[{"type":"text","text":"}{"}]}}"#
                    .as_bytes()
                    .to_vec()
            ),
            Just(r#"{"type": "mode"}"#.as_bytes().to_vec()),
            Just(br#"{"type":"user","type":1e999,"uuid":[[[{}]]]"#.to_vec()),
            Just(b"{".to_vec()),
            Just(b"}".to_vec()),
            Just(b"\n".to_vec()),
            Just(b"\r\n".to_vec()),
            Just(b"\0".to_vec()),
            Just(b"\xef\xbb\xbf".to_vec()),
            Just(br#""\ud800""#.to_vec()),
            proptest::collection::vec(any::<u8>(), 0..12),
        ];
    proptest::collection::vec(fragment, 0..24).prop_map(|fragments| fragments.concat())
}

proptest! {
    #[test]
    fn any_bytes_come_back_as_they_were(bytes in proptest::collection::vec(any::<u8>(), 0..2000)) {
        prop_assert_eq!(rewritten(&bytes), bytes);
    }

    #[test]
    fn anything_like_a_transcript_comes_back_as_it_was(bytes in transcript_like()) {
        prop_assert_eq!(rewritten(&bytes), bytes);
    }
}
