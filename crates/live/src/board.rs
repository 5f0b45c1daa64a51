//! All sessions and all clients that were observed.
//!
//! A client has one session open at a time; a session may be open in several clients.

use std::collections::BTreeMap;

use steno_transcript::SessionId;

use crate::client::Client;
use crate::decide::{Seen, decide};
use crate::mark::Mark;
use crate::observation::{ClientId, Millis, Observation, SeenBy, What};
use crate::session::Session;
use crate::state::StateOf;

#[derive(Debug, Default)]
pub struct Board {
    sessions: BTreeMap<SessionId, Session>,
    clients: BTreeMap<ClientId, Client>,
}

impl Board {
    /// Takes one observation. Order of arrival, repeats and late copies change no state.
    pub fn observe(&mut self, observation: Observation) {
        let seen = Mark { at: observation.at, seen_by: observation.seen_by };
        let session = self.sessions.entry(observation.session.clone()).or_default();
        if let Some(id) = &observation.client {
            let client = self.clients.entry(id.clone()).or_default();
            if opens(&observation) {
                client.opened(&observation.session, seen);
                session.clients.insert(id.clone());
            }
            match &observation.what {
                What::Status(status) => client.said(status.clone(), seen),
                What::Gone { killed } => client.ended(*killed, seen),
                _ => {}
            }
        }
        session.observe(observation);
    }

    /// Every session that was observed.
    pub fn sessions(&self) -> impl Iterator<Item = &SessionId> {
        self.sessions.keys()
    }

    /// The clients that have the session open and run.
    pub fn clients(&self, session: &SessionId) -> impl Iterator<Item = &ClientId> {
        self.clients
            .iter()
            .filter(move |(_, client)| client.is_on(session) && client.lives())
            .map(|(id, _)| id)
    }

    /// The state of a session at `now`; `None` of a session that was never observed.
    pub fn state(&self, id: &SessionId, now: Millis) -> Option<StateOf> {
        let session = self.sessions.get(id)?;
        let clients = session.clients.iter().filter_map(|client| Some((client, self.clients.get(client)?)));
        Some(decide(&Seen { id, session, clients: clients.collect(), now }))
    }

    /// Forgets a session, for example one that ended long ago.
    pub fn forget(&mut self, id: &SessionId) {
        self.sessions.remove(id);
        self.clients.retain(|_, client| !client.is_on(id));
    }
}

/// Hooks of work in the background may come after the client has opened another session: they say nothing of it.
fn opens(observation: &Observation) -> bool {
    match (&observation.what, observation.seen_by) {
        (What::Status(_), _) => true,
        (What::SessionStarted { .. } | What::Prompted, SeenBy::Hook) => true,
        (What::ToolBegan { agent, .. }, SeenBy::Hook) => agent.is_none(),
        _ => false,
    }
}
