//! The record types by name. A new one appears every few weeks: it is `Other`, and nothing breaks.

macro_rules! kinds {
    ($($variant:ident $name:literal),+ $(,)?) => {
        /// What a record is, by its `type`.
        #[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
        pub enum Kind {
            $($variant,)+
            /// A type that this reader does not know.
            Other(String),
            /// An object without a `type`.
            #[default]
            Missing,
        }

        impl Kind {
            /// Every type that is known.
            pub const KNOWN: &'static [&'static str] = &[$($name),+];

            pub fn from_name(name: &str) -> Self {
                match name {
                    $($name => Self::$variant,)+
                    other => Self::Other(other.to_owned()),
                }
            }

            pub fn name(&self) -> &str {
                match self {
                    $(Self::$variant => $name,)+
                    Self::Other(name) => name,
                    Self::Missing => "(no type)",
                }
            }
        }
    };
}

kinds! {
    User "user",
    Assistant "assistant",
    System "system",
    Attachment "attachment",
    Progress "progress",
    Summary "summary",
    CustomTitle "custom-title",
    AiTitle "ai-title",
    AgentName "agent-name",
    AgentColor "agent-color",
    AgentSetting "agent-setting",
    Tag "tag",
    PrLink "pr-link",
    LastPrompt "last-prompt",
    Mode "mode",
    PermissionMode "permission-mode",
    QueueOperation "queue-operation",
    FileHistorySnapshot "file-history-snapshot",
    FileHistoryDelta "file-history-delta",
    WorktreeState "worktree-state",
    Relocated "relocated",
    BridgeSession "bridge-session",
    AtisLatch "atis-latch",
    ToolsUsed "tools-used",
    CostState "cost-state",
    ApiRequest "api-request",
    ApiRequestShape "api-request-shape",
    ApiRequestBlob "api-request-blob",
    FrameLink "frame-link",
    ContentReplacement "content-replacement",
    ForkContextRef "fork-context-ref",
    DerivedFrom "derived-from",
    HistorySuppression "history-suppression",
}

impl Kind {
    pub fn is_known(&self) -> bool {
        !matches!(self, Self::Other(_) | Self::Missing)
    }
}
