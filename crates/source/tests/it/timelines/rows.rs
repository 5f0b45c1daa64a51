//! The rows of a timeline → observations, with the time at which each became visible.

use std::collections::BTreeMap;

use serde_json::{Map, Value};
use steno_live::{Background, ClientId, ClientStatus, Observation, SeenBy, Status, What};
use steno_source::{HookPayload, task_of_notification};
use steno_transcript::{AgentId, SessionId};

#[derive(Debug, serde::Deserialize)]
pub(super) struct Row(pub(super) Value);

impl Row {
    pub(super) fn t(&self) -> i64 {
        self.0["t"].as_i64().unwrap()
    }

    pub(super) fn text(&self, key: &str) -> &str {
        self.0[key].as_str().unwrap_or_default()
    }

    pub(super) fn is(&self, source: &str) -> bool {
        self.text("source") == source
    }
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Sources {
    registry: bool,
    hooks: bool,
    transcripts: bool,
}

impl Sources {
    pub(super) const ALL: Self = Self { registry: true, hooks: true, transcripts: true };
    pub(super) const NOTHING_INSTALLED: Self = Self { hooks: false, ..Self::ALL };
    pub(super) const REGISTRY: Self = Self { registry: true, hooks: false, transcripts: false };
    pub(super) const HOOKS: Self = Self { hooks: true, registry: false, transcripts: false };
}

pub(super) fn observations(rows: &[Row], sources: Sources) -> Vec<(i64, Observation)> {
    let mut reader = Reader { sources, ..Reader::default() };
    rows.iter().for_each(|row| reader.read(row));
    reader.seen.sort_by_key(|(at, _)| *at);
    reader.seen
}

#[derive(Default)]
struct Reader {
    sources: Sources,
    seen: Vec<(i64, Observation)>,
    /// How often each client was started: a new process each time.
    starts: BTreeMap<String, u32>,
    entries: BTreeMap<String, Map<String, Value>>,
    sessions: BTreeMap<String, SessionId>,
}

impl Default for Sources {
    fn default() -> Self {
        Self::ALL
    }
}

impl Reader {
    fn read(&mut self, row: &Row) {
        match row.text("source") {
            "step" => self.step(row),
            "registry" => self.registry(row),
            "hook" => self.hook(row),
            "transcript" if self.sources.transcripts => self.transcript(row),
            _ => {}
        }
    }

    fn client(&self, name: &str) -> ClientId {
        ClientId {
            pid: u32::from(name.as_bytes()[0]),
            start: self.starts.get(name).copied().unwrap_or(1).to_string(),
        }
    }

    fn push(&mut self, at: i64, observation: Observation) {
        self.seen.push((at, observation));
    }

    fn gone(&mut self, name: &str, at: i64, seen_by: SeenBy, killed: bool) {
        let Some(session) = self.sessions.get(name).cloned() else { return };
        let client = Some(self.client(name));
        self.push(at, Observation { session, at, seen_by, client, what: What::Gone { killed } });
    }

    fn step(&mut self, row: &Row) {
        let client = if row.text("client").is_empty() { "a" } else { row.text("client") }.to_owned();
        match row.text("do") {
            "start" => {
                *self.starts.entry(client.clone()).or_default() += 1;
                self.entries.remove(&client);
            }
            "kill" if row.0["signal"].is_null() => self.gone(&client, row.t() + 100, SeenBy::Processes, true),
            _ => {}
        }
    }

    fn registry(&mut self, row: &Row) {
        if !self.sources.registry {
            return;
        }
        let name = row.text("client").to_owned();
        if row.text("event") == "vanish" {
            return self.gone(&name, row.t(), SeenBy::Registry, false);
        }
        let entry = self.entries.entry(name.clone()).or_default();
        for fields in ["fields", "changed"] {
            entry.extend(row.0[fields].as_object().cloned().unwrap_or_default());
        }
        let text = |key: &str| entry.get(key).and_then(Value::as_str);
        let time = |key: &str| text(key).and_then(|text| text.strip_prefix("ms+")?.parse::<i64>().ok());
        let status = text("status").map(|status| serde_json::from_value::<Status>(status.into()).unwrap());
        let at = time("updatedAt").or(time("startedAt")).unwrap();
        let what = What::Status(ClientStatus {
            status,
            waiting_for: text("waitingFor").map(str::to_owned),
            since: time("statusUpdatedAt").unwrap_or(at),
            headless: text("entrypoint") == Some("sdk-cli"),
        });
        let session: SessionId = text("sessionId").unwrap().into();
        self.sessions.insert(name.clone(), session.clone());
        let client = Some(self.client(&name));
        self.push(row.t(), Observation { session, at, seen_by: SeenBy::Registry, client, what });
    }

    fn hook(&mut self, row: &Row) {
        // The rig's own notes on a held hook: answered, closed.
        if row.0["payload"].is_null() {
            return;
        }
        let payload: HookPayload = serde_json::from_value(row.0["payload"].clone()).unwrap();
        let name = row.text("client").to_owned();
        if self.sources.hooks {
            self.sessions.insert(name.clone(), payload.session_id.as_str().into());
            let client = self.client(&name);
            for observation in payload.observations(row.t(), Some(&client)) {
                self.push(row.t(), observation);
            }
        }
    }

    fn transcript(&mut self, row: &Row) {
        let file = row.text("file");
        let session: SessionId = file.split(['.', '/']).next().unwrap().into();
        let agent =
            file.rsplit_once("/agent-").map(|(_, name)| AgentId::from(name.trim_end_matches(".jsonl")));
        let at = row.text("timestamp").strip_prefix("ms+").map_or(row.t(), |at| at.parse().unwrap());
        for what in record(row, agent.as_ref()) {
            let session = session.clone();
            self.push(row.t(), Observation { session, at, seen_by: SeenBy::Transcript, client: None, what });
        }
    }
}

/// A timeline holds summaries of records: `tool_use Bash toolu_1`.
fn record(row: &Row, agent: Option<&AgentId>) -> Vec<What> {
    let blocks: Vec<&str> =
        row.0["blocks"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let agent = agent.cloned();
    match (row.text("type"), row.text("subtype")) {
        ("system", "turn_duration") if agent.is_none() => {
            let agents = row.0["pendingBackgroundAgentCount"].as_u64().map(|n| Background::Agents(n as u32));
            vec![What::TurnEnded { background: agents }]
        }
        ("system", "stop_hook_summary") if agent.is_none() => vec![What::TurnEnded { background: None }],
        ("assistant", _) => {
            let called = blocks.iter().filter_map(|block| block.strip_prefix("tool_use ")?.split_once(' '));
            let called = called.map(|(tool, id)| What::ToolBegan {
                id: steno_transcript::ToolId::from(id),
                tool: tool.into(),
                detail: None,
                call: None,
                agent: agent.clone(),
            });
            let spoke = agent.is_none().then_some(What::Spoke);
            spoke.into_iter().chain(called).collect()
        }
        ("user", _) => user(row, &blocks, agent),
        _ => Vec::new(),
    }
}

fn user(row: &Row, blocks: &[&str], agent: Option<AgentId>) -> Vec<What> {
    if blocks.iter().any(|block| block.starts_with("text [Request interrupted by user")) && agent.is_none() {
        return vec![What::Interrupted];
    }
    let results = blocks.iter().filter_map(|block| block.strip_prefix("tool_result ")?.split(' ').next());
    let ended = |id| What::ToolEnded {
        id: Some(steno_transcript::ToolId::from(id)),
        call: None,
        agent: agent.clone(),
    };
    let mut seen: Vec<_> = results.map(ended).collect();
    let text = row.text("text");
    let is_prompt = !text.is_empty() && !text.starts_with("<command-") && !text.starts_with("<local-command");
    let is_meta = row.0["isMeta"] == true || row.0["isCompactSummary"] == true;
    if is_prompt && !is_meta && agent.is_none() {
        seen.push(What::Prompted);
        seen.extend(task_of_notification(text).map(|id| What::TaskEnded { id: id.into() }));
    }
    seen
}
