//! What the agent did, step by step.

use maud::{Markup, html};
use steno_conversation::model::{AgentStep, AiChunk, Chunk, Notification, Step};

use super::fragment::{Depth, Fragments, anchor};
use super::media;
use super::text::{Name, Plain};
use super::tool::is_refused;
use crate::facts;
use crate::roster;
use crate::words;

impl<'a> Fragments<'a> {
    pub(super) fn ai(&mut self, chunk: &Chunk, ai: &'a AiChunk, depth: Depth) -> Markup {
        // Agents in files of their own count their own records.
        let from = if depth == Depth(0) { self.detail.from_record } else { 0 };
        let shown: Vec<&Step> = ai.steps.iter().filter(|step| step.record().index >= from).collect();
        let thoughts = if self.detail.thinking { None } else { thoughts(&shown) };
        let before = std::iter::once(None).chain(shown.iter().copied().map(Some));
        let steps = html! {
            @for (step, before) in shown.iter().zip(before) { (self.step(step, before, depth)) }
        };
        if steps.0.is_empty() && thoughts.is_none() {
            return steps;
        }
        html! {
            article.agent-said id=[anchor(chunk, depth)] {
                header {
                    span.label { "Assistant" }
                    (self.time(chunk))
                    (figures(ai, thoughts))
                }
                (steps)
            }
        }
    }

    fn step(&mut self, step: &'a Step, before: Option<&Step>, depth: Depth) -> Markup {
        match step {
            Step::Text { text, .. } => html! { div.prose { (self.prose(text)) } },
            Step::Thinking { redacted: true, .. } => html! {},
            Step::Thinking { text, .. } => self.thinking(text),
            Step::Tool(tool) => self.tool(tool),
            Step::Agent(step) => self.called_agent(&step.tool, step.agent.as_ref(), depth),
            Step::Plan(step) if self.conversation.plans.get(step.plan).is_some() => self.plan(step.plan),
            Step::Plan(step) => self.tool(&step.tool),
            Step::Notification(note) => self.notification(note),
            Step::Interruption { text, .. } => self.interruption(text, before),
            Step::Media { media, .. } => media::one(media),
            Step::Unknown { block_type, raw, .. } => html! {
                p.placeholder { "a block of unknown type '" (Name(block_type)) "'" }
                @if self.detail.all { pre.output { (Plain(&format!("{raw:#}"))) } }
            },
        }
    }

    /// The client's words only where everything is asked for. A refusal before it has said already who stopped what.
    fn interruption(&self, text: &str, before: Option<&Step>) -> Markup {
        let is_told =
            roster::is_told_by_a_plan(self.conversation, before) || before.is_some_and(is_refused_step);
        html! {
            @if self.detail.all {
                p.interruption { (Name(text)) }
            } @else if !is_told {
                p.stopped { "stopped by the user" }
            }
        }
    }

    /// In full only on request: a page must not give away more than was asked for.
    fn thinking(&self, text: &str) -> Markup {
        html! {
            @if self.detail.thinking && !text.trim().is_empty() {
                details.thinking open {
                    summary { "Thinking" }
                    div.prose { (self.prose(text)) }
                }
            }
        }
    }

    fn notification(&self, note: &Notification) -> Markup {
        let status = note.status.as_deref().unwrap_or("reported");
        html! {
            details.tool.note {
                summary {
                    span.name { "Background task" }
                    @if let Some(name) = self.tasks.name(note) { " " code.about { (Name(&name)) } }
                    " " span.part { (Name(status)) }
                }
                div.prose { (self.prose(&note.text)) }
            }
        }
    }
}

fn is_refused_step(step: &Step) -> bool {
    matches!(step, Step::Tool(tool) | Step::Agent(AgentStep { tool, .. }) if is_refused(tool))
}

fn thoughts(steps: &[&Step]) -> Option<String> {
    let (times, words) = facts::thoughts(steps.iter().copied())?;
    Some(if times == 1 { format!("thought ({words})") } else { format!("thought {times} times ({words})") })
}

fn figures(ai: &AiChunk, thoughts: Option<String>) -> Markup {
    let tokens = &ai.tokens;
    let written = words::tokens(tokens.output, tokens.without_final_usage > 0);
    html! {
        span.meta {
            @if let Some(time) = ai.duration_ms.filter(|time| *time >= 1000) { " " span { (words::duration(time)) } }
            @if tokens.output > 0 {
                " " span title={ (words::count(tokens.context().saturating_sub(tokens.output))) " tokens read" } {
                    (written) " tokens"
                }
            }
            @if let Some(thoughts) = thoughts { " " span { (thoughts) } }
            @if let Some(model) = &ai.model { " " span { (Name(model)) } }
        }
    }
}
