//! Which record the newest client will take for the leaf, and what has to be said where that is not the end of the line.
//!
//! It takes the last record of the file, unless one was named behind the last compaction which that does not continue.
//! The line may end elsewhere: results were laid in order, or what a compaction preserves stands before it.

use super::draft::Draft;
use super::{Change, Compaction, NamedLeaf, Parent};
use crate::outline::{Node, NodeId};

/// The leaf that has to be named, if any has.
pub(super) fn named(draft: &Draft<'_>, compaction: Option<&Compaction>) -> Option<NamedLeaf> {
    let is_said = |node: &&NodeId| draft.outline.node(**node).is_some_and(Node::is_message);
    let end = *draft.line.iter().rfind(is_said)?;
    let ending = Ending::of(draft, compaction);
    let upwards = Upwards { draft };
    if ending.leaf(&upwards).and_then(|leaf| upwards.message_at(leaf)) == Some(end) {
        return None;
    }
    let is_explicit = ending.last.is_some_and(|last| upwards.leads_to(last, end));
    Some(NamedLeaf { node: end, is_explicit })
}

/// What the end of the new file says about its leaf.
#[derive(Debug, Default)]
struct Ending {
    last: Option<NodeId>,
    named: Option<NodeId>,
    is_explicit: bool,
}

impl Ending {
    fn of(draft: &Draft<'_>, compaction: Option<&Compaction>) -> Self {
        let mut ending = Self::default();
        for (id, node) in draft.records() {
            if compaction.is_some_and(|compaction| compaction.before == Some(id)) {
                ending.named = None;
            }
            ending.pass(id, node, draft.changes.get(&id), draft);
        }
        ending
    }

    fn pass(&mut self, id: NodeId, node: &Node, change: Option<&Change>, draft: &Draft<'_>) {
        if node.is_boundary {
            self.named = None;
        }
        if let Some(leaf) = &node.leaf {
            let uuid = leaf.uuid.and_then(|uuid| draft.outline.bearer(uuid));
            let target = change.and_then(|change| change.leaf).or(uuid);
            self.is_explicit = leaf.is_explicit || self.is_explicit && target == self.named;
            self.named = target;
        } else if node.is_link() && !node.is_sidechain && !node.is_aside {
            self.last = Some(id);
            self.is_explicit = false;
        }
    }

    fn leaf(&self, upwards: &Upwards<'_, '_>) -> Option<NodeId> {
        let Some(named) = self.named else { return self.last };
        let is_continued = self.last.is_some_and(|last| upwards.leads_to(last, named));
        if is_continued && !self.is_explicit { self.last } else { Some(named) }
    }
}

/// The way from a record to its root, as it will be.
struct Upwards<'d, 'o> {
    draft: &'d Draft<'o>,
}

impl Upwards<'_, '_> {
    fn parent(&self, id: NodeId) -> Option<NodeId> {
        match self.draft.changes.get(&id).and_then(|change| change.parent) {
            Some(Parent::Node(parent)) => Some(parent),
            Some(Parent::Root | Parent::Summary) => None,
            None => self.draft.outline.parent(id),
        }
    }

    /// From a record up to its root; there are no rings any more.
    fn way(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        std::iter::successors(Some(id), |id| self.parent(*id)).take(self.draft.outline.nodes.len())
    }

    fn leads_to(&self, id: NodeId, ancestor: NodeId) -> bool {
        self.way(id).any(|node| node == ancestor)
    }

    /// The nearest message, itself or above it.
    fn message_at(&self, id: NodeId) -> Option<NodeId> {
        self.way(id).find(|node| self.draft.outline.node(*node).is_some_and(Node::is_message))
    }
}
