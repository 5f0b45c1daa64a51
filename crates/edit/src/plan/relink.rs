//! Joins what is kept: the records of the line to one another, all others to the nearest that is left above them.

use super::Parent;
use super::draft::Draft;
use crate::outline::{NodeId, Outline, rings};

/// Every kept record is below a root afterwards: one that closes a ring becomes a root.
pub(super) fn relink(draft: &mut Draft<'_>) {
    let on_line = draft.on_line();
    relink_line(draft);
    let mut ancestors = Ancestors::new(draft.outline);
    let is_other = |id: &NodeId| draft.is_kept(*id) && !on_line.contains(id);
    let ids = (0..).map(NodeId).take(draft.outline.nodes.len());
    let above = |id| Some(id).filter(is_other).and_then(|id| ancestors.above(draft, id));
    let mut parents: Vec<Option<NodeId>> = ids.clone().map(above).collect();
    for id in rings(&parents) {
        parents.get_mut(id.0 as usize).map(Option::take);
    }
    let others: Vec<_> = ids.zip(parents).filter(|(id, _)| is_other(id)).collect();
    for (id, parent) in others {
        set_parent(draft, id, parent);
    }
}

fn relink_line(draft: &mut Draft<'_>) {
    let mut before = None;
    for id in draft.line.clone() {
        match before {
            None if !draft.summarised.is_empty() => draft.change(id).parent = Some(Parent::Summary),
            before => set_parent(draft, id, before),
        }
        before = Some(id);
    }
}

/// Notes another parent where it is another.
fn set_parent(draft: &mut Draft<'_>, id: NodeId, parent: Option<NodeId>) {
    let uuid = parent.and_then(|parent| draft.outline.node(parent)).and_then(|parent| parent.uuid);
    let is_same = draft.outline.node(id).is_some_and(|node| node.parent == uuid);
    if !is_same {
        draft.change(id).parent = Some(parent.map_or(Parent::Root, Parent::Node));
    }
}

/// For each record the nearest kept one, itself or above it. Each is looked up once, however long the way.
#[derive(Debug)]
pub(super) struct Ancestors<'o> {
    outline: &'o Outline,
    known: Vec<Known>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Known {
    Not,
    /// On the way that is being walked: meeting it again closes a ring.
    Asked,
    Nearest(Option<NodeId>),
}

impl<'o> Ancestors<'o> {
    pub(super) fn new(outline: &'o Outline) -> Self {
        Self { outline, known: vec![Known::Not; outline.nodes.len()] }
    }

    /// Above a record.
    pub(super) fn above(&mut self, draft: &Draft<'_>, id: NodeId) -> Option<NodeId> {
        let parent = self.outline.parent(id)?;
        if parent == id { None } else { self.nearest(draft, parent) }
    }

    pub(super) fn nearest(&mut self, draft: &Draft<'_>, id: NodeId) -> Option<NodeId> {
        let mut way = Vec::new();
        let mut at = Some(id);
        let found = loop {
            let Some(node) = at else { break None };
            if draft.is_kept(node) {
                break Some(node);
            }
            match self.known.get_mut(node.0 as usize) {
                Some(known @ Known::Not) => *known = Known::Asked,
                Some(Known::Nearest(nearest)) => break nearest.filter(|node| draft.is_kept(*node)),
                Some(Known::Asked) | None => break None,
            }
            way.push(node);
            at = self.outline.parent(node);
        };
        for node in way {
            if let Some(known) = self.known.get_mut(node.0 as usize) {
                *known = Known::Nearest(found);
            }
        }
        found
    }
}
