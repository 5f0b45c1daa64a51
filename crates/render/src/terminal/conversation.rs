//! A conversation, chunk by chunk.

mod agent;
mod change;
mod focus;
mod head;
mod input;
mod plan;

use std::collections::HashSet;

use anstyle::Style;
use steno_conversation::Conversation;
use steno_conversation::model::{
    AiChunk, Chunk, ChunkBody, CompactChunk, Media, Notification, Step, ToolOutcome, ToolStep, UserChunk,
};
use steno_transcript::ToolId;

pub use focus::Focus;
use focus::FocusState;

use super::measure::{self, Room, cut};
use super::sheet::{Mark, TextWriter};
use super::style::{AGENT, BAD, FOUND, NOTICE, STRONG, TOOL, USER, WEAK, paint};
use super::{Page, clean_line};
use crate::call::{self, View};
use crate::facts;
use crate::roster::{self, Roster};
use crate::task::Tasks;
use crate::words::{self, many};

/// How much is shown.
#[derive(Debug, Clone, Default)]
pub struct ShowOptions {
    /// Thinking in full, not as a mark.
    pub thinking: bool,
    /// Tool results in full, not their first lines.
    pub full_results: bool,
    /// Only from this chunk on.
    pub from_chunk: usize,
    /// This record is marked and shown in full, and what comes before it in its chunk is left out.
    pub focus: Option<Focus>,
    /// What that record says, by the names of roles, where the conversation does not have it.
    pub beside: Vec<(&'static str, String)>,
}

/// Room that what a call is about has, however narrow the page is.
const LEAST_SUMMARY: usize = 10;

/// Of a compaction; `manual` and `auto` are all that is known of its reasons.
const LONGEST_FACT: usize = 30;

pub fn conversation(conversation: &Conversation, detail: &ShowOptions, page: &Page) -> String {
    let roster = Roster::new(conversation);
    let running = roster.running(conversation);
    let sheet = TextWriter::new(page.width, page.is_styled);
    let tasks = Tasks::new(conversation);
    let sight = FocusState::new(conversation, detail.focus.clone());
    let is_partial = detail.from_chunk > 0;
    let width = page.width;
    let mut writer = Writer { sheet, conversation, detail, width, roster, running, tasks, sight, is_partial };
    head::head(&mut writer.sheet, &conversation.profile, writer.roster.len(), page);
    writer.beside();
    writer.before(0, detail.from_chunk, "chunk");
    for chunk in conversation.chunks.iter().skip(detail.from_chunk) {
        writer.chunk(chunk, 0);
    }
    writer.other_agents();
    writer.foot();
    writer.sheet.text
}

struct Writer<'a> {
    sheet: TextWriter,
    conversation: &'a Conversation,
    detail: &'a ShowOptions,
    width: usize,
    roster: Roster<'a>,
    running: HashSet<&'a ToolId>,
    tasks: Tasks<'a>,
    sight: FocusState<'a>,
    /// Something before the first that is shown is left out.
    is_partial: bool,
}

impl<'a> Writer<'a> {
    fn chunk(&mut self, chunk: &'a Chunk, depth: usize) {
        let is_steps = matches!(chunk.body, ChunkBody::Ai(_));
        let outer = self.turn_to(!is_steps && self.sight.names_one(&chunk.records), depth);
        match &chunk.body {
            ChunkBody::User(user) => self.user(user, depth),
            ChunkBody::Ai(ai) => self.ai(chunk, ai, depth),
            ChunkBody::System(system) => {
                self.sheet.gap();
                self.sheet.block(depth, &Mark::new(NOTICE, "!"), &system.text, WEAK);
            }
            ChunkBody::Compact(compact) => self.compaction(compact, depth),
        }
        self.sight.is_here = outer;
    }

    /// The record that was asked for, where no chunk has it.
    fn beside(&mut self) {
        for (role, text) in &self.detail.beside {
            let line = self.detail.focus.as_ref().map(|focus| format!("▶ line {} · ", focus.line));
            self.sheet.gap();
            self.sheet.line(0, &paint(FOUND, &format!("{}{role}", line.unwrap_or_default())));
            self.sheet.block(0, &Mark::new(WEAK, " "), text.trim(), Style::new());
            self.sheet.gap();
        }
    }

    /// Turns to what shows the record that was asked for, or not; gives what was so before.
    fn turn_to(&mut self, is_it: bool, depth: usize) -> bool {
        let outer = std::mem::replace(&mut self.sight.is_here, is_it);
        if let Some(line) = self.sight.mark() {
            self.sheet.gap();
            self.sheet.line(depth, &paint(FOUND, &format!("▶ line {line}")));
            self.sheet.join();
        }
        outer
    }

    /// How many of something are left out here.
    fn before(&mut self, depth: usize, number: usize, name: &str) {
        if number > 0 {
            let before = many(number as u64, name);
            self.sheet.line(depth, &paint(WEAK, &format!("… {before} before")));
        }
    }

    fn compaction(&mut self, compact: &CompactChunk, depth: usize) {
        let facts = facts::compaction(compact);
        let facts: Vec<String> =
            facts.iter().map(|fact| cut(fact, Room { from: 0, width: LONGEST_FACT })).collect();
        let facts = if facts.is_empty() { String::new() } else { format!(" ({})", facts.join(", ")) };
        self.sheet.gap();
        let line = format!("── compacted{facts} ──");
        self.sheet.line(depth, &paint(NOTICE, &line));
        self.excerpt(depth, &Mark::new(WEAK, " "), &compact.summary);
    }

    fn user(&mut self, user: &UserChunk, depth: usize) {
        self.sheet.gap();
        let mark = Mark::new(USER, "❯");
        match user.plan.and_then(|plan| self.conversation.plans.get(plan)) {
            Some(plan) if plan.tool_id.is_none() => return self.plan(plan, depth),
            Some(plan) if self.sight.is_here => return self.plan(plan, depth),
            // Its card is where it was proposed.
            Some(_) => return self.sheet.block(depth, &mark, "(carry out the plan above)", USER),
            None => {}
        }
        let mut text = user.text.clone();
        if let Some(bash) = &user.bash {
            let output = [&bash.stdout, &bash.stderr].into_iter().flatten().map(|text| text.trim_end());
            text = format!("{text}\n{}", output.collect::<Vec<_>>().join("\n"));
        }
        let from = user.from_team.as_ref().and_then(|from| from.member.as_deref());
        let notes = [from.map(clean_line), user.queued.then(|| "queued".into())];
        let note = notes.into_iter().flatten().collect::<Vec<_>>().join(" ");
        if !note.trim().is_empty() {
            text = format!("({}) {text}", note.trim());
        }
        self.sheet.block(depth, &mark, text.trim_end(), USER);
        self.images(depth, " ", &user.images);
    }

    fn ai(&mut self, chunk: &Chunk, ai: &'a AiChunk, depth: usize) {
        if depth == 0 {
            self.sheet.gap();
        }
        let first = self.sight.first_step(chunk, &ai.steps);
        self.is_partial |= first > 0;
        self.before(depth, first, "step");
        let mut before = None;
        for (place, step) in ai.steps.iter().enumerate() {
            if place >= first {
                let outer = self.turn_to(self.sight.names(step), depth);
                self.step(step, before, depth);
                self.sight.is_here = outer;
            }
            before = Some(step);
        }
    }

    fn step(&mut self, step: &'a Step, before: Option<&Step>, depth: usize) {
        match step {
            Step::Text { text, .. } => {
                self.sheet.gap();
                self.sheet.prose(depth, &Mark::new(STRONG, "●"), text.trim());
            }
            Step::Thinking { text, redacted, .. } => self.thinking(text, *redacted, depth),
            Step::Tool(tool) => self.tool(tool, depth),
            Step::Agent(step) => self.called_agent(&step.tool, step.agent.as_ref(), depth),
            Step::Plan(step) => match self.conversation.plans.get(step.plan) {
                Some(plan) => self.plan(plan, depth),
                None => self.tool(&step.tool, depth),
            },
            Step::Notification(note) => self.notification(note, depth),
            Step::Interruption { .. } if roster::is_told_by_a_plan(self.conversation, before) => {}
            Step::Interruption { text, .. } => self.sheet.block(depth, &Mark::new(BAD, "■"), text, BAD),
            Step::Media { media, .. } => self.images(depth, " ", std::slice::from_ref(media)),
            Step::Unknown { block_type, .. } => {
                let text = format!("unknown block '{}'", clean_line(block_type));
                self.sheet.block(depth, &Mark::new(NOTICE, "?"), &text, WEAK);
            }
        }
    }

    fn notification(&mut self, note: &Notification, depth: usize) {
        let status = clean_line(note.status.as_deref().unwrap_or("reported"));
        let name = self.tasks.name(note).map(|name| format!(": {name}")).unwrap_or_default();
        let room = Room { from: 0, width: self.width.max(LEAST_SUMMARY) };
        let line = cut(&format!("background task {status}{name}"), room);
        self.sheet.block(depth, &Mark::new(AGENT, "◂"), &line, AGENT);
        self.excerpt(depth, &Mark::new(WEAK, "  └"), &note.text);
    }

    /// The first lines; all of them, where they were asked for.
    fn excerpt(&mut self, depth: usize, mark: &Mark<'_>, text: &str) {
        match self.sight.is_here {
            true => self.sheet.block(depth, mark, text.trim_end(), WEAK),
            false => self.sheet.excerpt(depth, mark, text),
        }
    }

    fn thinking(&mut self, text: &str, redacted: bool, depth: usize) {
        if redacted || text.trim().is_empty() {
            return;
        }
        let mark = Mark::new(WEAK, "✻");
        if self.detail.thinking || self.sight.is_here {
            self.sheet.gap();
            return self.sheet.block(depth, &mark, text.trim(), WEAK);
        }
        let words = text.split_whitespace().count() as u64;
        self.sheet.block(depth, &mark, &format!("thought ({})", many(words, "word")), WEAK);
    }

    fn tool(&mut self, tool: &ToolStep, depth: usize) {
        let is_change = self.call(tool, TOOL, depth);
        // What the tool says of a change that it made says nothing else.
        let is_said = is_change && !self.is_in_full() && tool.result.as_ref().is_some_and(|it| !it.is_error);
        if !is_said {
            self.outcome(tool, depth);
        }
    }

    fn is_in_full(&self) -> bool {
        self.detail.full_results || self.sight.is_here
    }

    /// In one line; where it was asked for, with all that this line does not say. Says whether it shows a change to a
    /// file.
    fn call(&mut self, tool: &ToolStep, style: Style, depth: usize) -> bool {
        let view = call::view(&tool.name, &tool.input);
        let change = change::lines(&view);
        let time = tool.duration_ms.filter(|time| *time >= 1000).map(words::duration);
        let time = time.map(|time| format!(" ({time})")).unwrap_or_default();
        let from = self.sheet.columns(depth) + 2;
        let width = self.width.saturating_sub(from + time.len() + 1);
        let name = cut(&clean_line(&call::name(&tool.name)), Room { from, width: width.max(LEAST_SUMMARY) });
        let taken = measure::width(&name, from);
        let room = Room { from: from + taken + 1, width: width.saturating_sub(taken).max(LEAST_SUMMARY) };
        let about = about(tool, &view, room);
        self.sheet.line(depth, &format!("⚙ {} {about}{}", paint(style, &name), paint(WEAK, &time)));
        if let Some(lines) = &change {
            self.change(lines, depth);
        } else if self.sight.is_here {
            for field in input::fields(&tool.input, &about) {
                self.sheet.block(depth, &Mark::rule(WEAK, "  │"), &field, WEAK);
            }
        }
        change.is_some()
    }

    fn outcome(&mut self, tool: &ToolStep, depth: usize) {
        match &tool.result {
            Some(result) => self.result(result, depth),
            None => {
                let text = if self.running.contains(&tool.id) { "running" } else { "no result" };
                self.sheet.block(depth, &Mark::new(NOTICE, "  └"), text, WEAK);
            }
        }
    }

    fn result(&mut self, result: &ToolOutcome, depth: usize) {
        let is_full = self.is_in_full();
        if let Some(refusal) = facts::refusal(result).filter(|_| !is_full) {
            let said = refusal.feedback.map(|said| format!(": {said}")).unwrap_or_default();
            let text = format!("{}{said}", refusal.words);
            return self.sheet.block(depth, &Mark::new(BAD, "  └ ✗"), &text, WEAK);
        }
        let mark = if result.is_error { Mark::new(BAD, "  └ ✗") } else { Mark::new(WEAK, "  └") };
        let text = result.text.trim_end();
        if text.is_empty() && result.images.is_empty() {
            return;
        }
        if is_full {
            self.sheet.block(depth, &mark, text, WEAK);
        } else if !text.is_empty() {
            self.sheet.excerpt(depth, &mark, text);
        }
        self.images(depth, "   ", &result.images);
    }

    fn images(&mut self, depth: usize, mark: &str, images: &[Media]) {
        for image in images {
            let kind = clean_line(image.media_type.as_deref().unwrap_or("image"));
            let text = format!("[{kind}, {}]", words::bytes(image.encoded_bytes));
            self.sheet.block(depth, &Mark::new(WEAK, mark), &text, WEAK);
        }
    }

    fn foot(&mut self) {
        let abandoned = self.conversation.branches.iter().filter(|branch| !branch.active).count() as u64;
        if abandoned > 0 {
            let branches =
                if abandoned == 1 { "1 branch".to_owned() } else { format!("{abandoned} branches") };
            self.sheet.gap();
            self.sheet.line(0, &paint(WEAK, &format!("{branches} left behind by rewinding; see --json")));
        }
    }
}

/// What a call is about, in one line. Of a path, the end stays.
fn about(tool: &ToolStep, view: &View<'_>, room: Room) -> String {
    let topic = call::topic(&tool.name, &tool.input, view);
    let Some(path) = &topic.path else { return cut(&topic.text, room) };
    let behind = if topic.text.is_empty() { String::new() } else { format!(" {}", topic.text) };
    let width = room.width.saturating_sub(measure::width(&behind, 0)).max(LEAST_SUMMARY);
    cut(&format!("{}{behind}", measure::cut_path(path, Room { width, ..room })), room)
}
