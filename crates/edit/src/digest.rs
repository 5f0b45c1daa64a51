//! Turns of a conversation → a summary of them that needs no model: what was asked, what came of it, which files were
//! touched, which plan there was, what is left to do.
//!
//! Nothing is made up: everything in it was said or done. It is for the model that goes on, so it is bounded, and says
//! more of what was said last.

mod note;
mod page;
mod shorten;
mod tasks;

use std::collections::HashMap;

use steno_transcript::{Piece, Record, Shape, Troubles};

use crate::outline::{NodeId, Outline, Rereading};
use note::Note;

/// Makes a summary of some records. Every piece of the file has to pass, in order.
#[derive(Debug)]
pub struct Digest<'o> {
    outline: &'o Outline,
    /// The records that are summarised, in their order.
    nodes: Vec<NodeId>,
    /// What was found in each of them.
    notes: HashMap<NodeId, Vec<Note>>,
    reading: Rereading<'o>,
}

impl<'o> Digest<'o> {
    pub fn new(outline: &'o Outline, nodes: Vec<NodeId>) -> Self {
        let notes = nodes.iter().map(|node| (*node, Vec::new())).collect();
        Self { outline, nodes, notes, reading: Rereading::new(outline) }
    }

    pub fn observe(&mut self, piece: &Piece<'_>) {
        let Some(id) = self.reading.node(piece) else { return };
        let Shape::Record(record) = &piece.shape else { return };
        if let Some(notes) = self.notes.get_mut(&id) {
            *notes = found(self.outline, id, record);
        }
    }

    /// Whether what has passed is what the outline was made of, all of it.
    pub fn is_in_step(&self) -> bool {
        self.reading.is_same()
    }

    /// Markdown.
    pub fn finish(mut self) -> String {
        let nodes = std::mem::take(&mut self.nodes);
        let notes = nodes.iter().filter_map(|node| self.notes.remove(node)).flatten();
        page::write(notes)
    }
}

fn found(outline: &Outline, id: NodeId, record: &Record<'_>) -> Vec<Note> {
    let is_prompt = outline.node(id).is_some_and(|node| node.is_prompt);
    note::of(record, is_prompt, &mut Troubles::default())
}

#[cfg(test)]
mod tests;
