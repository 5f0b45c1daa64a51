//! Chunks: who speaks, and what the user and the client said.

use std::borrow::Cow;

use steno_conversation::model::{Chunk, ChunkBody, CompactChunk, Media, SystemChunk, UserChunk};

use super::head::time;
use super::plan::verdict;
use super::{Part, Walker};
use crate::clean::clean;
use crate::facts;
use crate::roster;
use crate::words::{self, one_line};

impl<'a> Walker<'a, '_> {
    /// `from` is the first record that is shown.
    pub(super) fn chunk(&mut self, chunk: &'a Chunk, from: usize, depth: usize) {
        match &chunk.body {
            ChunkBody::Ai(ai) => self.ai(chunk, ai, from, depth),
            _ if roster::is_before(chunk, from) => {}
            ChunkBody::User(user) => self.user(chunk, user, depth),
            ChunkBody::System(system) => self.system(chunk, system, depth),
            ChunkBody::Compact(compact) => self.compaction(chunk, compact, depth),
        }
    }

    /// Who speaks from here on, and since when.
    pub(super) fn speaker(
        &mut self,
        chunk: &Chunk,
        text: impl Into<String>,
        depth: usize,
        more: Vec<String>,
    ) {
        let at = chunk.started_at.map(|at| format!("{} UTC", time(at)));
        let notes = at.into_iter().chain(more).collect();
        let is_break = depth == 0 && matches!(chunk.body, ChunkBody::User(_) | ChunkBody::Compact(_));
        self.put(Part::Heading { level: level(depth), text: text.into(), notes, is_break });
    }

    fn user(&mut self, chunk: &Chunk, user: &UserChunk, depth: usize) {
        let plan = user.plan.and_then(|plan| self.conversation.plans.get(plan));
        match plan {
            Some(plan) if !self.detail.all => {
                // The card of any other is where it was proposed.
                if plan.tool_id.is_none() {
                    self.plan(plan, level(depth));
                }
                return;
            }
            _ => {}
        }
        let notes = [
            user.queued.then(|| "typed while the assistant worked".to_owned()),
            plan.map(|plan| verdict(plan).to_lowercase()),
            plan.map(|_| "written by the client".to_owned()),
        ];
        let member = user.from_team.as_ref().map(|from| one_line(from.member.as_deref().unwrap_or_default()));
        let who = member.map_or_else(|| "User".to_owned(), |name| format!("Teammate {name}"));
        self.speaker(chunk, who.trim_end(), depth, notes.into_iter().flatten().collect());
        if user.bash.is_some() {
            self.code("bash", &user.text);
        } else {
            self.prose(&user.text);
        }
        self.media(&user.images);
        if let Some(bash) = &user.bash {
            for output in [&bash.stdout, &bash.stderr].into_iter().flatten() {
                self.output(output);
            }
        }
    }

    pub(super) fn prose(&mut self, text: &str) {
        if !text.is_empty() {
            self.put(Part::Prose(text));
        }
    }

    pub(super) fn thinking(&mut self, text: &str) {
        self.put(Part::Thinking(text));
    }

    pub(super) fn insert(&mut self, text: &str) {
        if !text.is_empty() {
            self.put(Part::Insert(text));
        }
    }

    fn system(&mut self, chunk: &Chunk, system: &SystemChunk, depth: usize) {
        let what = one_line(&system.subtype).replace(['_', '-'], " ");
        self.speaker(
            chunk,
            "System",
            depth,
            vec![what].into_iter().filter(|what| !what.is_empty()).collect(),
        );
        // With `all`, byte for byte.
        let text = if self.detail.all { Cow::Borrowed(system.text.as_str()) } else { clean(&system.text) };
        self.code("text", &text);
    }

    fn compaction(&mut self, chunk: &Chunk, compact: &CompactChunk, depth: usize) {
        self.speaker(chunk, "Compaction", depth, facts::compaction(compact));
        if compact.summary.is_empty() {
            return;
        }
        if self.detail.without_compact_summaries {
            self.note("Its summary is left out.");
        } else {
            self.note("What was said so far is replaced by this summary:");
            self.insert(&compact.summary);
        }
    }

    pub(super) fn media(&mut self, media: &[Media]) {
        for one in media {
            let kind = one.media_type.as_deref().unwrap_or("of unknown type");
            let word =
                if kind.starts_with("image") || one.media_type.is_none() { "Image" } else { "Document" };
            let place = one.url.clone().unwrap_or_else(|| words::bytes(one.encoded_bytes));
            self.note(one_line(&format!("{word}: {kind}, {place}")));
            if let Some(text) = one.text() {
                self.output(text);
            }
        }
    }
}

/// The heading of a chunk: two for the session's own, and room for a section between those of an agent inside.
pub(super) fn level(depth: usize) -> usize {
    depth * 2 + 2
}
