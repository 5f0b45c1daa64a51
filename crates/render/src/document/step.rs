//! What the agent did, step by step.

use steno_conversation::model::{AiChunk, Chunk, Notification, Step};

use super::said::level;
use super::{Part, Walker};
use crate::roster;
use crate::words::{many, one_line};

impl<'a> Walker<'a, '_> {
    pub(super) fn ai(&mut self, chunk: &'a Chunk, ai: &'a AiChunk, from: usize, depth: usize) {
        let mut is_headed = false;
        for step in &ai.steps {
            if roster::is_step_before(step, from) {
                self.skip(step);
            } else if self.is_shown(step) {
                if !std::mem::replace(&mut is_headed, true) {
                    self.assistant(chunk, ai, depth);
                }
                self.go_on();
                self.step(step, depth);
            }
        }
        self.interrupted = None;
    }

    fn assistant(&mut self, chunk: &Chunk, ai: &AiChunk, depth: usize) {
        let model = ai.model.as_ref().filter(|model| !self.is_the_only(model));
        self.speaker(chunk, "Assistant", depth, model.map(|model| one_line(model)).into_iter().collect());
    }

    fn is_the_only(&self, model: &String) -> bool {
        self.conversation.profile.models.iter().eq([model])
    }

    /// Says after a section that the agent speaks again.
    pub(super) fn go_on(&mut self) {
        if let Some(depth) = self.interrupted.take() {
            let (level, text) = (level(depth), "Assistant".to_owned());
            self.put(Part::Heading { level, text, notes: vec!["continued".to_owned()] });
        }
    }

    /// What follows a section in the same chunk needs its heading again.
    pub(super) fn close_section(&mut self, depth: usize) {
        self.interrupted = Some(depth);
    }

    fn is_shown(&self, step: &Step) -> bool {
        match step {
            Step::Thinking { text, redacted, .. } => !redacted && !text.trim().is_empty(),
            Step::Interruption { .. } => self.detail.all,
            _ => true,
        }
    }

    fn step(&mut self, step: &'a Step, depth: usize) {
        match step {
            Step::Text { text, .. } | Step::Interruption { text, .. } => self.prose(text),
            Step::Thinking { text, .. } if self.detail.thinking => self.put(Part::Thinking(text)),
            Step::Thinking { text, .. } => {
                let words = text.split_whitespace().count() as u64;
                self.note(format!("Thought ({})", many(words, "word")));
            }
            Step::Tool(tool) => self.tool(tool),
            Step::Agent(step) => self.called_agent(step, depth),
            Step::Plan(step) => self.proposed_plan(step, depth),
            Step::Notification(note) => self.notification(note),
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
        let task = note.task.as_deref().map(|task| format!(" {}", one_line(task))).unwrap_or_default();
        self.note(format!("Background task{task}: {status}"));
        self.prose(&note.text);
    }
}
