//! Plan: what was put before the user, and what became of it.
//!
//! Accepting a plan with a cleared context looks like a rejection until the client asks to implement it, in this
//! file or in a new one.

use std::collections::HashMap;

use steno_transcript::{SessionId, ToolId};

use crate::activity::is_plan_tool;
use crate::block::Block;
use crate::entry::Entry;
use crate::model::{Plan, Verdict};
use crate::pass::pair::Pairs;
use crate::prompt::{self, Spoken};
use crate::verdict;

/// The plans, and where calls and prompts refer to them.
#[derive(Debug, Default)]
pub(crate) struct Plans {
    pub(crate) plans: Vec<Plan>,
    by_tool: HashMap<ToolId, usize>,
    by_entry: HashMap<usize, usize>,
}

impl Plans {
    pub(crate) fn of_tool(&self, id: &ToolId) -> Option<usize> {
        self.by_tool.get(id).copied()
    }

    /// The plan that the prompt of this entry asks to implement.
    pub(crate) fn of_entry(&self, index: usize) -> Option<usize> {
        self.by_entry.get(&index).copied()
    }
}

pub(crate) fn plan(entries: &[Entry], pairs: &Pairs) -> Plans {
    let mut found = Plans::default();
    for (index, entry) in entries.iter().enumerate() {
        for block in &entry.blocks {
            if let Block::ToolUse { id, name, input } = block
                && is_plan_tool(name)
            {
                found.propose(id, input.as_deref(), entries, pairs);
            }
        }
        if entry.kind == steno_transcript::Kind::User && !entry.has_tool_result() {
            found.implement(index, entry);
        }
    }
    found
}

impl Plans {
    fn propose(
        &mut self,
        id: &ToolId,
        input: Option<&serde_json::value::RawValue>,
        entries: &[Entry],
        pairs: &Pairs,
    ) {
        let structured = pairs.structured(id);
        let text = verdict::proposed(input)
            .or_else(|| structured.and_then(|raw| verdict::structured_plan(raw).plan));
        let (verdict, said) = match pairs.outcome(id) {
            Some(outcome) => verdict::judge(&outcome.text, outcome.is_error, structured),
            None => (Verdict::Pending, None),
        };
        let answer = pairs.result_entry(id).and_then(|index| entries.get(index));
        let feedback = answer.and_then(|entry| entry.user_feedback.clone()).or(said);
        self.by_tool.insert(id.clone(), self.plans.len());
        self.plans.push(Plan {
            tool_id: Some(id.clone()),
            text: text.unwrap_or_default(),
            verdict,
            feedback: feedback.filter(|_| verdict == Verdict::Rejected),
            cleared_context: false,
            implemented_in: None,
        });
    }

    /// A request to implement a plan approves the last one that it starts with; one that was made in another
    /// session becomes a plan of this one.
    fn implement(&mut self, index: usize, entry: &Entry) {
        let text = entry.text();
        let Spoken::ImplementPlan(request) = prompt::classify(&text) else { return };
        let place = self.plans.iter().rposition(|plan| verdict::implements(request, &plan.text));
        let place = place.unwrap_or_else(|| {
            self.plans.push(Plan {
                tool_id: None,
                text: request.to_owned(),
                verdict: Verdict::Approved,
                feedback: None,
                cleared_context: true,
                implemented_in: None,
            });
            self.plans.len() - 1
        });
        self.by_entry.insert(index, place);
        if let Some(plan) = self.plans.get_mut(place) {
            approve(plan);
        }
    }
}

/// Approves the plans that prompts of other sessions of the project ask to implement.
pub(crate) fn settle_elsewhere(plans: &mut [Plan], prompts: &[(SessionId, String)]) {
    for plan in plans.iter_mut().filter(|plan| plan.verdict != Verdict::Approved) {
        let matching = prompts.iter().find(|(_, text)| {
            matches!(prompt::classify(text), Spoken::ImplementPlan(request) if verdict::implements(request, &plan.text))
        });
        if let Some((session, _)) = matching {
            plan.implemented_in = Some(session.clone());
            approve(plan);
        }
    }
}

fn approve(plan: &mut Plan) {
    plan.cleared_context |= plan.verdict != Verdict::Approved || plan.tool_id.is_none();
    plan.verdict = Verdict::Approved;
    plan.feedback = None;
}
