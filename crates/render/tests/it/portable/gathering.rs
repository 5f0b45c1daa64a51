//! A transcript → what both readers make of it.

use std::ops::ControlFlow;

use steno_conversation::{Builder, Transcript};
use steno_render::portable::Gatherer;
use steno_transcript::{SessionId, read};

/// A file as both readers take it.
pub(crate) fn transcript(id: &str, bytes: &[u8]) -> (Transcript, Gatherer) {
    let mut builder = Builder::new(format!("{id}.jsonl"));
    let mut gatherer = Gatherer::new();
    read(bytes, |piece| {
        builder.push(&piece);
        gatherer.push(&piece);
        ControlFlow::Continue(())
    })
    .unwrap();
    (builder.finish(SessionId::new(id)), gatherer)
}
