//! What the assistant did, step by step.

use steno_conversation::model::{AgentStep, AiChunk, Chunk, Notification, Step};

use super::Walker;
use super::said::level;
use crate::facts;
use crate::roster;
use crate::words::{many, one_line};

impl<'a> Walker<'a, '_> {
    pub(super) fn ai(&mut self, chunk: &'a Chunk, ai: &'a AiChunk, from: usize, depth: usize) {
        let mut is_headed = false;
        for (place, step) in ai.steps.iter().enumerate() {
            let before = ai.steps.get(..place).unwrap_or_default();
            if step.record().index < from {
                self.skip(step);
            } else if self.is_shown(step, before) {
                if !std::mem::replace(&mut is_headed, true) {
                    let steps = ai.steps.get(place..).unwrap_or_default();
                    self.assistant(chunk, ai, steps, depth);
                }
                self.step(step, depth);
            }
        }
        self.interrupted = None;
    }

    /// Who speaks, and what is said only here: with which model, how much thought.
    fn assistant(&mut self, chunk: &Chunk, ai: &AiChunk, steps: &[Step], depth: usize) {
        let model = ai.model.as_ref().filter(|model| !self.is_the_only(model)).map(|model| one_line(model));
        let thought = if self.detail.thinking { None } else { thought(steps) };
        self.speaker(chunk, "Assistant", depth, model.into_iter().chain(thought).collect());
    }

    fn is_the_only(&self, model: &String) -> bool {
        self.conversation.profile.models.iter().eq([model])
    }

    /// Says after a section that the assistant speaks again.
    pub(super) fn go_on(&mut self) {
        if let Some(depth) = self.interrupted.take() {
            self.heading(level(depth), "Assistant", vec!["continued".to_owned()]);
        }
    }

    /// What follows a section in the same chunk needs its heading again.
    pub(super) fn close_section(&mut self, depth: usize) {
        self.interrupted = Some(depth);
    }

    fn is_shown(&self, step: &Step, before: &[Step]) -> bool {
        match step {
            Step::Thinking { .. } => facts::thought_words(step) > 0,
            Step::Interruption { .. } => {
                let is_told =
                    roster::is_told_by_a_plan(self.conversation, before.last()) || is_refused(before);
                self.detail.all || !is_told
            }
            _ => true,
        }
    }

    fn step(&mut self, step: &'a Step, depth: usize) {
        if matches!(step, Step::Thinking { .. }) && !self.detail.thinking {
            return;
        }
        self.go_on();
        match step {
            Step::Text { text, .. } => self.prose(text),
            Step::Interruption { text, .. } if self.detail.all => self.prose(text),
            Step::Interruption { .. } => self.note("Stopped by the user"),
            Step::Thinking { text, .. } => self.thinking(text),
            Step::Tool(tool) => self.tool(tool),
            Step::Agent(step) => self.called_agent(step, depth),
            Step::Plan(step) => self.proposed_plan(step, depth),
            Step::Notification(note) => self.notification(note),
            Step::Media { media, .. } => self.media(std::slice::from_ref(media)),
            Step::Unknown { block_type, raw, .. } => {
                self.note(format!("Unknown block '{}'", one_line(block_type)));
                if self.detail.all {
                    self.json(raw);
                }
            }
        }
    }

    fn notification(&mut self, note: &Notification) {
        let status = one_line(note.status.as_deref().unwrap_or("reported"));
        let name = self.tasks.name(note).map(|name| format!(": {name}")).unwrap_or_default();
        self.note(format!("Background task {status}{name}"));
        if note.text.trim().contains('\n') {
            self.insert(&note.text);
        } else {
            self.prose(&note.text);
        }
    }
}

fn thought(steps: &[Step]) -> Option<String> {
    let (times, words) = facts::thoughts(steps)?;
    let times = if times == 1 { "once".to_owned() } else { many(times, "time") };
    Some(format!("thought {times} ({words})"))
}

/// Whether one of the calls just before was refused: then that is said there.
fn is_refused(before: &[Step]) -> bool {
    let results = before.iter().rev().map_while(|step| match step {
        Step::Tool(tool) | Step::Agent(AgentStep { tool, .. }) => Some(tool.result.as_ref()),
        _ => None,
    });
    results.flatten().any(|result| facts::refusal(result).is_some())
}
