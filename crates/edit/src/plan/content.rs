//! Messages that no client can send as they are: those that say nothing go, and content that is no list becomes one.

use super::draft::Draft;
use crate::outline::{BlockKind, Node, NodeId};
use steno_transcript::Kind;

pub(super) fn mend(draft: &mut Draft<'_>) {
    let on_line = draft.on_line();
    let messages: Vec<(NodeId, &Node)> = draft.records().filter(|(_, node)| node.is_message()).collect();
    for (id, node) in messages {
        if on_line.contains(&id) && is_silent(node) {
            draft.drop(id);
        } else if node.is_odd {
            draft.change(id).lists_content = true;
        }
    }
}

/// The API refuses it; of answers, clients leave out white space themselves.
fn is_silent(node: &Node) -> bool {
    let is_blank = |kind: BlockKind, is_blank: bool| kind == BlockKind::Text && is_blank;
    let says_nothing = node.blocks.iter().all(|block| is_blank(block.kind, block.is_blank));
    node.blocks.is_empty() || says_nothing && node.kind == Some(Kind::User)
}
