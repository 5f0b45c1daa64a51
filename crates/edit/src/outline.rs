//! Pieces of a transcript → of each the facts that decide what becomes of it.
//!
//! Texts stay in the file: an outline of a hundred megabytes is a few.

use std::collections::HashMap;

use jiff::Timestamp;
use steno_transcript::{Kind, Place, Troubles};

mod builder;
mod ids;
mod reference;
mod rereading;
mod weight;

pub use builder::OutlineBuilder;
pub use ids::Id;
pub(crate) use reference::is_uuid;
pub use rereading::Rereading;

/// A piece of the file, by its place among those that are not blank.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub u32);

/// A transcript, without what it says.
#[derive(Debug, Clone, Default)]
pub struct Outline {
    /// One for each piece of the file that is not blank, in their order: records, and what is none.
    pub nodes: Vec<Node>,
    /// What the ids say.
    ids: ids::Ids,
    /// The records that bear a uuid. Of several, the last one: so it is with the client. What others cannot hang on
    /// never replaces what they can.
    by_uuid: HashMap<Id, NodeId>,
    is_unterminated: bool,
    /// What nodes take, and what they point to.
    weight: u64,
}

/// One piece.
#[derive(Debug, Clone, Default)]
pub struct Node {
    pub place: Place,
    /// With the end of its line.
    pub bytes: u32,
    /// What is strange about its line.
    pub troubles: Troubles,
    /// None for what is no record: garbage, a torn tail.
    pub kind: Option<Kind>,
    pub uuid: Option<Id>,
    pub parent: Option<Id>,
    pub logical_parent: Option<Id>,
    /// The session that it says it belongs to.
    pub session: Option<Id>,
    /// Any other record that it points to by a whole string outside of what was said: a leaf, the message of a
    /// snapshot, the assistant of a tool's result, what a compaction preserves (these whether there is such a record
    /// or not), and any other string that is the uuid of one. Each once, in no order.
    pub references: Vec<Id>,
    pub time: Option<Timestamp>,
    /// The client's conversation beside the main one.
    pub is_sidechain: bool,
    pub is_meta: bool,
    pub is_compact_summary: bool,
    pub is_api_error: bool,
    /// `system` with `compact_boundary`.
    pub is_boundary: bool,
    /// Written beside the conversation: no client takes it for the end of it.
    pub is_aside: bool,
    /// Of a boundary: what it preserves.
    pub preserved: Option<Box<Preserved>>,
    /// Of a `last-prompt`: the leaf, and whether the user chose it himself.
    pub leaf: Option<Box<Leaf>>,
    /// The id of the message that an assistant's record is a part of.
    pub message: Option<Id>,
    /// Whether it starts a turn: a prompt of the user, typed or queued.
    pub is_prompt: bool,
    /// Whether the message is a string, and not a list of blocks.
    pub is_text: bool,
    /// Whether a user's or assistant's message has no content as the API takes it: a list of blocks, or a user's text.
    pub is_odd: bool,
    pub blocks: Box<[Block]>,
    /// Of an attachment, roughly what it says to the model, in tokens.
    pub tokens: u32,
}

/// The messages that a compaction leaves in place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Preserved {
    /// What they are hung behind: the summary.
    pub anchor: Option<Id>,
    /// In their order.
    pub uuids: Vec<Id>,
    /// Whether all of them are there. If not, no client hangs any of them anywhere.
    pub is_whole: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Leaf {
    pub uuid: Option<Id>,
    pub is_explicit: bool,
}

/// A block of a user's or assistant's message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Block {
    pub kind: BlockKind,
    /// Of a call and of a result.
    pub tool: Option<Id>,
    /// Roughly.
    pub tokens: u32,
    /// Nothing but white space, or nothing at all.
    pub is_blank: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BlockKind {
    Text,
    /// Redacted, too.
    Thinking,
    Call,
    /// A call that the API answers itself: call and result are in one message.
    ServerCall,
    Result,
    ServerResult,
    Image,
    Document,
    Unknown,
}

impl BlockKind {
    pub(crate) fn is_call(self) -> bool {
        matches!(self, Self::Call | Self::ServerCall)
    }

    pub(crate) fn is_result(self) -> bool {
        matches!(self, Self::Result | Self::ServerResult)
    }
}

impl Outline {
    pub fn text(&self, id: Id) -> &str {
        self.ids.text(id)
    }

    /// Roughly how much memory it takes, in bytes.
    pub fn weight(&self) -> u64 {
        self.weight + self.ids.weight()
    }

    pub fn node(&self, node: NodeId) -> Option<&Node> {
        self.nodes.get(node.0 as usize)
    }

    /// The record that bears a uuid.
    pub fn bearer(&self, uuid: Id) -> Option<NodeId> {
        self.by_uuid.get(&uuid).copied()
    }

    /// Whether another record bears its uuid in its stead: to a client it is not there.
    pub(crate) fn is_superseded(&self, node: NodeId) -> bool {
        let uuid = self.node(node).filter(|node| node.is_chained()).and_then(|node| node.uuid);
        uuid.is_some_and(|uuid| self.bearer(uuid) != Some(node))
    }

    /// The record that one hangs on.
    pub(crate) fn parent(&self, node: NodeId) -> Option<NodeId> {
        self.bearer(self.node(node)?.parent?)
    }

    /// By node, the uuid that it hangs on when progress is left out, as the newest client reads it: of progress that
    /// follows it, it does not know yet.
    pub(crate) fn bridged(&self) -> Vec<Option<Id>> {
        let mut bridges: HashMap<Id, Option<Id>> = HashMap::default();
        let mut parents = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            let parent = node.parent.and_then(|id| bridges.get(&id).copied().unwrap_or(Some(id)));
            parents.push(parent);
            if let Some(uuid) = node.uuid.filter(|_| node.kind == Some(Kind::Progress)) {
                bridges.insert(uuid, parent);
            }
        }
        parents
    }

    /// The id of a text, if some record has it.
    pub fn find(&self, text: &str) -> Option<Id> {
        self.ids.find(text)
    }

    /// How many ids there are: each is less.
    pub(crate) fn id_count(&self) -> usize {
        self.ids.len()
    }

    /// Whether the last line has its end.
    pub fn is_terminated(&self) -> bool {
        !self.is_unterminated
    }

    /// All nodes with their places.
    pub fn iter(&self) -> impl Iterator<Item = (NodeId, &Node)> {
        (0..).map(NodeId).zip(&self.nodes)
    }
}

/// Of each ring that parents form, by node, the record that closes it.
pub(crate) fn rings(parents: &[Option<NodeId>]) -> Vec<NodeId> {
    // By node, the walk that came there first.
    let mut walks = vec![None; parents.len()];
    let mut rings = Vec::new();
    for start in (0..).map(NodeId).take(parents.len()) {
        let mut next = Some(start);
        while let Some(node) = next
            && let Some(walk @ None) = walks.get_mut(node.0 as usize)
        {
            *walk = Some(start);
            next = parents.get(node.0 as usize).copied().flatten();
            let is_closed = next.and_then(|next| walks.get(next.0 as usize)) == Some(&Some(start));
            rings.extend(is_closed.then_some(node));
        }
    }
    rings
}

impl Node {
    /// Whether a person or the agent says something by it.
    pub(crate) fn is_message(&self) -> bool {
        matches!(self.kind, Some(Kind::User | Kind::Assistant))
    }

    /// Whether every client lets others hang on it.
    pub(crate) fn is_link(&self) -> bool {
        self.is_message() || matches!(self.kind, Some(Kind::Attachment | Kind::System))
    }

    /// The tools that its blocks of a kind call or answer.
    pub(crate) fn tools(&self, kind: BlockKind) -> impl Iterator<Item = Id> {
        self.blocks.iter().filter(move |block| block.kind == kind).filter_map(|block| block.tool)
    }

    /// Whether it brings the result of a call.
    pub(crate) fn has_result(&self) -> bool {
        self.kind == Some(Kind::User) && self.blocks.iter().any(|block| block.kind == BlockKind::Result)
    }

    /// Whether some client does.
    pub(crate) fn is_chained(&self) -> bool {
        self.is_link() || self.kind == Some(Kind::Progress)
    }
}

#[cfg(test)]
pub(crate) mod tests;
