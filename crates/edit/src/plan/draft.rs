//! A plan while it is made: what is kept so far, and what has changed.

use std::collections::{BTreeMap, HashSet};

use super::Change;
use crate::line::resumed_line;
use crate::outline::{Block, BlockKind, Node, NodeId, Outline};

#[derive(Debug)]
pub(super) struct Draft<'o> {
    pub(super) outline: &'o Outline,
    /// By the places of the nodes.
    pub(super) kept: Vec<bool>,
    pub(super) changes: BTreeMap<NodeId, Change>,
    /// The line as a client resumes it now.
    pub(super) resumed: Vec<NodeId>,
    /// The line of the new session.
    pub(super) line: Vec<NodeId>,
    pub(super) summarised: Vec<NodeId>,
}

impl<'o> Draft<'o> {
    /// Everything but what is no record, and of links that bear one uuid all but the last.
    pub(super) fn new(outline: &'o Outline) -> Self {
        let is_kept = |(id, node): (NodeId, &Node)| node.kind.is_some() && !outline.is_superseded(id);
        let resumed = resumed_line(outline);
        Self {
            outline,
            kept: outline.iter().map(is_kept).collect(),
            changes: BTreeMap::new(),
            line: resumed.clone(),
            resumed,
            summarised: Vec::new(),
        }
    }

    pub(super) fn is_kept(&self, node: NodeId) -> bool {
        self.kept.get(node.0 as usize).copied().unwrap_or(false)
    }

    pub(super) fn drop(&mut self, node: NodeId) {
        if let Some(kept) = self.kept.get_mut(node.0 as usize) {
            *kept = false;
        }
        self.changes.remove(&node);
    }

    /// Drops every record that is not as it should be.
    pub(super) fn retain(&mut self, is_right: impl Fn(NodeId, &Node) -> bool) {
        for (id, node) in self.outline.iter() {
            if self.is_kept(id) && !is_right(id, node) {
                self.drop(id);
            }
        }
    }

    pub(super) fn change(&mut self, node: NodeId) -> &mut Change {
        self.changes.entry(node).or_default()
    }

    /// What is kept, in the order of the file.
    pub(super) fn records(&self) -> impl Iterator<Item = (NodeId, &'o Node)> {
        self.outline.iter().filter(|(id, _)| self.is_kept(*id))
    }

    /// The blocks of a record that are kept, with their places.
    pub(super) fn blocks(&self, id: NodeId) -> impl Iterator<Item = (u32, &'o Block)> {
        let node = self.outline.node(id).filter(|_| self.is_kept(id));
        let without = self.changes.get(&id).map_or(&[][..], |change| &change.without);
        let blocks = node.map_or(&[][..], |node| &node.blocks);
        (0..).zip(blocks).filter(move |(place, _)| without.binary_search(place).is_err())
    }

    /// Takes out the blocks of a record that are not wanted; one that is left without any goes.
    pub(super) fn take_out(&mut self, id: NodeId, is_unwanted: impl Fn(u32, &Block) -> bool) {
        let (unwanted, left): (Vec<_>, Vec<_>) =
            self.blocks(id).partition(|(place, block)| is_unwanted(*place, block));
        if unwanted.is_empty() {
            return;
        }
        if left.is_empty() {
            return self.drop(id);
        }
        let has_result =
            |blocks: &[(u32, &Block)]| blocks.iter().any(|(_, block)| block.kind == BlockKind::Result);
        let loses_result = has_result(&unwanted) && !has_result(&left);
        let change = self.change(id);
        change.drops_result |= loses_result;
        change.without.extend(unwanted.iter().map(|(place, _)| place));
        change.without.sort_unstable();
    }

    pub(super) fn on_line(&self) -> HashSet<NodeId> {
        self.line.iter().copied().collect()
    }

    /// Takes what went out of the line.
    pub(super) fn settle_line(&mut self) {
        let line = std::mem::take(&mut self.line);
        self.line = line.into_iter().filter(|node| self.is_kept(*node)).collect();
    }

    pub(super) fn has_something_to_resume(&self) -> bool {
        self.line.iter().any(|node| self.outline.node(*node).is_some_and(Node::is_message))
    }
}
