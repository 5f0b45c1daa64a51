//! What the client hands to a hook on standard input → observations.
//!
//! Every event and field is optional and may be unknown: clients of other versions send others. What this build does not
//! know gives no observation.

use std::hash::BuildHasher;

use serde::Deserialize;
use serde_json::Value;
use steno_live::{Background, CallKey, ClientId, Millis, Observation, SeenBy, StartedBy, What};
use steno_transcript::{AgentId, SessionId, ToolId};

/// Commands are cut: an observation says what waits, not all of it.
const DETAIL: usize = 200;

/// The fields of all events in one, as the client writes them.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct HookPayload {
    pub hook_event_name: String,
    pub session_id: String,
    pub transcript_path: Option<String>,
    pub cwd: Option<String>,
    source: Option<String>,
    reason: Option<String>,
    trigger: Option<String>,
    prompt: Option<String>,
    tool_name: Option<String>,
    tool_input: Option<Value>,
    tool_use_id: Option<ToolId>,
    tool_response: Option<Value>,
    tool_calls: Vec<ToolCall>,
    agent_id: Option<AgentId>,
    agent_type: Option<String>,
    background_tasks: Option<Vec<BackgroundTask>>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
struct ToolCall {
    tool_use_id: Option<ToolId>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
struct BackgroundTask {
    id: String,
    status: String,
}

impl HookPayload {
    /// What the event says, at the time at which its hook began.
    pub fn observations(&self, at: Millis, client: Option<&ClientId>) -> Vec<Observation> {
        let observe = |what| Observation {
            session: SessionId::new(self.session_id.clone()),
            at,
            seen_by: SeenBy::Hook,
            client: client.cloned(),
            what,
        };
        self.events().into_iter().map(observe).collect()
    }

    fn events(&self) -> Vec<What> {
        match self.hook_event_name.as_str() {
            "SessionStart" => vec![What::SessionStarted { by: self.started_by() }],
            "SessionEnd" => {
                vec![What::SessionEnded { reason: self.reason.clone().unwrap_or_else(|| "other".into()) }]
            }
            "UserPromptSubmit" => self.prompted(),
            "PreToolUse" => self.tool_began().into_iter().collect(),
            "PostToolUse" => [Some(self.tool_ended()), self.task_started()].into_iter().flatten().collect(),
            "PostToolUseFailure" | "PermissionDenied" => vec![self.tool_ended()],
            "PostToolBatch" => self.batch_ended(),
            "PermissionRequest" => self.asked().into_iter().collect(),
            "Stop" => vec![What::TurnEnded { background: self.background() }],
            "StopFailure" => vec![What::TurnEnded { background: None }],
            "SubagentStart" => self.agent().map(|id| What::AgentStarted { id }).into_iter().collect(),
            "SubagentStop" => self.agent().map(|id| What::AgentStopped { id }).into_iter().collect(),
            "PreCompact" => vec![What::CompactionBegan { manual: self.trigger.as_deref() == Some("manual") }],
            "PostCompact" => vec![What::CompactionEnded],
            _ => Vec::new(),
        }
    }

    fn started_by(&self) -> StartedBy {
        match self.source.as_deref() {
            Some("resume") => StartedBy::Resume,
            Some("clear") => StartedBy::Clear,
            Some("compact") => StartedBy::Compact,
            _ => StartedBy::Startup,
        }
    }

    /// The client prompts itself when a task in the background ends.
    fn prompted(&self) -> Vec<What> {
        let ended = self.prompt.as_deref().and_then(task_of_notification);
        let ended = ended.map(|id| What::TaskEnded { id: id.to_owned() });
        [Some(What::Prompted), ended].into_iter().flatten().collect()
    }

    fn tool_began(&self) -> Option<What> {
        Some(What::ToolBegan {
            id: self.tool_use_id.clone()?,
            tool: self.tool_name.clone()?,
            detail: self.detail(),
            call: self.call(),
            agent: self.agent_id.clone(),
        })
    }

    fn tool_ended(&self) -> What {
        What::ToolEnded { id: self.tool_use_id.clone(), call: self.call(), agent: self.agent_id.clone() }
    }

    fn batch_ended(&self) -> Vec<What> {
        let ids = self.tool_calls.iter().filter_map(|call| call.tool_use_id.clone());
        ids.map(|id| What::ToolEnded { id: Some(id), call: None, agent: self.agent_id.clone() }).collect()
    }

    /// A command or a subagent that its tool left running.
    fn task_started(&self) -> Option<What> {
        let response = self.tool_response.as_ref()?;
        let text = |key| response.get(key).and_then(Value::as_str);
        if let Some(id) = text("backgroundTaskId") {
            return Some(What::TaskStarted { id: id.to_owned() });
        }
        let is_async = response.get("isAsync").and_then(Value::as_bool) == Some(true);
        text("agentId").filter(|_| is_async).map(|id| What::AgentStarted { id: id.into() })
    }

    fn asked(&self) -> Option<What> {
        let tool = self.tool_name.clone()?;
        Some(What::Asked { detail: self.detail(), call: self.call()?, agent: self.agent_id.clone(), tool })
    }

    /// `None` of clients that list no tasks; those that do list an empty one too.
    fn background(&self) -> Option<Background> {
        let tasks = self.background_tasks.as_ref()?;
        let running = tasks.iter().filter(|task| task.status == "running");
        Some(Background::Tasks(running.map(|task| task.id.clone()).collect()))
    }

    /// A subagent without a type is the client's own: it suggests prompts, or compacts.
    fn agent(&self) -> Option<AgentId> {
        self.agent_id.clone().filter(|_| self.agent_type.as_deref().is_some_and(|kind| !kind.is_empty()))
    }

    fn detail(&self) -> Option<String> {
        let input = self.tool_input.as_ref()?;
        tool_detail(input)
    }

    fn call(&self) -> Option<CallKey> {
        let tool = self.tool_name.as_ref()?;
        let input = self.tool_input.as_ref().map(ToString::to_string).unwrap_or_default();
        Some(format!("{:016x}", foldhash::quality::FixedState::default().hash_one((tool, input))))
    }
}

/// What a person knows a call by: the command, the file, the question.
pub fn tool_detail(input: &Value) -> Option<String> {
    let keys = ["command", "file_path", "path", "url", "pattern", "query", "description", "prompt"];
    let text = keys.iter().find_map(|key| input.get(key).and_then(Value::as_str));
    let question = || input.pointer("/questions/0/question").and_then(Value::as_str);
    text.or_else(question).map(|text| text.chars().take(DETAIL).collect())
}

/// `<task-notification><task-id>…`: the task that ended.
pub fn task_of_notification(prompt: &str) -> Option<&str> {
    let text = prompt.strip_prefix("<task-notification>")?;
    let (_, text) = text.split_once("<task-id>")?;
    text.split_once("</task-id>").map(|(id, _)| id)
}
