//! Tool results: what a tool answered, in the text for the model and in the structured form for the client.

use serde_json::{Map, Value, json};
use steno_transcript::{RecordId, ToolId};

use super::{Session, ToolResultFile};
use crate::{Era, encode_project};

/// A call that has no result yet.
#[derive(Debug, Clone)]
pub(super) struct OpenTool {
    pub(super) id: ToolId,
    pub(super) name: String,
    pub(super) record: RecordId,
}

/// What a tool gave back.
#[derive(Debug, Clone)]
pub struct ToolResult {
    content: Value,
    is_error: bool,
    structured: Structured,
    persisted: Option<String>,
    to: Option<ToolId>,
}

#[derive(Debug, Clone)]
enum Structured {
    /// Made from the content: an object for Bash, a string for errors.
    FromContent,
    Given(Value),
    Absent,
}

impl ToolResult {
    pub fn text(text: impl Into<String>) -> Self {
        Self::content(json!(text.into()))
    }

    /// Content as a list of blocks, or anything else.
    pub fn content(content: Value) -> Self {
        Self { content, is_error: false, structured: Structured::FromContent, persisted: None, to: None }
    }

    /// A picture, base64-encoded PNG data.
    pub fn image(data: impl Into<String>) -> Self {
        let source = json!({"type": "base64", "media_type": "image/png", "data": data.into()});
        Self::content(json!([{"type": "image", "source": source}]))
    }

    /// Output that is kept in a file of its own; the transcript holds only its beginning.
    pub fn persisted(text: impl Into<String>) -> Self {
        Self { persisted: Some(text.into()), ..Self::text("") }
    }

    pub fn error(mut self) -> Self {
        self.is_error = true;
        self
    }

    /// The `toolUseResult` beside the message.
    pub fn structured(mut self, value: Value) -> Self {
        self.structured = Structured::Given(value);
        self
    }

    pub fn without_structured(mut self) -> Self {
        self.structured = Structured::Absent;
        self
    }

    pub(super) fn to(mut self, tool: ToolId) -> Self {
        self.to = Some(tool);
        self
    }
}

impl Session {
    /// A result for a call by its id; an id without a call makes an orphan.
    pub fn tool_result(mut self, tool: impl Into<String>, text: impl Into<String>) -> Self {
        self.put_tool_result(ToolResult::text(text).to(ToolId::new(tool)));
        self
    }

    /// A result for the oldest call that has none.
    pub fn answer(self, text: impl Into<String>) -> Self {
        self.answer_with(ToolResult::text(text))
    }

    pub fn answer_error(self, text: impl Into<String>) -> Self {
        self.answer_with(ToolResult::text(text).error())
    }

    pub fn answer_with(mut self, result: ToolResult) -> Self {
        let tool = self.open_tools.first().expect("a call without a result").id.clone();
        self.put_tool_result(result.to(tool));
        self
    }

    pub(super) fn put_tool_result(&mut self, result: ToolResult) {
        let tool = result.to.clone().expect("a result knows its call");
        let position = self.open_tools.iter().position(|open| open.id == tool);
        let open = position.map(|position| self.open_tools.remove(position));
        let name = open.as_ref().map_or("", |open| open.name.as_str()).to_owned();
        let (content, structured) = self.result_values(&result, &name);
        let mut block = Map::new();
        block.insert("tool_use_id".into(), json!(tool));
        block.insert("type".into(), json!("tool_result"));
        block.insert("content".into(), content);
        if result.is_error || name == "Bash" {
            block.insert("is_error".into(), json!(result.is_error));
        }
        let mut body = Map::new();
        body.insert("type".into(), json!("user"));
        body.insert("message".into(), json!({"role": "user", "content": [block]}));
        body.insert("uuid".into(), Value::Null);
        body.insert("timestamp".into(), Value::Null);
        if let Some(structured) = structured {
            body.insert("toolUseResult".into(), structured);
        }
        let mut parent = self.leaf.clone();
        if let Some(open) = open.filter(|_| self.era.results_hang_below_calls()) {
            body.insert("sourceToolAssistantUUID".into(), json!(open.record));
            parent = Some(open.record);
        }
        self.link_below(parent, Value::Object(body));
    }

    fn result_values(&mut self, result: &ToolResult, name: &str) -> (Value, Option<Value>) {
        if let Some(text) = &result.persisted {
            let (content, structured) = self.persist(text);
            return (content, Some(structured));
        }
        let structured = match &result.structured {
            Structured::Given(value) => Some(value.clone()),
            Structured::Absent => None,
            Structured::FromContent if result.is_error => {
                Some(json!(format!("Error: {}", result.content.as_str().unwrap_or_default())))
            }
            Structured::FromContent if name == "Bash" && result.content.is_string() => {
                Some(self.bash_output(result.content.clone()))
            }
            Structured::FromContent => None,
        };
        (result.content.clone(), structured)
    }

    fn bash_output(&self, stdout: Value) -> Value {
        let mut output = json!({"stdout": stdout, "stderr": "", "interrupted": false, "isImage": false});
        if self.era.results_hang_below_calls() {
            output["noOutputExpected"] = json!(false);
        }
        output
    }

    fn persist(&mut self, text: &str) -> (Value, Value) {
        let name = format!("{}.txt", self.ids.tool_result_file());
        let project = encode_project(&self.surroundings.cwd);
        let path = format!("/home/dev/.claude/projects/{project}/{}/tool-results/{name}", self.id);
        let preview: String = text.chars().take(2000).collect();
        let kept: String = text.chars().take(30_000).collect();
        let size = text.len() / 1024;
        let content = format!(
            "<persisted-output>\nOutput too large ({size}KB). Full output saved to: {path}\n\nPreview (first 2KB):\n\
             {preview}\n...\n</persisted-output>"
        );
        let mut structured = self.bash_output(json!(kept));
        if self.era != Era::V1_0 {
            structured["persistedOutputPath"] = json!(path);
            structured["persistedOutputSize"] = json!(text.len());
        }
        self.tool_results.push(ToolResultFile { name, text: text.to_owned() });
        (json!(content), structured)
    }
}
