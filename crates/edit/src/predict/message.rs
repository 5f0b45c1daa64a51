//! A message as it is sent, and how what another record says is joined to it.

use serde_json::Value;
use steno_conversation::Role;

use super::block;

#[derive(Debug)]
pub(super) struct Message {
    pub(super) role: Role,
    pub(super) id: Option<String>,
    pub(super) content: Vec<Value>,
    /// Another of the user's records was joined to it: then results precede the rest.
    is_joined: bool,
}

/// An answer of the API has a few dozen blocks. Where a file says that one has more than this, the rest is added
/// without a look at it, so that the time is that of the file.
const MOST_BLOCKS: usize = 1000;

impl Message {
    pub(super) fn user(content: Vec<Value>) -> Self {
        Self { role: Role::User, id: None, content, is_joined: false }
    }

    pub(super) fn system(text: String) -> Self {
        Self { role: Role::System, ..Self::user(vec![block::text(text)]) }
    }

    pub(super) fn assistant(id: Option<String>, content: Vec<Value>) -> Self {
        Self { role: Role::Assistant, id, ..Self::user(content) }
    }

    /// Whether it answers a call.
    pub(super) fn has_result(&self) -> bool {
        self.content.iter().any(block::is_result)
    }

    /// What another of the user's records says, for the newest client: it ends a text with a new line where one follows.
    pub(super) fn join_lines(&mut self, blocks: Vec<Value>) {
        if blocks.first().is_some_and(block::is_text)
            && let Some(last) = self.content.last_mut().filter(|last| block::is_text(last))
        {
            push_text(last, "\n");
        }
        self.join(blocks);
    }

    /// Adds what another of the user's records says: results precede the rest.
    pub(super) fn join(&mut self, blocks: Vec<Value>) {
        let is_in_order =
            std::mem::replace(&mut self.is_joined, true) && !blocks.iter().any(block::is_result);
        self.content.extend(blocks);
        if !is_in_order {
            self.content.sort_by_key(|block| !block::is_result(block));
        }
    }

    /// What another record of the same answer says: calls follow everything else, and texts of white space go.
    pub(super) fn append_answer(&mut self, blocks: Vec<Value>) {
        if self.content.len() > MOST_BLOCKS {
            return self.content.extend(blocks);
        }
        self.put_calls_last();
        self.content.extend(blocks);
        if self.content.iter().any(is_white) {
            self.drop_white();
        }
        self.put_calls_last();
    }

    pub(super) fn put_calls_last(&mut self) {
        self.content.sort_by_key(block::is_call);
    }

    /// White space between two thoughts stays, and so does all of it where nothing but thoughts would be left.
    fn drop_white(&mut self) {
        let is_thought = |place: Option<usize>| {
            place.and_then(|place| self.content.get(place)).is_some_and(block::is_thinking)
        };
        let stays = |(place, block): &(usize, &Value)| {
            !is_white(block) || is_thought(place.checked_sub(1)) && is_thought(Some(place + 1))
        };
        let kept = self.content.iter().enumerate().filter(stays).map(|(_, block)| block.clone());
        let kept: Vec<Value> = kept.collect();
        if !kept.iter().all(block::is_thinking) {
            self.content = kept;
        }
    }
}

/// Adds to the text of a block.
pub(super) fn push_text(block: &mut Value, more: &str) {
    if let Some(Value::String(text)) = block.get_mut("text") {
        text.push_str(more);
    }
}

fn is_white(block: &Value) -> bool {
    block::is_blank(block) && !block::words(block).is_empty()
}
