//! Calls and their results: in the line, where the API refuses what does not match, and elsewhere.

use std::collections::{HashMap, HashSet};

use super::{Findings, Rule, Severity};
use crate::outline::{BlockKind, Id, Node, NodeId, Outline};

/// What became of the calls of the line.
#[derive(Debug, Default)]
struct Pairing {
    /// The calls that wait for their results, and the message that made them.
    open: HashMap<Id, NodeId>,
    /// Those that waited when the next message began.
    stale: HashMap<Id, NodeId>,
    answered: HashSet<Id>,
    /// The message that made each call.
    made: HashMap<Id, Option<Id>>,
    repeated: Vec<NodeId>,
    unknown: Vec<NodeId>,
    twice: Vec<NodeId>,
    late: Vec<NodeId>,
    message: Option<Id>,
}

pub(super) fn check(findings: &mut Findings<'_>, line: &[NodeId]) {
    let outline = findings.outline;
    let mut pairing = Pairing::default();
    for place in line {
        if let Some(node) = outline.node(*place) {
            pairing.enter(*place, node);
        }
    }
    let waiting: HashSet<NodeId> = pairing.open.into_values().chain(pairing.stale.into_values()).collect();
    let waiting = line.iter().copied().filter(|place| waiting.contains(place));
    let message =
        "a result without its call before it: the API refuses it from clients that do not repair that";
    findings.add(Rule::Pairs, Severity::Error, pairing.unknown, message);
    let message = "a second call with the id of another: the API refuses it from clients that do not drop it, and clones have only the first";
    findings.add(Rule::Pairs, Severity::Error, pairing.repeated, message);
    let message = "a second result of one call: the API refuses it";
    findings.add(Rule::Pairs, Severity::Error, pairing.twice, message);
    let message =
        "a result that does not follow its call: the API refuses it from clients that do not repair that";
    findings.add(Rule::Pairs, Severity::Error, pairing.late, message);
    let message = "a call without a result: clients leave it out, or make up a result";
    findings.add(Rule::Pairs, Severity::Warning, waiting, message);
    elsewhere(findings, line);
}

impl Pairing {
    fn enter(&mut self, place: NodeId, node: &Node) {
        let is_next = node.blocks.iter().any(|block| block.kind == BlockKind::Call)
            && (node.message.is_none() || node.message != self.message);
        if is_next {
            self.message = node.message;
            self.stale.extend(self.open.drain());
        }
        for block in &node.blocks {
            match (block.kind, block.tool) {
                (BlockKind::Call, Some(tool)) => self.call(place, node, tool),
                (BlockKind::Result, Some(tool)) => self.answer(place, tool),
                _ => {}
            }
        }
    }

    /// A snapshot of a message repeats its calls.
    fn call(&mut self, place: NodeId, node: &Node, tool: Id) {
        self.open.insert(tool, place);
        match self.made.get(&tool) {
            None => drop(self.made.insert(tool, node.message)),
            Some(message) if message.is_some() && *message == node.message => {}
            Some(_) => self.repeated.push(place),
        }
    }

    fn answer(&mut self, place: NodeId, tool: Id) {
        if self.open.remove(&tool).is_some() {
            self.answered.insert(tool);
        } else if self.stale.remove(&tool).is_some() {
            self.answered.insert(tool);
            self.late.push(place);
        } else if self.answered.contains(&tool) {
            self.twice.push(place);
        } else {
            self.unknown.push(place);
        }
    }
}

/// Where no client looks as a rule, it is enough that both halves are somewhere.
fn elsewhere(findings: &mut Findings<'_>, line: &[NodeId]) {
    let outline = findings.outline;
    let in_line: HashSet<NodeId> = line.iter().copied().collect();
    let calls = all(outline, BlockKind::is_call);
    let results = all(outline, BlockKind::is_result);
    let is_single = |node: &Node| {
        node.tools(BlockKind::Call).any(|tool| !results.contains(&tool))
            || node.tools(BlockKind::Result).any(|tool| !calls.contains(&tool))
    };
    let singles = outline.iter().filter(|(place, node)| !in_line.contains(place) && is_single(node));
    let message =
        "a call without a result, or a result without a call, outside of the part that a client resumes";
    findings.add(Rule::Pairs, Severity::Info, singles.map(|(place, _)| place), message);
    let is_unanswered = |node: &Node| node.tools(BlockKind::ServerCall).any(|tool| !results.contains(&tool));
    let unanswered = line.iter().copied().filter(|place| outline.node(*place).is_some_and(is_unanswered));
    let message = "a call that the API should have answered itself, and did not";
    findings.add(Rule::Pairs, Severity::Warning, unanswered, message);
}

fn all(outline: &Outline, is_such: impl Fn(BlockKind) -> bool) -> HashSet<Id> {
    let blocks = outline.nodes.iter().flat_map(|node| &node.blocks);
    blocks.filter(|block| is_such(block.kind)).filter_map(|block| block.tool).collect()
}
