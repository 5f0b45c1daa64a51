//! Which strings of a record may change: a zone for every place, from the keys that lead there.
//!
//! The keys alone decide, not the record's type, which may follow what it says. Directories besides `cwd`,
//! as tried with 2.1.325:
//! - `worktreeSession` must move, or a resumed session goes to work in the old worktree without a word. It becomes
//!   `null` where the worktree itself is what the session leaves: the client refuses one that is the project.
//! - `relocatedCwd` repeats it.
//! - `realParentDir` of the file history must move, or the client rewinds nothing.
//! - The directory in an `environment` attachment does not follow `cwd`: the client compares it with the directory
//!   that it finds itself in, and tells the model that the session has moved, which is true.

/// What may change at a place and below it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Zone {
    /// The record itself.
    Record,
    /// A message, a list of them, or a record inside a record.
    Message,
    /// A text, a block, or a list of blocks.
    Content,
    Attachment,
    /// What a tool says while it runs.
    Progress,
    /// Every string below.
    Open,
    /// `worktreeSession`: which worktree the session is in.
    Worktree,
    /// `snapshot` of the file history: the backups by file.
    Snapshot,
    Backups,
    Backup,
    /// A string that is a directory of the session.
    Directory,
    /// The same, of the worktree: a session that moves out of it is in none.
    WorktreePath,
    Closed,
}

impl Zone {
    /// The zone of the value of `key` in an object of this zone.
    pub(super) fn under(self, key: &str) -> Self {
        match self {
            Self::Record => in_record(key),
            Self::Message => in_message(key),
            Self::Content => in_block(key),
            Self::Attachment => in_attachment(key),
            Self::Progress => in_progress(key),
            Self::Open => unless_sealed(key),
            Self::Worktree => in_worktree(key),
            Self::Snapshot if key == "trackedFileBackups" => Self::Backups,
            Self::Backups => Self::Backup,
            Self::Backup if key == "realParentDir" => Self::Directory,
            Self::Snapshot | Self::Backup | Self::Directory | Self::WorktreePath | Self::Closed => {
                Self::Closed
            }
        }
    }

    /// The zone of the elements of a list.
    pub(super) fn element(self) -> Self {
        match self {
            Self::Message | Self::Content | Self::Open => self,
            _ => Self::Closed,
        }
    }

    /// Whether paths in a string of this zone are replaced.
    pub(super) fn is_open(self) -> bool {
        matches!(self, Self::Message | Self::Content | Self::Open)
    }

    /// Whether an object of this zone is left alone for its `type`.
    pub(super) fn is_sealed_by(self, kind: &str) -> bool {
        let is_sealed = matches!(kind, "thinking" | "redacted_thinking" | "base64");
        is_sealed && matches!(self, Self::Message | Self::Content | Self::Open | Self::Attachment)
    }
}

fn in_record(key: &str) -> Zone {
    match key {
        "cwd" | "relocatedCwd" => Zone::Directory,
        "worktreeSession" => Zone::Worktree,
        "snapshot" => Zone::Snapshot,
        "backup" => Zone::Backup,
        "message" | "rendered" => Zone::Message,
        "content" => Zone::Content,
        "attachment" => Zone::Attachment,
        "data" => Zone::Progress,
        "toolUseResult" | "mcpMeta" | "planContent" | "userFeedback" | "hookAdditionalContext" | "shape" => {
            Zone::Open
        }
        _ => Zone::Closed,
    }
}

fn in_message(key: &str) -> Zone {
    match key {
        "content" => Zone::Content,
        "message" => Zone::Message,
        "toolUseResult" => Zone::Open,
        _ => Zone::Closed,
    }
}

fn in_block(key: &str) -> Zone {
    match key {
        "content" => Zone::Content,
        "type" | "id" | "name" | "tool_use_id" | "tool_name" | "cache_control" => Zone::Closed,
        _ => unless_sealed(key),
    }
}

fn in_attachment(key: &str) -> Zone {
    match key {
        "prompt" => Zone::Content,
        "type" | "id" | "uuid" | "source_uuid" | "toolUseID" | "display" | "displayPath" => Zone::Closed,
        _ => unless_sealed(key),
    }
}

fn in_progress(key: &str) -> Zone {
    match key {
        "message" | "normalizedMessages" => Zone::Message,
        "prompt" | "output" | "fullOutput" => Zone::Open,
        _ => Zone::Closed,
    }
}

fn in_worktree(key: &str) -> Zone {
    match key {
        "originalCwd" | "preEnterOriginalCwd" | "extensionRoot" => Zone::Directory,
        "worktreePath" => Zone::WorktreePath,
        _ => Zone::Closed,
    }
}

/// Signed, or encoded: neither is text.
fn unless_sealed(key: &str) -> Zone {
    match key {
        "thinking" | "signature" | "base64" => Zone::Closed,
        _ => Zone::Open,
    }
}
