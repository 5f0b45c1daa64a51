//! A record whose parent is missing → the latest record that is not later.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use jiff::Timestamp;

use super::graph::Graph;
use crate::outline::NodeId;

/// By time; of several at one time, the first in the file counts as the latest.
type ByTime = BTreeSet<(Timestamp, Reverse<u32>, NodeId)>;

/// All records of the conversation and, apart, those beside it, by their times. Those that are on the line go.
#[derive(Debug)]
pub(super) struct Gaps<'g, 'o> {
    graph: &'g Graph<'o>,
    main: ByTime,
    sidechain: ByTime,
}

impl<'g, 'o> Gaps<'g, 'o> {
    pub(super) fn new(graph: &'g Graph<'o>) -> Self {
        let side = |is_sidechain: bool| {
            let nodes = graph.links().filter(|(_, node)| node.is_sidechain == is_sidechain);
            nodes.filter_map(|(place, node)| Some((node.time?, Reverse(graph.order(place)), place))).collect()
        };
        Self { graph, main: side(false), sidechain: side(true) }
    }

    /// The latest that is not later than a record, and not on the line.
    pub(super) fn before(&mut self, node: NodeId, seen: &[bool]) -> Option<NodeId> {
        let node = self.graph.node(node)?;
        let side = if node.is_sidechain { &mut self.sidechain } else { &mut self.main };
        let latest = (node.time?, Reverse(0), NodeId(u32::MAX));
        loop {
            let last = side.range(..=latest).next_back().copied()?;
            if !super::is_marked(seen, last.2) {
                return Some(last.2);
            }
            // Nothing on the line is ever looked for again.
            side.remove(&last);
        }
    }
}
