//! Transcripts on disk → what the passes need of them, seen through a lens.
//!
//! Separate from `reading` because it holds what a command asked for, for all files of a session.

use std::borrow::Cow;
use std::ops::ControlFlow;

use steno_conversation::changes::Originals;
use steno_conversation::{
    AgentMeta, AgentTranscript, Builder, Context, MemoryLimit, Pushed, Role, Scope, Transcript, Warning,
};
use steno_index::Extractor;
use steno_render::portable::Gatherer;
use steno_sessions::session::OpenSession;
use steno_source::AgentFile;
use steno_transcript::{AgentId, Line, Piece, SessionId, Shape, ToolId, split};

use crate::claude_dirs::ClaudeDirs;
use crate::error::Error;
use crate::lens::Lens;
use crate::warning;

/// The records of a session and of its subagents.
pub(crate) type Gathered = (Gatherer, Vec<(AgentId, Gatherer)>);

/// A record that is looked for while everything is read.
#[derive(Debug)]
pub(crate) struct Seek {
    /// A uuid, or its beginning.
    uuid: String,
    /// In the session's own file, or in the one of the subagent whose id begins so.
    line: Option<(Option<String>, u64)>,
}

impl Seek {
    pub(crate) fn of(at: &str) -> Self {
        let at = bare(at);
        let line = match at.rsplit_once(':') {
            Some((agent, line)) => line.parse().ok().map(|line| (Some(agent.to_owned()), line)),
            None => at.parse().ok().map(|line| (None, line)),
        };
        Self { uuid: at.to_owned(), line }
    }

    /// How a record is meant, if it is.
    fn meets(&self, agent: Option<&AgentId>, piece: &Piece<'_>) -> Option<By> {
        let Shape::Record(record) = &piece.shape else { return None };
        let is_named = |uuid: &str| !self.uuid.is_empty() && uuid.starts_with(&self.uuid);
        let is_in = |of: &Option<String>| match (of, agent) {
            (Some(of), Some(agent)) => !of.is_empty() && agent.as_str().starts_with(of),
            (of, agent) => of.is_none() && agent.is_none(),
        };
        if self.line.as_ref().is_some_and(|(of, line)| *line == piece.place.line && is_in(of)) {
            return Some(By::Line);
        }
        record.envelope.uuid.as_deref().is_some_and(is_named).then_some(By::Uuid)
    }
}

/// A record's name without the `#` that people put before the number of a line.
pub(crate) fn bare(at: &str) -> &str {
    at.strip_prefix('#').unwrap_or(at)
}

/// What a record was found by; digits may be both, and are a line first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum By {
    Uuid,
    Line,
}

/// The place of the record that was looked for.
#[derive(Debug)]
pub(crate) struct Sought {
    /// In whose file, if not in the session's own.
    pub(crate) agent: Option<AgentId>,
    pub(crate) line: u64,
    /// Its place among the records of the file.
    pub(crate) index: usize,
    /// What it says, by role.
    pub(crate) says: Vec<(Role, String)>,
    by: By,
}

/// What a record says, as `search` finds it.
fn says(piece: &Piece<'_>) -> Vec<(Role, String)> {
    let mut says = Vec::new();
    Extractor::default().observe(piece, |passage| says.push((passage.role, passage.text.into_owned())));
    says
}

/// How the files of a session are read.
#[derive(Debug, Default)]
pub(crate) struct Reader {
    pub(crate) scope: Scope,
    pub(crate) lens: Lens,
    /// Whether results that lie in files of their own are wanted.
    pub(crate) takes_results: bool,
    /// Whether the content of files before the session is wanted.
    pub(crate) takes_originals: bool,
    pub(crate) originals: Originals,
    /// Whether the records themselves are wanted, besides what they mean.
    pub(crate) gathers: bool,
    pub(crate) seeks: Option<Seek>,
    /// The first that was found, the session's own file first.
    pub(crate) sought: Option<Sought>,
    /// How much memory the records may take, if not as much as usual.
    pub(crate) room: Option<u64>,
    /// What they take already.
    pub(crate) held: u64,
    pub(crate) gathered: Option<Gatherer>,
    pub(crate) gathered_agents: Vec<(AgentId, Gatherer)>,
}

/// How many bytes of results in files of their own are shown: several copies of them are held at once.
pub(crate) fn room_for_results(room: Option<u64>) -> u64 {
    room.unwrap_or(MemoryLimit::USUAL) / 8
}

fn is_record(piece: &Piece<'_>) -> bool {
    matches!(piece.shape, Shape::Record(_))
}

impl Reader {
    /// Looks through all files of a session for what the lens has to know beforehand. What cannot be read is told
    /// where it is read.
    pub(crate) fn learn(&mut self, session: &OpenSession) {
        let lens = &mut self.lens;
        if !lens.learns() {
            return;
        }
        let mut learn = |line: Line<'_>| {
            if !line.is_part() {
                lens.learn(&line);
            }
        };
        let _ = session.lines(&mut learn);
        let files = &session.files;
        for agent in &files.agents {
            let _ = session.file(&agent.path).and_then(|file| file.lines(&mut learn));
        }
        let room = room_for_results(self.room);
        let results = files.tool_results.iter().filter(|_| self.takes_results);
        for file in results.filter_map(|path| session.file(path).ok()).filter(|file| file.size() <= room) {
            lens.learn_text(&file.document().unwrap_or_default());
        }
        let metas = files.agents.iter().filter_map(|agent| session.meta(agent, &mut Vec::new())?.description);
        for text in metas.chain(files.custom_title.clone()) {
            lens.learn_text(&text);
        }
    }

    /// The session's own transcript, or the part of it that is meant.
    pub(crate) fn session(&mut self, session: &OpenSession) -> Result<Transcript, Error> {
        let (transcript, gathered) = self.transcript(session, None)?;
        self.gathered = gathered;
        Ok(transcript)
    }

    /// Of the session itself, or of one of its subagents.
    fn transcript(
        &mut self,
        session: &OpenSession,
        of: Option<&AgentFile>,
    ) -> Result<(Transcript, Option<Gatherer>), Error> {
        let agent = of.map(|of| &of.id);
        let (path, id) = match of {
            Some(of) => (&of.path, SessionId::new(format!("agent-{}", of.id))),
            None => (&session.files.transcript, session.id().clone()),
        };
        let mut part = if of.is_none() { session.part()? } else { None };
        let room = MemoryLimit { bytes: self.room_for(agent), holds_records: self.gathers };
        let mut builder = Builder::new(path.display().to_string()).with_scope(self.scope).within(room);
        let mut gatherer = self.gathers.then(Gatherer::new);
        let Self { lens, seeks, sought, .. } = self;
        let seeks = seeks.as_ref().filter(|_| sought.is_none());
        let mut index = 0;
        lens.turn_to(path);
        let visit = |line: Line<'_>| {
            // Of a part of a line nothing is shown.
            let bytes = if line.is_part() { Cow::Borrowed(line.bytes) } else { lens.line(&line) };
            let _ = split(Line { bytes: &bytes, ..line }, &mut |piece| {
                if part.as_mut().is_some_and(|part| !part.takes(&piece)) {
                    return ControlFlow::Continue(());
                }
                let Pushed { is_taken, dropped } = builder.push(&piece);
                index = (index + usize::from(is_taken)).saturating_sub(dropped);
                if let Some(gatherer) = gatherer.as_mut().filter(|_| is_taken || !is_record(&piece)) {
                    gatherer.push(&piece);
                    gatherer.drop_oldest(dropped);
                }
                let by = seeks.filter(|_| is_taken).and_then(|seek| seek.meets(agent, &piece));
                if let Some(by) = by.filter(|by| sought.as_ref().is_none_or(|sought| sought.by < *by)) {
                    let dropped = builder.settle();
                    index = index.saturating_sub(dropped);
                    if let Some(gatherer) = &mut gatherer {
                        gatherer.drop_oldest(dropped);
                    }
                    let (line, index) = (piece.place.line, index.saturating_sub(1));
                    *sought = Some(Sought { agent: agent.cloned(), line, index, says: says(&piece), by });
                }
                ControlFlow::Continue(())
            });
        };
        match of {
            Some(of) => session.file(&of.path)?.lines(visit)?,
            None => session.lines(visit)?,
        }
        self.held += builder.held();
        Ok((builder.finish(id), gatherer))
    }

    /// The session may take all of it, its subagents what is left and a quarter more; each has room for a few records.
    fn room_for(&self, agent: Option<&AgentId>) -> u64 {
        let room = self.room.unwrap_or(MemoryLimit::USUAL);
        match agent {
            None => room,
            Some(_) => (room + room / 4).saturating_sub(self.held).max(room / 1024),
        }
    }

    /// What lies beside a transcript: its subagents, read, and its tool results.
    pub(crate) fn context(
        &mut self,
        session: &OpenSession,
        dirs: &ClaudeDirs,
        warnings: &mut Vec<Warning>,
    ) -> Context {
        let files = &session.files;
        let mut agents = Vec::with_capacity(files.agents.len());
        for agent in &files.agents {
            let meta = session.meta(agent, warnings);
            match self.agent(session, agent, meta, dirs) {
                Ok(transcript) => agents.push(transcript),
                Err(error) => warnings.push(warning::unreadable(&agent.path, &error)),
            }
        }
        let tool_results = files.tool_results.iter().map(|path| path.display().to_string()).collect();
        Context { tool_results, agents }
    }

    fn agent(
        &mut self,
        session: &OpenSession,
        agent: &AgentFile,
        meta: Option<steno_source::AgentMeta>,
        dirs: &ClaudeDirs,
    ) -> Result<AgentTranscript, Error> {
        let (transcript, gathered) = self.transcript(session, Some(agent))?;
        let lens = &mut self.lens;
        let id = AgentId::new(lens.text(agent.id.to_string()));
        self.gathered_agents.extend(gathered.map(|gathered| (id.clone(), gathered)));
        let meta = meta.map(|meta| AgentMeta {
            kind: meta.agent_type.map(|kind| lens.text(kind)),
            description: meta.description.map(|description| lens.text(description)),
            tool_id: meta.tool_use_id.map(|id| ToolId::new(lens.text(id))),
        });
        Ok(AgentTranscript {
            id,
            path: agent.path.display().to_string(),
            meta,
            is_fresh: dirs.is_fresh(agent.modified),
            transcript,
        })
    }

    /// The records of all files, where they were wanted.
    pub(crate) fn take_gathered(&mut self) -> Option<Gathered> {
        self.gathered.take().map(|session| (session, std::mem::take(&mut self.gathered_agents)))
    }
}
