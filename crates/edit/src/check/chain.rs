//! The line that a client resumes: whether every client finds it, and where it begins and ends.

use std::collections::HashSet;

use steno_transcript::Kind;

use super::file::nodes;
use super::{Findings, Rule, Severity};
use crate::outline::{BlockKind, Node, NodeId, Outline};

pub(super) fn check(findings: &mut Findings<'_>, line: &[NodeId]) {
    conversation(findings, line);
    order(findings, line);
    times(findings, line);
    compaction(findings, line);
    messages(findings, line);
    end(findings, line);
}

fn conversation(findings: &mut Findings<'_>, line: &[NodeId]) {
    let outline = findings.outline;
    if line.iter().filter_map(|place| outline.node(*place)).any(Node::is_message) {
        return;
    }
    let said = || outline.nodes.iter().filter(|node| node.is_message());
    let message = if said().next().is_none() {
        "this session has no messages"
    } else if said().all(|node| node.is_sidechain) {
        "all messages are marked as a subagent's, and clients resume none of those"
    } else if said().all(|node| node.uuid.is_none()) {
        "no record has a uuid, so a client finds none of them"
    } else {
        "the conversation that a client would resume is empty"
    };
    findings.add_whole(Rule::Conversation, Severity::Error, message);
}

/// Each record should hang on the one before it: older clients see nothing else.
fn order(findings: &mut Findings<'_>, line: &[NodeId]) {
    let outline = findings.outline;
    let mut forks = Vec::new();
    let mut bridged = Vec::new();
    for pair in line.windows(2) {
        let [before, place] = pair else { continue };
        let above = outline.parent(*place);
        if above == Some(*before) {
            continue;
        }
        let is_progress =
            |node: NodeId| outline.node(node).is_some_and(|node| node.kind == Some(Kind::Progress));
        if above.is_some_and(is_progress) { bridged.push(*place) } else { forks.push(*place) }
    }
    let message = "its parent is not the record before it, as after parallel calls: clients up to 2.1.56 lose \
                   calls and results here";
    findings.add(Rule::Line, Severity::Warning, forks, message);
    let message = "its parent is a progress record: clients such as 2.0.42 lose all messages before it";
    findings.add(Rule::Line, Severity::Warning, bridged, message);
}

fn times(findings: &mut Findings<'_>, line: &[NodeId]) {
    let outline = findings.outline;
    let is_timeless =
        |place: &NodeId| outline.node(*place).is_some_and(|node| node.is_message() && node.time.is_none());
    let timeless: Vec<NodeId> = line.iter().copied().filter(is_timeless).collect();
    let messages = line.iter().filter(|place| outline.node(**place).is_some_and(Node::is_message)).count();
    // Some have one: then clients send at least these.
    let severity = if timeless.len() < messages { Severity::Warning } else { Severity::Error };
    findings.add(Rule::Times, severity, timeless, "its timestamp is missing or cannot be read");
    let Some(leaf) = line.last().copied() else { return };
    let may_be_leaf = |node: &Node| node.is_chained() && node.uuid.is_some() && !node.is_sidechain;
    let time = |place: &NodeId| outline.node(*place).and_then(|node| node.time);
    // Of equal times the first in the file counts.
    let latest = nodes(outline, may_be_leaf).max_by_key(|place| (time(place), std::cmp::Reverse(*place)));
    let astray = latest.filter(|latest| !leads_to(outline, *latest, leaf));
    let message =
        "it is later than the last record of the conversation: clients up to 2.1.56 continue from here";
    findings.add(Rule::Times, Severity::Warning, astray, message);
}

/// Whether the way up from one record comes by another.
fn leads_to(outline: &Outline, from: NodeId, to: NodeId) -> bool {
    let mut seen: HashSet<NodeId> = HashSet::default();
    let way = std::iter::successors(Some(from), |node| outline.parent(*node));
    way.take_while(|node| seen.insert(*node)).any(|node| node == to)
}

fn compaction(findings: &mut Findings<'_>, line: &[NodeId]) {
    let outline = findings.outline;
    let broken = nodes(outline, |node| node.preserved.as_ref().is_some_and(|preserved| !preserved.is_whole));
    let message = "some messages that this compaction preserves are not in the file, so a client preserves none of them";
    findings.add(Rule::Compaction, Severity::Warning, broken, message);
    let mut records = line.iter().filter_map(|place| Some((*place, outline.node(*place)?)));
    let boundary = records.next().filter(|(_, node)| node.is_boundary);
    let first = records.find(|(_, node)| node.is_message());
    let has_summary = first.is_some_and(|(_, node)| node.is_compact_summary);
    let bare = boundary.filter(|_| !has_summary).map(|(place, _)| place);
    let message = "no summary follows this compaction: clients lose all messages before it";
    findings.add(Rule::Compaction, Severity::Warning, bare, message);
}

fn messages(findings: &mut Findings<'_>, line: &[NodeId]) {
    let outline = findings.outline;
    let odd = line.iter().copied().filter(|place| outline.node(*place).is_some_and(|node| node.is_odd));
    let message = "its message has no content that can be sent: some clients do not resume the session";
    findings.add(Rule::Messages, Severity::Error, odd, message);
}

fn end(findings: &mut Findings<'_>, line: &[NodeId]) {
    let outline = findings.outline;
    let is_said = |place: &&NodeId| outline.node(**place).is_some_and(Node::is_message);
    let Some(last) = line.iter().rev().find(is_said).copied() else { return };
    let Some(node) = outline.node(last) else { return };
    let has = |kind: BlockKind| node.blocks.iter().any(|block| block.kind == kind);
    let message = match node.kind {
        Some(Kind::User) if has(BlockKind::Result) => {
            "it ends with a tool's result: clients add a message of their own before they continue"
        }
        Some(Kind::User) => "it ends with a message of the user: clients add an answer of their own",
        _ if !has(BlockKind::Text) && !has(BlockKind::Call) => "it ends before the agent said anything",
        _ => return,
    };
    findings.add(Rule::End, Severity::Info, [last], message);
}
