//! Real transcripts, when `STENO_CORPUS` names folders with some (separated as in PATH): each becomes a page that can
//! be read to its last tag, with everything and with as little as is shared.

use std::path::{Path, PathBuf};

use steno_conversation::{Context, Scope, conversation};
use steno_render::{Detail, html};

use crate::html::look::Page;
use crate::html::reading::transcript;

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

fn look_at(bytes: &[u8], detail: &Detail) -> usize {
    let scope = Scope { hidden: detail.all, system_events: detail.system_events, media: true };
    let shown = conversation(transcript("s", bytes, scope), Context::default());
    let page = html::page(&shown, detail);
    Page::read(&page);
    page.len()
}

#[test]
fn real_transcripts_become_pages() {
    let Some(folders) = std::env::var_os("STENO_CORPUS") else {
        return;
    };
    let mut files = Vec::new();
    for folder in std::env::split_paths(&folders) {
        transcripts(&folder, &mut files);
    }
    let everything =
        Detail { thinking: true, full_results: true, system_events: true, all: true, ..Detail::default() };
    let mut written = 0;
    for file in &files {
        let bytes = std::fs::read(file).unwrap();
        written += look_at(&bytes, &Detail::default()) + look_at(&bytes, &everything);
    }
    println!("{} pages, {written} bytes", 2 * files.len());
}
