//! What points to a record that is gone points to another, to none, or goes itself.

use steno_transcript::Kind;

use super::draft::Draft;
use super::relink::Ancestors;
use crate::outline::{Id, Node, NodeId, Preserved};

pub(super) fn settle(draft: &mut Draft<'_>) {
    drop_other_compactions(draft);
    preserve_what_is_left(draft);
    let mut ancestors = Ancestors::new(draft.outline);
    let records: Vec<(NodeId, &Node)> = draft.records().collect();
    for (id, node) in records {
        let has_lost = node.references.iter().any(|target| !is_there(draft, *target));
        let has_none = !node.references.iter().any(|target| is_there(draft, *target));
        match &node.kind {
            Some(Kind::Summary | Kind::LastPrompt) => name_another_leaf(draft, &mut ancestors, id, node),
            Some(Kind::FileHistorySnapshot | Kind::FileHistoryDelta) if has_none => draft.drop(id),
            Some(Kind::User | Kind::Assistant | Kind::Attachment) if has_lost => {
                draft.change(id).drops_source = true;
            }
            _ => {}
        }
        if node.logical_parent.is_some_and(|target| !is_there(draft, target)) && draft.is_kept(id) {
            draft.change(id).drops_logical_parent = true;
        }
    }
}

/// To a client the last compaction of the file is the one that counts, and what precedes it is forgotten. One that
/// is not of the line must not follow the beginning of it.
fn drop_other_compactions(draft: &mut Draft<'_>) {
    let is_boundary = |id: &&NodeId| draft.outline.node(**id).is_some_and(|node| node.is_boundary);
    let own = draft.line.iter().find(is_boundary).copied();
    let Some(start) = own.or_else(|| draft.line.iter().min().copied()) else { return };
    draft.retain(|id, node| !node.is_boundary || id <= start);
}

/// A client hangs nothing anywhere when one of those that a compaction tells it to hang is missing.
fn preserve_what_is_left(draft: &mut Draft<'_>) {
    let boundaries: Vec<(NodeId, &Node, &Preserved)> =
        draft.records().filter_map(|(id, node)| Some((id, node, node.preserved.as_deref()?))).collect();
    for (id, node, preserved) in boundaries {
        // Of those that it only lists, the client itself leaves some out of the file.
        let has_lost = node.references.iter().any(|target| !is_there(draft, *target));
        let Some(left) = left_of(draft, preserved, has_lost) else { continue };
        // A compaction that preserves nothing makes clients forget all that precedes it, which this one did not.
        let forgets = left.is_empty() && draft.line.iter().any(|node| *node < id);
        if forgets {
            draft.drop(id);
        } else {
            draft.change(id).preserved = Some(left);
        }
    }
    draft.settle_line();
}

/// What a compaction still preserves, if it says anything else.
fn left_of(draft: &Draft<'_>, preserved: &Preserved, has_lost: bool) -> Option<Vec<NodeId>> {
    let has_anchor = preserved.anchor.is_some_and(|anchor| is_there(draft, anchor));
    if !has_anchor || !preserved.is_whole {
        return Some(Vec::new());
    }
    let left: Vec<NodeId> = preserved.uuids.iter().filter_map(|uuid| bearer(draft, *uuid)).collect();
    (has_lost || left.len() < preserved.uuids.len()).then_some(left)
}

fn bearer(draft: &Draft<'_>, id: Id) -> Option<NodeId> {
    draft.outline.bearer(id).filter(|node| draft.is_kept(*node))
}

fn is_there(draft: &Draft<'_>, id: Id) -> bool {
    bearer(draft, id).is_some()
}

/// A title or a leaf is about what came before it, too; one of another session is about nothing here.
fn name_another_leaf(draft: &mut Draft<'_>, ancestors: &mut Ancestors<'_>, id: NodeId, node: &Node) {
    let named = node.leaf.as_ref().map_or_else(|| node.references.first().copied(), |leaf| leaf.uuid);
    let Some(named) = named.filter(|named| !is_there(draft, *named)) else { return };
    match draft.outline.bearer(named).and_then(|named| ancestors.nearest(draft, named)) {
        Some(leaf) => draft.change(id).leaf = Some(leaf),
        None => draft.drop(id),
    }
}
