//! One piece after the other → the outline.

use steno_conversation::{is_prompt, time_of};
use steno_transcript::wire::Fields;
use steno_transcript::{Kind, Piece, Record, Shape, Text, Troubles, content};

use super::reference::{self, Preserves};
use super::weight;
use super::{Block, BlockKind, Id, Leaf, Node, NodeId, Outline, Preserved};

/// What a node takes with its blocks on the heap and its entry among the uuids.
const OF_NODE: u64 = size_of::<Node>() as u64 + 64;

/// How many steps all compactions together may take through a file, for each of its pieces.
const STEPS: usize = 4;

/// Makes an [`Outline`] piece by piece. Every piece of the file has to pass, in order.
#[derive(Debug, Default)]
pub struct OutlineBuilder {
    outline: Outline,
    /// Strings that look like uuids and may turn out to be those of records.
    possible: Vec<(NodeId, Id)>,
    /// Of each compaction, what it preserves.
    kept: Vec<(NodeId, Preserves)>,
    /// What every record hangs on once progress is left out, if a compaction preserves a segment.
    bridged: Vec<Option<Id>>,
}

impl OutlineBuilder {
    pub fn observe(&mut self, piece: &Piece<'_>) {
        self.outline.is_unterminated = !piece.bytes.ends_with(b"\n");
        let Ok(place) = u32::try_from(self.outline.nodes.len()).map(NodeId) else { return };
        let node = match &piece.shape {
            Shape::Blank => return,
            Shape::Record(record) => self.node(place, piece, record),
            Shape::Broken(_) => Node::of(piece),
        };
        self.outline.bear(place, &node);
        let listed = node.blocks.len() * size_of::<Block>() + node.references.len() * size_of::<Id>();
        self.outline.weight += OF_NODE + listed as u64;
        self.outline.nodes.push(node);
    }

    /// Roughly how much memory the outline takes by now, in bytes.
    pub fn weight(&self) -> u64 {
        self.outline.weight()
    }

    pub fn finish(mut self) -> Outline {
        // The latest compactions count the most, should a file have more than a walk for each is worth.
        let mut steps = STEPS.saturating_mul(self.outline.nodes.len());
        if self.kept.iter().any(|(_, kept)| matches!(kept, Preserves::Segment { .. })) {
            self.bridged = self.outline.bridged();
        }
        for (node, kept) in std::mem::take(&mut self.kept).into_iter().rev() {
            let preserved = self.preserved(&kept, &mut steps);
            if let Some(node) = self.outline.nodes.get_mut(node.0 as usize) {
                node.preserved = Some(Box::new(preserved));
            }
        }
        for (node, id) in self.possible {
            let is_record = self.outline.by_uuid.contains_key(&id);
            if let Some(node) = self.outline.nodes.get_mut(node.0 as usize).filter(|_| is_record) {
                node.references.push(id);
            }
        }
        for node in &mut self.outline.nodes {
            node.references.sort_unstable();
            node.references.dedup();
            node.references.shrink_to_fit();
        }
        self.outline
    }

    fn id(&mut self, text: Option<&Text<'_>>) -> Option<Id> {
        text.filter(|text| !text.is_empty()).and_then(|text| self.outline.ids.intern(text))
    }

    fn node(&mut self, place: NodeId, piece: &Piece<'_>, record: &Record<'_>) -> Node {
        let troubles = &mut Troubles::default();
        let envelope = &record.envelope;
        let kind = record.kind();
        let subtype = envelope.subtype.as_deref().filter(|_| kind == Kind::System);
        let message = record.message().filter(|_| kind == Kind::Assistant);
        let leaf_uuid = self.id(envelope.leaf_uuid.as_ref());
        let has_leaf_field = || record.fields().is_some_and(|fields| fields.get("leafUuid").is_some());
        let names_leaf = kind == Kind::LastPrompt && (leaf_uuid.is_some() || has_leaf_field());
        let mut node = Node {
            uuid: self.id(envelope.uuid.as_ref()),
            parent: self.id(envelope.parent_uuid.as_ref()),
            logical_parent: self.id(envelope.logical_parent_uuid.as_ref()),
            session: self.id(envelope.session_id.as_ref()),
            time: time_of(envelope, troubles),
            is_sidechain: envelope.is_sidechain.0,
            is_meta: envelope.is_meta.0,
            is_compact_summary: envelope.is_compact_summary.0,
            is_api_error: envelope.is_api_error.0,
            is_boundary: subtype == Some("compact_boundary"),
            is_aside: subtype == Some("file_snapshot") || is_briefing(record),
            leaf: names_leaf.then(|| Box::new(Leaf { uuid: leaf_uuid, is_explicit: envelope.explicit.0 })),
            message: message.and_then(|message| self.id(message.id.as_ref())),
            is_prompt: is_prompt(record, troubles),
            blocks: self.blocks(&kind, record, troubles),
            ..Node::of(piece)
        };
        if let Some(fields) = record.fields() {
            if matches!(kind, Kind::User | Kind::Assistant) {
                let start = content_start(&node, &fields);
                node.is_text = start == Some(b'"');
                node.is_odd = !(start == Some(b'[') || node.is_text && kind == Kind::User);
            }
            if kind == Kind::Attachment {
                node.tokens = weight::of_attachment(record.envelope.attachment, fields.get("rendered"));
            }
            self.point(place, &mut node, &kind, &fields);
        }
        node.kind = Some(kind);
        node
    }

    fn point(&mut self, place: NodeId, node: &mut Node, kind: &Kind, fields: &Fields<'_>) {
        // Request logs repeat what was said.
        if matches!(kind, Kind::ApiRequest | Kind::ApiRequestShape | Kind::ApiRequestBlob) {
            return;
        }
        let pointers = reference::pointers(kind, fields);
        let ids = &mut self.outline.ids;
        node.references = pointers.named.iter().filter_map(|text| ids.intern(text)).collect();
        let possible = pointers.possible.iter().filter_map(|text| ids.intern(text));
        let before = self.possible.len();
        self.possible.extend(possible.map(|id| (place, id)));
        self.outline.weight += ((self.possible.len() - before) * size_of::<(NodeId, Id)>()) as u64;
        if let Some(kept) = pointers.preserved.filter(|_| node.is_boundary) {
            self.outline.weight += kept.weight();
            self.kept.push((place, kept));
        }
    }

    fn blocks(&mut self, kind: &Kind, record: &Record<'_>, troubles: &mut Troubles) -> Box<[Block]> {
        if !matches!(kind, Kind::User | Kind::Assistant) {
            return Box::default();
        }
        record.blocks(troubles).iter().map(|block| self.block(block, troubles)).collect()
    }

    fn block(&mut self, block: &content::Block<'_>, troubles: &mut Troubles) -> Block {
        let (kind, tool) = match block {
            content::Block::Text(_) => (BlockKind::Text, None),
            content::Block::Thinking(_) | content::Block::RedactedThinking { .. } => {
                (BlockKind::Thinking, None)
            }
            content::Block::ToolUse(call) if call.kind == "tool_use" => (BlockKind::Call, Some(&call.id)),
            content::Block::ToolUse(call) => (BlockKind::ServerCall, Some(&call.id)),
            content::Block::ToolResult(result) if result.kind == "tool_result" => {
                (BlockKind::Result, Some(&result.tool_use_id))
            }
            content::Block::ToolResult(result) => (BlockKind::ServerResult, Some(&result.tool_use_id)),
            content::Block::Image(_) => (BlockKind::Image, None),
            content::Block::Document(_) => (BlockKind::Document, None),
            content::Block::ToolReference(_) | content::Block::Unknown { .. } => (BlockKind::Unknown, None),
        };
        let is_blank = match block {
            content::Block::Text(words) | content::Block::Thinking(words) => words.is_blank(),
            _ => false,
        };
        let tokens = weight::of_block(block, troubles);
        Block { kind, tool: tool.and_then(|id| self.outline.ids.intern(id)), tokens, is_blank }
    }

    fn preserved(&self, kept: &Preserves, steps: &mut usize) -> Preserved {
        let find = |text: &Option<String>| text.as_deref().and_then(|text| self.outline.ids.find(text));
        match kept {
            Preserves::Messages { anchor, uuids } => {
                let found: Vec<Id> = uuids.iter().filter_map(|uuid| self.outline.ids.find(uuid)).collect();
                let is_whole = found.iter().all(|id| self.outline.by_uuid.contains_key(id));
                Preserved {
                    anchor: find(anchor),
                    is_whole: is_whole && found.len() == uuids.len(),
                    uuids: found,
                }
            }
            Preserves::Segment { anchor, head, tail } => {
                let (uuids, is_whole) = self.segment(find(head), find(tail), steps);
                Preserved { anchor: find(anchor), uuids, is_whole }
            }
        }
    }

    /// The records from `head` to `tail`, progress left out; false where the one does not lead to the other.
    fn segment(&self, head: Option<Id>, tail: Option<Id>, steps: &mut usize) -> (Vec<Id>, bool) {
        let mut uuids = Vec::new();
        let mut next = tail;
        let mut seen = std::collections::HashSet::new();
        while let Some(uuid) = next.filter(|uuid| *steps > 0 && seen.insert(*uuid)) {
            *steps -= 1;
            let is_link = |id: &NodeId| self.outline.node(*id).is_some_and(Node::is_link);
            let Some(place) = self.outline.bearer(uuid).filter(is_link) else { break };
            uuids.push(uuid);
            if next == head {
                uuids.reverse();
                return (uuids, true);
            }
            next = self.bridged.get(place.0 as usize).copied().flatten();
        }
        (head.into_iter().chain(tail).collect(), false)
    }
}

impl Outline {
    fn bear(&mut self, place: NodeId, node: &Node) {
        let Some(uuid) = node.uuid else { return };
        let before = self.bearer(uuid).and_then(|before| self.node(before));
        if before.is_none_or(|before| rank(before) <= rank(node)) {
            self.by_uuid.insert(uuid, place);
        }
    }
}

/// How many clients know a record by its uuid: all, some, none.
fn rank(node: &Node) -> (bool, bool) {
    (node.is_link(), node.is_chained())
}

impl Node {
    /// What is known of any piece.
    fn of(piece: &Piece<'_>) -> Self {
        Self {
            place: piece.place,
            bytes: u32::try_from(piece.bytes.len()).unwrap_or(u32::MAX),
            troubles: piece.troubles,
            ..Self::default()
        }
    }
}

/// An attachment that only tells a fork where it comes from.
fn is_briefing(record: &Record<'_>) -> bool {
    let attachment = record.envelope.attachment.map(|raw| raw.get());
    attachment.is_some_and(|json| json.starts_with(r#"{"type":"fork_briefing""#))
}

/// The first byte of a message's content. Other blocks than a single text are in a list, and are not looked at again.
fn content_start(node: &Node, fields: &Fields<'_>) -> Option<u8> {
    if !matches!(&*node.blocks, [] | [Block { kind: BlockKind::Text, .. }]) {
        return Some(b'[');
    }
    let message: Fields<'_> = serde_json::from_str(fields.get("message")?.get()).ok()?;
    message.get("content")?.get().bytes().next()
}
