//! One session as a conversation.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use steno_conversation::Conversation;
use steno_transcript::RecordId;

use crate::custody::Custody;
use crate::error::{Error, ErrorKind};
use crate::library::Library;
use crate::next::Step;
use crate::reader::Reader;
use crate::session;

#[derive(Debug, Clone, Default)]
pub struct Request {
    /// An id, a prefix, `last`, or a path.
    pub session: String,
    /// The record to open at: its line, or its uuid or a prefix of it.
    pub at: Option<String>,
}

/// The conversation, and where to open it.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    #[serde(flatten)]
    pub conversation: Conversation,
    /// The chunk that holds the record of `--at`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<usize>,
    /// What to do next, where that is obvious.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub next: Vec<Step>,
}

/// A live session, or one that only the vault still has.
pub fn joined(custody: &Custody, request: &Request) -> Result<Report, Error> {
    let told = session::open(custody, &request.session, &mut Reader::default())?;
    Ok(Report { next: told.next, ..report(told.conversation, request)? })
}

/// A live session.
pub fn run(library: &Library, request: &Request) -> Result<Report, Error> {
    report(session::open_live(library, &request.session, &mut Reader::default())?, request)
}

fn report(conversation: Conversation, request: &Request) -> Result<Report, Error> {
    let at = request.at.as_deref().map(|at| chunk_of(&conversation, at)).transpose()?;
    Ok(Report { conversation, at, next: Vec::new() })
}

/// The chunk that a record belongs to; for a line that no chunk has, the next one after it.
fn chunk_of(conversation: &Conversation, at: &str) -> Result<usize, Error> {
    let records = || {
        conversation.chunks.iter().flat_map(|chunk| chunk.records.iter().map(|record| (chunk.index, record)))
    };
    let by_line =
        |line: u64| records().filter(|(_, record)| record.line >= line).min_by_key(|(_, record)| record.line);
    let is_meant = |uuid: &RecordId| !at.is_empty() && uuid.as_str().starts_with(at);
    let by_uuid = || records().find(|(_, record)| record.uuid.as_ref().is_some_and(is_meant));
    let found = at.parse().ok().and_then(by_line).or_else(by_uuid);
    found.map(|(chunk, _)| chunk).ok_or_else(|| {
        Error::new(ErrorKind::NotFound, format!("no record '{at}' in this session"))
            .hint("give the line of a record, or its uuid; it may stand on an abandoned branch")
    })
}
