//! Opens transcripts and hands their pieces on, up to the size they had when they were opened.

use std::borrow::Cow;
use std::cell::Cell;
use std::fs::File;
use std::io::{self, Read, Take};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::LazyLock;

use memchr::memmem::Finder;
use steno_conversation::{
    Account, Accountant, Gathered, Head, Implementation, Profiler, Warning, Warnings, is_heard, observe,
};
use steno_source::SessionFiles;
use steno_transcript::{
    Line, LineReader, Piece, Prefilter, SessionId, Shape, read_lines, skim_lines, skim_types, split,
};

use crate::error::Error;
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

/// A whole file that a record points to, as text.
pub(crate) fn document(path: &Path) -> Result<String, Error> {
    let mut text = Vec::new();
    open(path, |lines| {
        while let Some(line) = lines.next_line()? {
            text.extend_from_slice(line.bytes);
        }
        Ok(())
    })?;
    Ok(String::from_utf8(text).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned()))
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

/// What each message of a transcript used; with `repeats`, how its records repeat it.
pub(crate) fn account(path: &Path, repeats: bool) -> Result<(Account, Warnings), Error> {
    let mut accountant = Accountant::counting_repeats(repeats);
    let mut warnings = Warnings::new(path.display().to_string());
    let visit = |piece: Piece<'_>| {
        accountant.observe(&piece, &mut warnings);
        ControlFlow::Continue(())
    };
    open(path, |lines| skim_types(lines, &ANSWERS, visit))?;
    Ok((accountant.finish(), warnings))
}

/// The lines that an account is made of.
pub(crate) static ANSWERS: LazyLock<Prefilter> = LazyLock::new(Accountant::lines);

/// Every line of a file.
pub(crate) fn lines(path: &Path, mut visit: impl FnMut(Line<'_>)) -> Result<(), Error> {
    open(path, |lines| {
        while let Some(line) = lines.next_line()? {
            visit(line);
        }
        Ok(())
    })
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

/// The requests to implement a plan that a transcript holds. Most files hold none, and most lines are only scanned;
/// those that may hold one are read as `seen` gives them.
pub(crate) fn implementations(
    path: &Path,
    mut seen: impl for<'a> FnMut(&Line<'a>) -> Cow<'a, [u8]>,
) -> Result<Vec<Implementation>, Error> {
    let mark = Finder::new(Implementation::MARK);
    let mut found = Vec::new();
    lines(path, |line| {
        if mark.find(line.bytes).is_some() {
            let _ = split(Line { bytes: &seen(&line), ..line }, &mut |piece| {
                found.extend(Implementation::of(&piece));
                ControlFlow::Continue(())
            });
        }
    })?;
    Ok(found)
}

/// The first working directory that stands in a file.
pub(crate) fn first_directory(path: &Path) -> Result<Option<String>, Error> {
    let mut found = None;
    beginning(path, |piece| {
        if let Shape::Record(record) = &piece.shape {
            found = record.envelope.cwd.as_deref().map(str::to_owned);
        }
        found.is_some() || piece.place.offset > HEAD_BYTES
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
