//! Gathered records and the model → the document: each record finds its place, or is counted as left out.

use std::collections::BTreeMap;

use serde_json::Value;
use steno_conversation::model::{self, Placing, Profile, Thread};
use steno_transcript::{AgentId, Kind};

use super::gather::{GatheredRecord, Gatherer};
use super::message::{MessageBuilder, MessageOptions, assemble};
use super::thinking::ThinkingFilter;
use super::value::object;
use super::{Agent, Conversation, Extensions, Message, Object, Source};
use crate::Detail;
use crate::roster::Tail;

/// Agents that nest deeper are beside each other: readers of JSON bear only so much nesting.
const DEEPEST: usize = 16;

impl Gatherer {
    /// `agents` are the subagents' own files, by their ids and in the order of the context's; those that `detail` does
    /// not want may be missing.
    pub fn finish(
        mut self,
        agents: Vec<(AgentId, Gatherer)>,
        conversation: &steno_conversation::Conversation,
        detail: &Detail,
    ) -> Conversation {
        let profile = &conversation.profile;
        let filter = ThinkingFilter { keeps_thinking: detail.thinking };
        let options = MessageOptions { shared: shared(profile), filter };
        let mut document = FileDocument::new(detail, detail.from_record);
        document.take(&mut self, &conversation.placing, &options);
        let mut files: Vec<Option<(AgentId, Gatherer)>> = agents.into_iter().map(Some).collect();
        if detail.agents {
            let mut agents = AgentFiles { session: &mut self, files: &mut files, detail, options: &options };
            let tail = Tail::new(conversation, detail.from_record);
            let wanted = conversation.agents.iter().filter(|agent| tail.has(agent));
            document.extensions.agents = wanted.map(|agent| agents.agent(agent, 1)).collect();
            document.count("agents", files.iter().flatten().count() as u64);
        } else {
            document.count("agents", all_agents(&conversation.agents).len() as u64);
        }
        document.count("sidechain", self.without_place(&conversation.placing));
        document.extensions.notes.clone_from(&detail.notes);
        Conversation {
            id: profile.id.clone(),
            title: profile.title.clone(),
            source: source(profile),
            started_at: profile.started_at,
            ended_at: profile.ended_at,
            messages: document.messages,
            plans: conversation.plans.clone(),
            extensions: document.extensions,
        }
    }

    /// How many records of messages have found no place.
    fn without_place(&self, placing: &[Placing]) -> u64 {
        let messages = placing.iter().filter(|placing| placing.message.is_some());
        let kept = messages.filter_map(|placing| self.records.get(placing.index));
        kept.filter(|kept| kept.said.is_some()).count() as u64
    }
}

fn source(profile: &Profile) -> Source {
    Source {
        agent: "claude-code".to_owned(),
        versions: profile.versions.clone(),
        cwd: profile.cwd.clone(),
        project_hash: profile.project_hash.clone(),
        git_branch: profile.git_branch.clone(),
    }
}

/// What the document says once, and messages only where they differ.
fn shared(profile: &Profile) -> Object {
    let version = match profile.versions.as_slice() {
        [version] => Some(version.clone()),
        _ => None,
    };
    let known = [
        ("sessionId", Some(profile.id.to_string())),
        ("cwd", profile.cwd.clone()),
        ("gitBranch", profile.git_branch.clone()),
        ("version", version),
    ];
    known.into_iter().filter_map(|(name, text)| Some((name.to_owned(), Value::String(text?)))).collect()
}

/// The document of one file while its records find their places.
struct FileDocument<'a> {
    detail: &'a Detail,
    from_record: usize,
    messages: Vec<Message>,
    extensions: Extensions,
}

impl<'a> FileDocument<'a> {
    fn new(detail: &'a Detail, from_record: usize) -> Self {
        Self { detail, from_record, messages: Vec::new(), extensions: Extensions::default() }
    }

    /// All of a file but the messages of subagents in it.
    fn take(&mut self, gathered: &mut Gatherer, placing: &[Placing], options: &MessageOptions) {
        let is_own = |placing: &&Placing| placing.thread != Thread::Sidechain;
        let own: Vec<Placing> = placing.iter().filter(is_own).cloned().collect();
        self.take_messages(gathered, &own, options);
        for placing in placing {
            if let Some(kept) = gathered.records.get(placing.index) {
                self.sort(kept, placing, options);
            }
        }
        self.count("broken", gathered.broken);
    }

    fn take_messages(&mut self, gathered: &mut Gatherer, placing: &[Placing], options: &MessageOptions) {
        let from = self.from_record;
        let is_before = |placing: &&Placing| placing.index < from && placing.thread != Thread::Repeated;
        let before = placing.iter().filter(is_before).filter(|placing| placing.message.is_some());
        let before = before.filter_map(|placing| gathered.records.get_mut(placing.index)?.said.take());
        self.count("before_tail", before.count() as u64);
        for open in assemble(&mut gathered.records, placing, options) {
            self.take_message(open, options);
        }
    }

    fn take_message(&mut self, open: MessageBuilder, options: &MessageOptions) {
        let reason = match &open {
            MessageBuilder { thread: Thread::Repeated, .. } => Some("repeated"),
            MessageBuilder { is_compact_summary: true, .. } if self.detail.without_compact_summaries => {
                Some("compact_summaries")
            }
            MessageBuilder { hidden: Some(_), .. } if !self.detail.all => Some("hidden"),
            _ => None,
        };
        if let Some(reason) = reason {
            return self.count(reason, open.records);
        }
        let thread = open.thread;
        let (message, thinking) = open.into_message(options);
        self.count("thinking", thinking);
        match thread {
            Thread::Abandoned => self.extensions.abandoned.push(message),
            _ => self.messages.push(message),
        }
    }

    /// Finds the place of a record that is no message.
    fn sort(&mut self, kept: &GatheredRecord, placing: &Placing, options: &MessageOptions) {
        let is_message = placing.message.is_some() && (kept.json.is_empty() || kept.kind == Kind::Attachment);
        if is_message {
            return;
        }
        let reason = match placing {
            Placing { thread: Thread::Repeated, .. } => Some("repeated"),
            Placing { index, .. } if *index < self.from_record => Some("before_tail"),
            _ => None,
        };
        if let Some(reason) = reason {
            return self.count(reason, 1);
        }
        let Some(list) = self.list_of(&kept.kind) else { return self.count(kept.kind.name(), 1) };
        let mut record = object(&kept.json);
        let thinking = options.filter.filter_object(&mut record);
        list.push(record);
        self.count("thinking", thinking);
    }

    /// Where records of a kind are kept.
    fn list_of(&mut self, kind: &Kind) -> Option<&mut Vec<Object>> {
        let extensions = &mut self.extensions;
        Some(match kind {
            Kind::System => &mut extensions.system_events,
            Kind::Attachment => &mut extensions.attachments,
            Kind::PermissionMode => &mut extensions.permission_modes,
            Kind::AgentName => &mut extensions.agent_names,
            Kind::CustomTitle | Kind::AiTitle | Kind::Summary => &mut extensions.titles,
            kind if !kind.is_known() => &mut extensions.unknown_records,
            _ if self.detail.all => &mut extensions.other_records,
            _ => return None,
        })
    }

    fn count(&mut self, reason: &str, count: u64) {
        count_in(&mut self.extensions.left_out, reason, count);
    }
}

fn count_in(left_out: &mut BTreeMap<String, u64>, reason: &str, count: u64) {
    if count > 0 {
        *left_out.entry(reason.to_owned()).or_default() += count;
    }
}

/// Agents and all below them.
fn all_agents(agents: &[model::Agent]) -> Vec<&model::Agent> {
    let mut all: Vec<&model::Agent> = agents.iter().collect();
    let mut place = 0;
    while let Some(agent) = all.get(place) {
        all.extend(&agent.agents);
        place += 1;
    }
    all
}

/// Where the records of agents are found.
struct AgentFiles<'a> {
    /// The session's own file, which older clients write their agents into.
    session: &'a mut Gatherer,
    files: &'a mut [Option<(AgentId, Gatherer)>],
    detail: &'a Detail,
    options: &'a MessageOptions,
}

impl AgentFiles<'_> {
    fn agent(&mut self, agent: &model::Agent, depth: usize) -> Agent {
        let mut found = self.alone(agent);
        if depth < DEEPEST {
            found.agents = agent.agents.iter().map(|agent| self.agent(agent, depth + 1)).collect();
            return found;
        }
        found.agents = all_agents(&agent.agents).into_iter().map(|agent| self.alone(agent)).collect();
        found
    }

    /// An agent's own file: the one at its place, or the first of its id where some are missing.
    fn file(&mut self, agent: &model::Agent) -> Option<Gatherer> {
        let is_its =
            |file: &Option<(AgentId, Gatherer)>| file.as_ref().is_some_and(|(id, _)| *id == agent.id);
        let place = agent.file.filter(|place| self.files.get(*place).is_some_and(is_its));
        let place = place.or_else(|| self.files.iter().position(is_its))?;
        self.files.get_mut(place)?.take().map(|(_, file)| file)
    }

    fn alone(&mut self, agent: &model::Agent) -> Agent {
        let mut document = FileDocument::new(self.detail, 0);
        if agent.path.is_none() {
            document.take_messages(self.session, &agent.placing, self.options);
        } else if let Some(mut file) = self.file(agent) {
            document.take(&mut file, &agent.placing, self.options);
        }
        Agent {
            id: agent.id.clone(),
            description: agent.description.clone(),
            kind: agent.kind.clone(),
            tool_id: agent.tool_id.clone(),
            messages: document.messages,
            extensions: document.extensions,
            agents: Vec::new(),
        }
    }
}
