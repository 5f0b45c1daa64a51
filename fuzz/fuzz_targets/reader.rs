//! Any bytes: the pieces one after the other are the input, and everything a record can be asked for has an answer.

#![no_main]

use std::ops::ControlFlow;

use libfuzzer_sys::fuzz_target;
use steno_edit::rewrite::{PathRewriter, Rewrite};
use steno_transcript::content::{self, Block};
use steno_transcript::patch;
use steno_transcript::{Piece, Record, Shape, Troubles, read};

fuzz_target!(|bytes: &[u8]| {
    let mut written = Written::default();
    let outcome = read(bytes, |piece| written.add(&piece));
    assert!(outcome.is_ok(), "bytes in memory can be read");
    assert!(written.bytes == bytes, "the pieces are the input");

    bytes.split_inclusive(|byte| *byte == b'\n').for_each(change);
});

/// Nothing changes where nothing is to change; strings that change leave a line that is read as before.
fn change(line: &[u8]) {
    let mut strings = 0;
    let same = patch::strings(line, true, &mut |_| {
        strings += 1;
        Vec::new()
    });
    assert!(*same == *line, "nothing was replaced");
    // Behind half a line, a record is only found by its type.
    let longer = patch::strings(line, true, &mut |spot| match spot.is_key || spot.key == Some("type") {
        true => Vec::new(),
        false => vec![(0..spot.text.len() / 2, "\"\\\n".to_owned())],
    });
    let mut again = 0;
    patch::strings(&longer, true, &mut |_| {
        again += 1;
        Vec::new()
    });
    assert!(again >= strings, "the same strings are there, and media that is none now");
    for rewrite in [Rewrite::WslToWin, Rewrite::WinToWsl, Rewrite::Strip] {
        let patched = PathRewriter::new(None, &[rewrite]).line(line);
        assert!(patched.changes > 0 || *patched.bytes == *line, "what changes is counted");
    }
}

#[derive(Default)]
struct Written {
    bytes: Vec<u8>,
    line: u64,
}

impl Written {
    fn add(&mut self, piece: &Piece<'_>) -> ControlFlow<()> {
        assert_eq!(piece.place.offset, self.bytes.len() as u64, "a piece knows where it stands");
        assert!(piece.place.line >= self.line, "lines never go back");
        self.line = piece.place.line;
        self.bytes.extend_from_slice(piece.bytes);
        match &piece.shape {
            Shape::Record(record) => ask(record),
            Shape::Broken(trouble) => assert!(piece.troubles.contains(*trouble), "what is broken says why"),
            Shape::Blank => {}
        }
        ControlFlow::Continue(())
    }
}

fn ask(record: &Record<'_>) {
    let mut troubles = Troubles::default();
    let _ = record.kind().name();
    // A raw control character is let through in the fields that are understood, and nowhere else.
    let fields = record.fields();
    let _ = fields
        .iter()
        .flat_map(|fields| fields.iter())
        .map(|(name, value)| name.len() + value.get().len())
        .max();
    let _ = record.message();
    for block in record.blocks(&mut troubles).iter() {
        match block {
            Block::Text(words) | Block::Thinking(words) => {
                assert!(!words.is_blank() || words.get().trim().is_empty(), "only nothing is blank");
            }
            Block::ToolResult(result) => {
                let _ = content::blocks(result.content, &mut troubles);
            }
            _ => {}
        }
    }
    let _ = content::blocks(record.envelope.content, &mut troubles);
    let _ = troubles.iter().map(|trouble| trouble.to_string().len()).max();
}
