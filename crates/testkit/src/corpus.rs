//! Folders of real transcripts → their files, for tests that are run with some.

use std::fs;
use std::path::{Path, PathBuf};

/// The transcripts below the folders that `STENO_CORPUS` names, separated as in PATH; none where it is not set.
pub fn real_transcripts() -> Option<Vec<PathBuf>> {
    let folders = std::env::var_os("STENO_CORPUS")?;
    let mut waiting: Vec<PathBuf> = std::env::split_paths(&folders).collect();
    let mut found = Vec::new();
    while let Some(folder) = waiting.pop() {
        for entry in fs::read_dir(&folder).expect("a folder of transcripts") {
            let path = entry.expect("an entry of it").path();
            if path.is_dir() {
                waiting.push(path);
            } else if path.extension().is_some_and(|extension| extension == "jsonl") {
                found.push(path);
            }
        }
    }
    found.sort();
    assert!(!found.is_empty(), "STENO_CORPUS names folders without transcripts");
    Some(found)
}

/// The bytes of one of them, for crates that touch no files themselves.
pub fn transcript_bytes(path: &Path) -> Vec<u8> {
    fs::read(path).expect("a transcript")
}
