//! The beginning of a document: what the conversation is called, where it took place, how much there was of it; and
//! its end.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use steno_conversation::model::Profile;

use super::{Item, Part, Walker};
use crate::roster;
use crate::words::{many, one_line};

impl Walker<'_, '_> {
    pub(super) fn head(&mut self) {
        let profile = &self.conversation.profile;
        let title = profile.title.as_deref().map(one_line).filter(|title| !title.is_empty());
        self.put(Part::Title(title.unwrap_or_else(|| "Untitled session".to_owned())));
        let facts = [
            ("Session", Some(profile.id.to_string())),
            ("Project", profile.cwd.clone().or_else(|| profile.project_hash.clone())),
            ("Branch", profile.git_branch.clone()),
            ("Time", span(profile)),
            ("Models", joined(&profile.models)),
            ("Client", joined(&profile.versions)),
            ("Contents", Some(self.contents())),
        ];
        let said = |(name, value): (_, Option<String>)| Some((name, value.map(|value| one_line(&value))?));
        let facts = facts.into_iter().filter_map(said).filter(|(_, value)| !value.is_empty());
        self.put(Part::Facts(facts.collect()));
    }

    fn contents(&self) -> String {
        let profile = &self.conversation.profile;
        let agents = self.roster.len() as u64;
        let parts = [
            Some(many(profile.turns, "turn")),
            Some(many(profile.messages, "message")),
            Some(many(profile.tool_calls, "tool call")),
            (agents > 0).then(|| many(agents, "subagent")),
            profile.ongoing.then(|| "still running".to_owned()),
        ];
        parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }

    pub(super) fn left_out(&mut self) {
        let before = roster::messages_before(self.conversation, self.detail.from_record);
        if before > 0 {
            let verb = if before == 1 { "is" } else { "are" };
            self.note(format!("{} before this {verb} left out.", many(before, "message")));
        }
    }

    pub(super) fn foot(&mut self) {
        let notes: Vec<String> = self.detail.notes.iter().map(|note| one_line(note)).collect();
        if notes.is_empty() {
            return;
        }
        self.put(Part::Rule);
        let item = |text| Item { done: None, text, note: None };
        self.put(Part::List(notes.into_iter().map(item).collect()));
    }
}

/// `2026-01-02 03:04`, in UTC.
pub(super) fn time(time: Timestamp) -> String {
    time.to_zoned(TimeZone::UTC).strftime("%Y-%m-%d %H:%M").to_string()
}

/// From when to when, the day once where it is the same.
fn span(profile: &Profile) -> Option<String> {
    let from = profile.started_at?.to_zoned(TimeZone::UTC);
    let to = profile.ended_at?.to_zoned(TimeZone::UTC);
    let end = if from.date() == to.date() { "%H:%M UTC" } else { "%Y-%m-%d %H:%M UTC" };
    Some(format!("{} – {}", from.strftime("%Y-%m-%d %H:%M"), to.strftime(end)))
}

fn joined(names: &[String]) -> Option<String> {
    (!names.is_empty()).then(|| names.join(", "))
}
