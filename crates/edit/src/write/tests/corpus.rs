//! Real sessions under new names, line by line. Runs where `STENO_CORPUS` names folders of them.

use std::collections::BTreeMap;

use super::properties::taken;
use super::*;

#[test]
fn real_sessions_change_their_names_and_not_a_byte_besides() {
    for path in steno_testkit::real_transcripts().unwrap_or_default() {
        let file = steno_testkit::transcript_bytes(&path);
        let old = written_plainly(&file);
        let new = written(&file, |_| {});
        let (old, new): (Vec<_>, Vec<_>) = (lines(&old).collect(), lines(&new).collect());
        assert_eq!(old.len(), new.len(), "{}", path.display());
        for (old, new) in old.into_iter().zip(new) {
            compare(old, new).unwrap_or_else(|reason| panic!("{reason} in {}: {old:?}", path.display()));
        }
    }
}

/// The records of a file as they are, each on a line.
fn written_plainly(file: &[u8]) -> Vec<u8> {
    let mut lines = Vec::new();
    steno_transcript::read(file, |piece| {
        if let Shape::Record(record) = piece.shape {
            lines.extend_from_slice(object(piece.bytes, record.json));
            lines.push(b'\n');
        }
        ControlFlow::Continue(())
    })
    .unwrap();
    lines
}

fn lines(file: &[u8]) -> impl Iterator<Item = &str> {
    file.split(|byte| *byte == b'\n').filter_map(|line| std::str::from_utf8(line).ok()).map(str::trim_end)
}

fn compare(old: &str, new: &str) -> Result<(), &'static str> {
    let (Ok(before), Ok(after)) = (serde_json::from_str::<Value>(old), serde_json::from_str::<Value>(new))
    else {
        return if old.is_empty() && new.is_empty() { Ok(()) } else { Err("no JSON") };
    };
    let (mut was, mut is) = (Vec::new(), Vec::new());
    if taken(&before, &mut was) != taken(&after, &mut is) {
        return Err("another shape");
    }
    if after["sessionId"].as_str().is_some_and(|session| session != NEW) {
        return Err("another session");
    }
    let changed: BTreeMap<_, _> = is.into_iter().zip(was).filter(|(is, was)| is != was).collect();
    let back = changed.iter().fold(new.to_owned(), |line, (is, was)| line.replace(is, was));
    if back == old { Ok(()) } else { Err("other bytes") }
}
