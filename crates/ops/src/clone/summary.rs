//! The turns that a compression takes away → the summary in their place.

use std::collections::HashSet;
use std::fs;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use steno_conversation::model::{Chunk, ChunkBody};
use steno_conversation::{Builder, Context, Conversation, MemoryLimit, conversation};
use steno_edit::outline::{NodeId, Rereading};
use steno_edit::{Identity, Outline};
use steno_render::{Detail, markdown};
use steno_sessions::session::OpenSession;

use super::room;
use crate::error::{Error, ErrorKind};

/// Where the summary comes from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Summary {
    /// We: what was asked, which files were touched, what was decided.
    #[default]
    Digest,
    /// A file of the user's.
    File(PathBuf),
    /// A command for the shell, which reads what goes and prints its summary.
    Command(String),
}

/// The summary that replaces older turns.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, JsonSchema)]
pub struct Summarized {
    pub source: SummarySource,
}

/// Where a summary came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SummarySource {
    /// The summary that the client recorded in its own compaction, with prompts and files of the turns after it.
    Compaction,
    /// `--summary FILE`.
    File,
    /// `--summarize CMD`.
    Command,
    /// Made from prompts, answers and files.
    Digest,
}

impl Summary {
    /// Of the records that go.
    pub(super) fn text(
        &self,
        original: &OpenSession,
        outline: &Outline,
        gone: Vec<NodeId>,
        identity: &Identity,
        room: u64,
    ) -> Result<(String, SummarySource), Error> {
        match self {
            Self::Digest => {
                let gone = conversation_of(original, outline, gone, room)?;
                let source =
                    if is_compacted(&gone) { SummarySource::Compaction } else { SummarySource::Digest };
                Ok((renamed(steno_edit::digest(&gone), identity), source))
            }
            Self::File(path) => Ok((read(path)?, SummarySource::File)),
            Self::Command(line) => {
                let detail = Detail { full_results: true, ..Detail::default() };
                let gone = conversation_of(original, outline, gone, room)?;
                Ok((run(line, &markdown(&gone, &detail))?, SummarySource::Command))
            }
        }
    }
}

/// Whether the client summed up a part of it, which a digest quotes.
fn is_compacted(gone: &Conversation) -> bool {
    let is_summed_up =
        |chunk: &Chunk| matches!(&chunk.body, ChunkBody::Compact(compact) if !compact.summary.is_empty());
    gone.chunks.iter().any(is_summed_up)
}

/// What it quotes names files of the session; the clone has its own, as in everything else that was said.
fn renamed(digest: String, identity: &Identity) -> String {
    let said = json!({ "message": { "content": digest } }).to_string();
    let renamed = serde_json::from_slice::<Value>(&identity.relabel_document(said.as_bytes()));
    let text = renamed.ok().and_then(|said| said.pointer("/message/content")?.as_str().map(str::to_owned));
    text.unwrap_or(digest)
}

fn read(path: &Path) -> Result<String, Error> {
    let text = fs::read_to_string(path).map_err(|error| {
        let kind = match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => ErrorKind::NotFound,
            io::ErrorKind::IsADirectory | io::ErrorKind::InvalidData => ErrorKind::Invalid,
            _ => ErrorKind::Io,
        };
        let message = format!("cannot read the summary {}: {error}", path.display());
        Error::new(kind, message).hint("--summary FILE names a text of your own")
    })?;
    some(text, || format!("the summary {} is empty", path.display()))
}

/// What goes.
fn conversation_of(
    original: &OpenSession,
    outline: &Outline,
    gone: Vec<NodeId>,
    room: u64,
) -> Result<Conversation, Error> {
    let gone: HashSet<NodeId> = gone.into_iter().collect();
    let builder = Builder::new(original.files.transcript.display().to_string());
    let mut builder = builder.within(MemoryLimit { bytes: room, holds_records: false });
    let mut is_full = false;
    let mut reading = Rereading::new(outline);
    original.pieces(|piece| {
        if reading.node(piece).is_some_and(|node| gone.contains(&node)) {
            is_full = builder.push(piece).dropped > 0;
        }
        if is_full { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    // A summary of a part would pass for one of everything.
    if is_full {
        return Err(room::refused(original, room));
    }
    if !reading.is_same() {
        return Err(super::changed(original));
    }
    Ok(conversation(builder.finish(original.id().clone()), Context::default()))
}

/// The command may print before it has read everything: both at once.
fn run(line: &str, stdin: &str) -> Result<String, Error> {
    let failed = |why: String| {
        Error::new(ErrorKind::Outside, format!("`{line}` made no summary: {why}"))
            .hint("it reads the turns that go as markdown from stdin, and prints their summary; nothing was written")
    };
    let mut command = shell(line);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|error| failed(error.to_string()))?;
    let pipe = child.stdin.take();
    let output = std::thread::scope(|scope| {
        // A command that stops reading has read enough.
        scope.spawn(|| pipe.map(|mut pipe| pipe.write_all(stdin.as_bytes())));
        child.wait_with_output()
    });
    let output = output.map_err(|error| failed(error.to_string()))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        let last = said.trim().lines().last().map(|last| format!(": {last}")).unwrap_or_default();
        return Err(failed(format!("{}{last}", output.status)));
    }
    let text = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    some(text, String::new).map_err(|_| failed("it printed nothing".to_owned()))
}

#[cfg(not(windows))]
fn shell(line: &str) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", line]);
    command
}

/// The line goes there as it is: `cmd` takes the outer quotes away, and knows no backslashes before the others.
#[cfg(windows)]
fn shell(line: &str) -> Command {
    let mut command = Command::new("cmd");
    command.args(["/D", "/S", "/C"]);
    std::os::windows::process::CommandExt::raw_arg(&mut command, format!("\"{line}\""));
    command
}

fn some(text: String, empty: impl FnOnce() -> String) -> Result<String, Error> {
    if text.trim().is_empty() {
        return Err(Error::new(ErrorKind::Invalid, empty())
            .hint("without a summary, all that goes would be forgotten"));
    }
    Ok(text)
}
