//! What a user calls a session → its conversation, whether the client still has it or only the vault.
//!
//! Separate from the commands that show it, because all of them read it the same way.

mod originals;

use steno_conversation::{Conversation, Implementation, Warning, conversation};
pub use steno_sessions::session::OnlyKept;
use steno_sessions::session::OpenSession;
use steno_transcript::SessionId;

use crate::error::Error;
use crate::kept::has;
use crate::reader::Reader;
use crate::surroundings::Surroundings;
use crate::workspace::Workspace;

/// A session that was read.
#[derive(Debug)]
pub(crate) struct LoadedSession {
    pub(crate) conversation: Conversation,
    /// Its files.
    pub(crate) session: OpenSession,
    /// Of one that only the vault still has.
    pub(crate) only_kept: Option<OnlyKept>,
}

/// A live session, or one that only the vault still has.
pub(crate) fn open(workspace: &Workspace, name: &str, reader: &mut Reader) -> Result<LoadedSession, Error> {
    reader.room = workspace.room;
    let session = OpenSession::open(workspace, name)?;
    let mut conversation = read(workspace, &session, reader)?;
    let only_kept = session.only_kept(workspace);
    let profile = &mut conversation.profile;
    if only_kept.is_some() {
        (profile.live, profile.kept, profile.ongoing) = (false, true, false);
    } else {
        profile.kept = has(workspace, profile.id.as_str());
    }
    Ok(LoadedSession { conversation, session, only_kept })
}

fn read(workspace: &Workspace, session: &OpenSession, reader: &mut Reader) -> Result<Conversation, Error> {
    let mut warnings = session.warnings.clone();
    reader.lens.meet(session.first_directory()?.as_deref());
    reader.learn(session);
    let transcript = reader.session(session)?;
    let is_unfinished = transcript.is_unfinished();
    let dirs = &workspace.dirs;
    let mut conversation = conversation(transcript, reader.context(session, dirs, &mut warnings));
    let surroundings =
        Surroundings { session: &session.files, dirs, running: &dirs.running_beside(&session.files) };
    conversation.profile = surroundings.complete(conversation.profile, is_unfinished);
    conversation.profile.path = Some(session.name());
    surroundings.complete_agents(&mut conversation.agents);
    if reader.takes_originals {
        reader.originals = originals::originals(session, conversation.profile.cwd.as_deref());
    }
    if conversation.has_open_plans() {
        let requests = implementations(workspace, session, reader, &mut warnings);
        conversation.settle_plans(&requests);
    }
    conversation.warnings.extend(warnings);
    conversation.warnings.extend(session.losses().iter().cloned());
    Ok(conversation)
}

/// What the other sessions of the project were asked to implement.
fn implementations(
    workspace: &Workspace,
    session: &OpenSession,
    reader: &mut Reader,
    warnings: &mut Vec<Warning>,
) -> Vec<(SessionId, Implementation)> {
    let mut requests = Vec::new();
    let strange = session.siblings(workspace, |id, file| {
        let found = file.implementations(|line| reader.lens.glance(line))?;
        requests.extend(found.into_iter().map(|request| (id.clone(), request)));
        Ok(())
    });
    warnings.extend(strange);
    requests
}
