//! Plan: the plans that the agent proposed, and whether the user approved them.
//!
//! Accepting a plan with a cleared context looks like a rejection until the client asks to implement the plan, in this
//! file or in a new one.

use std::collections::HashMap;

use steno_transcript::{Kind, SessionId, ToolId};

use crate::activity::is_plan_tool;
use crate::block::Block;
use crate::entry::Entry;
use crate::head::Implementation;
use crate::model::{Plan, Verdict};
use crate::pass::pair::Pairs;
use crate::plan_tracker::{Answer, PlanTracker, approve};
use crate::prompt::{self, Spoken};
use crate::verdict;

/// The plans, and where calls and prompts refer to them.
#[derive(Debug, Default)]
pub(crate) struct Plans {
    tracker: PlanTracker,
    by_entry: HashMap<usize, usize>,
    /// Where the plans of this part start among those of the whole conversation.
    offset: usize,
}

impl Plans {
    pub(crate) fn of_tool(&self, id: &ToolId) -> Option<usize> {
        self.tracker.of_tool(id).map(|place| self.offset + place)
    }

    /// The plan that the prompt of this entry asks to implement.
    pub(crate) fn of_entry(&self, index: usize) -> Option<usize> {
        self.by_entry.get(&index).map(|place| self.offset + place)
    }

    /// Moves the plans to the end of those of the whole conversation.
    pub(crate) fn move_to(&mut self, plans: &mut Vec<Plan>) {
        self.offset = plans.len();
        plans.append(&mut self.tracker.plans);
    }
}

pub(crate) fn plan(entries: &[Entry], pairs: &Pairs) -> Plans {
    let mut found = Plans::default();
    for (index, entry) in entries.iter().enumerate() {
        for block in &entry.blocks {
            match block {
                Block::ToolUse { id, name, input } if is_plan_tool(name) => {
                    found.tracker.propose(id, input.as_deref(), entry.timestamp);
                }
                Block::ToolResult { id, .. } => found.answer(id, index, entry, pairs),
                _ => {}
            }
        }
        found.implement(index, entry);
    }
    found
}

impl Plans {
    fn answer(&mut self, id: &ToolId, index: usize, entry: &Entry, pairs: &Pairs) {
        let Some(outcome) = pairs.outcome(id).filter(|outcome| outcome.entry == index) else { return };
        let (text, is_error, structured) = (&outcome.text, outcome.is_error, outcome.structured.as_deref());
        let feedback = entry.user_feedback.as_deref();
        self.tracker.answer(id, &Answer { text, is_error, structured, feedback });
    }

    fn implement(&mut self, index: usize, entry: &Entry) {
        if entry.kind != Kind::User || entry.is_meta || entry.is_compact_summary || entry.has_tool_result() {
            return;
        }
        if let Spoken::ImplementPlan(request) = prompt::classify(&entry.text()) {
            self.by_entry.extend(self.tracker.implement(request).map(|place| (index, place)));
        }
    }
}

/// Approves the plans that other sessions of the project were asked to implement, after they were made.
pub(crate) fn settle_elsewhere(plans: &mut [Plan], requests: &[(SessionId, Implementation)]) {
    for plan in plans.iter_mut().filter(|plan| plan.verdict != Verdict::Approved) {
        let is_later =
            |request: &Implementation| request.at.zip(plan.proposed_at).is_none_or(|(at, made)| at >= made);
        let matching = requests
            .iter()
            .find(|(_, request)| verdict::implements(&request.text, &plan.text) && is_later(request));
        if let Some((session, _)) = matching {
            plan.implemented_in = Some(session.clone());
            approve(plan);
        }
    }
}
