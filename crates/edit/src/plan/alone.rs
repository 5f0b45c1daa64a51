//! What is left of a message when something went: thinking alone says nothing, nor does white space. And a message
//! that stopped to wait for calls which are gone has ended.

use std::collections::HashSet;

use steno_transcript::Kind;

use super::draft::Draft;
use crate::outline::{Block, BlockKind, Node, NodeId};

/// A message, by its id. Records without one are one message to clients. Apart for the line and the rest: they are never
/// sent together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Message {
    Id(u32),
    Nameless,
}

type Messages = HashSet<Message>;

fn message(node: &Node) -> Message {
    node.message.map_or(Message::Nameless, |id| Message::Id(id.0))
}

/// Drops answers that say nothing any more.
pub(super) fn drop_remains(draft: &mut Draft<'_>) {
    let on_line = draft.on_line();
    let (mut speaking, mut speaking_on_line) = (Messages::default(), Messages::default());
    let mut touched = Messages::default();
    for (id, node) in answers(draft) {
        if draft.blocks(id).count() < node.blocks.len() {
            touched.insert(message(node));
        }
        if draft.blocks(id).any(|(_, block)| says_something(block)) {
            speaking.insert(message(node));
            if on_line.contains(&id) {
                speaking_on_line.insert(message(node));
            }
        }
    }
    touched.extend(dropped_answers(draft));
    let silent: Vec<(NodeId, bool)> = answers(draft)
        .filter(|(id, node)| {
            let speaking = if on_line.contains(id) { &speaking_on_line } else { &speaking };
            !node.blocks.is_empty() && !speaking.contains(&message(node))
        })
        .map(|(id, node)| (id, touched.contains(&message(node))))
        .collect();
    for (id, is_touched) in silent {
        let is_thinking = |block: &Block| block.kind == BlockKind::Thinking;
        if is_touched || draft.blocks(id).all(|(_, block)| is_thinking(block)) {
            draft.drop(id);
        }
    }
}

/// Marks the messages that lost all of their calls.
pub(super) fn end_turns(draft: &mut Draft<'_>) {
    let is_call = |block: &Block| block.kind == BlockKind::Call;
    let mut calling = Messages::default();
    let mut waiting = Messages::default();
    for (id, node) in draft.outline.iter().filter(|(_, node)| node.kind == Some(Kind::Assistant)) {
        if node.blocks.iter().any(is_call) {
            calling.insert(message(node));
        }
        if draft.blocks(id).any(|(_, block)| is_call(block)) {
            waiting.insert(message(node));
        }
    }
    let has_ended = |message: &Message| calling.contains(message) && !waiting.contains(message);
    let ended: Vec<NodeId> =
        answers(draft).filter(|(_, node)| has_ended(&message(node))).map(|(id, _)| id).collect();
    for id in ended {
        draft.change(id).ends_turn = true;
    }
}

fn answers<'o>(draft: &Draft<'o>) -> impl Iterator<Item = (NodeId, &'o Node)> {
    draft.records().filter(|(_, node)| node.kind == Some(Kind::Assistant))
}

/// Messages of which a record went.
fn dropped_answers(draft: &Draft<'_>) -> Messages {
    let answers = draft.outline.iter().filter(|(_, node)| node.kind == Some(Kind::Assistant));
    answers
        .filter(|(id, _)| !draft.is_kept(*id) && !draft.outline.is_superseded(*id))
        .map(|(_, node)| message(node))
        .collect()
}

fn says_something(block: &Block) -> bool {
    block.kind != BlockKind::Thinking && !(block.kind == BlockKind::Text && block.is_blank)
}
