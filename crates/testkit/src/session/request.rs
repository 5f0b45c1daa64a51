//! The newest era's log of API requests, which repeats prompts, answers and tool results.

use serde_json::{Map, Value, json};

use super::Session;
use crate::clock;

impl Session {
    /// The fixed part of requests: system prompt and tools.
    pub fn api_request_shape(mut self) -> Self {
        let hash = self.ids.digest();
        let timestamp = clock::timestamp(self.now);
        let version = self.version_text();
        let mut record = self.request_record("api-request-shape");
        for (key, value) in [
            ("shapeHash", json!(hash)),
            ("timestamp", json!(timestamp)),
            ("version", json!(version)),
            (
                "shape",
                json!({
                    "system": [{"type": "text", "text": "You are an agent that works in a terminal."}],
                    "tools": [{
                        "name": "Bash", "description": "Runs a command",
                        "input_schema": {"type": "object", "properties": {"command": {"type": "string"}}},
                    }],
                }),
            ),
        ] {
            record.insert(key.into(), value);
        }
        self.put(&Value::Object(record));
        self
    }

    /// One message as it was sent.
    pub fn api_request_blob(mut self, role: &str, content: Value) -> Self {
        let hash = self.ids.digest();
        let mut record = self.request_record("api-request-blob");
        record.insert("hash".into(), json!(hash));
        record.insert("message".into(), json!({"role": role, "content": content}));
        self.put(&Value::Object(record));
        self
    }

    /// A request; the answers that follow refer to it.
    pub fn api_request(mut self) -> Self {
        let id = self.ids.other();
        let digest = self.ids.digest();
        let timestamp = clock::timestamp(self.now);
        let source = if self.side.is_some() { "agent:builtin:general-purpose" } else { "repl_main_thread" };
        let mut record = self.request_record("api-request");
        record.insert("id".into(), json!(id));
        record.insert("timestamp".into(), json!(timestamp));
        record.insert("version".into(), json!(self.version_text()));
        record.insert("querySource".into(), json!(source));
        record.insert("shapeHash".into(), json!(digest));
        record.insert(
            "params".into(),
            json!({"model": self.model_text(), "betas": [], "max_tokens": 128_000, "thinking": {"type": "adaptive"}}),
        );
        if let Some(base) = &self.last_request {
            record.insert("base".into(), json!(base));
        }
        record.insert("keep".into(), json!(0));
        record.insert("tail".into(), json!([digest]));
        record.insert("requestDigest".into(), json!(digest));
        self.put(&Value::Object(record));
        self.last_request = Some(id);
        self
    }

    fn request_record(&self, kind: &str) -> Map<String, Value> {
        let mut record = Map::new();
        record.insert("type".into(), json!(kind));
        record.insert("sessionId".into(), json!(self.id));
        if let Some(agent) = self.side.as_ref().and_then(|side| side.agent.as_ref()) {
            record.insert("agentId".into(), json!(agent));
        }
        record
    }
}
