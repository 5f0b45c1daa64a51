//! Opens transcripts and hands their pieces on, up to the size they had when they were opened.

use std::fs::File;
use std::io::{self, Read, Take};
use std::ops::ControlFlow;
use std::path::Path;

use steno_conversation::{
    AgentMeta, AgentTranscript, Builder, Context, Gathered, Head, Profiler, Transcript, Warning, Warnings,
    is_heard, observe,
};
use steno_source::{AgentFile, SessionFiles};
use steno_transcript::{LineReader, Piece, SessionId, ToolId, read_lines, skim_lines};

use crate::error::Error;
use crate::library::Library;
use crate::strange;

/// How far into a file its first prompt is looked for.
const HEAD_BYTES: u64 = 512 * 1024;
const HEAD_STEP: usize = 16 * 1024;

/// Every piece of a file, until `visit` breaks off.
pub(crate) fn pieces(path: &Path, visit: impl FnMut(Piece<'_>) -> ControlFlow<()>) -> Result<(), Error> {
    open(path, |lines| read_lines(lines, visit))
}

/// Opens a file for reading. What is appended meanwhile comes with the next reading.
fn open(path: &Path, read: impl FnOnce(LineReader<Take<File>>) -> io::Result<()>) -> Result<(), Error> {
    let unreadable = |error| Error::unreadable(path.to_owned(), error);
    let file = File::open(path).map_err(unreadable)?;
    let size = file.metadata().map_err(unreadable)?.len();
    read(LineReader::new(file.take(size))).map_err(unreadable)
}

/// What is known of a transcript as a whole.
pub(crate) fn profile(path: &Path, id: &SessionId) -> Result<(Gathered, Warnings), Error> {
    let mut profiler = Profiler::default();
    let mut warnings = Warnings::new(path.display().to_string());
    let visit = |piece: Piece<'_>| {
        observe(&piece, &mut profiler, &mut warnings);
        ControlFlow::Continue(())
    };
    open(path, |lines| skim_lines(lines, visit))?;
    Ok((profiler.finish(id.clone()), warnings))
}

/// A transcript as a whole; with `wanted`, only the lines it picks.
pub(crate) fn transcript(
    path: &Path,
    id: SessionId,
    wanted: impl Fn(u64) -> bool,
) -> Result<Transcript, Error> {
    let mut builder = Builder::new(path.display().to_string());
    pieces(path, |piece| {
        if wanted(piece.place.line) {
            builder.push(&piece);
        }
        ControlFlow::Continue(())
    })?;
    Ok(builder.finish(id))
}

/// The beginning of a transcript, up to its first prompt.
pub(crate) fn head(path: &Path) -> Result<Head, Error> {
    let mut head = Head { is_empty: true, ..Head::default() };
    let visit = |piece: Piece<'_>| {
        let is_far = piece.place.offset > HEAD_BYTES;
        if head.observe(&piece) || is_far { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    open(path, |lines| read_lines(lines.in_steps_of(HEAD_STEP), visit))?;
    Ok(head)
}

/// How many subagents a session has, those left out that nobody called.
pub(crate) fn count_agents(session: &SessionFiles, gathered: &Gathered, warnings: &mut Vec<Warning>) -> u64 {
    let heard = session.agents.iter().filter(|agent| match head(&agent.path) {
        Ok(head) => {
            let head = Head { has_meta: agent.meta.is_some(), ..head };
            is_heard(&agent.id, &head, || gathered.agents.contains(&agent.id))
        }
        Err(error) => {
            warnings.push(strange::unreadable(&agent.path, &error));
            false
        }
    });
    gathered.inline_agents + heard.count() as u64
}

/// What lies beside a transcript: its subagents, read, and its tool results.
pub(crate) fn context(session: &SessionFiles, library: &Library, warnings: &mut Vec<Warning>) -> Context {
    let mut agents = Vec::with_capacity(session.agents.len());
    for agent in &session.agents {
        match agent_transcript(agent, library) {
            Ok(transcript) => agents.push(transcript),
            Err(error) => warnings.push(strange::unreadable(&agent.path, &error)),
        }
    }
    let tool_results = session.tool_results.iter().map(|path| path.display().to_string()).collect();
    Context { tool_results, agents }
}

fn agent_transcript(agent: &AgentFile, library: &Library) -> Result<AgentTranscript, Error> {
    let stem = SessionId::new(format!("agent-{}", agent.id));
    let meta = agent.meta.clone().map(|meta| AgentMeta {
        kind: meta.agent_type,
        description: meta.description,
        tool_id: meta.tool_use_id.map(ToolId::new),
    });
    Ok(AgentTranscript {
        id: agent.id.clone(),
        path: agent.path.display().to_string(),
        meta,
        is_fresh: library.is_fresh(agent.modified),
        transcript: transcript(&agent.path, stem, |_| true)?,
    })
}
