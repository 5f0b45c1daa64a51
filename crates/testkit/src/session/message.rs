//! A described answer of the model → one record per block, all sharing the message's id and usage.

use serde_json::{Map, Value, json};
use steno_transcript::{MessageId, RecordId, ToolId};

use super::{Session, ToolResult, Usage, tool::OpenTool};
use crate::Era;

/// One answer of the model, described block by block.
#[derive(Debug, Clone, Default)]
pub struct AssistantMessage {
    blocks: Vec<Block>,
    usage: Usage,
    beside: Vec<Value>,
    model: Option<String>,
    stop_reason: Option<String>,
    unfinished: bool,
    id: Option<MessageId>,
    request_id: Option<String>,
    without_id: bool,
    grouping: Grouping,
}

#[derive(Debug, Clone)]
enum Block {
    Plain(Value),
    Tool { name: String, input: Value, answer: Option<Box<ToolResult>> },
}

/// How blocks are spread over records.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Grouping {
    #[default]
    OneEach,
    Together,
    Cumulative,
}

impl AssistantMessage {
    pub fn thinking(self, text: impl Into<String>) -> Self {
        self.block(json!({"type": "thinking", "thinking": text.into(), "signature": "c2lnbmF0dXJl"}))
    }

    pub fn redacted_thinking(self) -> Self {
        self.block(json!({"type": "redacted_thinking", "data": "cmVkYWN0ZWQ="}))
    }

    pub fn text(self, text: impl Into<String>) -> Self {
        self.block(json!({"type": "text", "text": text.into()}))
    }

    /// Any block, known or not.
    pub fn block(mut self, block: Value) -> Self {
        self.blocks.push(Block::Plain(block));
        self
    }

    pub fn tool_use(mut self, name: impl Into<String>, input: Value) -> Self {
        self.blocks.push(Block::Tool { name: name.into(), input, answer: None });
        self
    }

    /// The result of the tool call before, written where its era puts it: the newest client writes a result as
    /// soon as it has it, between the blocks of the same message; older ones after the whole message.
    pub fn answered(self, text: impl Into<String>) -> Self {
        self.answered_with(ToolResult::text(text))
    }

    pub fn answered_with(mut self, result: ToolResult) -> Self {
        let Some(Block::Tool { answer, .. }) = self.blocks.last_mut() else {
            panic!("no tool call to answer")
        };
        *answer = Some(Box::new(result));
        self
    }

    pub fn usage(mut self, usage: Usage) -> Self {
        self.usage = usage;
        self
    }

    /// A sampling beside the totals of the usage, such as an `advisor_message`, by a model of its own.
    pub fn beside(mut self, kind: &str, model: Option<&str>, usage: Usage) -> Self {
        self.beside.push(usage.iteration(kind, model));
        self
    }

    pub fn model(mut self, model: impl Into<String>) -> Self {
        self.model = Some(model.into());
        self
    }

    /// The last record says why the message stopped, also in eras that mostly did not.
    pub fn stop_reason(mut self, reason: impl Into<String>) -> Self {
        self.stop_reason = Some(reason.into());
        self
    }

    /// No record has a `stop_reason`: a stream that was cut off.
    pub fn unfinished(mut self) -> Self {
        self.unfinished = true;
        self
    }

    pub fn id(mut self, id: MessageId) -> Self {
        self.id = Some(id);
        self
    }

    pub fn request_id(mut self, id: impl Into<String>) -> Self {
        self.request_id = Some(id.into());
        self
    }

    /// Neither `message.id` nor `requestId`, as some writers do.
    pub fn without_id(mut self) -> Self {
        self.without_id = true;
        self
    }

    /// All blocks in one record.
    pub fn together(mut self) -> Self {
        self.grouping = Grouping::Together;
        self
    }

    /// Each record repeats the blocks of the one before and adds one.
    pub fn cumulative(mut self) -> Self {
        self.grouping = Grouping::Cumulative;
        self
    }

    fn default_stop_reason(&self) -> &'static str {
        let calls = self.blocks.iter().any(|block| matches!(block, Block::Tool { .. }));
        if calls { "tool_use" } else { "end_turn" }
    }

    fn stop_reason_of(&self, era: Era, last: bool) -> Value {
        match &self.stop_reason {
            _ if self.unfinished => Value::Null,
            Some(reason) if last || era.knows_stop_reason() => json!(reason),
            None if era.knows_stop_reason() => json!(self.default_stop_reason()),
            _ => Value::Null,
        }
    }

    fn usage_json(&self, era: Era, last: bool) -> Value {
        let usage = self.usage_of(era, last);
        let mut json = usage.to_json(era);
        if !self.beside.is_empty() {
            let answer = [usage.iteration("message", None)];
            json["iterations"] = answer.iter().chain(&self.beside).cloned().collect();
        }
        json
    }

    /// Eras that write while the stream runs know the output only with the last record.
    fn usage_of(&self, era: Era, last: bool) -> Usage {
        let early = !last && !era.knows_stop_reason();
        Usage { output: if early { self.usage.output.min(1) } else { self.usage.output }, ..self.usage }
    }
}

impl Session {
    /// An answer of the model.
    pub fn assistant(mut self, describe: impl FnOnce(AssistantMessage) -> AssistantMessage) -> Self {
        self.put_assistant(describe(AssistantMessage::default()));
        self
    }

    /// The client's own message about a failed request.
    pub fn api_error(mut self, text: impl Into<String>) -> Self {
        let id = self.ids.other();
        self.link(json!({
            "type": "assistant", "uuid": null, "timestamp": null,
            "message": {
                "id": id, "container": null, "model": "<synthetic>", "role": "assistant",
                "stop_reason": "stop_sequence", "stop_sequence": "", "type": "message",
                "usage": {
                    "input_tokens": 0, "output_tokens": 0, "cache_creation_input_tokens": 0,
                    "cache_read_input_tokens": 0,
                    "server_tool_use": {"web_search_requests": 0, "web_fetch_requests": 0}, "service_tier": null,
                    "cache_creation": {"ephemeral_1h_input_tokens": 0, "ephemeral_5m_input_tokens": 0},
                },
                "content": [{"type": "text", "text": text.into()}], "context_management": null,
            },
            "error": "unknown", "isApiErrorMessage": true,
        }));
        self
    }

    pub(super) fn put_assistant(&mut self, mut message: AssistantMessage) {
        if !message.without_id {
            message.id.get_or_insert_with(|| self.ids.message());
            message.request_id.get_or_insert_with(|| self.ids.request());
            self.made.messages.extend(message.id.clone());
        }
        self.spent.add(message.usage);
        let mut written: Vec<Value> = Vec::new();
        let mut results = Vec::new();
        for index in 0..message.blocks.len() {
            let last = index + 1 == message.blocks.len();
            let (block, call) = self.block(&message.blocks[index]);
            if message.grouping == Grouping::OneEach {
                written.clear();
            }
            written.push(block);
            if message.grouping == Grouping::Together && !last {
                continue;
            }
            let record = self.put_blocks(&message, &written, index, last);
            let answer = call.and_then(|call| self.open(call, &record, &message.blocks[index]));
            match answer {
                Some(answer) if self.era == Era::V2_1_325 => self.put_tool_result(answer),
                answer => results.extend(answer),
            }
        }
        for answer in results {
            self.put_tool_result(answer);
        }
    }

    /// The block as JSON, and the id it got if it is a call.
    fn block(&mut self, block: &Block) -> (Value, Option<ToolId>) {
        match block {
            Block::Plain(value) => (value.clone(), None),
            Block::Tool { name, input, .. } => {
                let id = self.ids.tool();
                self.made.tools.push(id.clone());
                if !self.used_tools.contains(name) {
                    self.used_tools.push(name.clone());
                }
                (json!({"type": "tool_use", "id": id, "name": name, "input": input}), Some(id))
            }
        }
    }

    fn open(&mut self, id: ToolId, record: &RecordId, block: &Block) -> Option<ToolResult> {
        let Block::Tool { name, answer, .. } = block else {
            return None;
        };
        self.open_tools.push(OpenTool { id: id.clone(), name: name.clone(), record: record.clone() });
        answer.as_deref().map(|answer| answer.clone().to(id))
    }

    fn put_blocks(
        &mut self,
        message: &AssistantMessage,
        blocks: &[Value],
        index: usize,
        last: bool,
    ) -> RecordId {
        let mut inner = Map::new();
        if let Some(id) = &message.id {
            inner.insert("id".into(), json!(id));
        }
        inner.insert("type".into(), json!("message"));
        inner.insert("role".into(), json!("assistant"));
        inner.insert("model".into(), json!(message.model.clone().unwrap_or_else(|| self.model_text())));
        inner.insert("content".into(), json!(blocks));
        inner.insert("stop_reason".into(), message.stop_reason_of(self.era, last));
        inner.insert("stop_sequence".into(), Value::Null);
        inner.insert("usage".into(), message.usage_json(self.era, last));
        if self.era == Era::V2_1_325 {
            inner.insert("stop_details".into(), Value::Null);
        }
        let body = self.assistant_body(inner, message.request_id.as_deref(), index);
        self.link(body)
    }

    fn assistant_body(&self, message: Map<String, Value>, request: Option<&str>, index: usize) -> Value {
        let mut body = Map::new();
        let newest = self.era == Era::V2_1_325;
        let model = message["model"].clone();
        body.insert("message".into(), Value::Object(message));
        if newest {
            body.insert("apiBlockIndex".into(), json!(index));
        }
        if let Some(request) = request {
            body.insert("requestId".into(), json!(request));
        }
        if newest {
            if let Some(reference) = &self.last_request {
                body.insert("requestRef".into(), json!(reference));
            }
            body.insert("requestedModel".into(), model);
            body.insert("promptCacheRequested".into(), json!("5m"));
            if let Some(side) = &self.side {
                body.insert("attributionAgent".into(), json!(side.kind));
            }
        }
        for (key, value) in [("type", json!("assistant")), ("uuid", Value::Null), ("timestamp", Value::Null)]
        {
            body.insert(key.into(), value);
        }
        if newest {
            body.insert("effort".into(), json!("medium"));
            body.insert("perTurnEffort".into(), json!("medium"));
            body.insert("madeBy".into(), json!("model"));
        }
        Value::Object(body)
    }
}
