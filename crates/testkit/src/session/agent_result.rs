//! What a finished, launched or spawned subagent leaves in its parent's transcript.

use serde_json::json;

use super::{Agent, Team, ToolResult};
use crate::{Era, clock};

impl Agent {
    /// What the parent's call got back.
    pub(super) fn result(&self, era: Era) -> ToolResult {
        if let Some(team) = &self.team {
            return spawned(self, team);
        }
        let id = self.agent_id().map(|id| id.to_string()).unwrap_or_default();
        if self.background { launched(self, &id) } else { completed(self, &id, era) }
    }
}

fn completed(agent: &Agent, id: &str, era: Era) -> ToolResult {
    let answer = agent.answer.clone().unwrap_or_default();
    let mut content = vec![json!({"type": "text", "text": answer})];
    if era.results_hang_below_calls() {
        content.push(json!({"type": "text", "text": format!("agentId: {id} (for resuming to continue this agent's work if needed)")}));
    }
    let mut structured = json!({"status": "completed", "prompt": agent.prompt});
    if era != Era::V1_0 {
        structured["agentId"] = json!(id);
    }
    let started = agent.session.made.records.len() as i64 * agent.session.step;
    structured["content"] = json!([{"type": "text", "text": answer}]);
    structured["totalDurationMs"] = json!(started);
    structured["totalTokens"] = json!(agent.session.spent.output + agent.session.spent.input);
    structured["totalToolUseCount"] = json!(agent.session.made.tools.len());
    structured["usage"] = agent.session.spent.to_json(era);
    ToolResult::content(json!(content)).structured(structured)
}

fn launched(agent: &Agent, id: &str) -> ToolResult {
    let text =
        format!("Async agent launched successfully.\nagentId: {id} (internal ID - do not mention to user.)");
    ToolResult::content(json!([{"type": "text", "text": text}])).structured(json!({
        "isAsync": true, "status": "async_launched", "agentId": id, "description": agent.description,
        "resolvedModel": agent.session.model_text(), "prompt": agent.prompt,
        "outputFile": format!("/tmp/claude/tasks/{id}.output"),
    }))
}

fn spawned(agent: &Agent, team: &Team) -> ToolResult {
    let member = format!("{}@{}", team.member, team.name);
    let text =
        format!("Spawned successfully.\nagent_id: {member}\nname: {}\nteam_name: {}", team.member, team.name);
    ToolResult::content(json!([{"type": "text", "text": text}])).structured(json!({
        "status": "teammate_spawned", "prompt": agent.prompt, "teammate_id": member, "agent_id": member,
        "agent_type": agent.kind_text(), "model": agent.session.model_text(), "name": team.member,
        "color": team.color, "team_name": team.name,
        "spawnedAt": clock::timestamp(agent.session.now),
    }))
}
