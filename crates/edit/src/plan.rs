//! An outline and a options → what becomes of every record.
//!
//! Small passes over one draft, in the order of [`plan`]: what is kept at all, what is taken out of it, what has to
//! go because something else went, and how the rest is joined. Nothing is read again, so a plan is cheap to show.

mod alone;
mod content;
mod cut;
mod draft;
mod leaf;
mod noise;
mod pairs;
mod references;
mod relink;
mod report;
mod strip;
mod times;
mod tools;
mod turns;

use std::collections::BTreeMap;

use jiff::Timestamp;

use crate::estimate::Estimate;
use crate::options::{CloneOptions, Cut, Truncation};
use crate::outline::{Id, NodeId, Outline};
use draft::Draft;

/// What becomes of a session.
#[derive(Debug, Clone)]
pub struct Plan {
    /// Whether a record stays, by the places of the nodes.
    pub kept: Vec<bool>,
    /// What changes in those that are kept, besides their ids.
    pub changes: BTreeMap<NodeId, Change>,
    /// The records of a compaction that we write, before the first record that follows it.
    pub compaction: Option<Compaction>,
    /// The line that a client will resume, without the compaction.
    pub line: Vec<NodeId>,
    /// What the compaction replaces, in the order of the line.
    pub summarised: Vec<NodeId>,
    /// A `last-prompt` that has to follow everything, for clients that would take another record for the leaf.
    pub named_leaf: Option<NamedLeaf>,
    pub counts: Counts,
    pub before: Estimate,
    pub after: Estimate,
    /// Turns of the line, before and after.
    pub turns: (u64, u64),
    /// The calls that are kept: the subagents of others are not needed.
    pub calls: Vec<Id>,
}

/// Records of the file; what is no record is not counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    pub kept: u64,
    pub dropped: u64,
    /// Of those that are kept.
    pub changed: u64,
}

/// What changes in a record.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Change {
    /// Another parent: none, or one that is kept.
    pub parent: Option<Parent>,
    /// Blocks that go, by their places.
    pub without: Vec<u32>,
    /// Its content is a text, or one block, and becomes a list: some clients know nothing else of an answer.
    pub lists_content: bool,
    /// Its results are shortened, and `toolUseResult` with them.
    pub truncation: Option<Truncation>,
    /// Images and documents, inside of results too, become a line of text.
    pub without_images: bool,
    /// All calls of the message went: where it stopped for them, it now ends the turn.
    pub ends_turn: bool,
    /// Clients that choose the leaf by its time need it to be the latest, and every message needs one.
    pub time: Option<Timestamp>,
    /// `requestRef` points to a request that goes.
    pub drops_request: bool,
    /// `toolUseResult` belongs to a result that goes.
    pub drops_result: bool,
    /// `sourceToolAssistantUUID` points to a record that goes, or to none.
    pub drops_source: bool,
    /// `logicalParentUuid` points to a record that goes, or to none.
    pub drops_logical_parent: bool,
    /// `leafUuid` names this record instead.
    pub leaf: Option<NodeId>,
    /// Of a boundary that preserves less than it did: what is left, in order. Where that is nothing, it no longer
    /// says that it preserves anything.
    pub preserved: Option<Vec<NodeId>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Parent {
    Root,
    Node(NodeId),
    /// The summary of the compaction that we write.
    Summary,
}

/// A boundary and a summary.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Compaction {
    /// Written before this node; at the end of the file where there is none.
    pub before: Option<NodeId>,
    /// Whose envelope the two records have: directory, branch, version.
    pub like: Option<NodeId>,
    pub summary: String,
    /// Of the boundary; the summary comes a millisecond later.
    pub time: Option<Timestamp>,
    pub tokens_before: u64,
    pub tokens_after: u64,
}

/// A leaf that is named at the end of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NamedLeaf {
    pub node: NodeId,
    /// As if the user had gone back to it: what hangs on it is left alone.
    pub is_explicit: bool,
}

/// Why a options cannot be fulfilled.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error("there is nothing to resume in this session")]
    Nothing,
    #[error("nothing would be left to resume")]
    NothingLeft,
    #[error("no record '{0}' in the session's own conversation")]
    UnknownRecord(String),
    #[error("'{0}' is the beginning of several records")]
    AmbiguousRecord(String),
    #[error("the session has {0} turns")]
    TooFewTurns(u64),
}

/// What becomes of each record of a session; the order of the passes is the order of this function.
pub fn plan(outline: &Outline, options: &CloneOptions) -> Result<Plan, Refusal> {
    let mut draft = Draft::new(outline);
    cut::cut(&mut draft, options)?;
    if !options.is_whole() {
        noise::leave_out(&mut draft);
    }
    if let Some(tools) = &options.strip.tools {
        tools::strip(&mut draft, tools);
    }
    strip::strip(&mut draft, &options.strip);
    content::mend(&mut draft);
    pairs::drop_orphans(&mut draft);
    alone::drop_remains(&mut draft);
    draft.settle_line();
    if !draft.has_something_to_resume() && draft.summarised.is_empty() {
        return Err(if draft.resumed.is_empty() { Refusal::Nothing } else { Refusal::NothingLeft });
    }
    alone::end_turns(&mut draft);
    references::settle(&mut draft);
    relink::relink(&mut draft);
    let compaction = options.compress.as_ref().map(|compress| times::compaction(&draft, compress));
    times::settle(&mut draft, compaction.as_ref(), options.now);
    let named_leaf = leaf::named(&draft, compaction.as_ref());
    Ok(report::finish(draft, compaction, named_leaf))
}

/// What a compression replaces by its summary, before there is one.
pub fn summarised(outline: &Outline, cut: Option<&Cut>, keep_turns: usize) -> Result<Vec<NodeId>, Refusal> {
    let mut draft = Draft::new(outline);
    cut::select(&mut draft, cut)?;
    cut::compress(&mut draft, keep_turns)?;
    Ok(draft.summarised)
}

/// A file beside the session, such as a subagent's: all of its records stay, and nothing that is none.
pub fn beside(outline: &Outline) -> Plan {
    let mut draft = Draft::new(outline);
    draft.line.clear();
    relink::relink(&mut draft);
    report::finish(draft, None, None)
}

#[cfg(test)]
mod tests;
