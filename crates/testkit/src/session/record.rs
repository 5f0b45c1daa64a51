//! A record's own fields → the whole record, in the order of its era.
//!
//! Fields named `uuid` and `timestamp` are placeholders: where they stand differs by record type, what they hold
//! does not.

use serde_json::{Map, Value, json};
use steno_transcript::RecordId;

use super::Session;

impl Session {
    /// Writes any value as one compact line, untouched. The chain does not move.
    pub fn record(mut self, record: &Value) -> Self {
        self.put(record);
        self
    }

    /// Writes a linked record of any type from its own fields; the envelope is added around them.
    pub fn linked(mut self, body: Value) -> Self {
        self.link(body);
        self
    }

    pub(super) fn link(&mut self, body: Value) -> RecordId {
        let parent = self.leaf.clone();
        self.link_below(parent, body)
    }

    pub(super) fn link_below(&mut self, parent: Option<RecordId>, body: Value) -> RecordId {
        let Value::Object(mut body) = body else { panic!("a record is an object, not {body}") };
        let uuid = self.ids.record();
        let timestamp = self.tick();
        let mut record = self.head(parent.as_ref(), &mut body);
        for (key, value) in body {
            let value = match key.as_str() {
                "uuid" => json!(uuid),
                "timestamp" => json!(timestamp),
                _ => value,
            };
            record.insert(key, value);
        }
        if self.era.context_last() {
            self.context(&mut record);
        }
        self.put(&Value::Object(record));
        self.made.records.push(uuid.clone());
        self.leaf = Some(uuid.clone());
        uuid
    }

    fn head(&mut self, parent: Option<&RecordId>, body: &mut Map<String, Value>) -> Map<String, Value> {
        let mut head = Map::new();
        head.insert("parentUuid".into(), json!(parent));
        if let Some(logical) = body.shift_remove("logicalParentUuid") {
            head.insert("logicalParentUuid".into(), logical);
        }
        head.insert("isSidechain".into(), json!(self.side.is_some()));
        if !self.era.context_last() {
            self.context(&mut head);
        } else if body.get("type") == Some(&json!("user")) {
            head.insert("promptId".into(), json!(self.prompt_id));
        }
        if let Some(agent) = self.side.as_ref().and_then(|side| side.agent.as_ref()) {
            head.insert("agentId".into(), json!(agent));
        }
        if !self.era.context_last() {
            self.slug_field(&mut head);
        }
        head
    }

    fn context(&self, record: &mut Map<String, Value>) {
        record.insert("userType".into(), json!("external"));
        if self.era.context_last() {
            record.insert("entrypoint".into(), json!(self.surroundings.entrypoint));
        }
        record.insert("cwd".into(), json!(self.surroundings.cwd));
        record.insert("sessionId".into(), json!(self.id));
        record.insert("version".into(), json!(self.version_text()));
        if let Some(branch) = &self.surroundings.branch {
            record.insert("gitBranch".into(), json!(branch));
        }
        if let Some(team) = &self.surroundings.team {
            record.insert("teamName".into(), json!(team));
        }
        if self.era.context_last() {
            self.slug_field(record);
        }
    }

    fn slug_field(&self, record: &mut Map<String, Value>) {
        if let Some(slug) = &self.surroundings.slug {
            record.insert("slug".into(), json!(slug));
        }
    }
}
