//! A plan as a card: its verdict, its text, and what was said about it.

use maud::{Markup, html};

use super::fragment::Fragments;
use super::text::Name;
use crate::facts;
use crate::words::short_id;

impl Fragments<'_> {
    /// The plan at this place in the conversation's list; nothing where there is none.
    pub fn plan(&self, place: usize) -> Markup {
        let Some(plan) = self.conversation.plans.get(place) else { return html! {} };
        let verdict = facts::verdict(plan.verdict);
        html! {
            section class={ "plan " (verdict) } {
                header {
                    span.label { "Plan" } " " span.badge { (verdict) }
                    @if plan.cleared_context { " " span.meta { "with a cleared context" } }
                }
                div.prose { (self.prose(&plan.text)) }
                @if let Some(feedback) = &plan.feedback {
                    div.feedback { span.label { "Feedback" } div.prose { (self.prose(feedback)) } }
                }
                @if let Some(session) = &plan.implemented_in {
                    p.left-out { "implemented in session " code { (Name(short_id(session.as_str()))) } }
                }
            }
        }
    }
}
