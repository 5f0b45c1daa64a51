//! The keys that lead to a string → whether it was said, and what it names if not.

use super::Role;

/// What may change at a place and below it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Zone {
    /// The record itself.
    Record,
    /// A message, a list of them, or a record inside a record. Where it is a string, that is what was said.
    Message,
    /// What a tool says while it runs.
    Progress,
    /// Everything of which nobody knows that it was said: whole strings may be names.
    Plain,
    /// Only paths of the session's own change.
    Said,
    /// Signed, encoded, or a name that stays.
    Fixed,
}

impl Zone {
    /// The zone of what stands under `key` in an object of this zone.
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

    /// What a string under `key` in an object of this zone names.
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
