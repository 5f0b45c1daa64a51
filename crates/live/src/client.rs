//! A process of the client: which session it has open, what it says of itself, whether it still runs.

use steno_transcript::SessionId;

use crate::mark::{Latest, Mark, replace};
use crate::observation::{ClientStatus, Millis};

#[derive(Debug, Default)]
pub(crate) struct Client {
    pub(crate) session: Option<Latest<SessionId>>,
    pub(crate) status: Option<Latest<ClientStatus>>,
    /// When it ended, and whether it was killed.
    pub(crate) gone: Option<Latest<bool>>,
}

impl Client {
    pub(crate) fn opened(&mut self, session: &SessionId, seen: Mark) {
        replace(&mut self.session, seen, session.clone());
    }

    pub(crate) fn said(&mut self, status: ClientStatus, seen: Mark) {
        replace(&mut self.status, seen, status);
    }

    pub(crate) fn ended(&mut self, killed: bool, seen: Mark) {
        replace(&mut self.gone, seen, killed);
    }

    pub(crate) fn is_on(&self, session: &SessionId) -> bool {
        self.session.as_ref().is_some_and(|latest| latest.value == *session)
    }

    /// An entry that was written after the end is of a later process, whose start time no source told.
    pub(crate) fn lives(&self) -> bool {
        let written = self.status.as_ref().map(|latest| latest.mark);
        self.gone.as_ref().is_none_or(|gone| Some(gone.mark) < written)
    }

    pub(crate) fn last_said_at(&self) -> Millis {
        self.status.as_ref().map_or(Millis::MIN, |latest| latest.mark.at)
    }
}
