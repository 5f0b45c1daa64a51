//! The pieces of a file of several sessions → those of one of them.
//!
//! Records without an id belong to the session they stand in; those before the first id, to the first session.

use std::collections::HashSet;

use steno_source::SessionFiles;
use steno_transcript::{Piece, SessionId, Shape};

use crate::error::Error;
use crate::file::SessionFile;

#[derive(Debug)]
pub struct Part {
    wanted: SessionId,
    is_inside: bool,
    /// The ids of the other sessions in the file.
    others: HashSet<SessionId>,
}

impl Part {
    pub fn new(files: &SessionFiles, wanted: &SessionId) -> Result<Self, Error> {
        let first = SessionFile::at(&files.transcript).first_session()?;
        Ok(Self { wanted: wanted.clone(), is_inside: first.as_ref() == Some(wanted), others: HashSet::new() })
    }

    /// Pieces have to come in the order of the file.
    pub fn takes(&mut self, piece: &Piece<'_>) -> bool {
        if let Shape::Record(record) = &piece.shape
            && let Some(id) = record.envelope.session_id.as_deref()
        {
            self.is_inside = id == self.wanted.as_str();
            if !self.is_inside && !self.others.contains(id) {
                self.others.insert(SessionId::from(id));
            }
        }
        self.is_inside
    }

    /// Leaves out the subagents whose records name another session of the file. One that cannot be read stays: that
    /// is said where it is read as a whole.
    pub fn keep_own_agents(&self, files: &mut SessionFiles) {
        files.agents.retain(|agent| match SessionFile::of_agent(agent).first_session() {
            Ok(Some(session)) => !self.others.contains(&session),
            Ok(None) | Err(_) => true,
        });
    }
}
