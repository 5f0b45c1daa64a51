//! What a tool gave back: its beginning, or all of it.

use steno_conversation::model::{Persisted, ToolOutcome, ToolStep};

use super::{Walker, excerpt};
use crate::clean::clean;
use crate::facts::{self, Refusal};
use crate::words::{self, bytes, one_line};

impl Walker<'_, '_> {
    pub(super) fn outcome(&mut self, tool: &ToolStep) {
        match &tool.result {
            Some(result) if self.is_told(tool, result) => {}
            Some(result) => self.result(result),
            None if self.running.contains(&tool.id) => self.note("Running"),
            None => self.note("No result"),
        }
    }

    /// The client answers every list of things to do with the same words.
    fn is_told(&self, tool: &ToolStep, result: &ToolOutcome) -> bool {
        tool.name == "TodoWrite" && !result.is_error && !self.detail.full_results
    }

    fn result(&mut self, result: &ToolOutcome) {
        if let Some(refusal) = facts::refusal(result).filter(|_| !self.detail.full_results) {
            return self.refusal(refusal);
        }
        let is_empty = clean(&result.text).trim().is_empty();
        match (result.is_error, is_empty) {
            (true, true) => self.note("Error"),
            (true, false) => self.note("Error:"),
            (false, false) => self.note("Result:"),
            (false, true) if result.images.is_empty() => self.note("No output"),
            (false, true) => {}
        }
        if !is_empty {
            self.output(&result.text);
        }
        self.media(&result.images);
        if let Some(persisted) = &result.persisted {
            self.note(kept(persisted));
        }
    }

    /// What the client tells the agent about it goes without saying.
    fn refusal(&mut self, refusal: Refusal<'_>) {
        let words = words::capitalized(refusal.words);
        match refusal.feedback {
            Some(feedback) => {
                self.note(format!("{words}, who said:"));
                self.prose(feedback);
            }
            None => self.note(words),
        }
    }

    /// What a machine printed, as far as it is wanted, without its colours.
    pub(super) fn output(&mut self, text: &str) {
        let text = clean(text);
        if self.detail.full_results {
            return self.code("text", &text);
        }
        let excerpt = excerpt::result(&text);
        self.code("text", excerpt.shown);
        excerpt.missing.into_iter().for_each(|missing| self.note(missing));
    }
}

fn kept(persisted: &Persisted) -> String {
    let size = persisted.size_bytes.map(|size| format!(" ({})", bytes(size))).unwrap_or_default();
    format!("The whole output{size} is in {}", one_line(&persisted.path))
}
