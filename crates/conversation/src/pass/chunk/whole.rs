//! Chunks when everything is asked for: each record as it stands, hidden ones as the system's.
//!
//! Texts keep their tags and spaces, so that all that was said can be found in what is shown. What a tag means is
//! then told by the tag, not by a field of the chunk.

use steno_transcript::Kind;

use super::{Chunker, notification, team_message};
use crate::entry::Entry;
use crate::model::{ChunkBody, Hidden, UserChunk};
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
        if entry.has_tool_result() {
            self.results(entry);
        }
        let raw = entry.raw_text();
        if raw.is_empty() && !entry.has_media() {
            return;
        }
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
