//! Real transcripts, when `STENO_CORPUS` names folders with some (separated as in PATH): the portable document of
//! each accounts for every record, and comes back as it was written.

use std::path::Path;

use steno_conversation::{Context, conversation};
use steno_render::Detail;
use steno_render::portable::Conversation;

use crate::portable::accounting::{accounted, everything};
use crate::portable::gathering::transcript;

fn examine(file: &Path, detail: &Detail) -> u64 {
    let bytes = std::fs::read(file).unwrap();
    let (transcript, gatherer) = transcript("s", &bytes);
    let shown = conversation(transcript, Context::default());
    let records = shown.record_types.values().sum::<u64>();
    let document = gatherer.finish(Vec::new(), &shown, detail);
    assert_eq!(accounted(&document), records, "{}", file.display());
    let written = serde_json::to_string(&document).unwrap();
    let again: Conversation = serde_json::from_str(&written).unwrap();
    assert!(again == document, "{} changed", file.display());
    records
}

#[test]
fn real_transcripts_are_carried_whole() {
    let Some(files) = steno_testkit::real_transcripts() else {
        return;
    };
    let mut records = 0;
    for file in &files {
        examine(file, &Detail::default());
        records += examine(file, &everything());
    }
    println!("{records} records of {} transcripts are accounted for", files.len());
}
