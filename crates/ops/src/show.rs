//! One session as a conversation.

use std::ops::ControlFlow;
use std::path::Path;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use steno_conversation::{Conversation, conversation};
use steno_source::SessionFiles;
use steno_transcript::{RecordId, SessionId, Shape};

use crate::error::{Error, ErrorKind};
use crate::library::Library;
use crate::list::complete;
use crate::reading;
use crate::resolve::resolve;

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
}

pub fn run(library: &Library, request: &Request) -> Result<Report, Error> {
    let found = resolve(library, &request.session)?;
    let files = &found.files;
    let lines = match &found.part {
        Some(part) => Some(lines_of(files, part)?),
        None => None,
    };
    let id = found.part.clone().unwrap_or_else(|| files.id.clone());
    let wanted = |line: u64| {
        lines.as_ref().is_none_or(|lines| lines.iter().any(|(from, to)| (*from..=*to).contains(&line)))
    };
    let transcript = reading::transcript(&files.transcript, id, wanted)?;
    let is_unfinished = transcript.is_unfinished();
    let mut warnings = found.warnings;
    let mut conversation = conversation(transcript, reading::context(files, library, &mut warnings));
    conversation.warnings.extend(warnings);
    conversation.profile = complete(conversation.profile, is_unfinished, files, library, &library.running());
    if conversation.has_open_plans() {
        conversation.settle_plans(&first_prompts(files));
    }
    let at = request.at.as_deref().map(|at| chunk_of(&conversation, at)).transpose()?;
    Ok(Report { conversation, at })
}

/// The lines of one session id in a file of several: records without one belong to the part they stand in.
fn lines_of(files: &SessionFiles, part: &SessionId) -> Result<Vec<(u64, u64)>, Error> {
    let mut spans: Vec<(u64, u64)> = Vec::new();
    // Before the first id, records belong to the part that comes first.
    let mut start = 1;
    let mut current: Option<String> = None;
    let mut last_line = 1;
    reading::pieces(&files.transcript, |piece| {
        last_line = piece.place.line;
        if let Shape::Record(record) = &piece.shape
            && let Some(id) = record.envelope.session_id.as_deref()
            && current.as_deref() != Some(id)
        {
            if current.as_deref() == Some(part.as_str()) {
                spans.push((start, last_line.saturating_sub(1)));
            }
            if current.is_some() {
                start = last_line;
            }
            current = Some(id.to_owned());
        }
        ControlFlow::Continue(())
    })?;
    if current.as_deref() == Some(part.as_str()) {
        spans.push((start, last_line));
    }
    Ok(spans)
}

/// The first prompts of the other sessions in the same directory; one that cannot be read tells nothing.
fn first_prompts(files: &SessionFiles) -> Vec<(SessionId, String)> {
    let Some(entries) = files.transcript.parent().and_then(|folder| std::fs::read_dir(folder).ok()) else {
        return Vec::new();
    };
    let others =
        entries.filter_map(Result::ok).map(|entry| entry.path()).filter(|path| is_other_session(path, files));
    let prompts = others.filter_map(|path| {
        let id = SessionId::new(path.file_stem()?.to_string_lossy());
        reading::head(&path).ok()?.first_user_text.map(|text| (id, text))
    });
    prompts.collect()
}

fn is_other_session(path: &Path, files: &SessionFiles) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.ends_with(".jsonl") && !name.starts_with("agent-") && *path != files.transcript
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
