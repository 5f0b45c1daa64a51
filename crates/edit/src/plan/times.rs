//! Times, for clients that look at nothing else: to them the leaf is the record with the latest, and a message without
//! one is none.

use jiff::{SignedDuration, Timestamp};

use super::Compaction;
use super::draft::Draft;
use super::report;
use crate::estimate;
use crate::options::Compress;
use crate::outline::{Node, NodeId};

const MILLISECOND: SignedDuration = SignedDuration::from_millis(1);

/// The boundary and summary that replace the older turns; their times are just before the first turn that stays.
pub(super) fn compaction(draft: &Draft<'_>, options: &Compress) -> Compaction {
    let time_of = |node: &NodeId| draft.outline.node(*node).and_then(|node| node.time);
    let first = draft.line.iter().find_map(time_of);
    let next = draft.line.iter().min().copied();
    let summary_tokens = estimate::of_text(&options.summary);
    Compaction {
        before: next,
        like: like(draft, next),
        summary: options.summary.clone(),
        time: Some(first.and_then(|time| before(time, 2)).unwrap_or(options.now)),
        tokens_before: report::before(draft).total,
        tokens_after: report::after(draft).total.saturating_add(summary_tokens),
    }
}

/// A message that has passed when the two are written: the one that follows them, or the last that they replace.
fn like(draft: &Draft<'_>, next: Option<NodeId>) -> Option<NodeId> {
    let has_passed = |id: NodeId| next.is_none_or(|next| id <= next);
    let is_like = |id: &&NodeId| has_passed(**id) && draft.outline.node(**id).is_some_and(Node::is_message);
    let found = draft.line.iter().find(is_like).or_else(|| draft.summarised.iter().rfind(is_like));
    found.copied().or(next)
}

pub(super) fn settle(draft: &mut Draft<'_>, compaction: Option<&Compaction>, now: Option<Timestamp>) {
    fill_gaps(draft, now);
    let Some(leaf) = draft.line.last().copied() else { return };
    let summarised = compaction.and_then(|compaction| compaction.time).and_then(|time| after(time, 1));
    let others = draft.records().filter(|(id, node)| *id != leaf && counts(node));
    let others = others.filter_map(|(id, node)| time_in(draft, id, node));
    let Some(latest) = others.chain(summarised).max() else { return };
    let time = draft.outline.node(leaf).and_then(|node| time_in(draft, leaf, node));
    if time.is_none_or(|time| time <= latest) {
        draft.change(leaf).time = after(latest, 1);
    }
}

/// A message of the line without a time has that of the record before it; the first, that of the next one. Where nothing
/// has any, it is now: without one there is no session to clients.
fn fill_gaps(draft: &mut Draft<'_>, now: Option<Timestamp>) {
    let time_of = |id: &NodeId| draft.outline.node(*id).and_then(|node| node.time);
    let mut last = draft.line.iter().find_map(time_of).or(now).or(Some(Timestamp::UNIX_EPOCH));
    for id in draft.line.clone() {
        let Some(node) = draft.outline.node(id) else { continue };
        match (node.time, last) {
            (None, Some(time)) if node.is_message() => draft.change(id).time = Some(time),
            (time, _) => last = time.or(last),
        }
    }
}

/// Whether a client may take it for the leaf. Some do so with records of progress.
fn counts(node: &Node) -> bool {
    !node.is_sidechain && node.is_chained()
}

fn time_in(draft: &Draft<'_>, id: NodeId, node: &Node) -> Option<Timestamp> {
    draft.changes.get(&id).and_then(|change| change.time).or(node.time)
}

fn after(time: Timestamp, milliseconds: i32) -> Option<Timestamp> {
    time.checked_add(MILLISECOND * milliseconds).ok()
}

fn before(time: Timestamp, milliseconds: i32) -> Option<Timestamp> {
    time.checked_sub(MILLISECOND * milliseconds).ok()
}
