//! Chunk: entries in file order → what people read.
//!
//! Each entry goes to one of five places, in this order: noise, compaction, system, user, and the agent's work,
//! whose consecutive entries make one chunk.

mod queue;
mod whole;

use std::collections::{HashMap, HashSet, VecDeque};

use serde_json::Value;
use serde_json::value::RawValue;
use steno_transcript::{AgentId, Kind, ToolId};

use crate::activity::is_agent_tool;
use crate::block::{self, Block};
use crate::entry::Entry;
use crate::model::{
    AgentStep, AiChunk, BashCommand, Chunk, ChunkBody, CompactChunk, Media, Notification, PlanStep,
    SlashCommand, Step, SystemChunk, TeamMessage, ToolStep, UserChunk,
};
use crate::pass::pair::Pairs;
use crate::pass::placing::hidden;
use crate::pass::plan::Plans;
use crate::prompt::{self, Spoken};
use crate::scope::Scope;
use crate::time;
use crate::usage::{MessageKey, MessageUsage};

/// What the chunks of one conversation refer to.
pub(crate) struct Sources<'a> {
    pub(crate) entries: &'a [Entry],
    pub(crate) pairs: &'a mut Pairs,
    pub(crate) plans: &'a Plans,
    pub(crate) agents: &'a HashMap<ToolId, AgentId>,
    pub(crate) scope: Scope,
}

pub(crate) fn chunk(sources: Sources<'_>, indices: impl Iterator<Item = usize>) -> Vec<Chunk> {
    let queued = queue::waited(sources.entries);
    let indices: Vec<usize> = indices.collect();
    let called = if sources.scope.hidden { called(sources.entries, &indices) } else { HashSet::new() };
    let mut chunker = Chunker {
        called,
        sources,
        queued,
        chunks: Vec::new(),
        tokens: HashMap::new(),
        paid_in: HashMap::new(),
        called_in: HashMap::new(),
    };
    for index in indices {
        chunker.place(index);
    }
    chunker.finish()
}

struct Chunker<'a> {
    sources: Sources<'a>,
    /// The calls on the line, where results without one are wanted.
    called: HashSet<ToolId>,
    /// What waited in the queue, to know it when it comes out as a prompt.
    queued: HashMap<String, VecDeque<usize>>,
    chunks: Vec<Chunk>,
    /// For each of the agent's chunks, by its place.
    tokens: HashMap<usize, MessageUsage>,
    /// The chunk that each message is counted in: a prompt from the queue can part a message.
    paid_in: HashMap<MessageKey, usize>,
    /// The chunk in which each tool was called.
    called_in: HashMap<ToolId, usize>,
}

impl<'a> Chunker<'a> {
    fn place(&mut self, index: usize) {
        let entries = self.sources.entries;
        let Some(entry) = entries.get(index) else { return };
        if self.sources.scope.hidden {
            return self.place_whole(index, entry);
        }
        match entry.kind {
            Kind::Assistant => self.assistant(entry),
            Kind::User => self.user(index, entry),
            Kind::System => self.system(entry),
            Kind::Attachment if entry.is_queued => self.prompt(index, entry),
            Kind::Attachment => self.attachment(entry),
            _ => {}
        }
    }

    /// The report of a background task may come as an attachment; the others are noise.
    fn attachment(&mut self, entry: &Entry) {
        let text = entry.text();
        if let Spoken::TaskNotification(text) = prompt::classify(&text) {
            self.work(entry, Some(notification(entry, text, None)));
        }
    }

    /// What an entry says, as far as the scope wants it.
    fn said(&self, entry: &Entry) -> String {
        if self.sources.scope.hidden { entry.raw_text() } else { entry.text() }
    }

    fn assistant(&mut self, entry: &Entry) {
        if entry.is_api_error {
            return self.notice(entry, "api_error", self.said(entry));
        }
        if entry.is_synthetic() {
            return self.synthetic(entry);
        }
        self.tokens_of(entry);
        for block in &entry.blocks {
            if let Some(step) = self.step(block, entry) {
                self.work(entry, Some(step));
            }
        }
        self.work(entry, None);
    }

    fn synthetic(&mut self, entry: &Entry) {
        let text = self.said(entry);
        match hidden(entry) {
            _ if text.trim().is_empty() => {}
            None => self.notice(entry, "notice", text),
            Some(hidden) if self.sources.scope.hidden => self.notice(entry, hidden.name(), text),
            Some(_) => {}
        }
    }

    fn step(&mut self, block: &Block, entry: &Entry) -> Option<Step> {
        let record = entry.at.clone();
        Some(match block {
            Block::Text(text) if text.trim().is_empty() => return None,
            Block::Text(text) => Step::Text { text: text.clone(), record },
            Block::Thinking { text, redacted } => {
                Step::Thinking { text: text.clone(), redacted: *redacted, record }
            }
            Block::ToolUse { id, name, input } => self.tool_step(id, name, input.as_deref(), entry),
            Block::Unknown { kind, raw } => {
                Step::Unknown { block_type: kind.clone(), raw: block::value(raw), record }
            }
            Block::Media(media) => Step::Media { media: media.clone(), record },
            Block::ToolResult { .. } => return self.lone_result(block, entry),
        })
    }

    fn tool_step(&mut self, id: &ToolId, name: &str, input: Option<&RawValue>, entry: &Entry) -> Step {
        let tool = ToolStep {
            id: id.clone(),
            name: name.to_owned(),
            input: input.map_or(Value::Null, block::value),
            duration_ms: self.sources.pairs.tool(id).and_then(|tool| tool.duration_ms),
            result: self.sources.pairs.take_outcome(id),
            record: entry.at.clone(),
        };
        if let Some(plan) = self.sources.plans.of_tool(id) {
            return Step::Plan(PlanStep { plan, tool });
        }
        let agent = self.sources.agents.get(id).cloned();
        if agent.is_some() || is_agent_tool(name) {
            return Step::Agent(AgentStep { agent, tool });
        }
        Step::Tool(tool)
    }

    fn user(&mut self, index: usize, entry: &Entry) {
        if entry.is_compact_summary {
            return self.compact_summary(entry);
        }
        let text = entry.text();
        if entry.has_tool_result() {
            self.results(entry);
            return match prompt::classify(&text) {
                Spoken::Prompt(_) if !entry.is_meta => self.prompt(index, entry),
                Spoken::Interruption(text) => self.interruption(entry, text),
                _ => {}
            };
        }
        if entry.is_meta {
            return self.attach(entry);
        }
        match prompt::classify(&text) {
            Spoken::Noise if media(entry).is_empty() => {}
            Spoken::CommandOutput { stdout, stderr } => self.command_output(entry, stdout, stderr),
            Spoken::SlashCommand { name, args } => self.slash_command(entry, name, args),
            Spoken::BashInput(command) => self.bash(entry, command),
            Spoken::BashOutput { stdout, stderr } => self.bash_output(entry, stdout, stderr),
            Spoken::TaskNotification(text) => self.work(entry, Some(notification(entry, text, None))),
            Spoken::TeamMessage(text) => self.team_messages(entry, text),
            Spoken::Interruption(text) => self.interruption(entry, text),
            Spoken::Noise | Spoken::ImplementPlan(_) | Spoken::Prompt(_) => self.prompt(index, entry),
        }
    }

    fn system(&mut self, entry: &Entry) {
        if entry.is_boundary() {
            return self.compact(entry);
        }
        let text = entry.text();
        match entry.subtype.as_deref() {
            Some("local_command") => match prompt::classify(&text) {
                Spoken::SlashCommand { name, args } => self.slash_command(entry, name, args),
                Spoken::CommandOutput { stdout, stderr } => self.command_output(entry, stdout, stderr),
                _ => self.notice(entry, "local_command", text),
            },
            Some("api_error") => self.notice(entry, "api_error", text),
            _ if self.sources.scope.has_system_events() => self.event(entry, text),
            _ => {}
        }
    }

    /// Something that the client noted about its own work.
    fn event(&mut self, entry: &Entry, text: String) {
        let said = if text.is_empty() { entry.note.clone().unwrap_or_default() } else { text };
        self.notice(entry, entry.subtype.as_deref().unwrap_or("system"), said);
    }

    fn prompt(&mut self, index: usize, entry: &Entry) {
        let user = UserChunk {
            queued: self.left_queue(&entry.text(), index) || entry.is_queued,
            plan: self.sources.plans.of_entry(index),
            images: media(entry),
            text: self.said(entry),
            ..UserChunk::default()
        };
        self.open(entry, ChunkBody::User(user));
    }

    /// Whether this text waited in the queue, and is now out of it: the same words may be typed again.
    fn left_queue(&mut self, text: &str, index: usize) -> bool {
        let Some(places) = self.queued.get_mut(text) else { return false };
        let has_waited = places.front().is_some_and(|place| *place < index);
        if has_waited {
            places.pop_front();
        }
        has_waited
    }

    fn slash_command(&mut self, entry: &Entry, name: String, args: &str) {
        let text = if args.is_empty() { name.clone() } else { format!("{name} {args}") };
        let command = Some(SlashCommand { name, args: args.to_owned() });
        self.open(entry, ChunkBody::User(UserChunk { text, command, ..UserChunk::default() }));
    }

    fn bash(&mut self, entry: &Entry, command: &str) {
        let bash = BashCommand { command: command.to_owned(), stdout: None, stderr: None };
        let user = UserChunk { text: format!("! {command}"), bash: Some(bash), ..UserChunk::default() };
        self.open(entry, ChunkBody::User(user));
    }

    /// The output of a `!` command goes to its command.
    fn bash_output(&mut self, entry: &Entry, stdout: &str, stderr: &str) {
        let Some(Chunk { body: ChunkBody::User(UserChunk { bash: Some(bash), .. }), .. }) =
            self.chunks.last_mut()
        else {
            return self.notice(entry, "bash", [stdout, stderr].concat());
        };
        bash.stdout = Some(stdout.to_owned());
        bash.stderr = Some(stderr.to_owned());
        self.attach(entry);
    }

    /// A record may hold messages of several members.
    fn team_messages(&mut self, entry: &Entry, text: &str) {
        for message in prompt::team_messages(text) {
            let said = prompt::team_words(message);
            if prompt::is_idle_notice(said) {
                self.attach(entry);
                continue;
            }
            let (text, from_team) = (said.to_owned(), Some(team_message(message)));
            self.open(entry, ChunkBody::User(UserChunk { text, from_team, ..UserChunk::default() }));
        }
    }

    fn command_output(&mut self, entry: &Entry, stdout: &str, stderr: &str) {
        let output = prompt::printed(stdout, stderr);
        if !output.is_empty() {
            self.notice(entry, "local_command", output.join("\n"));
        }
    }

    fn interruption(&mut self, entry: &Entry, text: &str) {
        let step = Step::Interruption { text: text.to_owned(), record: entry.at.clone() };
        self.work(entry, Some(step));
    }

    fn notice(&mut self, entry: &Entry, subtype: &str, text: String) {
        self.open(entry, ChunkBody::System(SystemChunk { subtype: subtype.to_owned(), text }));
    }

    fn compact(&mut self, entry: &Entry) {
        let metadata = entry.compact.as_ref();
        let compact = CompactChunk {
            trigger: metadata.and_then(|metadata| metadata.trigger.clone()),
            pre_tokens: metadata.and_then(|metadata| metadata.pre_tokens),
            post_tokens: metadata.and_then(|metadata| metadata.post_tokens),
            summary: String::new(),
        };
        self.open(entry, ChunkBody::Compact(compact));
    }

    /// The summary belongs to the boundary before it; other records may stand between.
    fn compact_summary(&mut self, entry: &Entry) {
        let summary = self.said(entry);
        let is_compact = |chunk: &&mut Chunk| matches!(chunk.body, ChunkBody::Compact(_));
        if let Some(chunk) = self.chunks.iter_mut().rev().find(is_compact)
            && let ChunkBody::Compact(compact) = &mut chunk.body
            && compact.summary.is_empty()
        {
            compact.summary = summary;
            return extend(chunk, entry);
        }
        self.open(entry, ChunkBody::Compact(CompactChunk { summary, ..CompactChunk::default() }));
    }

    /// A record of results belongs to the chunk of its call.
    fn results(&mut self, entry: &Entry) {
        let ids = entry.blocks.iter().filter_map(|block| match block {
            Block::ToolResult { id, .. } => Some(id),
            _ => None,
        });
        let place = ids.filter_map(|id| self.called_in.get(id).copied()).next();
        match place.and_then(|place| self.chunks.get_mut(place)) {
            Some(chunk) => extend(chunk, entry),
            None => self.attach(entry),
        }
    }

    /// Adds a step of the agent, to its open chunk or to a new one.
    fn work(&mut self, entry: &Entry, step: Option<Step>) {
        if !matches!(self.chunks.last(), Some(Chunk { body: ChunkBody::Ai(_), .. })) {
            if step.is_none() {
                return;
            }
            self.open(entry, ChunkBody::Ai(AiChunk::default()));
            self.tokens_of(entry);
        }
        let place = self.chunks.len().saturating_sub(1);
        let Some(chunk) = self.chunks.last_mut() else { return };
        extend(chunk, entry);
        let ChunkBody::Ai(ai) = &mut chunk.body else { return };
        if ai.model.is_none() {
            ai.model.clone_from(&entry.model);
        }
        if let Some(step) = step {
            if let Some(ToolStep { id, .. }) = step.tool() {
                self.called_in.insert(id.clone(), place);
            }
            ai.steps.push(step);
        }
    }

    /// Counts the entry's usage for the chunk of its message, which is the agent's open one unless it began before.
    fn tokens_of(&mut self, entry: &Entry) {
        let open = self
            .chunks
            .last()
            .filter(|chunk| matches!(chunk.body, ChunkBody::Ai(_)))
            .map(|chunk| chunk.index);
        let known = entry.key.and_then(|key| self.paid_in.get(&key).copied());
        let Some(place) = known.or(open).filter(|_| entry.kind == Kind::Assistant) else { return };
        if let Some(key) = entry.key {
            self.paid_in.insert(key, place);
        }
        let tokens = self.tokens.entry(place).or_default();
        tokens.count(entry.key, entry.usage);
        tokens.count_beside(entry.key, &entry.beside);
    }

    fn attach(&mut self, entry: &Entry) {
        if let Some(chunk) = self.chunks.last_mut() {
            extend(chunk, entry);
        }
    }

    fn open(&mut self, entry: &Entry, body: ChunkBody) {
        let mut chunk =
            Chunk { index: self.chunks.len(), started_at: None, ended_at: None, records: Vec::new(), body };
        extend(&mut chunk, entry);
        self.chunks.push(chunk);
    }

    fn finish(mut self) -> Vec<Chunk> {
        for chunk in &mut self.chunks {
            if let ChunkBody::Ai(ai) = &mut chunk.body {
                ai.tokens = self.tokens.get(&chunk.index).map(MessageUsage::total).unwrap_or_default();
                ai.duration_ms = time::milliseconds(chunk.started_at, chunk.ended_at);
            }
        }
        self.chunks
    }
}

/// Adds a record to a chunk.
fn extend(chunk: &mut Chunk, entry: &Entry) {
    if chunk.records.last() != Some(&entry.at) {
        chunk.records.push(entry.at.clone());
    }
    if let Some(time) = entry.timestamp {
        chunk.started_at = Some(chunk.started_at.map_or(time, |started| started.min(time)));
        chunk.ended_at = Some(chunk.ended_at.map_or(time, |ended| ended.max(time)));
    }
}

/// The tools that are called in some of the entries.
fn called(entries: &[Entry], indices: &[usize]) -> HashSet<ToolId> {
    let blocks = indices.iter().filter_map(|index| entries.get(*index)).flat_map(|entry| &entry.blocks);
    let calls = blocks.filter_map(|block| match block {
        Block::ToolUse { id, .. } => Some(id.clone()),
        _ => None,
    });
    calls.collect()
}

/// The report of a task; `whole` is said instead of what it reports.
fn notification(entry: &Entry, text: &str, whole: Option<String>) -> Step {
    let part = |name| prompt::tag(text, name).map(|part| part.trim().to_owned());
    let said = whole.or_else(|| part("result")).or_else(|| part("summary"));
    // Where nothing is as expected, all of it is better than nothing.
    let otherwise = if part("status").is_some() { "" } else { text };
    Step::Notification(Notification {
        task: part("task-id"),
        tool_id: part("tool-use-id").map(ToolId::new),
        status: part("status"),
        text: said.unwrap_or_else(|| otherwise.to_owned()),
        record: entry.at.clone(),
    })
}

/// Who sent the first message of a text.
fn team_message(text: &str) -> TeamMessage {
    let attribute = |key| prompt::attribute(text, "teammate-message", key).map(str::to_owned);
    TeamMessage { member: attribute("teammate_id"), color: attribute("color"), summary: attribute("summary") }
}

fn media(entry: &Entry) -> Vec<Media> {
    let media = entry.blocks.iter().filter_map(|block| match block {
        Block::Media(media) => Some(media.clone()),
        _ => None,
    });
    media.collect()
}
