//! An outline → the line of records that a client takes up when it resumes the session.
//!
//! The newest client is followed, because it finds the most: it looks for the leaf by name and by place, guesses over
//! gaps, and puts back parallel calls that a walk from the leaf misses. What it finds is then laid in line.

mod gap;
mod graph;
mod group;
mod leaf;
mod older;
mod recovery;

use crate::outline::{NodeId, Outline};
use gap::Gaps;
use graph::{Graph, Up};
pub(crate) use leaf::LeafMarks;
pub(crate) use older::chain_of_older;

/// The records from the first to the leaf, as the newest client finds them, with parallel calls laid in line: all
/// records of a message, then the results of its calls. It begins with the latest compaction, if there is one; what
/// that preserves follows its summary.
pub fn resumed_line(outline: &Outline) -> Vec<NodeId> {
    group::in_line(outline, since_compaction(outline, chain(outline)))
}

/// The records from the first to the leaf, in the order in which the newest client takes them up; what precedes a
/// compaction is still among them.
pub(crate) fn chain(outline: &Outline) -> Vec<NodeId> {
    let graph = Graph::new(outline, u32::MAX);
    leaf::chosen(&graph).map(|leaf| found(&graph, leaf)).unwrap_or_default()
}

/// The same up to another record, wherever it is: before a compaction, on a branch that was left. The other
/// records of the message that it belongs to and the results of its calls come along.
pub fn line_to(outline: &Outline, leaf: NodeId) -> Vec<NodeId> {
    let mut graph = Graph::new(outline, leaf.0);
    if graph.leads_behind(leaf) {
        graph = Graph::new(outline, 0);
    }
    if !graph.is_link(leaf) {
        return Vec::new();
    }
    let mut line = found(&graph, leaf);
    recovery::complete(&graph, &mut line);
    group::in_line(outline, since_compaction(outline, line))
}

/// From the first record to what hangs on the leaf.
fn found(graph: &Graph<'_>, leaf: NodeId) -> Vec<NodeId> {
    let leaf = graph.message_at(leaf).unwrap_or(leaf);
    let mut seen = vec![false; graph.outline.nodes.len()];
    let line = walk(graph, leaf, &mut seen);
    let mut line = recovery::with_parallel(graph, line, &mut seen);
    line.extend(recovery::trailing(graph, leaf, &mut seen));
    line
}

/// From the leaf upwards, turned around. Where a parent is missing, or was met before, the latest record before that
/// time replaces it.
fn walk(graph: &Graph<'_>, leaf: NodeId, seen: &mut [bool]) -> Vec<NodeId> {
    let mut gaps = None;
    let mut line = Vec::new();
    let mut next = Some(leaf);
    while let Some(node) = next {
        mark(seen, node);
        line.push(node);
        next = match graph.up(node) {
            Up::Root => None,
            Up::Node(parent) if !is_marked(seen, parent) => Some(parent),
            Up::Node(_) | Up::Missing => gaps.get_or_insert_with(|| Gaps::new(graph)).before(node, seen),
        };
    }
    line.reverse();
    line
}

/// What precedes the last compaction of the line is not sent.
fn since_compaction(outline: &Outline, line: Vec<NodeId>) -> Vec<NodeId> {
    let is_boundary = |node: &NodeId| outline.node(*node).is_some_and(|node| node.is_boundary);
    let start = line.iter().rposition(is_boundary).unwrap_or(0);
    line.into_iter().skip(start).collect()
}

fn mark(seen: &mut [bool], node: NodeId) {
    if let Some(seen) = seen.get_mut(node.0 as usize) {
        *seen = true;
    }
}

fn is_marked(seen: &[bool], node: NodeId) -> bool {
    seen.get(node.0 as usize).copied().unwrap_or(true)
}

#[cfg(test)]
mod tests;
