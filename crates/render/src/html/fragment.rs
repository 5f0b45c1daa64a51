//! The parts of a page, each for itself: a page is made of them, and so is a view that shows only some.

use std::collections::HashSet;

use maud::{Markup, html};
use steno_conversation::Conversation;
use steno_conversation::model::{Chunk, ChunkBody, CompactChunk, SystemChunk};
use steno_transcript::ToolId;

use super::highlight::Highlighter;
use super::markdown::Markdown;
use super::text::{Name, Plain};
use super::turn::{self, Turn};
use super::{contents, head};
use crate::Detail;
use crate::facts;
use crate::roster::{self, Roster};
use crate::task::Tasks;
use crate::words::{self, many};

/// Writes parts of one conversation. Each subagent is shown once, by the first part that it belongs to.
#[derive(Debug)]
pub struct Fragments<'a> {
    pub(super) conversation: &'a Conversation,
    pub(super) detail: &'a Detail,
    pub(super) roster: Roster<'a>,
    pub(super) running: HashSet<&'a ToolId>,
    pub(super) highlighter: Highlighter,
    pub(super) tasks: Tasks<'a>,
    /// How times are written.
    clock: &'static str,
}

/// Where a chunk is: in the session, or in so many agents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Depth(pub(super) usize);

impl Depth {
    const SESSION: Self = Self(0);
}

impl<'a> Fragments<'a> {
    pub fn new(conversation: &'a Conversation, detail: &'a Detail) -> Self {
        let roster = Roster::new(conversation);
        let running = roster.running(conversation);
        let clock = if head::is_of_one_day(&conversation.profile) { "%H:%M" } else { "%Y-%m-%d %H:%M" };
        let (tasks, highlighter) = (Tasks::new(conversation), Highlighter::new());
        Self { conversation, detail, roster, running, highlighter, tasks, clock }
    }

    /// What it is called, where it took place, how much there was of it.
    pub fn head(&self) -> Markup {
        head::head(self.conversation, self.roster.len())
    }

    /// What the user asked for, as links to where.
    pub fn contents(&self) -> Markup {
        contents::contents(&self.turns())
    }

    /// All that is shown of the conversation, turn by turn.
    pub fn body(&mut self) -> Markup {
        let before = roster::messages_before(self.conversation, self.detail);
        let turns = html! { @for turn in self.turns() { (self.turn(&turn)) } };
        html! {
            @if before > 0 { p.earlier { "… " (many(before, "earlier message")) " left out" } }
            @if turns.0.is_empty() { p.earlier { "This session has no messages." } }
            (turns)
            (self.other_agents())
            (self.branches())
        }
    }

    fn turns(&self) -> Vec<Turn<'a>> {
        turn::turns(self.conversation, self.detail)
    }

    fn turn(&mut self, turn: &Turn<'a>) -> Markup {
        let shown = html! { @for chunk in &turn.chunks { (self.chunk(chunk)) } };
        if shown.0.is_empty() {
            shown
        } else {
            html! { section.turn { (shown) } }
        }
    }

    /// A chunk of the session; nothing where it has nothing to show.
    pub fn chunk(&mut self, chunk: &'a Chunk) -> Markup {
        self.chunk_at(chunk, Depth::SESSION)
    }

    pub(super) fn chunk_at(&mut self, chunk: &'a Chunk, depth: Depth) -> Markup {
        match &chunk.body {
            ChunkBody::User(user) => self.user(chunk, user, depth),
            ChunkBody::Ai(ai) => self.ai(chunk, ai, depth),
            ChunkBody::System(system) => self.system(chunk, system, depth),
            ChunkBody::Compact(compact) => self.compaction(chunk, compact, depth),
        }
    }

    fn system(&self, chunk: &Chunk, system: &SystemChunk, depth: Depth) -> Markup {
        let label = match system.subtype.as_str() {
            "local_command" | "bash" => "Output".to_owned(),
            "api_error" => "API error".to_owned(),
            other => words::one_line(&other.replace('_', " ")),
        };
        html! {
            article.notice.bad[system.subtype == "api_error"] id=[anchor(chunk, depth)] {
                p.label { (Name(&label)) (self.time(chunk)) }
                @if !system.text.trim().is_empty() { pre.output { (Plain(system.text.trim_end())) } }
            }
        }
    }

    fn compaction(&self, chunk: &Chunk, compact: &CompactChunk, depth: Depth) -> Markup {
        let has_summary = !self.detail.without_compact_summaries && !compact.summary.trim().is_empty();
        html! {
            article.compaction id=[anchor(chunk, depth)] {
                p.rule {
                    "Context compacted"
                    @for fact in facts::compaction(compact) { " · " (Name(&fact)) }
                }
                @if has_summary {
                    details.summary {
                        summary { "Summary of what was said before" }
                        div.prose { (self.prose(&compact.summary)) }
                    }
                }
            }
        }
    }

    pub(super) fn prose<'t>(&'t self, text: &'t str) -> Markdown<'t> {
        Markdown { text, highlighter: &self.highlighter }
    }

    pub(super) fn time(&self, chunk: &Chunk) -> Markup {
        html! {
            @if let Some(time) = chunk.started_at {
                " " time datetime=(time.to_string()) { (time.strftime(self.clock).to_string()) }
            }
        }
    }

    fn branches(&self) -> Markup {
        let number = self.conversation.branches.iter().filter(|branch| !branch.active).count();
        let branches = if number == 1 { "branch" } else { "branches" };
        html! {
            @if number > 0 { p.earlier { (number) " " (branches) " left behind by rewinding" } }
        }
    }
}

/// The place of a chunk of the session, to link to.
pub(super) fn anchor(chunk: &Chunk, depth: Depth) -> Option<String> {
    (depth == Depth::SESSION).then(|| format!("c{}", chunk.index))
}
