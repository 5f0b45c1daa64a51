//! Real transcripts, when `STENO_CORPUS` names folders with some (separated as in PATH): an outline has a node for every
//! piece of each that is not blank, and a line wherever something was said.

mod twice;

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::path::Path;

use steno_edit::outline::Rereading;
use steno_edit::{Outline, OutlineBuilder, check, line_to, resumed_line};
use steno_transcript::{Kind, read};

fn survey(bytes: &[u8]) -> Outline {
    let mut builder = OutlineBuilder::default();
    read(bytes, |piece| {
        builder.observe(&piece);
        ControlFlow::Continue(())
    })
    .unwrap();
    builder.finish()
}

fn assert_read_again(outline: &Outline, bytes: &[u8], path: &Path) {
    let mut reading = Rereading::new(outline);
    let mut size = 0;
    read(bytes, |piece| {
        let node = reading.node(&piece).map(|node| outline.node(node).unwrap());
        assert!(node.is_some() || piece.bytes.trim_ascii().is_empty(), "{}", path.display());
        size += node.map_or(piece.bytes.len() as u64, |node| u64::from(node.bytes));
        ControlFlow::Continue(())
    })
    .unwrap();
    assert!(reading.is_same(), "{}", path.display());
    assert_eq!(size, bytes.len() as u64, "{}", path.display());
}

/// Whether a client finds anything that was said: beside the conversation, and without a uuid, it does not.
fn has_conversation(outline: &Outline) -> bool {
    let is_said = |kind: &Kind| matches!(kind, Kind::User | Kind::Assistant);
    let mut nodes = outline.nodes.iter();
    nodes.any(|node| !node.is_sidechain && node.uuid.is_some() && node.kind.as_ref().is_some_and(is_said))
}

#[test]
fn every_conversation_has_a_line() {
    let Some(transcripts) = steno_testkit::real_transcripts() else { return };
    for path in transcripts {
        let bytes = std::fs::read(&path).unwrap();
        let outline = survey(&bytes);
        assert_read_again(&outline, &bytes, &path);
        let line = resumed_line(&outline);
        assert!(!line.is_empty() || !has_conversation(&outline), "{}", path.display());
        let once: HashSet<_> = line.iter().collect();
        assert_eq!(once.len(), line.len(), "{}", path.display());
        if let Some(leaf) = line.last() {
            assert!(line_to(&outline, *leaf).contains(leaf), "{}", path.display());
        }
        check(&outline, "0");
    }
}
