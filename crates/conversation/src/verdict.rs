//! The result of a plan's tool call → whether the user approved the plan, and the feedback.

use serde_json::value::RawValue;
use steno_transcript::wire::{self, PlanInput, StructuredResult};
use steno_transcript::{AgentId, Troubles};

use crate::model::Verdict;

/// The verdict that a tool result gives, and the feedback with a rejection.
///
/// Approval is checked first: its text repeats the plan, which may contain any word.
pub(crate) fn judge(text: &str, is_error: bool, structured_plan: Option<&str>) -> (Verdict, Option<String>) {
    // The user's own words may contain any word as well.
    let words = text.get(..said_at(text).unwrap_or(text.len())).unwrap_or(text);
    if contains(words, "approved your plan") && !is_error {
        return (Verdict::Approved, None);
    }
    let is_rejected = contains(text, "rejected") || contains(text, "doesn't want to proceed");
    let stays = contains(text, "stay in plan mode") || contains(text, "keep planning");
    if is_rejected || stays || is_error {
        return (Verdict::Rejected, feedback(text).filter(|said| !said.is_empty()));
    }
    if structured_plan.is_some() {
        return (Verdict::Approved, None);
    }
    (Verdict::Pending, None)
}

/// A structured result, with the fields that this program uses.
pub(crate) fn structured(raw: &RawValue) -> StructuredResult<'_> {
    wire::read(raw.get(), &mut Troubles::default()).unwrap_or_default()
}

/// The agent that a structured result names.
pub(crate) fn agent_id(raw: &RawValue) -> Option<AgentId> {
    raw.get().contains("\"agentId\"").then(|| structured(raw).agent_id)?.map(|id| AgentId::new(id.0))
}

/// The plan that a call proposes.
pub(crate) fn proposed(input: Option<&RawValue>) -> Option<String> {
    let input = wire::read::<PlanInput>(input?.get(), &mut Troubles::default())?;
    input.plan.map(|plan| plan.0.into_owned())
}

/// Whether a request to implement a plan means this plan: the request starts with its text.
pub(crate) fn implements(request: &str, plan: &str) -> bool {
    let plan = plan.trim();
    !plan.is_empty() && request.trim_start().starts_with(plan)
}

const SAID: &str = "the user said:";

fn said_at(text: &str) -> Option<usize> {
    text.to_ascii_lowercase().find(SAID)
}

fn feedback(text: &str) -> Option<String> {
    text.get(said_at(text)? + SAID.len()..).map(|said| said.trim().to_owned())
}

fn contains(text: &str, words: &str) -> bool {
    text.to_ascii_lowercase().contains(words)
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
        let text = "rejected. The user said: I never approved your plan";
        assert_eq!(judge(text, true, None), (Verdict::Rejected, Some("I never approved your plan".into())));
        assert_eq!(judge("User chose to stay in plan mode", false, None).0, Verdict::Rejected);
        assert_eq!(judge("", false, None).0, Verdict::Pending);
    }

    #[test]
    fn newer_clients_say_it_in_a_field() {
        assert_eq!(judge("", false, Some("# P")).0, Verdict::Approved);
    }
}
