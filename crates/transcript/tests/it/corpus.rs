//! Real transcripts, when `STENO_CORPUS` names folders with some (separated as in PATH): each is read and
//! written back byte for byte.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use steno_transcript::{Shape, Troubles, read};

fn transcripts(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            transcripts(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "jsonl") {
            found.push(path);
        }
    }
}

#[test]
fn real_transcripts_are_written_back_as_they_were_read() {
    let Some(folders) = std::env::var_os("STENO_CORPUS") else {
        return;
    };
    let mut files = Vec::new();
    for folder in std::env::split_paths(&folders) {
        transcripts(&folder, &mut files);
    }
    assert!(!files.is_empty(), "STENO_CORPUS names a folder without transcripts");
    for file in &files {
        let bytes = std::fs::read(file).unwrap();
        let mut written = Vec::with_capacity(bytes.len());
        read(bytes.as_slice(), |piece| {
            written.extend_from_slice(piece.bytes);
            if let Shape::Record(record) = &piece.shape {
                let mut troubles = Troubles::default();
                let _ = record.blocks(&mut troubles).len();
            }
            ControlFlow::Continue(())
        })
        .unwrap();
        assert!(written == bytes, "{} changed", file.display());
    }
    println!("{} transcripts came back byte for byte", files.len());
}
