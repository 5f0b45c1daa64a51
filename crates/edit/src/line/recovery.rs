//! What a walk from the leaf upwards misses: parallel calls and their results, and what hangs on the leaf.

use std::collections::{HashMap, HashSet};

use steno_transcript::Kind;

use super::graph::{Graph, Up};
use super::{is_marked, mark};
use crate::outline::{BlockKind, Id, Node, NodeId};

type Many<K> = HashMap<K, Vec<NodeId>>;

/// The records of each message, and the results that hang on each record.
struct Families {
    messages: Many<Id>,
    results: Many<NodeId>,
}

impl Families {
    fn of(graph: &Graph<'_>) -> Self {
        let mut families = Self { messages: Many::default(), results: Many::default() };
        for (place, node) in graph.links() {
            if let Some(message) = node.message {
                families.messages.entry(message).or_default().push(place);
            } else if node.has_result()
                && let Up::Node(parent) = graph.up(place)
            {
                families.results.entry(parent).or_default().push(place);
            }
        }
        families
    }
}

/// A stretch of the line that belongs to one message, and what was missed of it.
struct Stretch {
    start: usize,
    end: usize,
    missed: Vec<NodeId>,
}

/// The line with all records of its messages and their results, between the first record of the message and what
/// follows the last, in the order of the file.
pub(super) fn with_parallel(graph: &Graph<'_>, line: Vec<NodeId>, seen: &mut [bool]) -> Vec<NodeId> {
    let stretches = stretches(graph, &line, seen);
    if stretches.is_empty() {
        return line;
    }
    let mut whole = Vec::with_capacity(line.len());
    let mut done = 0;
    for stretch in stretches {
        if stretch.start < done {
            continue;
        }
        whole.extend(line.get(done..=stretch.start).unwrap_or_default());
        let mut missed = stretch.missed.into_iter().peekable();
        for node in line.get(stretch.start + 1..stretch.end).unwrap_or_default() {
            while let Some(before) = missed.next_if(|missed| graph.order(*missed) < graph.order(*node)) {
                whole.push(before);
            }
            whole.push(*node);
        }
        whole.extend(missed);
        done = stretch.end;
    }
    whole.extend(line.get(done..).unwrap_or_default());
    whole
}

fn stretches(graph: &Graph<'_>, line: &[NodeId], seen: &mut [bool]) -> Vec<Stretch> {
    let families = Families::of(graph);
    let places: HashMap<NodeId, usize> =
        line.iter().enumerate().map(|(place, node)| (*node, place)).collect();
    let mut done: HashSet<Id> = HashSet::default();
    let mut stretches = Vec::new();
    for (start, node) in line.iter().enumerate() {
        let Some(message) = graph.node(*node).and_then(|node| node.message) else { continue };
        let Some(family) = families.messages.get(&message).filter(|_| done.insert(message)) else { continue };
        let missed = missed(graph, &families, family, seen);
        if missed.is_empty() {
            continue;
        }
        let last = family.iter().filter_map(|node| places.get(node)).max().copied();
        let mut end = last.unwrap_or(start).max(start) + 1;
        let belongs = |node: &NodeId| graph.node(*node).is_some_and(|node| belongs(node, message));
        end += line.get(end..).unwrap_or_default().iter().take_while(|node| belongs(node)).count();
        stretches.push(Stretch { start, end, missed });
    }
    stretches
}

fn missed(graph: &Graph<'_>, families: &Families, family: &[NodeId], seen: &mut [bool]) -> Vec<NodeId> {
    let results = family.iter().filter_map(|node| families.results.get(node)).flatten();
    let mut missed = Vec::new();
    for node in family.iter().chain(results) {
        if !is_marked(seen, *node) {
            mark(seen, *node);
            missed.push(*node);
        }
    }
    missed.sort_by_key(|node| graph.order(*node));
    missed
}

/// Whether a record that follows a message may still be among its results.
fn belongs(node: &Node, message: Id) -> bool {
    match node.kind {
        Some(Kind::Assistant) => node.message == Some(message),
        Some(Kind::User) => node.is_meta || node.has_result(),
        Some(Kind::Attachment) => true,
        _ => !node.is_boundary,
    }
}

/// What hangs on the leaf and is no message, by time.
pub(super) fn trailing(graph: &Graph<'_>, leaf: NodeId, seen: &mut [bool]) -> Vec<NodeId> {
    let mut children: Many<NodeId> = Many::default();
    for (place, _) in graph.links().filter(|(_, node)| !node.is_message()) {
        if let Up::Node(parent) = graph.up(place) {
            children.entry(parent).or_default().push(place);
        }
    }
    let mut found = vec![leaf];
    let mut next = 0;
    while let Some(parent) = found.get(next) {
        for child in children.remove(parent).unwrap_or_default() {
            if !is_marked(seen, child) {
                mark(seen, child);
                found.push(child);
            }
        }
        next += 1;
    }
    let mut trailing = found.split_off(1);
    // Stable: at one time, what hangs nearer to the leaf is first.
    trailing.sort_by_key(|node| graph.node(*node).and_then(|node| node.time));
    trailing
}

/// Adds what else belongs to the last message of a line: its other records, and the results of its calls wherever they
/// hang.
pub(super) fn complete(graph: &Graph<'_>, line: &mut Vec<NodeId>) {
    let known: HashSet<NodeId> = line.iter().copied().collect();
    let is_last = |node: &&NodeId| graph.node(**node).is_some_and(|node| node.kind == Some(Kind::Assistant));
    let Some(last) = line.iter().rev().find(is_last).copied() else { return };
    let behind = line.iter().rev().take_while(|node| **node != last).filter_map(|node| graph.node(*node));
    if behind.into_iter().any(|node| node.is_message() && !node.has_result()) {
        return;
    }
    let message = graph.node(last).and_then(|node| node.message);
    let is_part =
        |place: NodeId, node: &Node| place == last || (message.is_some() && node.message == message);
    let parts: Vec<_> = graph.links().filter(|(place, node)| is_part(*place, node)).collect();
    let mut open = open_calls(&parts, line, graph);
    line.extend(parts.iter().map(|(place, _)| *place).filter(|place| !known.contains(place)));
    for (place, node) in graph.links().filter(|(place, node)| *place > last && node.has_result()) {
        let answered = node.tools(BlockKind::Result).filter(|tool| open.remove(tool)).count();
        if answered > 0 && !known.contains(&place) {
            line.push(place);
        }
    }
}

/// The calls of a message that nothing in the line answers.
fn open_calls(parts: &[(NodeId, &Node)], line: &[NodeId], graph: &Graph<'_>) -> HashSet<Id> {
    let mut open: HashSet<Id> = parts.iter().flat_map(|(_, node)| node.tools(BlockKind::Call)).collect();
    for node in line.iter().filter_map(|node| graph.node(*node)) {
        for tool in node.tools(BlockKind::Result) {
            open.remove(&tool);
        }
    }
    open
}
