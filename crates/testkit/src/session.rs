//! A described session → the bytes that the client of an era would have written.
//!
//! The small methods write one record each and nothing around it, so that a test says exactly what it is about;
//! [`Session::turns`] writes whole turns with everything that surrounds them in real files.

mod agent;
mod agent_result;
mod branch;
mod built;
mod compaction;
mod defect;
mod message;
mod notice;
mod person;
mod plan;
mod record;
mod request;
mod setting;
mod tool;
mod turn;
mod usage;

use serde_json::Value;
use steno_transcript::{AgentId, RecordId, SessionId};

pub use agent::{Agent, Team};
pub use built::{AgentFile, Built, ToolResultFile};
pub use compaction::Compaction;
pub use message::AssistantMessage;
pub use tool::ToolResult;
pub use usage::Usage;

use crate::{Era, Made, clock, ids::Ids};
use tool::OpenTool;

/// A session under construction. Each method takes it and gives it back, so that calls chain.
#[derive(Debug, Clone)]
pub struct Session {
    id: SessionId,
    era: Era,
    surroundings: Surroundings,
    version: Option<String>,
    model: Option<String>,
    now: i64,
    step: i64,
    started: bool,
    ids: Ids,
    made: Made,
    bytes: Vec<u8>,
    leaf: Option<RecordId>,
    prompts: Vec<Prompt>,
    open_tools: Vec<OpenTool>,
    plans: Vec<String>,
    used_tools: Vec<String>,
    spent: Usage,
    last_request: Option<String>,
    prompt_id: String,
    side: Option<Side>,
    agents: Vec<AgentFile>,
    tool_results: Vec<ToolResultFile>,
}

/// The surroundings that the records of the session name.
#[derive(Debug, Clone)]
struct Surroundings {
    cwd: String,
    branch: Option<String>,
    slug: Option<String>,
    entrypoint: String,
    team: Option<String>,
}

/// A prompt that a rewind can go back to.
#[derive(Debug, Clone)]
struct Prompt {
    parent: Option<RecordId>,
    text: String,
}

/// Set while the records belong to a subagent.
#[derive(Debug, Clone)]
struct Side {
    agent: Option<AgentId>,
    kind: String,
    depth: u32,
}

impl Session {
    /// An empty session of the newest era in `/home/dev/project`. The client resumes only ids that are UUIDs; this
    /// takes any text.
    pub fn new(id: impl Into<String>) -> Self {
        let id = SessionId::new(id);
        let mut ids = Ids::new(id.as_str());
        let prompt_id = ids.other();
        Self {
            ids,
            prompt_id,
            id,
            era: Era::V2_1_325,
            surroundings: Surroundings {
                cwd: "/home/dev/project".into(),
                branch: Some("main".into()),
                slug: None,
                entrypoint: "cli".into(),
                team: None,
            },
            version: None,
            model: None,
            now: clock::millis(Era::V2_1_325.start()),
            step: 1000,
            started: false,
            made: Made::default(),
            bytes: Vec::new(),
            leaf: None,
            prompts: Vec::new(),
            open_tools: Vec::new(),
            plans: Vec::new(),
            used_tools: Vec::new(),
            spent: Usage::NOTHING,
            last_request: None,
            side: None,
            agents: Vec::new(),
            tool_results: Vec::new(),
        }
    }

    /// A session whose id is a UUID: `00000007-5e55-4000-8000-000000000007` for 7.
    pub fn numbered(number: u32) -> Self {
        Self::new(format!("{number:08x}-5e55-4000-8000-{number:012x}"))
    }

    /// Writes what follows as this era did. The clock is moved to the era unless something was written already.
    pub fn era(mut self, era: Era) -> Self {
        self.era = era;
        if !self.started {
            self.now = clock::millis(era.start());
        }
        self
    }

    pub fn cwd(mut self, cwd: impl Into<String>) -> Self {
        self.surroundings.cwd = cwd.into();
        self
    }

    pub fn git_branch(mut self, branch: impl Into<String>) -> Self {
        self.surroundings.branch = Some(branch.into());
        self
    }

    pub fn without_git_branch(mut self) -> Self {
        self.surroundings.branch = None;
        self
    }

    pub fn slug(mut self, slug: impl Into<String>) -> Self {
        self.surroundings.slug = Some(slug.into());
        self
    }

    pub fn entrypoint(mut self, entrypoint: impl Into<String>) -> Self {
        self.surroundings.entrypoint = entrypoint.into();
        self
    }

    pub fn version(mut self, version: impl Into<String>) -> Self {
        self.version = Some(version.into());
        self
    }

    pub fn model(mut self, model: impl Into<String>) -> Self {
        self.model = Some(model.into());
        self
    }

    /// Sets the clock; the next record has this time. May go backwards, as real files do.
    pub fn at(mut self, timestamp: &str) -> Self {
        self.now = clock::millis(timestamp);
        self.started = true;
        self
    }

    /// Lets time pass (or, if negative, run back) before the next record.
    pub fn wait(mut self, millis: i64) -> Self {
        self.now += millis;
        self
    }

    /// How much later each record is than the one before; a second unless said otherwise.
    pub fn step(mut self, millis: i64) -> Self {
        self.step = millis;
        self
    }

    /// The parent of the next record.
    pub fn leaf(mut self, leaf: Option<RecordId>) -> Self {
        self.leaf = leaf;
        self
    }

    /// What follows carries another session id, as happens when a file holds several sessions.
    pub fn as_session(mut self, id: impl Into<String>) -> Self {
        self.id = SessionId::new(id);
        self
    }

    pub fn id(&self) -> &SessionId {
        &self.id
    }

    /// The twelve digits that every id of this session carries.
    pub fn stamp(&self) -> &str {
        self.ids.stamp()
    }

    pub fn project(&self) -> &str {
        &self.surroundings.cwd
    }

    /// The ids made so far.
    pub fn made(&self) -> &Made {
        &self.made
    }

    fn version_text(&self) -> String {
        self.version.clone().unwrap_or_else(|| self.era.version().to_owned())
    }

    fn model_text(&self) -> String {
        self.model.clone().unwrap_or_else(|| self.era.model().to_owned())
    }

    /// The time of the next record; each call is one step later.
    fn tick(&mut self) -> String {
        let text = clock::timestamp(self.now);
        self.now += self.step;
        self.started = true;
        text
    }

    fn put(&mut self, record: &Value) {
        serde_json::to_writer(&mut self.bytes, record).expect("a JSON value is writable");
        self.bytes.push(b'\n');
    }
}
