//! The records of an outline as the newest client links them: progress is bridged, what a compaction leaves behind is
//! forgotten, and what it preserves hangs behind its summary.

use std::collections::HashSet;

use crate::outline::{Id, Node, NodeId, Outline};

#[derive(Debug)]
pub(super) struct Graph<'o> {
    pub(super) outline: &'o Outline,
    /// By id, the link that bears it.
    bearers: Vec<Option<NodeId>>,
    /// By node, as the client corrects them.
    parents: Vec<Option<Id>>,
    /// By node, its place: of several with one uuid, that of the first.
    order: Vec<u32>,
    /// Everything before that place is forgotten.
    since: u32,
    /// A summary, and the last of what its compaction preserves.
    preserved: Option<(Id, Id)>,
}

/// Where a record hangs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Up {
    Root,
    Node(NodeId),
    Missing,
}

impl<'o> Graph<'o> {
    /// Compactions count that precede the node with the number `limit`.
    pub(super) fn new(outline: &'o Outline, limit: u32) -> Self {
        let mut graph = Self {
            outline,
            bearers: vec![None; outline.id_count()],
            parents: outline.bridged(),
            order: Vec::with_capacity(outline.nodes.len()),
            since: 0,
            preserved: None,
        };
        for (place, node) in outline.iter() {
            graph.order.push(place.0);
            if let Some(uuid) = node.uuid.filter(|_| node.is_link()) {
                graph.bear(uuid, place);
            }
        }
        graph.compact(limit);
        graph
    }

    /// One compaction that preserves something makes the client look at what the last one leaves behind; otherwise it
    /// knows all that is in the file.
    fn compact(&mut self, limit: u32) {
        let boundaries = self.links().filter(|(place, node)| node.is_boundary && place.0 < limit);
        let boundaries: Vec<_> = boundaries.collect();
        let Some((last, node)) = boundaries.iter().max_by_key(|(place, _)| self.order(*place)) else {
            return;
        };
        if node.preserved.is_some() {
            self.preserve(*last);
        } else if boundaries.iter().any(|(_, node)| node.preserved.is_some()) {
            self.since = self.order(*last);
        }
    }

    /// A session that ends with the summary of a compaction goes on behind what that preserves.
    pub(super) fn behind_preserved(&self, leaf: NodeId) -> NodeId {
        let uuid = self.node(leaf).and_then(|node| node.uuid);
        let last = self.preserved.filter(|(anchor, _)| Some(*anchor) == uuid);
        last.and_then(|(_, last)| self.bearer(last)).unwrap_or(leaf)
    }

    fn bear(&mut self, uuid: Id, place: NodeId) {
        if let Some(before) = self.bearer(uuid)
            && let Some(first) = self.order.get(before.0 as usize).copied()
            && let Some(order) = self.order.last_mut()
        {
            *order = first;
        }
        if let Some(bearer) = self.bearers.get_mut(uuid.0 as usize) {
            *bearer = Some(place);
        }
    }

    /// Hangs what a compaction preserves behind its summary and forgets the rest.
    fn preserve(&mut self, boundary: NodeId) {
        let outline = self.outline;
        let preserved = outline.node(boundary).and_then(|node| node.preserved.as_deref());
        let Some(preserved) = preserved else { return };
        let is_there = |id: &Id| self.bearer(*id).is_some();
        if !preserved.is_whole || !preserved.uuids.iter().all(is_there) {
            return;
        }
        let kept: HashSet<Id> = preserved.uuids.iter().copied().collect();
        if let (Some(first), Some(last)) = (preserved.uuids.first(), preserved.uuids.last()) {
            self.hang(preserved.anchor, &preserved.uuids);
            self.rehang(preserved.anchor, *first, *last);
            self.preserved = preserved.anchor.map(|anchor| (anchor, *last));
        }
        let gone = self.forget(boundary, &kept);
        let Some(last) = preserved.uuids.last() else { return };
        for (place, node) in outline.iter().filter(|(_, node)| node.is_message()) {
            let parent = self.parents.get_mut(place.0 as usize);
            if let Some(parent) = parent.filter(|parent| parent.is_some_and(|parent| gone.contains(&parent)))
                && node.uuid != Some(*last)
            {
                *parent = Some(*last);
            }
        }
    }

    /// Each behind the one before.
    fn hang(&mut self, anchor: Option<Id>, uuids: &[Id]) {
        let mut before = anchor;
        for uuid in uuids {
            let place = self.bearer(*uuid);
            if let Some(parent) = place.and_then(|place| self.parents.get_mut(place.0 as usize)) {
                *parent = before;
            }
            before = Some(*uuid);
        }
    }

    /// What hung on the anchor hangs on the last of those that now are there.
    fn rehang(&mut self, anchor: Option<Id>, first: Id, last: Id) {
        let nodes = self.outline.nodes.iter().zip(&mut self.parents);
        for (_, parent) in
            nodes.filter(|(node, parent)| parent.is_some() && **parent == anchor && node.uuid != Some(first))
        {
            *parent = Some(last);
        }
    }

    /// Forgets what precedes a compaction and is not kept.
    fn forget(&mut self, boundary: NodeId, kept: &HashSet<Id>) -> HashSet<Id> {
        let start = self.order(boundary);
        let is_old = |node: NodeId| self.order.get(node.0 as usize).is_some_and(|order| *order < start);
        let ids = (0..).map(Id).zip(&mut self.bearers);
        let old = ids.filter(|(id, bearer)| bearer.is_some_and(is_old) && !kept.contains(id));
        old.map(|(id, bearer)| {
            *bearer = None;
            id
        })
        .collect()
    }

    pub(super) fn bearer(&self, uuid: Id) -> Option<NodeId> {
        self.bearers.get(uuid.0 as usize).copied().flatten().filter(|node| self.order(*node) >= self.since)
    }

    /// Whether the client knows a node as a link.
    pub(super) fn is_link(&self, node: NodeId) -> bool {
        self.node(node).and_then(|found| found.uuid).is_some_and(|uuid| self.bearer(uuid) == Some(node))
    }

    /// All that it knows, in the order of the file.
    pub(super) fn links(&self) -> impl Iterator<Item = (NodeId, &'o Node)> {
        self.outline.iter().filter(|(place, _)| self.is_link(*place))
    }

    pub(super) fn node(&self, node: NodeId) -> Option<&'o Node> {
        self.outline.node(node)
    }

    pub(super) fn order(&self, node: NodeId) -> u32 {
        self.order.get(node.0 as usize).copied().unwrap_or(u32::MAX)
    }

    pub(super) fn up(&self, node: NodeId) -> Up {
        match self.parents.get(node.0 as usize).copied().flatten() {
            None => Up::Root,
            Some(parent) => self.bearer(parent).map_or(Up::Missing, Up::Node),
        }
    }

    /// The records from one upwards, each once, as far as parents are there.
    pub(super) fn ancestors(&self, node: NodeId) -> impl Iterator<Item = NodeId> {
        let mut seen = HashSet::new();
        std::iter::successors(Some(node), |node| match self.up(*node) {
            Up::Node(parent) => Some(parent),
            Up::Root | Up::Missing => None,
        })
        .take_while(move |node| seen.insert(*node))
    }

    /// The nearest record, from one upwards, that a person or the agent says.
    pub(super) fn message_at(&self, node: NodeId) -> Option<NodeId> {
        self.ancestors(node).find(|node| self.node(*node).is_some_and(Node::is_message))
    }

    /// Whether the way up from a record leads to one that a compaction forgot: then it is on a branch that is older
    /// than the compaction.
    pub(super) fn leads_behind(&self, node: NodeId) -> bool {
        let Some(top) = self.ancestors(node).last() else { return false };
        let parent = self.parents.get(top.0 as usize).copied().flatten();
        self.up(top) == Up::Missing && parent.is_some_and(|parent| self.outline.bearer(parent).is_some())
    }
}
