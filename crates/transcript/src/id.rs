//! The ids that transcripts are joined by, each with a type of its own so that none is taken for another.
//!
//! An id is any text: other writers and old clients use ids that are not UUIDs, and a reader that insists on UUIDs loses
//! those sessions.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
        #[serde(transparent)]
        #[schemars(inline)]
        pub struct $name(String);

        impl $name {
            pub fn new(text: impl Into<String>) -> Self {
                Self(text.into())
            }

            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str(&self.0)
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                Self(text.to_owned())
            }
        }

        impl std::borrow::Borrow<str> for $name {
            fn borrow(&self) -> &str {
                &self.0
            }
        }
    };
}

id!(
    /// A session: the stem of its transcript's file name.
    SessionId
);
id!(
    /// A record's own `uuid`.
    RecordId
);
id!(
    /// A tool call, `tool_use.id`.
    ToolId
);
id!(
    /// An API message, `message.id`; several records may share one.
    MessageId
);
id!(
    /// A subagent: in its file name, the text between `agent-` and `.jsonl`.
    AgentId
);
