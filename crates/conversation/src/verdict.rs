//! What became of a plan, from the words of the tool result and from what the user did next.

use serde::Deserialize;
use serde_json::value::RawValue;
use steno_transcript::content::{self, Block, ToolResult, ToolUse};
use steno_transcript::{AgentId, Troubles, understood};

use crate::activity::is_plan_tool;
use crate::model::Verdict;
use crate::title;

/// The verdict that a tool result gives, and the feedback with a rejection.
///
/// Approval is looked for first: its text repeats the plan, which may hold any word.
pub(crate) fn judge(text: &str, is_error: bool, structured: Option<&RawValue>) -> (Verdict, Option<String>) {
    let structured = structured.map(structured_plan).unwrap_or_default();
    if contains(text, "approved your plan") {
        return (Verdict::Approved, None);
    }
    let is_rejected = contains(text, "rejected") || contains(text, "doesn't want to proceed");
    let stays = contains(text, "stay in plan mode") || contains(text, "keep planning");
    if is_rejected || stays || is_error {
        return (Verdict::Rejected, feedback(text).filter(|said| !said.is_empty()));
    }
    if structured.plan.is_some() {
        return (Verdict::Approved, None);
    }
    (Verdict::Pending, None)
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct StructuredPlan {
    pub(crate) plan: Option<String>,
}

pub(crate) fn structured_plan(raw: &RawValue) -> StructuredPlan {
    understood(raw).unwrap_or_default()
}

/// The agent that a result names.
pub(crate) fn agent_id(raw: &RawValue) -> Option<AgentId> {
    #[derive(Deserialize)]
    struct Named {
        #[serde(rename = "agentId")]
        agent_id: String,
    }
    raw.get().contains("\"agentId\"").then_some(())?;
    understood::<Named>(raw).map(|named| AgentId::new(named.agent_id))
}

/// The plan that a call puts forward.
pub(crate) fn proposed(input: Option<&RawValue>) -> Option<String> {
    input.and_then(|raw| structured_plan(raw).plan)
}

/// Whether an "Implement the following plan:" text means that plan: it starts with it.
pub(crate) fn implements(request: &str, plan: &str) -> bool {
    let plan = plan.trim();
    !plan.is_empty() && request.trim_start().starts_with(plan)
}

fn feedback(text: &str) -> Option<String> {
    let marker = "the user said:";
    let start = text.to_ascii_lowercase().find(marker)? + marker.len();
    text.get(start..).map(|said| said.trim().to_owned())
}

fn contains(text: &str, words: &str) -> bool {
    text.to_ascii_lowercase().contains(words)
}

/// Follows a session's plans while its records stream by, to know the heading of the approved one.
#[derive(Debug, Default)]
pub(crate) struct PlanWatch {
    plans: Vec<(String, String, Verdict)>,
}

impl PlanWatch {
    pub(crate) fn call(&mut self, call: &ToolUse<'_>) {
        if is_plan_tool(&call.name)
            && let Some(text) = proposed(call.input)
        {
            self.plans.push((call.id.to_string(), text, Verdict::Pending));
        }
    }

    pub(crate) fn result(
        &mut self,
        result: &ToolResult<'_>,
        structured: Option<&RawValue>,
        troubles: &mut Troubles,
    ) {
        let Some(plan) = self.plans.iter_mut().find(|(id, ..)| *id == result.tool_use_id) else { return };
        let text: String = content::blocks(result.content, troubles)
            .into_iter()
            .filter_map(|block| match block {
                Block::Text(text) => Some(text.get().into_owned()),
                _ => None,
            })
            .collect();
        plan.2 = judge(&text, result.is_error, structured).0;
    }

    pub(crate) fn implement(&mut self, request: &str) {
        let mut is_known = false;
        for plan in self.plans.iter_mut().filter(|(_, text, _)| implements(request, text)) {
            plan.2 = Verdict::Approved;
            is_known = true;
        }
        if !is_known {
            self.plans.push((String::new(), request.to_owned(), Verdict::Approved));
        }
    }

    /// The heading of the last plan that was approved.
    pub(crate) fn approved_heading(&self) -> Option<String> {
        let approved = self.plans.iter().rev().find(|(.., verdict)| *verdict == Verdict::Approved);
        approved.and_then(|(_, text, _)| title::heading(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_of_the_result_decide() {
        assert_eq!(judge("User has approved your plan. ## rejected", false, None), (Verdict::Approved, None));
        let text = "The user doesn't want to proceed. To tell you how to proceed, the user said:\nadd tests";
        assert_eq!(judge(text, true, None), (Verdict::Rejected, Some("add tests".into())));
        assert_eq!(judge("The tool use was rejected", true, None), (Verdict::Rejected, None));
        assert_eq!(judge("User chose to stay in plan mode", false, None).0, Verdict::Rejected);
        assert_eq!(judge("", false, None).0, Verdict::Pending);
    }

    #[test]
    fn newer_clients_say_it_in_a_field() {
        let approved = RawValue::from_string(r##"{"plan":"# P","isAgent":false}"##.into()).unwrap();
        assert_eq!(judge("", false, Some(&approved)).0, Verdict::Approved);
    }
}
