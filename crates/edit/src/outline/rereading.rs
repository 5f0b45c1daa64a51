//! Pieces of a file that is read once more → the nodes that they were, and whether it is still the same file.

use steno_transcript::{Piece, Shape};

use super::{NodeId, Outline};

/// Follows a later reading. Every piece has to pass, in order.
#[derive(Debug)]
pub struct Rereading<'o> {
    outline: &'o Outline,
    /// How many pieces have passed, blank ones left out.
    passed: u32,
    is_astray: bool,
}

impl<'o> Rereading<'o> {
    pub fn new(outline: &'o Outline) -> Self {
        Self { outline, passed: 0, is_astray: false }
    }

    /// The node that the next piece is; none for a blank one.
    pub fn node(&mut self, piece: &Piece<'_>) -> Option<NodeId> {
        if matches!(piece.shape, Shape::Blank) {
            return None;
        }
        let id = NodeId(self.passed);
        self.passed = self.passed.saturating_add(1);
        let fits = self.outline.node(id).is_some_and(|node| {
            let bytes = u32::try_from(piece.bytes.len()).unwrap_or(u32::MAX);
            (node.place, node.bytes) == (piece.place, bytes)
        });
        self.is_astray |= !fits;
        Some(id)
    }

    /// Whether all pieces have passed, each where it was and as long as it was.
    pub fn is_same(&self) -> bool {
        !self.is_astray && self.passed as usize == self.outline.nodes.len()
    }
}
