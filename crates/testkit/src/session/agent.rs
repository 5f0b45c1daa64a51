//! Subagents: the call in the parent, the agent's own records where the era put them, and the answer.

use serde_json::{Value, json};
use steno_transcript::{AgentId, RecordId, ToolId};

use super::{AgentFile, AssistantMessage, Session, Side};
use crate::{Era, Made};

/// A subagent under construction: settings first, then its steps.
#[derive(Debug, Clone)]
pub struct Agent {
    pub(super) session: Session,
    pub(super) prompt: String,
    pub(super) description: String,
    pub(super) answer: Option<String>,
    pub(super) background: bool,
    notified: bool,
    meta: bool,
    pub(super) team: Option<Team>,
    opened: bool,
    worked: bool,
}

/// Which team a subagent belongs to.
#[derive(Debug, Clone)]
pub struct Team {
    pub name: String,
    pub member: String,
    pub color: String,
}

impl Agent {
    pub fn prompt(mut self, text: impl Into<String>) -> Self {
        self.prompt = text.into();
        self
    }

    pub fn description(mut self, text: impl Into<String>) -> Self {
        self.description = text.into();
        self
    }

    /// The agent's type, `general-purpose` unless said otherwise.
    pub fn kind(mut self, kind: impl Into<String>) -> Self {
        self.side().kind = kind.into();
        self
    }

    /// An id of the test's choice, such as one that starts with `acompact`.
    pub fn id(mut self, id: impl Into<String>) -> Self {
        self.side().agent = Some(AgentId::new(id));
        self
    }

    /// What the agent says at the end.
    pub fn answer(mut self, text: impl Into<String>) -> Self {
        self.answer = Some(text.into());
        self
    }

    /// The agent still runs: no last word, and no result in the parent.
    pub fn running(mut self) -> Self {
        self.answer = None;
        self.notified = false;
        self
    }

    /// The parent waits for the answer; the newest era runs agents in the background unless told so.
    pub fn foreground(mut self) -> Self {
        self.background = false;
        self
    }

    /// No notification reaches the parent.
    pub fn silent(mut self) -> Self {
        self.notified = false;
        self
    }

    /// No `.meta.json` beside the file.
    pub fn without_meta(mut self) -> Self {
        self.meta = false;
        self
    }

    pub fn team(mut self, team: Team) -> Self {
        self.session.surroundings.team = Some(team.name.clone());
        self.team = Some(team);
        self
    }

    /// This file goes on from the last record of another.
    pub fn continues(mut self, last: RecordId) -> Self {
        self.session.leaf = Some(last);
        self
    }

    /// Starts this much later than the moment of the call.
    pub fn late(mut self, millis: i64) -> Self {
        self.session.now += millis;
        self
    }

    /// What the agent does between its prompt and its answer; agents of its own included.
    pub fn steps(mut self, describe: impl FnOnce(Session) -> Session) -> Self {
        self.open();
        self.worked = true;
        self.session = describe(self.session);
        self
    }

    fn side(&mut self) -> &mut Side {
        self.session.side.as_mut().expect("an agent's session is a side")
    }

    fn open(&mut self) {
        if !self.opened {
            self.opened = true;
            let text = self.prompt.clone();
            self.session.put_prompt(json!(text), &text);
        }
    }

    fn close(mut self) -> Self {
        self.open();
        if !self.worked {
            let input = json!({"command": "ls", "description": "Looks around"});
            self.session = self.session.assistant(|message| {
                message.thinking("I should look around.").tool_use("Bash", input).answered("src")
            });
        }
        if let Some(answer) = self.answer.clone() {
            self.session = self.session.assistant(|message| message.text(answer));
        }
        self
    }

    fn input(&self) -> Value {
        let kind = self.kind_text();
        let mut input =
            json!({"description": self.description, "prompt": self.prompt, "subagent_type": kind});
        if let Some(team) = &self.team {
            input["team_name"] = json!(team.name);
            input["name"] = json!(team.member);
        }
        input
    }

    pub(super) fn kind_text(&self) -> String {
        self.session.side.as_ref().map(|side| side.kind.clone()).unwrap_or_default()
    }

    pub(super) fn agent_id(&self) -> Option<AgentId> {
        self.session.side.as_ref().and_then(|side| side.agent.clone())
    }
}

impl Session {
    /// A subagent: the call, its records, and its answer.
    pub fn agent(self, describe: impl FnOnce(Agent) -> Agent) -> Self {
        let mut describe = Some(describe);
        self.agents(1, |_, agent| describe.take().map(|describe| describe(agent)).expect("called once"))
    }

    /// Several subagents called in one message, started 10 ms apart.
    pub fn agents(mut self, count: usize, mut describe: impl FnMut(usize, Agent) -> Agent) -> Self {
        let mut agents = Vec::new();
        for index in 0..count {
            let agent = describe(index, self.new_agent(count, index)).close();
            self.ids = agent.session.ids.clone();
            agents.push(agent);
        }
        let first = self.made.tools.len();
        let calls = agents.iter().fold(AssistantMessage::default(), |message, agent| {
            message.tool_use(self.era.spawner(), agent.input())
        });
        self.put_assistant(calls);
        let tools: Vec<ToolId> = self.made.tools[first..].to_vec();
        for (agent, tool) in agents.into_iter().zip(tools) {
            self.put_agent(agent, &tool);
        }
        self
    }

    /// The agent that 2.0.x started with nothing to do.
    pub fn warm_up(mut self) -> Self {
        let mut agent = self.new_agent(0, 0).prompt("Warmup").answer("Ready.");
        agent.worked = true;
        let agent = agent.close();
        self.ids = agent.session.ids.clone();
        self.keep_agent(&agent, None);
        self
    }

    /// A subagent's file with any bytes, linked to nothing.
    pub fn agent_file(mut self, id: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Self {
        let id = AgentId::new(id);
        self.agents.push(AgentFile { id, bytes: bytes.into(), meta: None, made: Made::default() });
        self
    }

    /// A background agent's answer, as the newest era tells the model.
    pub fn task_notification(mut self, agent: &str, tool: &str, answer: &str) -> Self {
        self.put_task_notification(agent, tool, answer);
        self
    }

    fn new_agent(&mut self, count: usize, index: usize) -> Agent {
        let id = self.ids.agent(self.era);
        let inline = self.era == Era::V1_0;
        let depth = self.side.as_ref().map_or(0, |side| side.depth) + 1;
        let mut session = Self::new(self.id.as_str());
        session.ids = self.ids.clone();
        session.era = self.era;
        session.surroundings = self.surroundings.clone();
        session.version.clone_from(&self.version);
        session.model.clone_from(&self.model);
        session.step = self.step;
        session.started = true;
        session.now = self.now + self.step * count as i64 + 10 * index as i64;
        session.side = Some(Side { agent: (!inline).then_some(id), kind: "general-purpose".into(), depth });
        Agent {
            session,
            prompt: "Look around and report.".into(),
            description: "Look around".into(),
            answer: Some("Nothing unusual.".into()),
            background: self.era == Era::V2_1_325,
            notified: true,
            meta: true,
            team: None,
            opened: false,
            worked: false,
        }
    }

    fn put_agent(&mut self, agent: Agent, tool: &ToolId) {
        self.agents.extend(agent.session.agents.iter().cloned());
        self.tool_results.extend(agent.session.tool_results.iter().cloned());
        self.keep_agent(&agent, Some(tool));
        if self.era == Era::V2_1_56 {
            self.repeat_as_progress(&agent, tool);
        }
        let background = agent.background && agent.team.is_none();
        if !background {
            self.now = self.now.max(agent.session.now);
        }
        if agent.answer.is_some() || background || agent.team.is_some() {
            self.put_tool_result(agent.result(self.era).to(tool.clone()));
        }
        if let (true, true, Some(id), Some(answer)) =
            (background, agent.notified, agent.agent_id(), &agent.answer)
        {
            self.now = self.now.max(agent.session.now);
            self.put_task_notification(id.as_str(), tool.as_str(), answer);
        }
    }

    /// Puts the agent's records where they belong: a file of its own, or in 1.0.x between the parent's records.
    fn keep_agent(&mut self, agent: &Agent, tool: Option<&ToolId>) {
        let made = agent.session.made.clone();
        let Some(id) = agent.agent_id() else {
            self.bytes.extend_from_slice(&agent.session.bytes);
            self.made.records.extend(made.records);
            return;
        };
        self.made.agents.push(id.clone());
        let meta = (self.era == Era::V2_1_325 && agent.meta).then(|| {
            json!({
                "agentType": agent.kind_text(), "isBuiltIn": true, "description": agent.description,
                "toolUseId": tool, "spawnDepth": agent.session.side.as_ref().map(|side| side.depth),
                "finished": agent.answer.is_some(),
            })
        });
        self.agents.push(AgentFile { id, bytes: agent.session.bytes.clone(), meta, made });
    }

    /// 2.1.56 repeats each of the agent's messages as progress of the call.
    fn repeat_as_progress(&mut self, agent: &Agent, tool: &ToolId) {
        for line in agent.session.bytes.split(|byte| *byte == b'\n') {
            let Ok(record) = serde_json::from_slice::<Value>(line) else {
                continue;
            };
            if record.get("message").is_none() {
                continue;
            }
            let message = json!({
                "type": record["type"], "message": record["message"], "uuid": record["uuid"],
                "timestamp": record["timestamp"],
            });
            self.link(json!({
                "type": "progress",
                "data": {
                    "message": message, "normalizedMessages": [], "type": "agent_progress", "prompt": agent.prompt,
                    "agentId": agent.agent_id(),
                },
                "toolUseID": format!("agent_{tool}"), "parentToolUseID": tool, "uuid": null, "timestamp": null,
            }));
        }
    }

    fn put_task_notification(&mut self, agent: &str, tool: &str, answer: &str) {
        let text = format!(
            "<task-notification>\n<task-id>{agent}</task-id>\n<tool-use-id>{tool}</tool-use-id>\n\
             <status>completed</status>\n<summary>Agent finished</summary>\n<result>{answer}</result>\n\
             </task-notification>"
        );
        self.put_queue_operation("enqueue", Some(&text));
        self.put_queue_operation("dequeue", None);
        let tail = json!({
            "permissionMode": "default", "origin": {"kind": "task-notification", "producer": "session-task"},
            "promptSource": "system", "turnOrigin": "task_notification",
        });
        self.prompt_id = self.ids.other();
        self.put_user(json!(text), json!({}), tail);
    }
}
