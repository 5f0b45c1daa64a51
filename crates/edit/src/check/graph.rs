//! What records point to: their parents, and whatever else they name.

use std::collections::HashSet;

use steno_transcript::Kind;

use super::file::nodes;
use super::{Findings, Rule, Severity};
use crate::outline::{Id, Node, NodeId, Outline, rings};

pub(super) fn check(findings: &mut Findings<'_>, line: &[NodeId]) {
    let in_line: HashSet<NodeId> = line.iter().copied().collect();
    parents(findings, &in_line);
    cycles(findings, &in_line);
    roots(findings);
    references(findings);
    leaves(findings);
}

fn parents(findings: &mut Findings<'_>, in_line: &HashSet<NodeId>) {
    let outline = findings.outline;
    let orphans = nodes(outline, |node| {
        node.uuid.is_some()
            && node.is_chained()
            && node.parent.is_some_and(|parent| outline.bearer(parent).is_none())
    });
    let (hurt, others): (Vec<_>, Vec<_>) = orphans.partition(|node| in_line.contains(node));
    let message =
        "its parent is not in the file: a client loses all messages before it, or guesses its parent";
    findings.add(Rule::Chain, Severity::Error, hurt, message);
    let message = "its parent is not in the file, but it is not in the part that a client resumes";
    findings.add(Rule::Chain, Severity::Warning, others, message);
}

fn cycles(findings: &mut Findings<'_>, in_line: &HashSet<NodeId>) {
    let (hurt, others): (Vec<_>, Vec<_>) =
        looping(findings.outline).into_iter().partition(|node| in_line.contains(node));
    let message = "it is its own ancestor: some clients hang";
    findings.add(Rule::Chain, Severity::Error, hurt, message);
    let message = "it is its own ancestor, but it is not in the part that a client resumes";
    findings.add(Rule::Chain, Severity::Warning, others, message);
}

/// The records that are ancestors of themselves.
fn looping(outline: &Outline) -> Vec<NodeId> {
    let parents: Vec<_> = outline.iter().map(|(node, _)| outline.parent(node)).collect();
    let ring = |node: NodeId| {
        let others = std::iter::successors(outline.parent(node), |node| outline.parent(*node));
        std::iter::once(node).chain(others.take_while(move |other| *other != node))
    };
    let mut looping: Vec<NodeId> = rings(&parents).into_iter().flat_map(ring).collect();
    looping.sort_unstable();
    looping
}

fn roots(findings: &mut Findings<'_>) {
    let outline = findings.outline;
    let is_root = |node: &Node| {
        let is_link = node.is_link() && node.uuid.is_some();
        is_link && node.parent.is_none() && !node.is_sidechain && !node.is_boundary
    };
    let others = nodes(outline, is_root).skip(1);
    let message = "it starts a conversation of its own, though it is not the first record";
    findings.add(Rule::Roots, Severity::Info, others, message);
}

fn references(findings: &mut Findings<'_>) {
    let outline = findings.outline;
    let dangles = |node: &Node| node.references.iter().any(|id| outline.bearer(*id).is_none());
    let dangling = nodes(outline, |node| node.leaf.is_none() && dangles(node));
    let is_summary =
        |place: &NodeId| outline.node(*place).is_some_and(|node| node.kind == Some(Kind::Summary));
    let (summaries, others): (Vec<_>, Vec<_>) = dangling.partition(is_summary);
    let message = "it names a record that is not in the file";
    findings.add(Rule::References, Severity::Warning, others, message);
    let message = "a title for a conversation that is not in the file";
    findings.add(Rule::References, Severity::Info, summaries, message);
}

fn leaves(findings: &mut Findings<'_>) {
    let outline = findings.outline;
    let is_unknown = |id: Id| outline.bearer(id).is_none();
    let unknown =
        nodes(outline, |node| node.leaf.as_ref().and_then(|leaf| leaf.uuid).is_some_and(is_unknown));
    let message = "it names a last message that is not in the file, so a client looks for another one";
    findings.add(Rule::Leaf, Severity::Warning, unknown, message);
}
