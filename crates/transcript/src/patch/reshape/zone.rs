//! The keys that lead to a value → what may become of it.

/// What may change at a place and below it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Zone {
    /// The record itself.
    Record,
    Message,
    /// What a message says: a text, a block, or a list of blocks.
    Content,
    Blocks,
    Block,
    /// What a tool's result says.
    ResultContent,
    Items,
    Item,
    ItemText,
    /// A structured result, and everything in it.
    Structured,
    /// Encoded media in one.
    Encoded,
    StructuredKind,
    /// The `type` of a block or item.
    Kind,
    StopReason,
    Other,
}

impl Zone {
    /// The zone of an object or list that stands where this one is expected.
    pub(super) fn opened(self, is_object: bool) -> Self {
        match (self, is_object) {
            // Some writers put the content itself where the message belongs.
            (Self::Content | Self::Message, false) => Self::Blocks,
            (Self::Content, true) => Self::Block,
            (Self::ResultContent, false) => Self::Items,
            (Self::ResultContent, true) => Self::Item,
            (Self::Record | Self::Message | Self::Block | Self::Item, true) | (Self::Structured, _) => self,
            _ => Self::Other,
        }
    }

    /// The zone of the elements of a list.
    pub(super) fn element(self) -> Self {
        match self {
            Self::Blocks => Self::Block,
            Self::Items => Self::Item,
            Self::Structured => self,
            _ => Self::Other,
        }
    }

    /// The zone of what stands under `key` in an object of this zone.
    pub(super) fn under(self, key: &str) -> Self {
        match (self, key) {
            (Self::Record, "message") => Self::Message,
            (Self::Record, "toolUseResult") => Self::Structured,
            (Self::Message, "content") => Self::Content,
            (Self::Message, "stop_reason") => Self::StopReason,
            (Self::Block, "content") => Self::ResultContent,
            (Self::Item, "text") => Self::ItemText,
            (Self::Block | Self::Item, "type") => Self::Kind,
            (Self::Structured, "base64") => Self::Encoded,
            (Self::Structured, "type") => Self::StructuredKind,
            (Self::Structured, _) => Self::Structured,
            _ => Self::Other,
        }
    }
}
