//! `peek`: enough of a kept session to recognise it, from the vault only.

use std::collections::{HashMap, HashSet};
use std::io::{self, Read as _};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use steno_conversation::model::{Chunk, ChunkBody, Profile, Step, TitleSource, UserChunk};
use steno_conversation::{Builder, Context, MemoryLimit, Pushed, conversation};
use steno_sessions::session::OpenSession;
use steno_transcript::{Kind, Piece, Record, SessionId, Shape};

use crate::error::Error;
use crate::kept::{
    FoundSession, Index, KeptQuery, KeptSession, KeptSessions, custom_title, unwrapped, with_session,
};
use crate::restore::{KeptName, Missing};
use crate::workspace::Workspace;

/// Of each end.
const SHOWN: usize = 2;
const PREVIEW: usize = 80;
/// So many records are read apart, so that a session of any length shows how it begins.
const OPENING: usize = 500;

#[derive(Debug, Clone, Default)]
pub struct Request {
    /// An id, a prefix, `last`, or the path of a transcript.
    pub session: String,
    pub machine: Option<String>,
    /// A part of the name of the project's directory, for a session that is kept from several.
    pub project: Option<String>,
    /// The latest, unless it is given.
    pub generation: Option<u32>,
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    pub uuid: String,
    pub project_hash: String,
    pub backed_up_at: Option<Timestamp>,
    /// Of the transcript as it is packed.
    pub size_bytes: u64,
    pub uncompressed_bytes: u64,
    /// Of users and assistants, the records of one message taken together.
    pub message_count: u64,
    pub first_messages: Vec<Preview>,
    /// Those that are not among the first.
    pub last_messages: Vec<Preview>,
    pub machine: String,
    pub generation: u32,
    /// How many there are.
    pub generations: u64,
    pub title: Option<String>,
    /// The first that a record names.
    pub cwd: Option<String>,
    /// The latest record's time, else the last write to the file.
    pub last_activity: Option<Timestamp>,
    /// Where else the same session is kept from.
    pub warnings: Vec<steno_conversation::Warning>,
    /// What else it takes to name it, where it is kept more than once.
    #[serde(skip)]
    pub name: KeptName,
    #[serde(skip)]
    pub client_copy: ClientCopy,
}

/// What the client has of a kept session.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum ClientCopy {
    Live,
    /// A file of that name, of which the machine that kept the session knows nothing.
    #[default]
    Other,
    /// Nothing. The session came from this Claude directory, or from the usual one.
    Gone(Option<PathBuf>),
}

/// The beginning of what somebody said.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Preview {
    /// `user` or `assistant`.
    pub role: String,
    /// On one line.
    pub preview: String,
}

pub fn run(workspace: &Workspace, request: &Request) -> Result<Report, Error> {
    let (machine, project) = (request.machine.as_deref(), request.project.as_deref());
    let query = KeptQuery { session: &request.session, machine, project };
    with_session(workspace, query, |kept_sessions, index, found| {
        look(workspace, request, (kept_sessions, index), found)
    })
}

fn look(
    workspace: &Workspace,
    request: &Request,
    (kept_sessions, index): (&KeptSessions, &Index<'_>),
    FoundSession { kept, mut warnings }: FoundSession<'_>,
) -> Result<Report, Error> {
    let generation = kept_sessions.generation(&kept, request.generation)?;
    let volume = kept_sessions.volume(kept.machine, kept.stream, generation);
    let damaged = |error| kept_sessions.damaged(&kept, generation.number, error);
    let read = match read(volume.reader(), (&kept.stream.path, &kept.id), PREVIEW) {
        Err(error) if volume.salvage().read(&mut [0]).is_ok_and(|read| read > 0) => {
            let holes = volume.holes().map_err(damaged)?;
            warnings.extend(Missing::of(&volume, &holes).map(|missing| missing.warning()));
            if holes.is_empty() {
                return Err(damaged(error));
            }
            read(volume.salvage(), (&kept.stream.path, &kept.id), PREVIEW).map_err(damaged)?
        }
        read => read.map_err(damaged)?,
    };
    let called = || custom_title(kept_sessions, index, &kept);
    let is_called = read.profile.title_source == Some(TitleSource::Custom);
    let last_activity = read.profile.ended_at.or(generation.modified());
    let title = if is_called { read.profile.title } else { called().or(read.profile.title) };
    let (first_messages, last_messages) = ends(read.said);
    let name = KeptName::of(&kept, index).or(request.machine.as_deref(), request.project.as_deref());
    let client_copy = client_copy(workspace, kept_sessions, &kept);
    Ok(Report {
        project_hash: kept.project,
        backed_up_at: generation.taken(),
        size_bytes: generation.packed(),
        uncompressed_bytes: generation.len(),
        message_count: read.messages,
        first_messages,
        last_messages,
        machine: kept.machine.to_owned(),
        generation: generation.number,
        generations: kept.stream.generations.len() as u64,
        uuid: kept.id,
        title,
        cwd: read.profile.cwd,
        last_activity,
        warnings,
        name,
        client_copy,
    })
}

/// Both ends of a session, live or kept, with so many letters of each message, as a picker shows them.
pub fn glance(workspace: &Workspace, name: &str, letters: usize) -> Result<[Vec<Preview>; 2], Error> {
    let session = OpenSession::open(workspace, name)?;
    let path = session.name();
    let mut said = Vec::new();
    session.read_bytes(|bytes| {
        said = read(bytes, (&path, session.id().as_str()), letters).map_err(io::Error::other)?.said;
        Ok(())
    })?;
    let (first, last) = ends(said);
    Ok([first, last])
}

/// Whether it can be put back where it came from.
fn client_copy(workspace: &Workspace, kept_sessions: &KeptSessions, kept: &KeptSession<'_>) -> ClientCopy {
    let has = |directory: &Path| directory.join(&kept.stream.path).symlink_metadata().is_ok();
    let usual = workspace.claude_dir().ok();
    match kept_sessions.vault.directory(kept.machine) {
        Some(own) if has(own) => ClientCopy::Live,
        Some(_) => {
            ClientCopy::Gone(kept_sessions.vault.other_directory(kept.machine, usual).map(Path::to_owned))
        }
        None if usual.is_some_and(has) => ClientCopy::Other,
        None => ClientCopy::Gone(None),
    }
}

struct Read {
    profile: Profile,
    messages: u64,
    said: Vec<Preview>,
}

fn read(
    transcript: impl io::Read,
    (path, id): (&str, &str),
    letters: usize,
) -> Result<Read, steno_vault::Error> {
    let mut messages = Messages::default();
    let (mut opening, mut all) = (Heard::new(path), Heard::new(path));
    let outcome = steno_transcript::read(transcript, |piece| {
        let message = if let Shape::Record(record) = &piece.shape { messages.number(record) } else { None };
        if opening.records.len() < OPENING {
            opening.push(&piece, message);
        }
        all.push(&piece, message);
        ControlFlow::Continue(())
    });
    outcome.map_err(|error| unwrapped(error, path))?;
    let is_cut = all.is_cut;
    let (profile, mut said) = all.finish(id, letters);
    if is_cut {
        let (_, mut first) = opening.finish(id, letters);
        first.append(&mut said);
        said = first;
    }
    Ok(Read { profile, messages: messages.numbers.len() as u64, said })
}

/// Which message each record belongs to. Several records have one message, each another block of it.
#[derive(Default)]
struct Messages {
    numbers: HashMap<String, usize>,
}

impl Messages {
    fn number(&mut self, record: &Record<'_>) -> Option<usize> {
        let is_message = matches!(record.kind(), Kind::User | Kind::Assistant);
        is_message.then(|| {
            let id = record.message().and_then(|message| message.id.as_deref());
            let key = id.or(record.envelope.uuid.as_deref()).map(str::to_owned);
            let next = self.numbers.len();
            *self.numbers.entry(key.unwrap_or_else(|| format!("at {}", record.place.offset))).or_insert(next)
        })
    }
}

/// Records that are read together: of very many, the last.
struct Heard {
    builder: Builder,
    /// For each record that was taken, in their order, the message that it belongs to.
    records: Vec<Option<usize>>,
    is_cut: bool,
}

impl Heard {
    fn new(path: &str) -> Self {
        let room = MemoryLimit { bytes: MemoryLimit::USUAL / 2, holds_records: false };
        Self { builder: Builder::new(path).within(room), records: Vec::new(), is_cut: false }
    }

    fn push(&mut self, piece: &Piece<'_>, message: Option<usize>) {
        let Pushed { is_taken, dropped } = self.builder.push(piece);
        self.records.extend(is_taken.then_some(message));
        self.records.drain(..dropped.min(self.records.len()));
        self.is_cut |= dropped > 0;
    }

    fn finish(self, id: &str, letters: usize) -> (Profile, Vec<Preview>) {
        let Self { builder, records, .. } = self;
        let conversation = conversation(builder.finish(SessionId::from(id)), Context::default());
        let said = said(&records, &conversation.chunks, letters);
        (conversation.profile, said)
    }
}

/// What was said, each message once, in the order of the conversation.
fn said(records: &[Option<usize>], chunks: &[Chunk], letters: usize) -> Vec<Preview> {
    let mut known = HashSet::new();
    let mut said = Vec::new();
    let mut say = |role: &str, text: &str, record: Option<usize>| {
        let number = record.and_then(|record| records.get(record).copied().flatten());
        let preview = preview(text, letters);
        if !preview.is_empty() && number.is_none_or(|number| known.insert(number)) {
            said.push(Preview { role: role.to_owned(), preview });
        }
    };
    for chunk in chunks {
        match &chunk.body {
            ChunkBody::User(user) => {
                say("user", &spoken(user), chunk.records.first().map(|record| record.index));
            }
            ChunkBody::Ai(ai) => ai.steps.iter().for_each(|step| {
                if let Step::Text { text, record } = step {
                    say("assistant", text, Some(record.index));
                }
            }),
            ChunkBody::System(_) | ChunkBody::Compact(_) => {}
        }
    }
    said
}

fn spoken(user: &UserChunk) -> String {
    match (&user.command, &user.bash) {
        (Some(command), _) => format!("{} {}", command.name, command.args),
        (None, Some(bash)) => format!("!{}", bash.command),
        (None, None) => user.text.clone(),
    }
}

fn preview(text: &str, letters: usize) -> String {
    let line = text.trim().chars().map(|letter| if letter.is_whitespace() { ' ' } else { letter });
    let mut preview: String = line.clone().take(letters).collect();
    if line.count() > letters {
        preview.pop();
        preview.push('…');
    }
    preview
}

/// The first and the last, none of them twice.
fn ends(mut said: Vec<Preview>) -> (Vec<Preview>, Vec<Preview>) {
    let rest = said.split_off(SHOWN.min(said.len()));
    let last = rest.len().saturating_sub(SHOWN);
    (said, rest.into_iter().skip(last).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ends_never_overlap() {
        let said = |number: usize| -> Vec<Preview> {
            let names = (1..=number).map(|number| number.to_string());
            names.map(|preview| Preview { role: "user".into(), preview }).collect()
        };
        let shown = |number| {
            let (first, last) = ends(said(number));
            let text =
                |said: Vec<Preview>| said.into_iter().map(|one| one.preview).collect::<Vec<_>>().join(" ");
            (text(first), text(last))
        };
        let pair = |one: &str, two: &str| (one.to_owned(), two.to_owned());
        assert_eq!(shown(0), pair("", ""));
        assert_eq!(shown(1), pair("1", ""));
        assert_eq!(shown(2), pair("1 2", ""));
        assert_eq!(shown(3), pair("1 2", "3"));
        assert_eq!(shown(4), pair("1 2", "3 4"));
        assert_eq!(shown(9), pair("1 2", "8 9"));
    }

    #[test]
    fn a_preview_is_a_line_of_eighty_characters() {
        assert_eq!(preview("  one\ntwo\tthree  ", PREVIEW), "one two three");
        assert_eq!(preview(&"é".repeat(80), PREVIEW), "é".repeat(80));
        assert_eq!(preview(&"é".repeat(81), PREVIEW), format!("{}…", "é".repeat(79)));
    }
}
