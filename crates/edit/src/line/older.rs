//! The chain as clients up to 2.1.56 find it: from the latest record by time upwards, without guesses.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use steno_transcript::Kind;

use crate::outline::{Id, Node, NodeId, Outline};

/// To 2.0 a progress record is none: a parent that is one ends the chain.
pub(crate) fn chain_of_older(outline: &Outline, knows_progress: bool) -> Vec<NodeId> {
    let is_known = |node: &Node| node.is_link() || knows_progress && node.kind == Some(Kind::Progress);
    // These clients know a record without a uuid too. Of several with one uuid they have the last, in the first's place.
    let mut bearers: HashMap<Option<Id>, (NodeId, NodeId)> = HashMap::new();
    for (place, node) in outline.iter().filter(|(_, node)| is_known(node)) {
        bearers.entry(node.uuid).or_insert((place, place)).1 = place;
    }
    let main = bearers.values().filter_map(|(first, last)| Some((*first, *last, outline.node(*last)?)));
    let main = main.filter(|(.., node)| !node.is_sidechain);
    // Of several at one time, the first in the file.
    let leaf = main.max_by_key(|(first, _, node)| (node.time, Reverse(*first))).map(|(_, last, _)| last);
    let parent = |place: &NodeId| bearers.get(&Some(outline.node(*place)?.parent?)).map(|(_, last)| *last);
    let mut seen = HashSet::new();
    let mut chain: Vec<NodeId> =
        std::iter::successors(leaf, parent).take_while(|place| seen.insert(*place)).collect();
    chain.reverse();
    chain
}
