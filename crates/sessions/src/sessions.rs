//! Live directories and the vault → every transcript that can be read.
//!
//! One list for commands that read all of them: live ones, files beside them, and those only the vault still has.

mod beside;
mod kept;
mod listed_file;

pub use beside::{title_of, title_passage};
pub use listed_file::{Form, ListedFile};

use steno_transcript::SessionId;

use crate::error::Error;
use crate::file::SessionFile;
use crate::kept::{Index, KeptSessions};
use crate::live::LiveSessions;
use crate::sources::Sources;

/// What there is, as it was found at a moment.
#[derive(Debug)]
pub struct Sessions {
    pub live_sessions: LiveSessions,
    /// None where there is no vault, or none that can be read.
    pub kept_sessions: Option<KeptSessions>,
    /// The vault is there, but cannot be read.
    pub is_vault_unread: bool,
    /// It is encrypted, and the key is not here: names are known, and what is remembered of the rest is nobody's business.
    pub is_locked: bool,
}

/// Which kept files are wanted beside the live ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Copies {
    /// Each session once, as one machine has it.
    Best,
    /// Those of other machines, too: a session may have gone on there.
    All,
}

impl Sessions {
    /// A vault that cannot be read takes nothing from the live files.
    pub fn take(sources: &dyn Sources) -> Result<Self, Error> {
        let live_sessions = sources.dirs().live_sessions()?;
        let kept_sessions = match sources.look() {
            Ok(None) => Ok(None),
            Ok(Some(_)) => KeptSessions::open(sources).map(Some),
            Err(error) => Err(error),
        };
        let is_locked =
            matches!(&kept_sessions, Ok(Some(kept_sessions)) if !kept_sessions.vault.is_readable());
        let is_vault_unread = is_locked || kept_sessions.is_err();
        Ok(Self { live_sessions, kept_sessions: kept_sessions.ok().flatten(), is_vault_unread, is_locked })
    }

    /// What the vault has, sorted by session.
    pub fn index(&self) -> Option<Index<'_>> {
        self.kept_sessions.as_ref().map(KeptSessions::index)
    }

    /// Everything that is live: transcripts, others of the same session, subagents.
    pub fn live(&self) -> Vec<ListedFile<'_>> {
        let LiveSessions { sessions, twins, orphans, .. } = &self.live_sessions;
        let agents: usize = sessions.iter().map(|session| session.agents.len()).sum();
        let mut items = Vec::with_capacity(sessions.len() + agents + twins.len() + orphans.len());
        for session in sessions {
            items.push(ListedFile::of_session(session));
            items.extend(session.agents.iter().map(|agent| ListedFile::of_agent(session, agent)));
        }
        items.extend(twins.iter().map(|twin| {
            let file = SessionFile::Live { path: &twin.path, len: twin.len, modified: twin.modified };
            ListedFile::live(Some(twin.id.as_str()), twin.is_agent, file)
        }));
        items.extend(orphans.iter().map(|orphan| {
            let session = orphan.session.as_ref().map(SessionId::as_str);
            ListedFile::live(session, true, SessionFile::of_agent(&orphan.agent))
        }));
        items
    }

    /// Transcripts no longer live, and those of other machines.
    pub fn kept<'a>(
        &'a self,
        sources: &dyn Sources,
        index: &Index<'a>,
        live: &[ListedFile<'_>],
        copies: Copies,
    ) -> Vec<ListedFile<'a>> {
        let kept_sessions = self.kept_sessions.as_ref().filter(|_| !self.is_locked);
        kept_sessions
            .map(|kept_sessions| kept::items(sources, kept_sessions, index, live, copies))
            .unwrap_or_default()
    }

    /// The files beside these transcripts, live or not: results in files of their own, and titles.
    pub fn beside<'a>(
        &'a self,
        sources: &dyn Sources,
        index: Option<&Index<'a>>,
        items: &[ListedFile<'_>],
    ) -> Vec<ListedFile<'a>> {
        let mut beside = beside::live(&self.live_sessions.sessions);
        if let (Some(kept_sessions), Some(index)) =
            (self.kept_sessions.as_ref().filter(|_| !self.is_locked), index)
        {
            let kept = beside::kept(sources, kept_sessions, index, items, &beside);
            beside.extend(kept);
        }
        beside
    }
}
