//! A line → the same with parallel calls laid in line: all records of a message, the results of its calls in the order
//! of the calls, then whatever stood between.

use std::collections::HashMap;

use steno_transcript::Kind;

use crate::outline::{BlockKind, Id, Node, NodeId, Outline};

pub(super) fn in_line(outline: &Outline, line: Vec<NodeId>) -> Vec<NodeId> {
    let mut grouped = Vec::with_capacity(line.len());
    let mut rest = line.as_slice();
    while let Some((first, behind)) = rest.split_first() {
        let is_assistant = outline.node(*first).is_some_and(|node| node.kind == Some(Kind::Assistant));
        let count = if is_assistant { family(outline, rest) } else { 1 };
        let (stretch, others) = rest.split_at_checked(count).unwrap_or((std::slice::from_ref(first), behind));
        grouped.extend(arranged(outline, stretch));
        rest = others;
    }
    grouped
}

/// How many records, from the first one of a message on, belong to it, with whatever is between.
fn family(outline: &Outline, line: &[NodeId]) -> usize {
    let first = line.first().and_then(|node| outline.node(*node));
    let message = first.and_then(|node| node.message);
    let mut count = 1;
    for (place, node) in line.iter().enumerate().skip(1) {
        match outline.node(*node) {
            Some(node) if node.kind == Some(Kind::Assistant) => {
                if message.is_none() || node.message != message {
                    break;
                }
                count = place + 1;
            }
            Some(node) if node.has_result() => count = place + 1,
            Some(node) if node.kind == Some(Kind::User) && !node.is_meta => break,
            Some(node) if node.is_boundary => break,
            _ => {}
        }
    }
    count
}

fn arranged(outline: &Outline, stretch: &[NodeId]) -> Vec<NodeId> {
    let calls = calls(outline, stretch);
    let rank = |place: &NodeId| match outline.node(*place) {
        Some(node) if node.kind == Some(Kind::Assistant) => (0, 0),
        Some(node) => answered(node, &calls).map_or((2, 0), |call| (1, call)),
        None => (2, 0),
    };
    let mut arranged = stretch.to_vec();
    // Stable: what ranks the same stays as it stood.
    arranged.sort_by_key(rank);
    arranged
}

/// The calls of a message, each with its place among them.
fn calls(outline: &Outline, stretch: &[NodeId]) -> HashMap<Id, usize> {
    let nodes = stretch.iter().filter_map(|node| outline.node(*node));
    let mut calls = HashMap::new();
    for (place, tool) in nodes.flat_map(|node| node.tools(BlockKind::Call)).enumerate() {
        calls.entry(tool).or_insert(place);
    }
    calls
}

/// The first of the calls that a record answers.
fn answered(node: &Node, calls: &HashMap<Id, usize>) -> Option<usize> {
    node.tools(BlockKind::Result).filter_map(|tool| calls.get(&tool)).min().copied()
}
