//! What a tool gave back: its beginning, or all of it.

use steno_conversation::model::{Persisted, ToolOutcome, ToolStep};

use super::Walker;
use crate::words::{bytes, one_line};

/// Characters of a result that stand for the whole.
const PREVIEW: usize = 600;

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
        match (result.is_error, result.text.trim().is_empty()) {
            (true, true) => self.note("Error"),
            (true, false) => self.note("Error:"),
            (false, false) => self.note("Result:"),
            (false, true) if result.images.is_empty() => self.note("No output"),
            (false, true) => {}
        }
        if !result.text.trim().is_empty() {
            self.excerpt(&result.text);
        }
        self.media(&result.images);
        if let Some(persisted) = &result.persisted {
            self.note(kept(persisted));
        }
    }

    /// A text of a machine, as far as it is wanted.
    pub(super) fn excerpt(&mut self, text: &str) {
        match text.char_indices().nth(PREVIEW) {
            Some((end, _)) if !self.detail.full_results => {
                let (shown, rest) = text.split_at(end);
                self.code("text", shown);
                self.note(format!("… {} more characters", grouped(rest.chars().count())));
            }
            _ => self.code("text", text),
        }
    }
}

fn kept(persisted: &Persisted) -> String {
    let size = persisted.size_bytes.map(|size| format!(" ({})", bytes(size))).unwrap_or_default();
    format!("The whole output{size} is in {}", one_line(&persisted.path))
}

/// `12345` → `12,345`.
fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
