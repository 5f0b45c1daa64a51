//! The beginning of a document: what the conversation is called, where it took place, how much there was of it; and
//! its end.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use steno_conversation::model::Profile;

use super::{Part, Walker};
use crate::facts;
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
            ("Time", time_span(profile)),
            ("Models", joined(&profile.models)),
            ("Client", joined(&profile.versions)),
            ("Contents", Some(self.contents())),
            ("Shortened", self.shortened()),
        ];
        let said = |(name, value): (_, Option<String>)| Some((name, value.map(|value| one_line(&value))?));
        let facts = facts.into_iter().filter_map(said).filter(|(_, value)| !value.is_empty());
        self.put(Part::Facts(facts.collect()));
    }

    fn contents(&self) -> String {
        let profile = &self.conversation.profile;
        let messages = facts::messages_in(self.conversation, self.detail);
        let figures = facts::figures(profile, messages, (self.roster.len(), "subagent"));
        let running = profile.ongoing.then(|| "still running".to_owned());
        figures.into_iter().chain(running).collect::<Vec<_>>().join(", ")
    }

    /// How to get what is not all there.
    fn shortened(&self) -> Option<String> {
        let has_calls = self.conversation.profile.tool_calls > 0;
        let is_cut = has_calls && !self.detail.full_results;
        is_cut.then(|| "long tool inputs and results; --full-results has them whole".to_owned())
    }

    pub(super) fn left_out(&mut self) {
        let before = roster::messages_before(self.conversation, self.detail);
        if before > 0 {
            let without = self.detail.without_compact_summaries;
            let all = many(self.conversation.messages_before(usize::MAX, without), "message");
            let verb = if before == 1 { "is" } else { "are" };
            self.note(format!("The first {before} of {all} {verb} left out."));
        }
    }

    pub(super) fn foot(&mut self) {
        let notes: Vec<String> = self.detail.notes.iter().map(|note| one_line(note)).collect();
        if !notes.is_empty() {
            self.put(Part::Foot(notes));
        }
    }
}

fn time_span(profile: &Profile) -> Option<String> {
    let span = facts::span(profile.started_at?, profile.ended_at?, &TimeZone::UTC);
    Some(format!("{span} UTC"))
}

/// `2026-01-02 03:04`, in UTC.
pub(super) fn time(time: Timestamp) -> String {
    time.to_zoned(TimeZone::UTC).strftime("%Y-%m-%d %H:%M").to_string()
}

fn joined(names: &[String]) -> Option<String> {
    (!names.is_empty()).then(|| names.join(", "))
}
