//! Chunks for the scope with hidden records: every record is shown, hidden ones as chunks of the system.
//!
//! Texts keep their tags and spaces, so that every text of the transcript is in the output. The tag itself, not a field of
//! the chunk, tells what a text is.

use serde_json::Value;
use steno_transcript::Kind;

use super::{Chunker, notification, team_message};
use crate::block::Block;
use crate::entry::Entry;
use crate::model::{ChunkBody, Hidden, Step, ToolOutcome, ToolStep, UserChunk};
use crate::pass::placing::hidden;
use crate::prompt::{self, Spoken};

impl Chunker<'_> {
    pub(super) fn place_whole(&mut self, index: usize, entry: &Entry) {
        match entry.kind {
            Kind::Assistant => self.assistant(entry),
            Kind::User if entry.is_compact_summary => self.compact_summary(entry),
            Kind::User => self.whole_user(index, entry),
            Kind::System => self.whole_system(entry),
            Kind::Attachment if entry.is_queued => self.prompt(index, entry),
            Kind::Attachment => self.whole_attachment(entry),
            _ => {}
        }
    }

    fn whole_user(&mut self, index: usize, entry: &Entry) {
        self.whole_results(entry);
        if !entry.raw_text().is_empty() || entry.has_media() {
            self.whole_words(index, entry);
        }
        for block in &entry.blocks {
            if let Block::Unknown { raw, .. } = block {
                self.notice(entry, "unknown_block", raw.get().to_owned());
            }
        }
    }

    fn whole_results(&mut self, entry: &Entry) {
        let results = || entry.blocks.iter().filter(|block| matches!(block, Block::ToolResult { .. }));
        let lone: Vec<Step> = results().filter_map(|block| self.lone_result(block, entry)).collect();
        if lone.len() < results().count() {
            self.results(entry);
        }
        for step in lone {
            self.work(entry, Some(step));
        }
    }

    fn whole_words(&mut self, index: usize, entry: &Entry) {
        let raw = entry.raw_text();
        let text = entry.text();
        match prompt::classify(&text) {
            _ if entry.has_media() => self.prompt(index, entry),
            _ if entry.is_meta => self.notice(entry, Hidden::Meta.name(), raw),
            _ if hidden(entry) == Some(Hidden::Noise) => self.notice(entry, Hidden::Noise.name(), raw),
            Spoken::Noise => self.notice(entry, Hidden::Noise.name(), raw),
            Spoken::CommandOutput { .. } => self.notice(entry, "local_command", raw),
            Spoken::BashOutput { .. } => self.notice(entry, "bash", raw),
            Spoken::TaskNotification(text) => {
                let step = notification(entry, text, Some(raw));
                self.work(entry, Some(step));
            }
            Spoken::Interruption(_) => self.interruption(entry, &raw),
            Spoken::TeamMessage(text) => {
                let from_team = Some(team_message(text));
                self.open(entry, ChunkBody::User(UserChunk { text: raw, from_team, ..UserChunk::default() }));
            }
            Spoken::SlashCommand { .. }
            | Spoken::BashInput(_)
            | Spoken::ImplementPlan(_)
            | Spoken::Prompt(_) => self.prompt(index, entry),
        }
    }

    /// A result that no call on the active thread shows: the call is lost, or has another result.
    pub(super) fn lone_result(&mut self, block: &Block, entry: &Entry) -> Option<Step> {
        let Block::ToolResult { id, text, is_error, images } = block else { return None };
        let is_outcome = self.sources.pairs.is_outcome(id, entry);
        if !self.sources.scope.hidden || (is_outcome && self.called.contains(id)) {
            return None;
        }
        let taken = if is_outcome { self.sources.pairs.take_outcome(id) } else { None };
        let result = taken.unwrap_or_else(|| ToolOutcome {
            is_error: *is_error,
            text: text.clone(),
            structured: None,
            persisted: None,
            images: images.clone(),
            record: entry.at.clone(),
        });
        Some(Step::Tool(ToolStep {
            id: id.clone(),
            name: String::new(),
            input: Value::Null,
            result: Some(result),
            duration_ms: None,
            record: entry.at.clone(),
        }))
    }

    fn whole_system(&mut self, entry: &Entry) {
        if entry.is_boundary() {
            return self.compact(entry);
        }
        self.event(entry, entry.raw_text());
    }

    fn whole_attachment(&mut self, entry: &Entry) {
        let raw = entry.raw_text();
        if let Spoken::TaskNotification(text) = prompt::classify(&entry.text()) {
            let step = notification(entry, text, Some(raw));
            return self.work(entry, Some(step));
        }
        let said = if raw.is_empty() { entry.note.clone().unwrap_or_default() } else { raw };
        self.notice(entry, "attachment", said);
    }
}
