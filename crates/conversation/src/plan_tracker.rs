//! Plans as the agent proposes them, the user answers them and the client implements them, in the order of the file.
//!
//! The profile and the pass over whole conversations use the same tracker, so that a title and a plan never disagree.

use std::collections::HashMap;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use steno_transcript::ToolId;

use crate::model::{Plan, Verdict};
use crate::prompt;
use crate::title;
use crate::verdict;

/// How many of the last plans a request to implement one may refer to.
const RECENT: usize = 64;

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct PlanTracker {
    #[serde(with = "as_json")]
    pub(crate) plans: Vec<Plan>,
    by_tool: HashMap<ToolId, usize>,
}

/// Plans are stored as JSON: they leave out fields, which postcard, a format without field names, cannot read back.
mod as_json {
    use serde::de::{Deserialize, Deserializer, Error};
    use serde::ser::{Error as _, Serializer};

    use crate::model::Plan;

    pub(super) fn serialize<S: Serializer>(plans: &[Plan], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&serde_json::to_string(plans).map_err(S::Error::custom)?)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Plan>, D::Error> {
        serde_json::from_str(&String::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

/// The result of a tool call that proposed a plan.
#[derive(Debug)]
pub(crate) struct Answer<'a> {
    pub(crate) text: &'a str,
    pub(crate) is_error: bool,
    pub(crate) structured: Option<&'a RawValue>,
    pub(crate) feedback: Option<&'a str>,
}

impl PlanTracker {
    pub(crate) fn of_tool(&self, id: &ToolId) -> Option<usize> {
        self.by_tool.get(id).copied()
    }

    /// The agent proposes a plan to the user.
    pub(crate) fn propose(&mut self, id: &ToolId, input: Option<&RawValue>, at: Option<Timestamp>) {
        if let Some(known) = self.of_tool(id) {
            // The first record of a call may not have its input yet.
            if let Some(plan) = self.plans.get_mut(known).filter(|plan| plan.text.is_empty()) {
                plan.text = verdict::proposed(input).unwrap_or_default();
            }
            return;
        }
        self.by_tool.insert(id.clone(), self.plans.len());
        self.plans.push(Plan {
            tool_id: Some(id.clone()),
            text: verdict::proposed(input).unwrap_or_default(),
            proposed_at: at,
            verdict: Verdict::Pending,
            feedback: None,
            cleared_context: false,
            implemented_in: None,
        });
    }

    /// The call that proposed a plan gets its result; the first result counts.
    pub(crate) fn answer(&mut self, id: &ToolId, answer: &Answer<'_>) {
        let place = self.of_tool(id);
        let Some(plan) = place.and_then(|place| self.plans.get_mut(place)) else { return };
        if plan.verdict != Verdict::Pending {
            return;
        }
        let structured = answer.structured.map(verdict::structured).unwrap_or_default();
        let (verdict, said) = verdict::judge(answer.text, answer.is_error, structured.plan.as_deref());
        plan.verdict = verdict;
        if verdict == Verdict::Rejected {
            plan.feedback = answer.feedback.map(str::to_owned).or(said);
        }
        if plan.text.is_empty() {
            plan.text = structured.plan.map(|plan| plan.0.into_owned()).unwrap_or_default();
        }
    }

    /// The client asks to implement a plan. The last plan that the request starts with is approved; a plan of another
    /// session becomes a plan of this one. Gives the index of the plan; none if the request is not from the client.
    pub(crate) fn implement(&mut self, request: &str) -> Option<usize> {
        let first = self.plans.len().saturating_sub(RECENT);
        let is_meant = |place: &usize| {
            self.plans.get(*place).is_some_and(|plan| verdict::implements(request, &plan.text))
        };
        let known = (first..self.plans.len()).rev().find(is_meant);
        let place = known.unwrap_or(self.plans.len());
        match self.plans.get_mut(place) {
            Some(plan) => approve(plan),
            None if !prompt::looks_like_plan(request) => return None,
            None => self.plans.push(Plan {
                tool_id: None,
                text: request.to_owned(),
                proposed_at: None,
                verdict: Verdict::Approved,
                feedback: None,
                cleared_context: true,
                implemented_in: None,
            }),
        }
        Some(place)
    }

    /// The heading of the last plan that was approved.
    pub(crate) fn approved_heading(&self) -> Option<String> {
        let approved = self.plans.iter().rev().find(|plan| plan.verdict == Verdict::Approved);
        approved.and_then(|plan| title::heading(&plan.text))
    }
}

/// Approves a plan. If it looked rejected, the user accepted it with a cleared context.
pub(crate) fn approve(plan: &mut Plan) {
    plan.cleared_context |= plan.verdict != Verdict::Approved || plan.tool_id.is_none();
    plan.verdict = Verdict::Approved;
    plan.feedback = None;
}
