//! Where the newest client goes on: at the leaf that the last prompt names, or behind it.

use super::graph::Graph;
use crate::outline::{Id, NodeId};

/// What is known at the end of the file.
#[derive(Debug, Default)]
struct Signs {
    /// The leaf that was named last.
    named: Option<Id>,
    /// The user chose it himself, and nothing followed.
    is_exact: bool,
    /// The user chose an empty conversation.
    is_cleared: bool,
    /// The last record of the conversation in the file.
    last: Option<NodeId>,
}

/// The leaf, of whatever type.
pub(super) fn chosen(graph: &Graph<'_>) -> Option<NodeId> {
    let signs = signs(graph);
    if signs.is_cleared {
        return None;
    }
    let is_main = |node: &NodeId| graph.node(*node).is_some_and(|node| !node.is_sidechain);
    let last = signs.last.filter(|last| graph.is_link(*last));
    let leaf = match signs.named.and_then(|named| graph.bearer(named)).filter(is_main) {
        Some(named) if signs.is_exact => Some(named),
        Some(named) => last.filter(|last| graph.ancestors(*last).any(|node| node == named)).or(Some(named)),
        None => last.or_else(|| latest(graph)),
    };
    leaf.map(|leaf| graph.behind_preserved(leaf))
}

fn signs(graph: &Graph<'_>) -> Signs {
    let mut signs = Signs::default();
    for (place, node) in graph.outline.iter() {
        if node.is_link() && node.uuid.is_some() {
            if node.is_boundary {
                (signs.named, signs.is_exact) = (None, false);
            }
            if !node.is_sidechain && !node.is_aside {
                (signs.last, signs.is_exact, signs.is_cleared) = (Some(place), false, false);
            }
        } else if let Some(leaf) = &node.leaf {
            match leaf.uuid {
                Some(uuid) => {
                    let is_same = signs.named == Some(uuid);
                    signs.is_exact = leaf.is_explicit || (signs.is_exact && is_same);
                    (signs.named, signs.is_cleared) = (Some(uuid), false);
                }
                None if leaf.is_explicit => (signs.named, signs.is_cleared) = (None, true),
                None => {}
            }
        }
    }
    // Of several with one uuid the client has the last.
    let uuid = signs.last.and_then(|last| graph.node(last)).and_then(|node| node.uuid);
    signs.last = uuid.and_then(|uuid| graph.bearer(uuid));
    signs
}

fn latest(graph: &Graph<'_>) -> Option<NodeId> {
    let main = graph.links().filter(|(_, node)| !node.is_sidechain);
    main.max_by_key(|(place, node)| (node.time, std::cmp::Reverse(graph.order(*place))))
        .map(|(place, _)| place)
}
