//! Where the newest client goes on: at the leaf that the last prompt names, or behind it.

use super::graph::Graph;
use crate::outline::{Node, NodeId};

/// What the records of a file say about its leaf, one after the other.
#[derive(Debug, Default)]
pub(crate) struct LeafMarks {
    /// The leaf that was named last.
    named: Option<NodeId>,
    /// The user chose it himself, and nothing followed.
    is_explicit: bool,
    /// The user chose an empty conversation.
    is_cleared: bool,
    /// The last record of the conversation in the file.
    pub(crate) last: Option<NodeId>,
}

impl LeafMarks {
    /// Takes note of the next record; `named` is the leaf that it names, if there is such a record.
    pub(crate) fn observe(&mut self, place: NodeId, node: &Node, named: Option<NodeId>) {
        if node.is_boundary {
            self.begin();
        }
        match &node.leaf {
            Some(leaf) if leaf.uuid.is_some() => {
                self.is_explicit = leaf.is_explicit || self.is_explicit && self.named == named;
                (self.named, self.is_cleared) = (named, false);
            }
            Some(leaf) if leaf.is_explicit => (self.named, self.is_cleared) = (None, true),
            _ if node.is_link() && node.uuid.is_some() && !node.is_sidechain && !node.is_aside => {
                (self.last, self.is_explicit, self.is_cleared) = (Some(place), false, false);
            }
            _ => {}
        }
    }

    /// A compaction makes the client forget which leaf was named.
    pub(crate) fn begin(&mut self) {
        (self.named, self.is_explicit) = (None, false);
    }

    /// The leaf; `leads_to` says whether the way up from one record comes by another.
    pub(crate) fn leaf(&self, leads_to: impl Fn(NodeId, NodeId) -> bool) -> Option<NodeId> {
        let went_on = |named: &NodeId| {
            self.last.filter(|last| !self.is_explicit && leads_to(*last, *named)).or(Some(*named))
        };
        self.named.as_ref().map_or(self.last, went_on).filter(|_| !self.is_cleared)
    }
}

/// The leaf, of whatever type.
pub(super) fn chosen(graph: &Graph<'_>) -> Option<NodeId> {
    let is_main = |node: &NodeId| graph.node(*node).is_some_and(|node| !node.is_sidechain);
    let mut marks = LeafMarks::default();
    for (place, node) in graph.outline.iter() {
        let named = node.leaf.as_ref().and_then(|leaf| graph.bearer(leaf.uuid?)).filter(is_main);
        marks.observe(place, node, named);
    }
    // Of several with one uuid the client has the last.
    marks.last = marks.last.and_then(|last| graph.bearer(graph.node(last)?.uuid?));
    let leads_to = |from, to| graph.ancestors(from).any(|node| node == to);
    let leaf = marks.leaf(leads_to).or_else(|| latest(graph).filter(|_| !marks.is_cleared));
    leaf.map(|leaf| graph.behind_preserved(leaf))
}

fn latest(graph: &Graph<'_>) -> Option<NodeId> {
    let main = graph.links().filter(|(_, node)| !node.is_sidechain);
    main.max_by_key(|(place, node)| (node.time, std::cmp::Reverse(graph.order(*place))))
        .map(|(place, _)| place)
}
