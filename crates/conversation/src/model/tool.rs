//! Tool calls and what they gave back.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use steno_transcript::ToolId;

use super::RecordRef;

/// A tool call with its result; a null on either side is an orphan.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Tool {
    pub id: ToolId,
    /// Empty where only the result is left.
    pub name: String,
    pub call: Option<RecordRef>,
    pub result: Option<RecordRef>,
    pub is_error: bool,
    pub duration_ms: Option<u64>,
}

/// What a tool gave back.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ToolOutcome {
    pub is_error: bool,
    /// What the model was told.
    pub text: String,
    /// What the client keeps beside it (`toolUseResult`), as it stands.
    #[schemars(with = "Value")]
    pub structured: Option<Value>,
    /// The file of its own for output that was too long.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub persisted: Option<Persisted>,
    pub images: Vec<Media>,
    pub record: RecordRef,
}

/// A result that the client put into a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Persisted {
    /// As recorded; it may be a path of another machine.
    pub path: String,
    /// The file of that name in the session's own directory.
    pub found: Option<String>,
    pub size_bytes: Option<u64>,
}

/// An image or document, without its data: that stays in the record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Media {
    pub media_type: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// Length of the data as it is encoded in the record.
    pub encoded_bytes: u64,
    /// The data after all, where the scope asks for it or it is text: base64, or the text. Never in the JSON.
    #[serde(skip)]
    pub data: Option<Arc<str>>,
}

impl Media {
    /// The text of a document of text.
    pub fn text(&self) -> Option<&str> {
        self.data.as_deref().filter(|_| self.media_type.as_deref().is_some_and(is_text))
    }
}

pub(crate) fn is_text(media_type: &str) -> bool {
    media_type.starts_with("text/")
}
