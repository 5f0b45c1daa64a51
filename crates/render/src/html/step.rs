//! What the agent did, step by step.

use maud::{Markup, html};
use steno_conversation::model::{AiChunk, Chunk, Notification, Step};

use super::fragment::{Depth, Fragments, anchor};
use super::text::Name;
use crate::roster;
use crate::words::{self, many};

impl<'a> Fragments<'a> {
    pub(super) fn ai(&mut self, chunk: &Chunk, ai: &'a AiChunk, depth: Depth) -> Markup {
        // Agents in files of their own count their own records.
        let from = if depth == Depth(0) { self.detail.from_record } else { 0 };
        let steps = html! {
            @for step in ai.steps.iter().filter(|step| !roster::is_step_before(step, from)) {
                (self.step(step, depth))
            }
        };
        if steps.0.is_empty() {
            return steps;
        }
        html! {
            article.agent-said id=[anchor(chunk, depth)] {
                header {
                    span.label { "Agent" }
                    (self.time(chunk))
                    (figures(ai))
                }
                (steps)
            }
        }
    }

    fn step(&mut self, step: &'a Step, depth: Depth) -> Markup {
        match step {
            Step::Text { text, .. } => html! { div.prose { (self.prose(text)) } },
            Step::Thinking { redacted: true, .. } => html! {},
            Step::Thinking { text, .. } => self.thinking(text),
            Step::Tool(tool) => self.tool(tool),
            Step::Agent(step) => self.called_agent(&step.tool, step.agent.as_ref(), depth),
            Step::Plan(step) if self.conversation.plans.get(step.plan).is_some() => self.plan(step.plan),
            Step::Plan(step) => self.tool(&step.tool),
            Step::Notification(note) => self.notification(note),
            Step::Interruption { text, .. } => html! {
                @if self.detail.all { p.interruption { (Name(text)) } }
            },
            Step::Unknown { block_type, .. } => html! {
                p.placeholder { "a block of unknown type '" (Name(block_type)) "'" }
            },
        }
    }

    /// In full only where that is asked for: what nobody asked for is not given away.
    fn thinking(&self, text: &str) -> Markup {
        let words = text.split_whitespace().count() as u64;
        html! {
            @if self.detail.thinking && words > 0 {
                details.thinking open {
                    summary { "Thinking" }
                    div.prose { (self.prose(text)) }
                }
            } @else if words > 0 {
                p.thought { "thought (" (many(words, "word")) ")" }
            }
        }
    }

    fn notification(&self, note: &Notification) -> Markup {
        let status = note.status.as_deref().unwrap_or("reported");
        html! {
            details.tool.note {
                summary { span.name { "Background task" } " " span.about { (Name(status)) } }
                div.prose { (self.prose(&note.text)) }
            }
        }
    }
}

fn figures(ai: &AiChunk) -> Markup {
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
            @if let Some(model) = &ai.model { " " span { (Name(model)) } }
        }
    }
}
