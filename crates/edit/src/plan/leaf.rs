//! Which record the newest client will take for the leaf, and what has to be said where that is not the end of the line.
//!
//! It takes the last record of the file, unless one was named behind the last compaction which that does not continue.
//! The line may end elsewhere: results were laid in order, or what a compaction preserves precedes it.

use super::draft::Draft;
use super::{Compaction, NamedLeaf, Parent};
use crate::line::LeafMarks;
use crate::outline::{Node, NodeId};

/// The leaf that has to be named, if any has.
pub(super) fn named(draft: &Draft<'_>, compaction: Option<&Compaction>) -> Option<NamedLeaf> {
    let is_message = |node: &NodeId| draft.outline.node(*node).is_some_and(Node::is_message);
    let end = draft.line.iter().copied().rfind(is_message)?;
    let marks = marks(draft, compaction);
    let leads_to = |from, to| way_up(draft, from).any(|node| node == to);
    let leaf = marks.leaf(leads_to);
    if leaf.and_then(|leaf| way_up(draft, leaf).find(is_message)) == Some(end) {
        return None;
    }
    Some(NamedLeaf { node: end, is_explicit: marks.last.is_some_and(|last| leads_to(last, end)) })
}

/// What the end of the new file says about its leaf.
fn marks(draft: &Draft<'_>, compaction: Option<&Compaction>) -> LeafMarks {
    let mut marks = LeafMarks::default();
    for (id, node) in draft.records() {
        if compaction.is_some_and(|compaction| compaction.before == Some(id)) {
            marks.begin();
        }
        let changed = draft.changes.get(&id).and_then(|change| change.leaf);
        let named = || node.leaf.as_ref().and_then(|leaf| draft.outline.bearer(leaf.uuid?));
        marks.observe(id, node, changed.or_else(named));
    }
    marks
}

/// From a record up to its root, as it will be; there are no rings any more.
fn way_up(draft: &Draft<'_>, id: NodeId) -> impl Iterator<Item = NodeId> {
    let parent = |id: &NodeId| match draft.changes.get(id).and_then(|change| change.parent) {
        Some(Parent::Node(parent)) => Some(parent),
        Some(Parent::Root | Parent::Summary) => None,
        None => draft.outline.parent(*id),
    };
    std::iter::successors(Some(id), parent).take(draft.outline.nodes.len())
}
