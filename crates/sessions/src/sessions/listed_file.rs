//! One transcript, or a file beside one, live or in the vault.

use std::borrow::Cow;
use std::ops::Deref;

use steno_source::{AgentFile, SessionFiles};
use steno_vault::Stream;

use crate::file::SessionFile;
use crate::kept::{KeptSession, KeptSessions};

/// A file of a session.
#[derive(Debug, Clone)]
pub struct ListedFile<'a> {
    /// None for a subagent of which nothing says whose it is.
    pub session: Option<Cow<'a, str>>,
    pub is_agent: bool,
    pub form: Form,
    pub file: SessionFile<'a>,
}

/// What a file holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Records: a transcript.
    Records,
    /// The whole of a tool's result.
    Persisted,
    /// The user's title of the session.
    Title,
}

/// A listed file is read as a file.
impl<'a> Deref for ListedFile<'a> {
    type Target = SessionFile<'a>;

    fn deref(&self) -> &Self::Target {
        &self.file
    }
}

impl<'a> ListedFile<'a> {
    pub(super) fn live(session: Option<&'a str>, is_agent: bool, file: SessionFile<'a>) -> Self {
        Self { session: session.map(Cow::Borrowed), is_agent, form: Form::Records, file }
    }

    pub fn of_session(session: &'a SessionFiles) -> Self {
        let (path, len, modified) = (&session.transcript, session.len, session.modified);
        Self::live(Some(session.id.as_str()), false, SessionFile::Live { path, len, modified })
    }

    pub fn of_agent(session: &'a SessionFiles, agent: &'a AgentFile) -> Self {
        Self::live(Some(session.id.as_str()), true, SessionFile::of_agent(agent))
    }

    /// A kept transcript.
    pub fn of_kept(kept_sessions: &'a KeptSessions, kept: &KeptSession<'a>) -> Self {
        let file = SessionFile::kept(kept_sessions, kept.machine, kept.stream);
        Self { session: Some(kept.id.clone().into()), is_agent: false, form: Form::Records, file }
    }

    /// A kept subagent of a session.
    pub fn of_part(kept_sessions: &'a KeptSessions, kept: &KeptSession<'a>, part: &'a Stream) -> Self {
        let file = SessionFile::kept(kept_sessions, kept.machine, part);
        Self { session: Some(kept.id.clone().into()), is_agent: true, form: Form::Records, file }
    }

    pub fn is_transcript(&self) -> bool {
        self.form == Form::Records
    }

    /// The last part of its path, without its ending.
    pub fn stem(&self) -> String {
        let name = self.file.name();
        name.strip_suffix(".jsonl").map(str::to_owned).unwrap_or(name)
    }
}
