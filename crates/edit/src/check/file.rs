//! The file itself: its name, its lines, and the ids that its records bear.

use std::collections::HashSet;

use steno_transcript::Trouble;

use super::{Findings, Rule, Severity};
use crate::outline::{Id, Node, NodeId, Outline, is_uuid};

pub(super) fn check(findings: &mut Findings<'_>, name: &str) {
    if !is_uuid(name) {
        let message = format!("'{name}' is not a UUID, and a client resumes only sessions whose name is one");
        findings.add_whole(Rule::Name, Severity::Error, message);
    }
    lines(findings);
    tail(findings);
    ids(findings, name);
}

fn lines(findings: &mut Findings<'_>) {
    let outline = findings.outline;
    let is_lost = |node: &Node| {
        [Trouble::NotJson, Trouble::NotAnObject].into_iter().any(|trouble| node.troubles.contains(trouble))
    };
    let lost = nodes(outline, |node| node.kind.is_none() && is_lost(node));
    findings.add(Rule::Lines, Severity::Warning, lost, "not a record: every client skips the line");
    for unread in [Trouble::TooLong, Trouble::TooManyValues] {
        let found = nodes(outline, |node| node.troubles.contains(unread));
        findings.add(Rule::Lines, Severity::Warning, found, unread.to_string());
    }
    let glued = nodes(outline, |node| node.kind.is_some() && node.troubles.contains(Trouble::GluedObjects));
    let message = "several records on one line, which every client skips as a whole";
    findings.add(Rule::Lines, Severity::Warning, glued, message);
    let is_wrapped = |node: &Node| {
        [Trouble::NulBytes, Trouble::ByteOrderMark].into_iter().any(|trouble| node.troubles.contains(trouble))
    };
    let wrapped = nodes(outline, |node| node.kind.is_some() && is_wrapped(node));
    let message = "other bytes before or after the record: every client skips the line";
    findings.add(Rule::Lines, Severity::Warning, wrapped, message);
    let bad = nodes(outline, |node| node.kind.is_some() && node.troubles.contains(Trouble::BadUtf8));
    let message = "not valid UTF-8: the bad bytes are sent as replacement characters";
    findings.add(Rule::Lines, Severity::Info, bad, message);
}

fn tail(findings: &mut Findings<'_>) {
    let outline = findings.outline;
    let torn: Vec<_> = nodes(outline, |node| node.troubles.contains(Trouble::TornLine)).collect();
    let is_torn = !torn.is_empty();
    let message = "the last line stops in the middle: still being written, or cut off";
    findings.add(Rule::Tail, Severity::Warning, torn, message);
    if !is_torn && !outline.is_terminated() {
        let last = outline.iter().last().map(|(place, _)| place);
        let message =
            "the last line does not end in a newline: what a client writes next would be joined to it";
        findings.add(Rule::Tail, Severity::Warning, last, message);
    }
}

fn ids(findings: &mut Findings<'_>, name: &str) {
    let outline = findings.outline;
    let mut seen: HashSet<Id> = HashSet::default();
    let again: Vec<_> = nodes(outline, |node| node.uuid.is_some() && node.is_chained())
        .filter(|place| !seen.insert(uuid(outline, *place)))
        .collect();
    let message = "it has the uuid of an earlier record: a client sees only the later of the two";
    findings.add(Rule::UniqueIds, Severity::Warning, again, message);
    let own = outline.find(name);
    let foreign = nodes(outline, |node| node.session.is_some() && node.session != own);
    let message = "the session's id in the record is not the name of the file";
    findings.add(Rule::SessionIds, Severity::Warning, foreign, message);
}

fn uuid(outline: &Outline, place: NodeId) -> Id {
    outline.node(place).and_then(|node| node.uuid).unwrap_or(Id(u32::MAX))
}

/// The nodes that are like that.
pub(super) fn nodes(outline: &Outline, is_such: impl Fn(&Node) -> bool) -> impl Iterator<Item = NodeId> {
    outline.iter().filter(move |(_, node)| is_such(node)).map(|(place, _)| place)
}
