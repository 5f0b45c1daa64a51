//! Live directories and the vault → every transcript that can be read.
//!
//! One list for commands that read all of them: live ones, files beside them, and those only the vault still has.

mod beside;
mod item;
mod kept;

pub use beside::{title_of, title_passage};
pub use item::{Form, Item};

use steno_transcript::SessionId;

use crate::error::Error;
use crate::file::SessionFile;
use crate::holdings::Holdings;
use crate::shelf::{Index, Shelf};
use crate::sources::Sources;

/// What there is, as it was found at a moment.
#[derive(Debug)]
pub struct Stock {
    pub holdings: Holdings,
    /// None where there is no vault, or none that can be read.
    pub shelf: Option<Shelf>,
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

impl Stock {
    /// A vault that cannot be read takes nothing from the live files.
    pub fn take(sources: &dyn Sources) -> Result<Self, Error> {
        let holdings = sources.dirs().holdings()?;
        let shelf = match sources.look() {
            Ok(None) => Ok(None),
            Ok(Some(_)) => Shelf::open(sources).map(Some),
            Err(error) => Err(error),
        };
        let is_locked = matches!(&shelf, Ok(Some(shelf)) if !shelf.vault.is_readable());
        let is_vault_unread = is_locked || shelf.is_err();
        Ok(Self { holdings, shelf: shelf.ok().flatten(), is_vault_unread, is_locked })
    }

    /// What the vault has, sorted by session.
    pub fn index(&self) -> Option<Index<'_>> {
        self.shelf.as_ref().map(Shelf::index)
    }

    /// Everything that is live: transcripts, others of the same session, subagents.
    pub fn live(&self) -> Vec<Item<'_>> {
        let Holdings { sessions, twins, orphans, .. } = &self.holdings;
        let agents: usize = sessions.iter().map(|session| session.agents.len()).sum();
        let mut items = Vec::with_capacity(sessions.len() + agents + twins.len() + orphans.len());
        for session in sessions {
            items.push(Item::of_session(session));
            items.extend(session.agents.iter().map(|agent| Item::of_agent(session, agent)));
        }
        items.extend(twins.iter().map(|twin| {
            let file = SessionFile::Live { path: &twin.path, len: twin.len, modified: twin.modified };
            Item::live(Some(twin.id.as_str()), twin.is_agent, file)
        }));
        items.extend(orphans.iter().map(|orphan| {
            let session = orphan.session.as_ref().map(SessionId::as_str);
            Item::live(session, true, SessionFile::of_agent(&orphan.agent))
        }));
        items
    }

    /// Transcripts no longer live, and those of other machines.
    pub fn kept<'a>(
        &'a self,
        sources: &dyn Sources,
        index: &Index<'a>,
        live: &[Item<'_>],
        copies: Copies,
    ) -> Vec<Item<'a>> {
        let shelf = self.shelf.as_ref().filter(|_| !self.is_locked);
        shelf.map(|shelf| kept::items(sources, shelf, index, live, copies)).unwrap_or_default()
    }

    /// The files beside these transcripts, live or not: results in files of their own, and titles.
    pub fn beside<'a>(
        &'a self,
        sources: &dyn Sources,
        index: Option<&Index<'a>>,
        items: &[Item<'_>],
    ) -> Vec<Item<'a>> {
        let mut beside = beside::live(&self.holdings.sessions);
        if let (Some(shelf), Some(index)) = (self.shelf.as_ref().filter(|_| !self.is_locked), index) {
            let kept = beside::kept(sources, shelf, index, items, &beside);
            beside.extend(kept);
        }
        beside
    }
}
