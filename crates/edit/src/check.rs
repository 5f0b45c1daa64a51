//! An outline → what keeps a client from resuming the session, with the record that is to blame.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::line::resumed_line;
use crate::outline::{NodeId, Outline};

mod chain;
mod file;
mod graph;
mod pair;

/// Something that is not as it has to be.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Finding {
    pub rule: Rule,
    pub severity: Severity,
    /// The line of the first record that breaks it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u64>,
    /// Its uuid.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub record: Option<String>,
    /// How many records break it.
    pub count: u64,
    pub message: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Nothing that keeps a client from resuming all messages.
    Info,
    /// A client resumes it, but not every client with all messages.
    Warning,
    /// It is not resumed, or what is sent is refused.
    Error,
}

/// What every resumable session keeps to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Rule {
    /// There is something to resume.
    Conversation,
    /// The name of the file is a UUID.
    Name,
    /// Every line is one record.
    Lines,
    /// The last line is whole.
    Tail,
    /// No two records have one uuid.
    UniqueIds,
    /// All records bear the session's id.
    SessionIds,
    /// Every parent is there, and no chain leads back into itself.
    Chain,
    /// One root, and none but those that a compaction makes.
    Roots,
    /// Whatever else points to a record points to one that is there.
    References,
    /// Every message has content that can be sent.
    Messages,
    /// Every call has its result, and every result its call.
    Pairs,
    /// Parallel calls stand in one line.
    Line,
    /// Records have a time, and the leaf has the latest.
    Times,
    /// The leaf that is named is there.
    Leaf,
    /// A compaction has its summary, and what it preserves is there.
    Compaction,
    /// The line ends where a client can go on.
    End,
}

/// Everything that is not as it has to be, the worst first. `name` is the stem of the file.
pub fn check(outline: &Outline, name: &str) -> Vec<Finding> {
    let line = resumed_line(outline);
    let mut findings = Findings { outline, found: Vec::new() };
    file::check(&mut findings, name);
    graph::check(&mut findings, &line);
    chain::check(&mut findings, &line);
    pair::check(&mut findings, &line);
    let mut found = findings.found;
    found.sort_by_key(|finding| (std::cmp::Reverse(finding.severity), finding.rule));
    found
}

/// What was found so far.
struct Findings<'o> {
    outline: &'o Outline,
    found: Vec<Finding>,
}

impl Findings<'_> {
    /// Adds what some records break, if there are any.
    fn add(
        &mut self,
        rule: Rule,
        severity: Severity,
        nodes: impl IntoIterator<Item = NodeId>,
        message: impl Into<String>,
    ) {
        let mut nodes = nodes.into_iter();
        let Some(first) = nodes.next() else { return };
        let node = self.outline.node(first);
        self.found.push(Finding {
            rule,
            severity,
            line: node.map(|node| node.place.line),
            record: node.and_then(|node| node.uuid).map(|uuid| self.outline.text(uuid).to_owned()),
            count: 1 + nodes.count() as u64,
            message: message.into(),
        });
    }

    /// Adds what is wrong with the session as a whole.
    fn add_whole(&mut self, rule: Rule, severity: Severity, message: impl Into<String>) {
        let message = message.into();
        self.found.push(Finding { rule, severity, line: None, record: None, count: 1, message });
    }
}

#[cfg(test)]
mod tests;
