//! Records without a uuid: titles, modes, snapshots and the other notes of which the last one counts.

use serde_json::{Map, Value, json};

use super::{Session, person::extend};
use crate::clock;

impl Session {
    /// A title, in the two oldest eras the only kind; it points at the end of the line.
    pub fn summary(mut self, text: &str) -> Self {
        let leaf = json!(self.leaf);
        self.put(&json!({"type": "summary", "summary": text, "leafUuid": leaf}));
        self
    }

    pub fn custom_title(self, title: &str) -> Self {
        self.note("custom-title", json!({"customTitle": title}))
    }

    pub fn ai_title(self, title: &str) -> Self {
        self.note("ai-title", json!({"aiTitle": title}))
    }

    pub fn agent_name(self, name: &str) -> Self {
        self.note("agent-name", json!({"agentName": name}))
    }

    pub fn agent_color(self, color: &str) -> Self {
        self.note("agent-color", json!({"agentColor": color}))
    }

    pub fn agent_setting(self, setting: &str) -> Self {
        self.note("agent-setting", json!({"agentSetting": setting}))
    }

    pub fn tag(self, tag: &str) -> Self {
        self.note("tag", json!({"tag": tag}))
    }

    pub fn mode(self, mode: &str) -> Self {
        self.note("mode", json!({"mode": mode}))
    }

    pub fn permission_mode(self, mode: &str) -> Self {
        self.note("permission-mode", json!({"permissionMode": mode}))
    }

    pub fn atis_latch(self) -> Self {
        self.note("atis-latch", json!({"atis": ""}))
    }

    /// The tools called so far.
    pub fn tools_used(self) -> Self {
        let tools = self.used_tools.clone();
        self.note("tools-used", json!({"tools": tools}))
    }

    /// The last prompt and the leaf of the conversation.
    pub fn last_prompt(self) -> Self {
        let text = self.prompts.last().map(|prompt| prompt.text.clone()).unwrap_or_default();
        let leaf = json!(self.leaf);
        self.note("last-prompt", json!({"lastPrompt": text, "leafUuid": leaf}))
    }

    pub fn pr_link(mut self, number: u64) -> Self {
        let timestamp = clock::timestamp(self.now);
        let id = json!(self.id);
        self.put(&json!({
            "type": "pr-link", "sessionId": id, "prNumber": number,
            "prUrl": format!("https://example.invalid/dev/project/pull/{number}"), "prRepository": "dev/project",
            "timestamp": timestamp,
        }));
        self
    }

    pub fn file_history_snapshot(mut self) -> Self {
        let message = json!(self.ids.peek_record(0));
        let timestamp = clock::timestamp(self.now);
        self.put(&json!({
            "type": "file-history-snapshot", "messageId": message,
            "snapshot": {"messageId": message, "trackedFileBackups": {}, "timestamp": timestamp},
            "isSnapshotUpdate": false,
        }));
        self
    }

    pub fn file_history_delta(mut self, path: &str) -> Self {
        let message = json!(self.leaf);
        let timestamp = clock::timestamp(self.now);
        self.put(&json!({
            "type": "file-history-delta", "messageId": message, "snapshotMessageId": message, "trackingPath": path,
            "backup": {"backupFileName": null, "version": 1, "backupTime": timestamp},
            "timestamp": timestamp,
        }));
        self
    }

    /// `enqueue` with its text, or `dequeue`, `remove`, `popAll` without one.
    pub fn queue_operation(mut self, operation: &str, text: Option<&str>) -> Self {
        self.put_queue_operation(operation, text);
        self
    }

    pub fn worktree_state(self, worktree: Option<&str>) -> Self {
        let cwd = self.surroundings.cwd.clone();
        let session = worktree.map(|path| {
            json!({
                "originalCwd": cwd, "worktreePath": path, "worktreeName": "side", "worktreeBranch": "worktree-side",
                "originalBranch": "main", "sessionId": self.id,
            })
        });
        self.note("worktree-state", json!({"worktreeSession": session}))
    }

    pub fn relocated(self, cwd: &str) -> Self {
        self.note("relocated", json!({"relocatedCwd": cwd}))
    }

    pub fn bridge_session(self, bridge: &str) -> Self {
        self.note("bridge-session", json!({"bridgeSessionId": bridge, "lastSequenceNum": 0}))
    }

    pub fn frame_link(self) -> Self {
        let leaf = json!(self.leaf);
        self.note("frame-link", json!({"frameUuid": leaf}))
    }

    /// A tool result that was replaced after the fact.
    pub fn content_replacement(self, tool: &str, text: &str) -> Self {
        let replacement = json!({"kind": "tool-result", "toolUseId": tool, "replacement": text});
        self.note("content-replacement", json!({"replacements": [replacement]}))
    }

    pub fn fork_context_ref(self, parent_session: &str) -> Self {
        let leaf = json!(self.leaf);
        self.note("fork-context-ref", json!({"parentSessionId": parent_session, "parentLastUuid": leaf}))
    }

    pub fn derived_from(self, session: &str) -> Self {
        self.note("derived-from", json!({"derivedFrom": session}))
    }

    pub fn history_suppression(self) -> Self {
        self.note("history-suppression", json!({"suppressed": true}))
    }

    /// What the session has cost so far; cumulative.
    pub fn cost_state(mut self) -> Self {
        let spent = self.spent;
        let model = self.model_text();
        let dollars = (spent.input * 5 + spent.output * 25) as f64 / 1_000_000.0 + 0.000_05;
        let usage = json!({
            "inputTokens": spent.input, "outputTokens": spent.output, "thinkingTokens": 0,
            "cacheReadInputTokens": spent.cache_read,
            "cacheCreationInputTokens": spent.cache_5m + spent.cache_1h,
            "cacheCreationEphemeral5mInputTokens": spent.cache_5m,
            "cacheCreationEphemeral1hInputTokens": spent.cache_1h,
            "webSearchRequests": 0, "costUSD": dollars,
        });
        let id = json!(self.id);
        let now = self.now;
        self.put(&json!({
            "type": "cost-state", "sessionId": id, "totalCostUSD": dollars, "totalAPIDuration": 6321,
            "totalAPIDurationWithoutRetries": 5994, "totalToolDuration": 597, "totalLinesAdded": 8,
            "totalLinesRemoved": 1, "totalDuration": 612_775, "startTime": now,
            "modelUsage": {model: usage}, "hasUnknownModelCost": false,
        }));
        self
    }

    /// A record of any type without a uuid: the type, the fields, the session's id.
    pub fn note(mut self, kind: &str, fields: Value) -> Self {
        let mut record = Map::new();
        record.insert("type".into(), json!(kind));
        extend(&mut record, fields);
        record.insert("sessionId".into(), json!(self.id));
        self.put(&Value::Object(record));
        self
    }

    /// A record of a type that no reader knows yet.
    pub fn unknown_record(self, kind: &str) -> Self {
        self.note(kind, json!({"someday": {"nested": [1, 2.5, null, "text"]}}))
    }

    /// An unknown type that is nevertheless a link of the chain.
    pub fn unknown_linked(mut self, kind: &str) -> Self {
        self.link(json!({"type": kind, "someday": true, "uuid": null, "timestamp": null}));
        self
    }

    pub(super) fn put_queue_operation(&mut self, operation: &str, text: Option<&str>) {
        let timestamp = clock::timestamp(self.now);
        let mut record = json!({
            "type": "queue-operation", "operation": operation, "timestamp": timestamp, "sessionId": self.id,
        });
        if let Some(text) = text {
            record["content"] = json!(text);
        }
        self.put(&record);
    }
}
