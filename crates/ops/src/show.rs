//! One session as a conversation.

mod kept;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use steno_conversation::{Conversation, Implementation, Warning, conversation};
use steno_source::SessionFiles;
use steno_transcript::{RecordId, SessionId};

use crate::custody::Custody;
use crate::error::{Error, ErrorKind};
use crate::library::Library;
use crate::next::Step;
use crate::part::Part;
use crate::resolve::{Found, resolve};
use crate::surroundings::Surroundings;
use crate::{names, reading, warning};

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
    match resolve(&custody.library, &request.session) {
        Ok(found) => {
            let mut report = of(&custody.library, found, request)?;
            let profile = &mut report.conversation.profile;
            profile.kept = kept::has(custody, profile.id.as_str());
            Ok(report)
        }
        Err(error) if error.kind == ErrorKind::NotFound => {
            kept::show(custody, request)?.ok_or_else(|| names::offered(custody, &request.session, error))
        }
        Err(error) => Err(error),
    }
}

/// A live session.
pub fn run(library: &Library, request: &Request) -> Result<Report, Error> {
    of(library, resolve(library, &request.session)?, request)
}

fn of(library: &Library, found: Found, request: &Request) -> Result<Report, Error> {
    let Found { mut files, part, mut warnings } = found;
    let transcript = match part {
        Some(id) => {
            let mut part = Part::new(&files, &id)?;
            let transcript = reading::transcript(&files.transcript, id, |piece| part.takes(piece))?;
            part.keep_own_agents(&mut files);
            transcript
        }
        None => reading::transcript(&files.transcript, files.id.clone(), |_| true)?,
    };
    let is_unfinished = transcript.is_unfinished();
    let mut conversation = conversation(transcript, reading::context(&files, library, &mut warnings));
    let surroundings = Surroundings { session: &files, library, running: &library.running_beside(&files) };
    conversation.profile = surroundings.complete(conversation.profile, is_unfinished);
    if conversation.has_open_plans() {
        conversation.settle_plans(&implementations(&files, &mut warnings));
    }
    conversation.warnings.extend(warnings);
    let at = request.at.as_deref().map(|at| chunk_of(&conversation, at)).transpose()?;
    Ok(Report { conversation, at, next: Vec::new() })
}

/// What the other sessions in the same directory were asked to implement.
fn implementations(files: &SessionFiles, warnings: &mut Vec<Warning>) -> Vec<(SessionId, Implementation)> {
    let siblings = steno_source::siblings(&files.transcript);
    warnings.extend(siblings.warnings.iter().map(warning::on_disk));
    let mut requests = Vec::new();
    for sibling in siblings.transcripts {
        match reading::implementations(&sibling.path) {
            Ok(found) => requests.extend(found.into_iter().map(|request| (sibling.id.clone(), request))),
            Err(error) => warnings.push(warning::unreadable(&sibling.path, &error)),
        }
    }
    requests
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
