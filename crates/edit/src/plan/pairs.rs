//! Drops halves: calls without a result, results without their call.
//!
//! On the line a client needs each call once, and behind it its result, once. Elsewhere it is enough that the other
//! half is kept somewhere: a branch may answer a call of the line in its own way.

use std::collections::{HashMap, HashSet};

use super::draft::Draft;
use crate::outline::{Id, NodeId};

/// A block by its record and its place in it.
type Spot = (NodeId, u32);
type Ids = HashSet<Id>;

pub(super) fn drop_orphans(draft: &mut Draft<'_>) {
    let paired = of_line(draft);
    let on_line = draft.on_line();
    let ids: Vec<NodeId> = draft.records().map(|(id, _)| id).collect();
    let (mut calls, mut results) = (paired.tools.clone(), paired.tools.clone());
    for (_, block) in ids.iter().filter(|id| !on_line.contains(*id)).flat_map(|id| draft.blocks(*id)) {
        calls.extend(block.tool.filter(|_| block.kind.is_call()));
        results.extend(block.tool.filter(|_| block.kind.is_result()));
    }
    let is_whole = |tool: Option<Id>, others: &Ids| tool.is_some_and(|tool| others.contains(&tool));
    for id in ids {
        draft.take_out(id, |place, block| match block.kind {
            kind if !kind.is_call() && !kind.is_result() => false,
            _ if on_line.contains(&id) => !paired.spots.contains(&(id, place)),
            kind if kind.is_call() => !is_whole(block.tool, &results),
            _ => !is_whole(block.tool, &calls),
        });
    }
}

/// The pairs of the line.
#[derive(Debug, Default)]
struct Paired {
    spots: HashSet<Spot>,
    tools: Ids,
}

fn of_line(draft: &Draft<'_>) -> Paired {
    let mut open: HashMap<Id, Spot> = HashMap::default();
    let mut paired = Paired::default();
    for node in &draft.line {
        for (place, block) in draft.blocks(*node) {
            let Some(tool) = block.tool else { continue };
            if block.kind.is_call() {
                // A snapshot of a message repeats the calls of the one before.
                open.entry(tool).or_insert((*node, place));
            } else if block.kind.is_result()
                && let Some(call) = open.get(&tool)
                && paired.tools.insert(tool)
            {
                paired.spots.extend([*call, (*node, place)]);
            }
        }
    }
    paired
}
