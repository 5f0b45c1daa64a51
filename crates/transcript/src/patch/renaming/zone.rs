//! The keys that lead to a string → whether it is text of the conversation, and else what it names.

use super::Role;

/// What may change at a place and below it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Zone {
    /// The record itself.
    Record,
    /// A message, a list of them, or a record inside a record. A string here is text of the conversation.
    Message,
    /// The progress of a running tool.
    Progress,
    /// Everything that is not known to be text of the conversation: whole strings may be names.
    Plain,
    /// Text of the conversation: only paths into the session's own directory change.
    Said,
    /// Signed, encoded, or a name that stays.
    Fixed,
}

impl Zone {
    /// The zone of the value of `key` in an object of this zone.
    pub(super) fn under(self, key: &str) -> Self {
        match self {
            Self::Record => in_record(key),
            Self::Message => in_message(key),
            Self::Progress if matches!(key, "message" | "normalizedMessages") => Self::Message,
            Self::Progress => Self::Said,
            Self::Said if matches!(key, "thinking" | "signature" | "base64") => Self::Fixed,
            Self::Plain | Self::Said | Self::Fixed => self,
        }
    }

    /// The role of the string under `key` in an object of this zone.
    pub(super) fn role(self, key: &str) -> Role {
        match key {
            "sessionId" if self == Self::Record => Role::Session,
            "uuid"
            | "parentUuid"
            | "logicalParentUuid"
            | "leafUuid"
            | "sourceToolAssistantUUID"
            | "messageId"
            | "snapshotMessageId"
            | "anchorUuid"
            | "headUuid"
            | "tailUuid"
            | "uuids"
            | "allUuids"
            | "summarizedTurnPromptUuids" => Role::Record,
            "promptId" => Role::Prompt,
            _ => Role::Unknown,
        }
    }
}

fn in_record(key: &str) -> Zone {
    match key {
        "message" => Zone::Message,
        "data" => Zone::Progress,
        "content"
        | "attachment"
        | "rendered"
        | "toolUseResult"
        | "mcpMeta"
        | "planContent"
        | "userFeedback"
        | "hookAdditionalContext"
        | "lastPrompt"
        | "summary"
        | "shape"
        | "body" => Zone::Said,
        _ => Zone::Plain,
    }
}

fn in_message(key: &str) -> Zone {
    match key {
        "content" | "toolUseResult" => Zone::Said,
        "message" => Zone::Message,
        // The API's: by it usage is counted once.
        "id" => Zone::Fixed,
        _ => Zone::Plain,
    }
}
