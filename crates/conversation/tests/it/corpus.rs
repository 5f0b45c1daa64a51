//! Real transcripts, when `STENO_CORPUS` names folders with some (separated as in PATH): asked for everything, the
//! chunks of each hold every text of the active line, as it stands.

use std::collections::HashSet;
use std::ops::ControlFlow;

use steno_conversation::model::{Chunk, ChunkBody, Step, Thread};
use steno_conversation::{Builder, Context, Conversation, Scope, conversation};
use steno_transcript::content::Block;
use steno_transcript::{Kind, SessionId, Shape, Troubles, read};

fn explain(bytes: &[u8], scope: Scope) -> Conversation {
    let mut builder = Builder::new("s.jsonl").with_scope(scope);
    read(bytes, |piece| {
        builder.push(&piece);
        ControlFlow::Continue(())
    })
    .unwrap();
    conversation(builder.finish(SessionId::new("s")), Context::default())
}

/// The text blocks of each record, by the record's place.
fn texts(bytes: &[u8]) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    read(bytes, |piece| {
        let Shape::Record(record) = &piece.shape else { return ControlFlow::Continue(()) };
        let mut said = Vec::new();
        if matches!(record.kind(), Kind::User | Kind::Assistant) {
            for block in record.blocks(&mut Troubles::default()).iter() {
                if let Block::Text(text) = block {
                    said.push(text.get().into_owned());
                }
            }
        }
        found.push(said);
        ControlFlow::Continue(())
    })
    .unwrap();
    found
}

fn said(chunk: &Chunk) -> Vec<&str> {
    match &chunk.body {
        ChunkBody::User(user) => vec![&user.text],
        ChunkBody::System(system) => vec![&system.text],
        ChunkBody::Compact(compact) => vec![&compact.summary],
        ChunkBody::Ai(ai) => ai.steps.iter().filter_map(spoken).collect(),
    }
}

fn spoken(step: &Step) -> Option<&str> {
    match step {
        Step::Text { text, .. } | Step::Interruption { text, .. } => Some(text),
        Step::Notification(note) => Some(&note.text),
        _ => None,
    }
}

/// The lines of texts that no chunk holds.
fn lost(bytes: &[u8]) -> Vec<usize> {
    let shown = explain(bytes, Scope { hidden: true, ..Scope::default() });
    let said: Vec<&str> = shown.chunks.iter().flat_map(said).collect();
    let exact: HashSet<&str> = said.iter().copied().collect();
    let texts = texts(bytes);
    let holds = |text: &str| exact.contains(text) || said.iter().any(|said| said.contains(text));
    let on_line = shown.placing.iter().filter(|placing| placing.thread == Thread::Active);
    let is_lost = |index: &usize| texts[*index].iter().any(|text| !text.trim().is_empty() && !holds(text));
    on_line.map(|placing| placing.index).filter(is_lost).collect()
}

#[test]
fn no_text_of_real_transcripts_is_lost_when_everything_is_asked_for() {
    let Some(files) = steno_testkit::real_transcripts() else {
        return;
    };
    let mut texts_seen = 0;
    for file in &files {
        let bytes = std::fs::read(file).unwrap();
        texts_seen += texts(&bytes).iter().map(Vec::len).sum::<usize>();
        assert_eq!(lost(&bytes), [0_usize; 0], "records of {} say what no chunk does", file.display());
    }
    println!("{texts_seen} texts of {} transcripts are all there", files.len());
}
