//! Takes calls and their results out of turns that are long past, or shortens the results.

use std::collections::HashMap;

use super::draft::Draft;
use super::turns::turns;
use crate::options::Tools;
use crate::outline::{Block, BlockKind, Id, NodeId};

/// What becomes of a call and its result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Treatment {
    Keep,
    Shorten,
    Remove,
}

/// Both halves of a call go the same way, wherever they are. What is not of the line is long past.
pub(super) fn strip(draft: &mut Draft<'_>, tools: &Tools) {
    let past = if tools.removes { Treatment::Remove } else { Treatment::Shorten };
    let treatments = of_line(draft, tools, past);
    let of = |block: &Block| match block.tool.filter(|_| block.kind.is_call() || block.kind.is_result()) {
        Some(tool) => treatments.get(&tool).copied().unwrap_or(past),
        None => Treatment::Keep,
    };
    let ids: Vec<NodeId> = draft.records().map(|(id, _)| id).collect();
    for id in ids {
        draft.take_out(id, |_, block| of(block) == Treatment::Remove);
        // What the API found itself is sealed, and refused when it is not whole.
        let is_short = |block: &Block| block.kind == BlockKind::Result && of(block) == Treatment::Shorten;
        if draft.blocks(id).any(|(_, block)| is_short(block)) {
            draft.change(id).truncation = Some(tools.truncation);
        }
    }
}

/// The calls of the line by the turn that they are made in.
fn of_line(draft: &Draft<'_>, tools: &Tools, past: Treatment) -> HashMap<Id, Treatment> {
    let calls = |nodes: &[NodeId]| -> Vec<Id> {
        let blocks = nodes.iter().flat_map(|node| draft.blocks(*node));
        let calls = blocks.filter(|(_, block)| block.kind.is_call());
        calls.filter_map(|(_, block)| block.tool).collect()
    };
    let turns = turns(draft.outline, &draft.line);
    let turns = turns.into_iter().filter_map(|turn| draft.line.get(turn)).map(calls);
    let turns: Vec<Vec<Id>> = turns.filter(|calls| !calls.is_empty()).collect();
    let recent = turns.len().min(tools.keep_recent);
    let shortened = tools.shortened_of(recent);
    let first_recent = turns.len() - recent;
    let mut treatments = HashMap::default();
    for (place, calls) in turns.into_iter().enumerate() {
        let treatment = match place.checked_sub(first_recent) {
            None => past,
            Some(place) if place < shortened => Treatment::Shorten,
            Some(_) => Treatment::Keep,
        };
        for call in calls {
            treatments.entry(call).or_insert(treatment);
        }
    }
    treatments
}
