//! Linked records of the client itself: `system`, `attachment` and `progress`.

use serde_json::{Map, Value, json};
use steno_transcript::RecordId;

use super::{Session, person::extend};
use crate::Era;

impl Session {
    /// A `system` record of any subtype, with its usual fields where they are known.
    pub fn system(mut self, subtype: &str) -> Self {
        let fields = self.system_fields(subtype);
        self.put_system(subtype, fields);
        self
    }

    /// A `system` record with fields of the test's own.
    pub fn system_with(mut self, subtype: &str, fields: Value) -> Self {
        self.put_system(subtype, fields);
        self
    }

    /// A `system` record without a subtype, as 1.0.x wrote hook messages and limits.
    pub fn notice(mut self, text: &str) -> Self {
        self.link(json!({
            "type": "system", "content": text, "isMeta": false, "timestamp": null, "uuid": null,
            "level": "info",
        }));
        self
    }

    /// An `attachment` of any kind; `fields` stand beside its type.
    pub fn attachment(mut self, kind: &str, fields: Value) -> Self {
        self.put_attachment(kind, fields);
        self
    }

    /// A `progress` record about the youngest call without a result; `data` holds its `type`.
    pub fn progress(mut self, data: Value) -> Self {
        self.put_progress(data);
        self
    }

    pub fn hook_progress(self, event: &str, tool: &str) -> Self {
        self.progress(json!({
            "type": "hook_progress", "hookEvent": event, "hookName": format!("{event}:{tool}"),
            "command": "/home/dev/hooks/hook.sh",
        }))
    }

    pub fn bash_progress(self, seconds: u64, output: &str) -> Self {
        let lines = output.lines().count();
        self.progress(json!({
            "type": "bash_progress", "output": output, "fullOutput": output, "elapsedTimeSeconds": seconds,
            "totalLines": lines, "totalBytes": output.len(), "taskId": "b0000001",
        }))
    }

    /// A subagent's record, repeated in its parent's transcript.
    pub fn agent_progress(mut self, agent: &str, prompt: &str, message: Value) -> Self {
        let uuid = self.ids.other();
        let timestamp = crate::clock::timestamp(self.now);
        self.progress(json!({
            "message": {"type": "user", "message": message, "uuid": uuid, "timestamp": timestamp},
            "normalizedMessages": [], "type": "agent_progress", "prompt": prompt, "agentId": agent,
        }))
    }

    pub(super) fn put_attachment(&mut self, kind: &str, fields: Value) -> RecordId {
        let mut attachment = Map::new();
        attachment.insert("type".into(), json!(kind));
        extend(&mut attachment, fields);
        self.link(json!({
            "attachment": attachment, "type": "attachment", "uuid": null, "timestamp": null,
        }))
    }

    pub(super) fn put_progress(&mut self, data: Value) -> RecordId {
        let tool = match self.open_tools.last() {
            Some(open) => open.id.to_string(),
            None => self.ids.other(),
        };
        self.link(json!({
            "type": "progress", "data": data, "toolUseID": tool, "parentToolUseID": tool,
            "uuid": null, "timestamp": null,
        }))
    }

    pub(super) fn put_system(&mut self, subtype: &str, fields: Value) -> RecordId {
        let mut body = Map::new();
        body.insert("type".into(), json!("system"));
        body.insert("subtype".into(), json!(subtype));
        extend(&mut body, fields);
        body.insert("timestamp".into(), Value::Null);
        body.insert("uuid".into(), Value::Null);
        self.link(Value::Object(body))
    }

    pub(super) fn system_fields(&mut self, subtype: &str) -> Value {
        match subtype {
            "turn_duration" => json!({"durationMs": 4000, "messageCount": 3, "isMeta": false}),
            "local_command" => {
                let text = "<command-name>/status</command-name>";
                json!({"content": text, "level": "info", "isMeta": false})
            }
            "stop_hook_summary" => self.stop_hook_summary(),
            "api_error" => json!({
                "level": "error", "cause": {"code": "ConnectionRefused"}, "error": {"cause": {"code": "ConnectionRefused"}},
                "retryInMs": 600.5, "retryAttempt": 1, "maxRetries": 10,
            }),
            "init" => {
                json!({"cwd": self.surroundings.cwd, "tools": ["Bash", "Read"], "model": self.model_text()})
            }
            "bridge_status" => json!({
                "content": "/remote-control is active.", "url": "https://example.invalid/session", "isMeta": false,
            }),
            "scheduled_task_fire" => json!({"content": "Running scheduled task", "isMeta": false}),
            "away_summary" => json!({"content": "While you were away, the tests passed.", "isMeta": false}),
            _ => json!({"content": format!("A notice of kind {subtype}."), "isMeta": false, "level": "info"}),
        }
    }

    fn stop_hook_summary(&mut self) -> Value {
        let mut hook = json!({"command": "/home/dev/hooks/hook.sh Stop"});
        if self.era != Era::V2_0_42 {
            hook["durationMs"] = json!(57);
        }
        let id = self.ids.other();
        json!({
            "hookCount": 1, "hookInfos": [hook], "hookErrors": [], "preventedContinuation": false,
            "stopReason": "", "hasOutput": false, "level": "suggestion", "toolUseID": id,
        })
    }
}
