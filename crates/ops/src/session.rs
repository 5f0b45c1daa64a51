//! What a user calls a session → its conversation, whether the client still has it or only the vault.
//!
//! Separate from the commands that show it, because all of them read it the same way.

pub(crate) mod kept;
mod originals;

use std::path::{Path, PathBuf};

use steno_conversation::{Conversation, Implementation, Warning, conversation};
use steno_transcript::SessionId;

use crate::claude_dirs::ClaudeDirs;
use crate::error::{Error, ErrorKind};
use crate::part::Part;
use crate::reader::Reader;
use crate::resolve::{Found, resolve};
use crate::surroundings::Surroundings;
use crate::workspace::Workspace;
use crate::{names, reading, warning};

/// What it takes to put back a session that only the vault still has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OnlyKept {
    /// Bytes of it are damaged or gone.
    pub is_damaged: bool,
    /// The machine that kept it, unless it is this one.
    pub machine: Option<String>,
    /// The Claude directory that it came from, unless it is the usual one.
    pub claude_dir: Option<PathBuf>,
}

/// A session that was read.
#[derive(Debug)]
pub(crate) struct LoadedSession {
    pub(crate) conversation: Conversation,
    /// Of one that only the vault still has.
    pub(crate) only_kept: Option<OnlyKept>,
    /// Where the files of a kept session lie meanwhile.
    _directory: Option<kept::TemporaryDir>,
}

/// A live session, or one that only the vault still has.
pub(crate) fn open(workspace: &Workspace, name: &str, reader: &mut Reader) -> Result<LoadedSession, Error> {
    reader.room = workspace.room;
    match resolve(&workspace.dirs, name) {
        Ok(found) => {
            let mut conversation = read(&workspace.dirs, found, reader)?;
            let profile = &mut conversation.profile;
            profile.kept = kept::has(workspace, profile.id.as_str());
            Ok(LoadedSession { conversation, only_kept: None, _directory: None })
        }
        Err(error) if error.kind == ErrorKind::NotFound => {
            kept::open(workspace, name, reader)?.ok_or_else(|| names::offered(workspace, name, error))
        }
        Err(error) => Err(error),
    }
}

/// A live session.
pub(crate) fn open_live(dirs: &ClaudeDirs, name: &str, reader: &mut Reader) -> Result<Conversation, Error> {
    read(dirs, resolve(dirs, name)?, reader)
}

fn read(dirs: &ClaudeDirs, found: Found, reader: &mut Reader) -> Result<Conversation, Error> {
    let Found { mut files, part, mut warnings } = found;
    reader.lens.meet(reading::first_directory(&files.transcript)?.as_deref());
    reader.learn(&files);
    let transcript = match part {
        Some(id) => {
            let mut part = Part::new(&files, &id)?;
            let transcript = reader.session(&files.transcript, id, |piece| part.takes(piece))?;
            part.keep_own_agents(&mut files);
            transcript
        }
        None => reader.session(&files.transcript, files.id.clone(), |_| true)?,
    };
    let is_unfinished = transcript.is_unfinished();
    let mut conversation = conversation(transcript, reader.context(&files, dirs, &mut warnings));
    let surroundings = Surroundings { session: &files, dirs, running: &dirs.running_beside(&files) };
    conversation.profile = surroundings.complete(conversation.profile, is_unfinished);
    if reader.takes_originals {
        reader.originals = originals::originals(&files, conversation.profile.cwd.as_deref());
    }
    if conversation.has_open_plans() {
        conversation.settle_plans(&implementations(&files.transcript, reader, &mut warnings));
    }
    conversation.warnings.extend(warnings);
    Ok(conversation)
}

/// What the other sessions in the same directory were asked to implement.
fn implementations(
    transcript: &Path,
    reader: &mut Reader,
    warnings: &mut Vec<Warning>,
) -> Vec<(SessionId, Implementation)> {
    let siblings = steno_source::siblings(transcript);
    warnings.extend(siblings.warnings.iter().map(warning::on_disk));
    let mut requests = Vec::new();
    for sibling in siblings.transcripts {
        match reader.implementations(&sibling.path) {
            Ok(found) => requests.extend(found.into_iter().map(|request| (sibling.id.clone(), request))),
            Err(error) => warnings.push(warning::unreadable(&sibling.path, &error)),
        }
    }
    requests
}
