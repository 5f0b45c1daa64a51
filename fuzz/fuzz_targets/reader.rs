//! Any bytes: the pieces one after the other are the input, and everything a record can be asked for has an answer.

#![no_main]

use std::ops::ControlFlow;

use libfuzzer_sys::fuzz_target;
use steno_transcript::content::{self, Block};
use steno_transcript::{Record, Shape, Troubles, excerpt, read};

fuzz_target!(|bytes: &[u8]| {
    let mut written = Vec::with_capacity(bytes.len());
    let mut line = 0;
    let outcome = read(bytes, |piece| {
        assert_eq!(
            piece.place.offset,
            written.len() as u64,
            "a piece knows where it stands"
        );
        assert!(piece.place.line >= line, "lines never go back");
        line = piece.place.line;
        written.extend_from_slice(piece.bytes);
        match &piece.shape {
            Shape::Record(record) => ask(record),
            Shape::Broken(trouble) => assert!(piece.troubles.contains(*trouble), "what is broken says why"),
            Shape::Blank => {}
        }
        let _ = excerpt(piece.bytes);
        ControlFlow::Continue(())
    });
    assert!(outcome.is_ok(), "bytes in memory can be read");
    assert!(written == bytes, "the pieces are the input");
});

fn ask(record: &Record<'_>) {
    let mut troubles = Troubles::default();
    let _ = record.kind().name();
    let fields = record.fields().expect("a record is an object");
    let _ = fields
        .iter()
        .map(|(name, value)| name.len() + value.get().len())
        .sum::<usize>();
    if let Some(message) = record.message(&mut troubles) {
        for block in message.blocks(&mut troubles) {
            if let Block::ToolResult(result) = block {
                let _ = content::blocks(result.content, &mut troubles);
            }
        }
    }
    let _ = content::blocks(record.envelope.content, &mut troubles);
    let _ = troubles
        .iter()
        .map(|trouble| trouble.to_string().len())
        .sum::<usize>();
}
