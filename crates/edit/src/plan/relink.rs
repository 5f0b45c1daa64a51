//! Joins what is kept: the records of the line to one another, all others to the nearest that is left above them.

use super::Parent;
use super::draft::Draft;
use crate::outline::{NodeId, Outline};

/// Every kept record is below a root afterwards.
pub(super) fn relink(draft: &mut Draft<'_>) {
    let on_line = draft.on_line();
    relink_line(draft);
    let mut ancestors = Ancestors::new(draft.outline);
    let others: Vec<NodeId> = draft.records().map(|(id, _)| id).filter(|id| !on_line.has(*id)).collect();
    let parents: Vec<Option<NodeId>> = others.iter().map(|id| ancestors.above(draft, *id)).collect();
    let rooted = without_cycles(draft, &others, &parents);
    for ((id, parent), is_rooted) in others.iter().zip(&parents).zip(rooted) {
        set_parent(draft, *id, parent.filter(|_| is_rooted));
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

/// Whether each of the others may keep the parent it has: not if it would lead back to itself. The one that closes
/// a ring becomes a root.
fn without_cycles(draft: &Draft<'_>, others: &[NodeId], parents: &[Option<NodeId>]) -> Vec<bool> {
    const UNSEEN: u32 = u32::MAX;
    let mut place_of = vec![UNSEEN; draft.outline.nodes.len()];
    for (place, id) in (0..).zip(others) {
        if let Some(slot) = place_of.get_mut(id.0 as usize) {
            *slot = place;
        }
    }
    // Which walk came by first.
    let mut walked = vec![UNSEEN; others.len()];
    let mut is_rooted = vec![true; others.len()];
    for start in 0..u32::try_from(others.len()).unwrap_or(UNSEEN) {
        let mut at = start;
        while let Some(by) = walked.get_mut(at as usize).filter(|by| **by == UNSEEN) {
            *by = start;
            let parent = parents.get(at as usize).copied().flatten();
            let next = parent.and_then(|parent| place_of.get(parent.0 as usize)).copied().unwrap_or(UNSEEN);
            if walked.get(next as usize) == Some(&start)
                && let Some(rooted) = is_rooted.get_mut(at as usize)
            {
                *rooted = false;
            }
            at = next;
        }
    }
    is_rooted
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
    /// On the way that is being walked: whoever meets it again walks in a ring.
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
