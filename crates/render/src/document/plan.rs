//! A plan as a section: its verdict, its text, and what was said about it.

use steno_conversation::model::{Plan, PlanStep};

use super::said::level;
use super::{Part, Walker};
use crate::facts;
use crate::words::one_line;

impl Walker<'_, '_> {
    pub(super) fn proposed_plan(&mut self, step: &PlanStep, depth: usize) {
        let Some(plan) = self.conversation.plans.get(step.plan) else { return self.tool(&step.tool) };
        self.plan(plan, level(depth) + 1);
        if self.detail.full_results {
            self.outcome(&step.tool);
        }
        self.close_section(depth);
    }

    pub(super) fn plan(&mut self, plan: &Plan, level: usize) {
        let notes = [
            plan.cleared_context.then(|| "with a cleared context".to_owned()),
            plan.tool_id.is_none().then(|| "made in another session".to_owned()),
            plan.implemented_in.as_ref().map(|id| format!("implemented in {}", one_line(id.as_str()))),
        ];
        let notes = notes.into_iter().flatten().collect();
        let is_break = level == super::said::level(0);
        self.put(Part::Heading { level, text: verdict(plan), notes, is_break });
        self.insert(&plan.text);
        if let Some(feedback) = &plan.feedback {
            self.note("Feedback:");
            self.prose(feedback);
        }
    }
}

pub(super) fn verdict(plan: &Plan) -> String {
    format!("Plan {}", facts::verdict(plan.verdict))
}
