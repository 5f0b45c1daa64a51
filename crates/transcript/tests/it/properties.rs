//! The promise of the reader: whatever the bytes, reading and writing them changes nothing and fails never.

use std::ops::ControlFlow;

use proptest::prelude::*;
use steno_transcript::{LONGEST_LINE, LineReader, Shape, Trouble, Troubles, read_lines};

/// The lines of which the reader says that they are too long.
fn too_long(bytes: &[u8], limit: usize) -> Vec<u64> {
    let mut lines = Vec::new();
    read_lines(&mut LineReader::new(bytes).limited_to(limit), |piece| {
        lines.extend(piece.troubles.contains(Trouble::TooLong).then_some(piece.place.line));
        ControlFlow::Continue(())
    })
    .unwrap();
    lines
}

/// Writes what was read, after looking at everything a record can be asked for.
fn rewritten(bytes: &[u8]) -> Vec<u8> {
    rewritten_within(bytes, LONGEST_LINE)
}

/// The same where lines beyond a limit come in parts.
fn rewritten_within(bytes: &[u8], limit: usize) -> Vec<u8> {
    let mut written = Vec::with_capacity(bytes.len());
    read_lines(&mut LineReader::new(bytes).limited_to(limit), |piece| {
        assert_eq!(piece.place.offset, written.len() as u64);
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

    #[test]
    fn lines_that_are_too_long_come_back_as_they_were(bytes in transcript_like(), limit in 1..80_usize) {
        prop_assert_eq!(rewritten_within(&bytes, limit), bytes);
    }

    #[test]
    fn each_line_that_is_too_long_is_said_once(bytes in transcript_like(), limit in 1..80_usize) {
        let lines = bytes.split_inclusive(|byte| *byte == b'\n').zip(1..);
        let expected: Vec<u64> = lines.filter(|(line, _)| line.len() > limit).map(|(_, number)| number).collect();
        prop_assert_eq!(too_long(&bytes, limit), expected);
    }
}
