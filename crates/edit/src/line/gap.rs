//! A record whose parent is missing → the latest record that is not later.

use std::cmp::Reverse;

use jiff::Timestamp;

use super::graph::Graph;
use super::is_marked;
use crate::outline::NodeId;

/// All records of the conversation and, apart, those beside it, by their times.
#[derive(Debug)]
pub(super) struct Gaps<'g, 'o> {
    graph: &'g Graph<'o>,
    main: Side,
    sidechain: Side,
}

#[derive(Debug, Default)]
struct Side {
    by_time: Vec<(Timestamp, Reverse<u32>, NodeId)>,
    /// For each count of the first of them a lesser one, where the last of those between are taken.
    free: Vec<usize>,
}

impl<'g, 'o> Gaps<'g, 'o> {
    pub(super) fn new(graph: &'g Graph<'o>) -> Self {
        let side = |is_sidechain: bool| {
            let nodes = graph.links().filter(|(_, node)| node.is_sidechain == is_sidechain);
            let timed =
                nodes.filter_map(|(place, node)| Some((node.time?, Reverse(graph.order(place)), place)));
            let mut by_time: Vec<_> = timed.collect();
            by_time.sort_unstable();
            Side { free: (0..=by_time.len()).collect(), by_time }
        };
        Self { graph, main: side(false), sidechain: side(true) }
    }

    /// The latest that is not later than a record, and not seen.
    pub(super) fn before(&mut self, node: NodeId, seen: &[bool]) -> Option<NodeId> {
        let node = self.graph.node(node)?;
        let side = if node.is_sidechain { &mut self.sidechain } else { &mut self.main };
        side.before(node.time?, seen)
    }
}

impl Side {
    fn before(&mut self, time: Timestamp, seen: &[bool]) -> Option<NodeId> {
        let mut count = self.by_time.partition_point(|(other, ..)| *other <= time);
        let mut passed = Vec::new();
        let found = loop {
            let free = self.free.get(count).copied()?;
            if free != count {
                passed.push(count);
                count = free;
                continue;
            }
            // Of none there is no last.
            let Some((.., node)) = count.checked_sub(1).and_then(|last| self.by_time.get(last)) else {
                break None;
            };
            if !is_marked(seen, *node) {
                break Some(*node);
            }
            passed.push(count);
            count -= 1;
        };
        for place in passed {
            if let Some(free) = self.free.get_mut(place) {
                *free = count;
            }
        }
        found
    }
}
