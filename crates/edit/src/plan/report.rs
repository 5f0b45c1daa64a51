//! A draft → the plan, with what people want to know of it.

use super::draft::Draft;
use super::turns::turns;
use super::{Change, Compaction, Counts, NamedLeaf, Plan};
use crate::estimate::{self, Estimate};
use crate::outline::{Block, BlockKind, Id, Node, NodeId};

/// Tokens of the text in the place of an image.
const REMOVED_IMAGE: u64 = 4;

pub(super) fn finish(
    mut draft: Draft<'_>,
    compaction: Option<Compaction>,
    named_leaf: Option<NamedLeaf>,
) -> Plan {
    draft.changes.retain(|_, change| *change != Change::default());
    let count_turns = |line: &[NodeId]| turns(draft.outline, line).len() as u64;
    let summary = compaction.as_ref().map_or(0, |compaction| estimate::of_text(&compaction.summary));
    let mut after = after(&draft);
    after.add_text(summary);
    let all = draft.outline.nodes.iter().filter(|node| node.kind.is_some()).count();
    let kept = draft.records().count();
    Plan {
        counts: Counts {
            kept: kept as u64,
            dropped: all.saturating_sub(kept) as u64,
            changed: draft.changes.len() as u64,
        },
        compaction,
        named_leaf,
        before: before(&draft),
        after,
        turns: (count_turns(&draft.resumed), count_turns(&draft.line)),
        calls: calls(&draft),
        kept: draft.kept,
        line: draft.line,
        summarised: draft.summarised,
        changes: draft.changes,
    }
}

impl Plan {
    pub fn is_kept(&self, node: NodeId) -> bool {
        self.kept.get(node.0 as usize).copied().unwrap_or(false)
    }
}

/// What is sent now.
pub(super) fn before(draft: &Draft<'_>) -> Estimate {
    let mut sum = Estimate::default();
    for node in draft.resumed.iter().filter_map(|node| draft.outline.node(*node)) {
        add(&mut sum, node, node.blocks.iter(), None);
    }
    sum
}

/// What will be sent, without a summary that we write.
pub(super) fn after(draft: &Draft<'_>) -> Estimate {
    let mut sum = Estimate::default();
    for id in &draft.line {
        let Some(node) = draft.outline.node(*id) else { continue };
        add(&mut sum, node, draft.blocks(*id).map(|(_, block)| block), draft.changes.get(id));
    }
    sum
}

fn add<'b>(
    sum: &mut Estimate,
    node: &Node,
    blocks: impl Iterator<Item = &'b Block>,
    change: Option<&Change>,
) {
    if node.is_api_error {
        return;
    }
    sum.add_text(u64::from(node.tokens));
    for block in blocks {
        let tokens = u64::from(block.tokens);
        let place = match block.kind {
            BlockKind::Text | BlockKind::Unknown => &mut sum.text,
            BlockKind::Thinking => &mut sum.thinking,
            BlockKind::Call | BlockKind::ServerCall => &mut sum.tool_calls,
            BlockKind::Result | BlockKind::ServerResult => &mut sum.tool_results,
            BlockKind::Image | BlockKind::Document => &mut sum.images,
        };
        let tokens = match (block.kind, change) {
            (BlockKind::Result, Some(Change { truncation: Some(truncation), .. })) => {
                tokens.min((truncation.characters as u64).div_ceil(4) + 1)
            }
            (BlockKind::Image | BlockKind::Document, Some(Change { without_images: true, .. })) => {
                REMOVED_IMAGE
            }
            _ => tokens,
        };
        *place = place.saturating_add(tokens);
        sum.total = sum.total.saturating_add(tokens);
    }
}

fn calls(draft: &Draft<'_>) -> Vec<Id> {
    let blocks = draft.records().flat_map(|(id, _)| draft.blocks(id));
    let calls = blocks.filter(|(_, block)| block.kind.is_call()).filter_map(|(_, block)| block.tool);
    let mut calls: Vec<Id> = calls.collect();
    calls.sort_unstable();
    calls.dedup();
    calls
}
