//! Opens transcripts and hands their pieces on, up to the size they had when they were opened.

use std::cell::Cell;
use std::fs::File;
use std::io::{self, Read, Take};
use std::ops::ControlFlow;
use std::path::Path;

use memchr::memmem::Finder;
use steno_conversation::{
    AgentMeta, AgentTranscript, Builder, Context, Gathered, Head, Implementation, Profiler, Transcript,
    Warning, Warnings, is_heard, observe,
};
use steno_source::{AgentFile, SessionFiles};
use steno_transcript::{LineReader, Piece, SessionId, Shape, ToolId, read_lines, skim_lines, split};

use crate::error::Error;
use crate::library::Library;
use crate::warning;

/// How far into a file its first prompt is looked for.
const HEAD_BYTES: u64 = 512 * 1024;
const HEAD_STEP: usize = 16 * 1024;

/// Every piece of a file, until `visit` breaks off.
pub(crate) fn pieces(path: &Path, visit: impl FnMut(Piece<'_>) -> ControlFlow<()>) -> Result<(), Error> {
    open(path, |lines| read_lines(lines, visit))
}

thread_local! {
    /// Each thread reads one file after the other through the same buffer.
    static BUFFER: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}

/// A buffer that a longer line has grown beyond this is given back.
const KEPT_BUFFER: usize = 1024 * 1024;

/// Opens a file for reading. What is appended meanwhile comes with the next reading.
fn open(path: &Path, read: impl FnOnce(&mut LineReader<Take<File>>) -> io::Result<()>) -> Result<(), Error> {
    let unreadable = |error| Error::unreadable(path.to_owned(), error);
    // Opening a pipe would wait for a writer, perhaps for ever.
    let metadata = std::fs::metadata(path).map_err(unreadable)?;
    if !metadata.is_file() {
        return Err(steno_source::Error::NotAFile { path: path.to_owned() }.into());
    }
    let file = File::open(path).map_err(unreadable)?;
    let mut lines = LineReader::new(file.take(metadata.len())).reusing(BUFFER.take());
    let outcome = read(&mut lines).map_err(unreadable);
    let buffer = lines.into_buffer();
    if buffer.capacity() <= KEPT_BUFFER {
        BUFFER.set(buffer);
    }
    outcome
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

/// A transcript as a whole, or the pieces of it that `takes` picks.
pub(crate) fn transcript(
    path: &Path,
    id: SessionId,
    mut takes: impl FnMut(&Piece<'_>) -> bool,
) -> Result<Transcript, Error> {
    let mut builder = Builder::new(path.display().to_string());
    pieces(path, |piece| {
        if takes(&piece) {
            builder.push(&piece);
        }
        ControlFlow::Continue(())
    })?;
    Ok(builder.finish(id))
}

/// The beginning of a transcript, up to where enough is known.
fn head(path: &Path, is_enough: impl Fn(&Head) -> bool) -> Result<Head, Error> {
    let mut head = Head { is_empty: true, ..Head::default() };
    beginning(path, |piece| {
        head.observe(piece);
        is_enough(&head) || piece.place.offset > HEAD_BYTES
    })?;
    Ok(head)
}

/// The requests to implement a plan that a transcript holds. Most files hold none, and most lines are only scanned.
pub(crate) fn implementations(path: &Path) -> Result<Vec<Implementation>, Error> {
    let mark = Finder::new(Implementation::MARK);
    let mut found = Vec::new();
    open(path, |lines| {
        while let Some(line) = lines.next_line()? {
            if mark.find(line.bytes).is_some() {
                let _ = split(line, &mut |piece| {
                    found.extend(Implementation::of(&piece));
                    ControlFlow::Continue(())
                });
            }
        }
        Ok(())
    })?;
    Ok(found)
}

/// The first session id that stands in a file.
pub(crate) fn first_session(path: &Path) -> Result<Option<SessionId>, Error> {
    let mut found = None;
    beginning(path, |piece| {
        if let Shape::Record(record) = &piece.shape {
            found = record.envelope.session_id.as_deref().map(SessionId::from);
        }
        found.is_some()
    })?;
    Ok(found)
}

/// Pieces of a file until `is_enough`, in small reads.
fn beginning(path: &Path, mut is_enough: impl FnMut(&Piece<'_>) -> bool) -> Result<(), Error> {
    let visit = |piece: Piece<'_>| {
        if is_enough(&piece) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    open(path, |lines| {
        lines.step_by(HEAD_STEP);
        read_lines(lines, visit)
    })
}

/// How many subagents a session has, those left out that nobody called.
pub(crate) fn count_agents(session: &SessionFiles, gathered: &Gathered, warnings: &mut Vec<Warning>) -> u64 {
    let heard = session.agents.iter().filter(|agent| {
        match head(&agent.path, |head| head.first_user_text.is_some()) {
            Ok(head) => {
                let head = Head { has_meta: agent.meta.is_some(), ..head };
                is_heard(&agent.id, &head, || gathered.agents.contains(&agent.id))
            }
            Err(error) => {
                warnings.push(warning::unreadable(&agent.path, &error));
                false
            }
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
            Err(error) => warnings.push(warning::unreadable(&agent.path, &error)),
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
