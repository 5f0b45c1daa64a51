//! Records, one after the other → the facts about the session as a whole.
//!
//! These fields are computed only here: `list` needs nothing else, `show` puts them before its chunks. The profiler holds
//! a few bytes for each message and each tool call, never their text.

use std::collections::{HashMap, HashSet, VecDeque};
use std::hash::BuildHasher;

use foldhash::fast::FixedState;
use serde::{Deserialize, Serialize};
use steno_transcript::content::{self, Block};
use steno_transcript::wire::Envelope;
use steno_transcript::{AgentId, Kind, Record, SessionId, ToolId, Troubles};

use crate::activity::Activity;
use crate::activity::is_plan_tool;
use crate::beside;
use crate::entry;
use crate::model::{Profile, TitleSource};
use crate::plan_tracker::{Answer, PlanTracker};
use crate::prompt::{self, Spoken};
use crate::time::{self, Span};
use crate::title::Titles;
use crate::usage::{self, MessageKey, MessageUsage};

/// How many of the last uuids a summary at the end of the file may refer to.
const REMEMBERED_LEAVES: usize = 4096;

/// Gathers a [`Profile`] record by record. It can be stored, and go on when the file has grown.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Profiler {
    aliases: Vec<SessionId>,
    known_aliases: HashSet<u64, FixedState>,
    titles: Titles,
    cwd: Option<String>,
    git_branch: Option<String>,
    span: Span,
    main: Side,
    sidechain: Side,
    user_messages: u64,
    usage_sum: MessageUsage,
    tool_calls: HashSet<u64, FixedState>,
    models: Vec<String>,
    versions: Vec<String>,
    known_versions: HashSet<u64, FixedState>,
    agents: HashSet<AgentId>,
    /// For each sidechain record the one that starts its chain, and for each chain whether a call started it.
    chain_of: HashMap<u64, u64, FixedState>,
    chains: HashMap<u64, bool, FixedState>,
    /// User records so far, to recognise a record that is written again.
    users: HashSet<u64, FixedState>,
    plans: PlanTracker,
    leaves: VecDeque<u64>,
    own_summaries: HashSet<u64>,
    open_summaries: HashSet<u64>,
}

/// Counts of the main conversation, or of the sidechain records. A file of only sidechain records is an agent's, and there
/// they are the conversation.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Side {
    records: u64,
    turns: u64,
    first_prompt: Option<String>,
    activity: Activity,
}

/// A finished profile, and facts that the caller needs to complete it.
#[derive(Debug, Serialize, Deserialize)]
pub struct Gathered {
    pub profile: Profile,
    /// The agent was at work when the file ended; with a file touched lately, it still is.
    pub is_unfinished: bool,
    /// Agents that results of this session name.
    pub agents: HashSet<AgentId>,
    /// Agents whose records are in the session's own file, as older clients write them.
    pub inline_agents: u64,
}

impl Profiler {
    pub fn observe(&mut self, record: &Record<'_>, troubles: &mut Troubles) {
        self.observe_envelope(&record.envelope, troubles);
        match record.kind() {
            Kind::Assistant => self.observe_assistant(record, troubles),
            Kind::User => self.observe_user(record, troubles),
            Kind::Attachment => self.observe_attachment(&record.envelope, troubles),
            Kind::CustomTitle => self.offer(TitleSource::Custom, record.envelope.custom_title.as_deref()),
            Kind::AiTitle => self.offer(TitleSource::Ai, record.envelope.ai_title.as_deref()),
            Kind::Summary => self.observe_summary(&record.envelope),
            _ => {}
        }
    }

    /// The fields that records of any type have.
    fn observe_envelope(&mut self, envelope: &Envelope<'_>, troubles: &mut Troubles) {
        if let Some(id) = envelope.session_id.as_deref()
            && self.aliases.last().is_none_or(|last| last.as_str() != id)
            && self.known_aliases.insert(hash(id))
        {
            self.aliases.push(SessionId::from(id));
        }
        time::of(envelope, troubles).into_iter().for_each(|time| self.span.add(time));
        if self.cwd.is_none() {
            self.cwd = envelope.cwd.as_deref().map(str::to_owned);
        }
        if let Some(branch) = envelope.git_branch.as_deref().filter(|branch| !branch.is_empty())
            && self.git_branch.as_deref() != Some(branch)
        {
            self.git_branch = Some(branch.to_owned());
        }
        if let Some(version) = envelope.version.as_deref()
            && self.versions.last().is_none_or(|last| last != version)
            && self.known_versions.insert(hash(version))
        {
            self.versions.push(version.to_owned());
        }
        self.offer(TitleSource::Slug, envelope.slug.as_deref());
        if let Some(uuid) = envelope.uuid.as_deref().map(hash) {
            self.remember_leaf(uuid);
            self.observe_sidechain(uuid, envelope);
        }
    }

    /// Which chain a sidechain record belongs to: its parent's, or one that it starts.
    fn observe_sidechain(&mut self, uuid: u64, envelope: &Envelope<'_>) {
        if envelope.is_sidechain.0 {
            let parent = envelope.parent_uuid.as_deref().map(hash);
            let root = parent.and_then(|parent| self.chain_of.get(&parent).copied()).unwrap_or(uuid);
            self.chain_of.insert(uuid, root);
        }
    }

    /// The first text of a chain tells whether a call started that agent: the client's own warm-ups say "Warmup".
    fn observe_chain(&mut self, envelope: &Envelope<'_>, blocks: &[Block<'_>]) {
        let root = envelope.uuid.as_deref().and_then(|uuid| self.chain_of.get(&hash(uuid)).copied());
        if let Some(root) = root {
            self.chains.entry(root).or_insert_with(|| entry::spoken(blocks).trim() != "Warmup");
        }
    }

    fn remember_leaf(&mut self, leaf: u64) {
        if self.open_summaries.contains(&leaf) {
            self.own_summaries.insert(leaf);
        }
        if self.leaves.len() == REMEMBERED_LEAVES {
            self.leaves.pop_front();
        }
        self.leaves.push_back(leaf);
    }

    fn observe_summary(&mut self, envelope: &Envelope<'_>) {
        let Some(text) = envelope.summary.as_deref() else { return };
        let leaf = envelope.leaf_uuid.as_deref().unwrap_or_default();
        self.titles.offer_summary(leaf, text);
        let leaf = hash(leaf);
        if self.leaves.contains(&leaf) {
            self.own_summaries.insert(leaf);
        } else {
            self.open_summaries.insert(leaf);
        }
    }

    fn observe_assistant(&mut self, record: &Record<'_>, troubles: &mut Troubles) {
        let is_sidechain = record.envelope.is_sidechain.0;
        self.side(is_sidechain).records += 1;
        let message = record.message();
        let usage = message.map(usage::of_message).unwrap_or_default();
        let key = message.and_then(|message| MessageKey::of(record, message));
        self.usage_sum.count(key, usage);
        self.usage_sum.count_beside(key, &message.map(beside::of_message).unwrap_or_default());
        let model = message.and_then(|message| message.model.as_deref());
        push_new(&mut self.models, model.filter(|model| *model != "<synthetic>"));
        let blocks = record.blocks(troubles);
        self.observe_calls(&blocks, &record.envelope);
        let stop_reason = message.and_then(|message| message.stop_reason.as_deref());
        self.side(is_sidechain).activity.assistant(&blocks, stop_reason);
    }

    fn observe_calls(&mut self, blocks: &[Block<'_>], envelope: &Envelope<'_>) {
        for block in blocks {
            if let Block::ToolUse(call) = block {
                self.tool_calls.insert(hash(&call.id));
                if is_plan_tool(&call.name) {
                    let at = envelope.timestamp.as_deref().and_then(time::parse);
                    self.plans.propose(&ToolId::from(&*call.id), call.input, at);
                }
            }
        }
    }

    fn observe_user(&mut self, record: &Record<'_>, troubles: &mut Troubles) {
        let envelope = &record.envelope;
        if self.is_replay(envelope) {
            return;
        }
        self.user_messages += 1;
        let blocks = record.blocks(troubles);
        self.observe_calls(&blocks, envelope);
        let is_result = self.observe_results(&blocks, envelope, troubles);
        if envelope.is_sidechain.0 && !envelope.is_meta.0 && !is_result {
            self.observe_chain(envelope, &blocks);
        }
        let side = self.side(envelope.is_sidechain.0);
        side.records += 1;
        if is_result {
            let is_interrupted = blocks.iter().any(is_interruption);
            side.activity.result(is_interrupted);
        } else if !envelope.is_meta.0 && !envelope.is_compact_summary.0 {
            self.observe_prompt(&blocks, envelope.is_sidechain.0);
        }
    }

    /// The same record again, as forks and compactions leave it: the same uuid at the same time.
    fn is_replay(&mut self, envelope: &Envelope<'_>) -> bool {
        match (envelope.uuid.as_deref(), envelope.timestamp.as_deref()) {
            (Some(uuid), Some(time)) => !self.users.insert(FixedState::default().hash_one((uuid, time))),
            _ => false,
        }
    }

    /// Looks at the tool results among the blocks; false when there are none.
    fn observe_results(
        &mut self,
        blocks: &[Block<'_>],
        envelope: &Envelope<'_>,
        troubles: &mut Troubles,
    ) -> bool {
        let results = || {
            blocks.iter().filter_map(|block| match block {
                Block::ToolResult(result) => Some(result),
                _ => None,
            })
        };
        let structured = envelope.tool_use_result.filter(|_| results().count() == 1);
        for result in results() {
            let id = ToolId::from(&*result.tool_use_id);
            if self.plans.of_tool(&id).is_some() {
                let text = entry::spoken(&content::blocks(result.content, troubles));
                let feedback = envelope.user_feedback.as_deref();
                self.plans
                    .answer(&id, &Answer { text: &text, is_error: result.is_error, structured, feedback });
            }
        }
        self.agents.extend(structured.and_then(crate::verdict::agent_id));
        results().next().is_some()
    }

    fn observe_prompt(&mut self, blocks: &[Block<'_>], is_sidechain: bool) {
        let text = entry::spoken(blocks);
        match prompt::classify(&text) {
            Spoken::Interruption(_) => self.side(is_sidechain).activity.end(),
            Spoken::ImplementPlan(request) => drop(self.plans.implement(request)),
            _ => {}
        }
        if entry::is_prompt_text(&text, entry::has_media(blocks)) {
            self.side(is_sidechain).turn(&text);
        }
    }

    fn observe_attachment(&mut self, envelope: &Envelope<'_>, troubles: &mut Troubles) {
        if !envelope.attachment.is_some_and(|raw| raw.get().contains("queued_command")) {
            return;
        }
        let queued = entry::queued_command(envelope, troubles).filter(entry::Queued::is_prompt);
        if let Some(queued) = queued.filter(|_| !self.is_replay(envelope)) {
            let side = self.side(envelope.is_sidechain.0);
            side.records += 1;
            side.turn(&entry::spoken(&queued.blocks));
        }
    }

    fn side(&mut self, is_sidechain: bool) -> &mut Side {
        if is_sidechain { &mut self.sidechain } else { &mut self.main }
    }

    fn offer(&mut self, source: TitleSource, text: Option<&str>) {
        if let Some(text) = text {
            self.titles.offer(source, text);
        }
    }

    /// The profile of the session with that id. The caller adds facts from outside the transcript, such as its path.
    pub fn finish(mut self, id: SessionId) -> Gathered {
        let is_agents = self.main.records == 0;
        let called = self.chains.values().filter(|called| **called).count() as u64;
        let inline_agents = if is_agents { 0 } else { called };
        let side = if is_agents { self.sidechain } else { self.main };
        if let Some(plan) = self.plans.approved_heading() {
            self.titles.offer(TitleSource::Plan, &plan);
        }
        if let Some(prompt) = &side.first_prompt {
            self.titles.offer(TitleSource::Prompt, prompt);
        }
        let title = self.titles.settle(|leaf| self.own_summaries.contains(&hash(leaf)));
        let Span(span) = self.span;
        let profile = Profile {
            aliases: self.aliases.into_iter().filter(|alias| *alias != id).collect(),
            id,
            title_source: title.as_ref().map(|(source, _)| *source),
            title: title.map(|(_, text)| text),
            project_hash: None,
            cwd: self.cwd,
            git_branch: self.git_branch,
            started_at: span.map(|(least, _)| least),
            ended_at: span.map(|(_, greatest)| greatest),
            messages: self.user_messages + self.usage_sum.messages(),
            turns: side.turns,
            tool_calls: self.tool_calls.len() as u64,
            models: self.models,
            versions: self.versions,
            tokens: self.usage_sum.total(),
            size_bytes: 0,
            ongoing: false,
            live: false,
            kept: false,
            path: None,
            cloned_from: None,
        };
        Gathered { profile, is_unfinished: side.activity.is_unfinished(), agents: self.agents, inline_agents }
    }
}

impl Side {
    fn turn(&mut self, prompt: &str) {
        self.turns += 1;
        if self.first_prompt.is_none() {
            self.first_prompt = crate::title::one_line(prompt);
        }
    }
}

fn is_interruption(block: &Block<'_>) -> bool {
    matches!(block, Block::Text(text) if matches!(prompt::classify(&text.get()), Spoken::Interruption(_)))
}

fn push_new(seen: &mut Vec<String>, text: Option<&str>) {
    if let Some(text) = text
        && seen.last().is_none_or(|last| last != text)
        && !seen.iter().any(|known| known == text)
    {
        seen.push(text.to_owned());
    }
}

fn hash(text: &str) -> u64 {
    FixedState::default().hash_one(text)
}
