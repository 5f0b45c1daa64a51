//! A record of a transcript → what it says of the running session.

use serde_json::Value;
use steno_conversation::{Spoken, classify, is_prompt, time_of};
use steno_live::{Background, Millis, Observation, SeenBy, What};
use steno_source::{task_of_notification, tool_detail};
use steno_transcript::content::{Block, ToolResult, ToolUse};
use steno_transcript::{AgentId, Kind, Record, SessionId, ToolId, Troubles};

/// What the model said is cut to this many characters.
const TEXT: usize = 300;

/// What the records of one file said.
#[derive(Debug)]
pub(super) struct Seen {
    session: SessionId,
    /// The subagent whose file it is.
    agent: Option<AgentId>,
    /// When the lines were read, if they were written since the last look.
    read_at: Option<Millis>,
    last_time: Millis,
    pub(super) observations: Vec<Observation>,
    pub(super) last_text: Option<String>,
}

impl Seen {
    pub(super) fn new(session: &SessionId, agent: Option<AgentId>, read_at: Option<Millis>) -> Self {
        let last_time = read_at.unwrap_or_default();
        Self {
            session: session.clone(),
            agent,
            read_at,
            last_time,
            observations: Vec::new(),
            last_text: None,
        }
    }

    fn push(&mut self, at: Millis, what: What) {
        let session = self.session.clone();
        self.observations.push(Observation { session, at, seen_by: SeenBy::Transcript, client: None, what });
    }
}

pub(super) fn observe(record: &Record<'_>, seen: &mut Seen) {
    let mut troubles = Troubles::default();
    let Some(time) = time_of(&record.envelope, &mut troubles) else { return untimed(record, seen) };
    let at = time.as_millisecond();
    seen.last_time = at;
    if record.envelope.is_sidechain.0 && seen.agent.is_none() {
        return;
    }
    match record.kind() {
        Kind::Assistant => assistant(record, at, seen),
        Kind::User | Kind::Attachment => user(record, at, seen),
        Kind::System if seen.agent.is_none() => system(record, at, seen),
        _ => {}
    }
}

/// Records without a time were written a moment ago, or after the record before them.
fn untimed(record: &Record<'_>, seen: &mut Seen) {
    let at = seen.read_at.unwrap_or(seen.last_time);
    let field = |name| record.fields().and_then(|fields| Some(fields.get(name)?.get().to_owned()));
    match record.kind() {
        Kind::ToolsUsed => {
            let tools: Option<Vec<String>> =
                field("tools").and_then(|tools| serde_json::from_str(&tools).ok());
            tools.into_iter().flatten().for_each(|tool| seen.push(at, What::ToolNamed { tool }));
        }
        Kind::PermissionMode => {
            let mode = field("permissionMode").and_then(|mode| serde_json::from_str(&mode).ok());
            mode.into_iter().for_each(|mode| seen.push(at, What::Mode { mode }));
        }
        _ => {}
    }
}

fn assistant(record: &Record<'_>, at: Millis, seen: &mut Seen) {
    let agent = seen.agent.clone();
    if agent.is_none() {
        seen.push(at, What::Spoke);
    }
    for block in record.blocks(&mut Troubles::default()).iter() {
        match block {
            Block::ToolUse(call) => seen.push(at, began(call, agent.clone())),
            Block::Text(text) if agent.is_none() => {
                seen.last_text = Some(text.get().chars().take(TEXT).collect())
            }
            _ => {}
        }
    }
    // The client gave up: the request failed for good.
    if record.envelope.is_api_error.0 && agent.is_none() {
        seen.push(at, What::TurnEnded { background: None });
    }
}

fn began(call: &ToolUse<'_>, agent: Option<AgentId>) -> What {
    let input = call.input.and_then(|input| serde_json::from_str::<Value>(input.get()).ok());
    What::ToolBegan {
        id: ToolId::new(call.id.clone()),
        tool: call.name.to_string(),
        detail: input.as_ref().and_then(tool_detail),
        call: None,
        agent,
    }
}

fn user(record: &Record<'_>, at: Millis, seen: &mut Seen) {
    let mut troubles = Troubles::default();
    let blocks = record.blocks(&mut troubles);
    for block in blocks.iter() {
        match block {
            Block::ToolResult(result) => ended(record, result, at, seen),
            Block::Text(text) if seen.agent.is_none() => spoken(&text.get(), at, seen),
            _ => {}
        }
    }
    if seen.agent.is_none() && is_prompt(record, &mut troubles) {
        seen.push(at, What::Prompted);
    }
}

fn ended(record: &Record<'_>, result: &ToolResult<'_>, at: Millis, seen: &mut Seen) {
    let id = Some(ToolId::new(result.tool_use_id.clone()));
    seen.push(at, What::ToolEnded { id, call: None, agent: seen.agent.clone() });
    let told =
        record.envelope.tool_use_result.and_then(|told| serde_json::from_str::<Value>(told.get()).ok());
    let Some(told) = told else { return };
    let text = |key: &str| told.get(key).and_then(Value::as_str);
    if let Some(id) = text("backgroundTaskId") {
        seen.push(at, What::TaskStarted { id: id.to_owned() });
    }
    if told.get("isAsync") == Some(&Value::Bool(true))
        && let Some(id) = text("agentId")
    {
        seen.push(at, What::AgentStarted { id: id.into() });
    }
}

/// Texts that the client writes in the person's name.
fn spoken(text: &str, at: Millis, seen: &mut Seen) {
    match classify(text) {
        Spoken::Interruption(_) => seen.push(at, What::Interrupted),
        Spoken::TaskNotification(text) => {
            seen.push(at, What::Prompted);
            if let Some(id) = task_of_notification(text) {
                seen.push(at, What::TaskEnded { id: id.to_owned() });
            }
        }
        _ => {}
    }
}

fn system(record: &Record<'_>, at: Millis, seen: &mut Seen) {
    match record.envelope.subtype.as_deref() {
        Some("stop_hook_summary") => seen.push(at, What::TurnEnded { background: None }),
        Some("turn_duration") => seen.push(at, What::TurnEnded { background: agents(record) }),
        _ => {}
    }
}

fn agents(record: &Record<'_>) -> Option<Background> {
    let fields = record.fields()?;
    let number = fields.get("pendingBackgroundAgentCount")?;
    number.get().parse().ok().map(Background::Agents)
}
