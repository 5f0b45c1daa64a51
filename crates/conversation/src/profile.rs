//! Records, as they stream by → what is known of the session as a whole.
//!
//! The one place where these fields are computed: `list` reads nothing else, `show` puts them before its chunks.
//! It holds a few bytes for each message and each tool call, never their text.

use std::collections::{HashSet, VecDeque};
use std::hash::BuildHasher;

use foldhash::fast::FixedState;
use jiff::Timestamp;
use steno_transcript::content::Block;
use steno_transcript::wire::Envelope;
use steno_transcript::{AgentId, Kind, Record, SessionId, Trouble, Troubles};

use crate::activity::Activity;
use crate::entry;
use crate::model::{Profile, TitleSource};
use crate::prompt::{self, Spoken};
use crate::time;
use crate::title::Titles;
use crate::usage::{self, Ledger, MessageKey};
use crate::verdict::PlanWatch;

/// How many of the last uuids a summary at the end of the file may mean.
const REMEMBERED_LEAVES: usize = 4096;

/// Gathers a [`Profile`] record by record.
#[derive(Debug, Default)]
pub struct Profiler {
    aliases: Vec<SessionId>,
    titles: Titles,
    cwd: Option<String>,
    git_branch: Option<String>,
    span: Option<(Timestamp, Timestamp)>,
    main: Side,
    sidechain: Side,
    user_messages: u64,
    ledger: Ledger,
    tool_calls: HashSet<u64, FixedState>,
    models: Vec<String>,
    versions: Vec<String>,
    agents: Vec<AgentId>,
    inline_agents: u64,
    /// The sidechain records so far, to know which of them starts a chain; and whether the current one does not.
    sidechain_records: HashSet<u64, FixedState>,
    follows_sidechain: bool,
    plans: PlanWatch,
    leaves: VecDeque<u64>,
    own_summaries: HashSet<u64>,
    open_summaries: HashSet<u64>,
}

/// What is counted for the main conversation and for sidechain records apart: a file that has nothing but
/// sidechain records is an agent's, and there they are the conversation.
#[derive(Debug, Default)]
struct Side {
    records: u64,
    turns: u64,
    first_prompt: Option<String>,
    activity: Activity,
}

/// A finished profile with what is needed to complete it.
#[derive(Debug)]
pub struct Gathered {
    pub profile: Profile,
    /// The agent was at work when the file ended; with a file touched lately, it still is.
    pub is_unfinished: bool,
    /// Agents that results of this session name.
    pub agents: Vec<AgentId>,
    /// Agents whose records stand in the session's own file, as older clients write them.
    pub inline_agents: u64,
}

impl Profiler {
    pub fn observe(&mut self, record: &Record<'_>, troubles: &mut Troubles) {
        self.observe_envelope(&record.envelope, troubles);
        match record.kind() {
            Kind::Assistant => self.observe_assistant(record),
            Kind::User => self.observe_user(record, troubles),
            Kind::Attachment => self.observe_attachment(&record.envelope, troubles),
            Kind::CustomTitle => self.offer(TitleSource::Custom, record.envelope.custom_title.as_deref()),
            Kind::AiTitle => self.offer(TitleSource::Ai, record.envelope.ai_title.as_deref()),
            Kind::Summary => self.observe_summary(&record.envelope),
            _ => {}
        }
    }

    /// What every record tells, whatever its type.
    pub(crate) fn observe_envelope(&mut self, envelope: &Envelope<'_>, troubles: &mut Troubles) {
        if let Some(id) = envelope.session_id.as_deref()
            && !self.aliases.iter().rev().any(|alias| alias.as_str() == id)
        {
            self.aliases.push(SessionId::from(id));
        }
        match envelope.timestamp.as_deref().map(time::parse) {
            Some(Some(time)) => {
                let (least, greatest) = self.span.get_or_insert((time, time));
                *least = time.min(*least);
                *greatest = time.max(*greatest);
            }
            Some(None) => troubles.add(Trouble::OddField),
            None => {}
        }
        if self.cwd.is_none() {
            self.cwd = envelope.cwd.as_deref().map(str::to_owned);
        }
        if let Some(branch) = envelope.git_branch.as_deref().filter(|branch| !branch.is_empty())
            && self.git_branch.as_deref() != Some(branch)
        {
            self.git_branch = Some(branch.to_owned());
        }
        push_new(&mut self.versions, envelope.version.as_deref());
        self.offer(TitleSource::Slug, envelope.slug.as_deref());
        if let Some(uuid) = envelope.uuid.as_deref().map(hash) {
            self.remember_leaf(uuid);
            self.observe_sidechain(uuid, envelope);
        }
    }

    fn observe_sidechain(&mut self, uuid: u64, envelope: &Envelope<'_>) {
        if !envelope.is_sidechain.0 {
            return;
        }
        let parent = envelope.parent_uuid.as_deref().map(hash);
        self.follows_sidechain = parent.is_some_and(|parent| self.sidechain_records.contains(&parent));
        self.sidechain_records.insert(uuid);
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

    fn observe_assistant(&mut self, record: &Record<'_>) {
        let is_sidechain = record.envelope.is_sidechain.0;
        self.side(is_sidechain).records += 1;
        let Some(message) = record.message() else {
            self.ledger.count(None, usage::Usage::default());
            return;
        };
        self.ledger.count(MessageKey::of(record, message), usage::of_message(message));
        push_new(&mut self.models, message.model.as_deref().filter(|model| *model != "<synthetic>"));
        for block in &message.content.0 {
            if let Block::ToolUse(call) = block {
                self.tool_calls.insert(hash(&call.id));
                self.plans.call(call);
            }
        }
        self.side(is_sidechain).activity.assistant(&message.content.0, message.stop_reason.as_deref());
    }

    fn observe_user(&mut self, record: &Record<'_>, troubles: &mut Troubles) {
        let envelope = &record.envelope;
        self.user_messages += 1;
        let blocks = record.blocks(troubles);
        let is_result = self.observe_results(&blocks, envelope, troubles);
        let is_root = envelope.is_sidechain.0 && !self.follows_sidechain;
        if is_root && !is_result && !is_warm_up(&blocks) {
            self.inline_agents += 1;
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

    /// Looks at the tool results among the blocks; false when there are none.
    fn observe_results(
        &mut self,
        blocks: &[Block<'_>],
        envelope: &Envelope<'_>,
        troubles: &mut Troubles,
    ) -> bool {
        let mut found = false;
        for block in blocks {
            if let Block::ToolResult(result) = block {
                found = true;
                self.plans.result(result, envelope.tool_use_result, troubles);
            }
        }
        if found && let Some(agent) = envelope.tool_use_result.and_then(crate::verdict::agent_id) {
            self.agents.push(agent);
        }
        found
    }

    fn observe_prompt(&mut self, blocks: &[Block<'_>], is_sidechain: bool) {
        let texts = blocks.iter().filter_map(|block| match block {
            Block::Text(text) => Some(prompt::without_context(&text.get()).to_owned()),
            _ => None,
        });
        let text = texts.filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n\n");
        let spoken = prompt::classify(&text);
        if let Spoken::Interruption(_) = spoken {
            self.side(is_sidechain).activity.end();
        }
        if let Spoken::ImplementPlan(plan) = spoken {
            self.plans.implement(plan);
        }
        let has_image = blocks.iter().any(|block| matches!(block, Block::Image(_) | Block::Document(_)));
        if entry::is_prompt_text(&text, has_image) {
            let title = match spoken {
                Spoken::ImplementPlan(plan) => plan,
                _ => &text,
            };
            self.side(is_sidechain).turn(title);
        }
    }

    fn observe_attachment(&mut self, envelope: &Envelope<'_>, troubles: &mut Troubles) {
        if !envelope.attachment.is_some_and(|raw| raw.get().contains("queued_command")) {
            return;
        }
        if let Some(blocks) = entry::queued_prompt(envelope, troubles) {
            self.side(envelope.is_sidechain.0).records += 1;
            let text = blocks.iter().find_map(|block| match block {
                Block::Text(text) => Some(text.get()),
                _ => None,
            });
            self.side(envelope.is_sidechain.0).turn(&text.unwrap_or_default());
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

    /// The profile of the session with that id; what only its surroundings know is left for the caller.
    pub fn finish(mut self, id: SessionId) -> Gathered {
        let is_agents = self.main.records == 0;
        let inline_agents = if is_agents { 0 } else { self.inline_agents };
        let side = if is_agents { self.sidechain } else { self.main };
        if let Some(plan) = self.plans.approved_heading() {
            self.titles.offer(TitleSource::Plan, &plan);
        }
        if let Some(prompt) = &side.first_prompt {
            self.titles.offer(TitleSource::Prompt, prompt);
        }
        let title = self.titles.settle(|leaf| self.own_summaries.contains(&hash(leaf)));
        let profile = Profile {
            aliases: self.aliases.into_iter().filter(|alias| *alias != id).collect(),
            id,
            title_source: title.as_ref().map(|(source, _)| *source),
            title: title.map(|(_, text)| text),
            project_hash: None,
            cwd: self.cwd,
            git_branch: self.git_branch,
            started_at: self.span.map(|(least, _)| least),
            ended_at: self.span.map(|(_, greatest)| greatest),
            messages: self.user_messages + self.ledger.messages(),
            turns: side.turns,
            tool_calls: self.tool_calls.len() as u64,
            models: self.models,
            versions: self.versions,
            tokens: self.ledger.total(),
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

fn is_warm_up(blocks: &[Block<'_>]) -> bool {
    matches!(blocks, [Block::Text(text)] if text.get().trim() == "Warmup")
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
