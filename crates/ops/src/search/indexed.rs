//! Words → places, by the index of all texts.

use std::collections::HashSet;
use std::time::Instant;

use steno_index::{FileId, Query, Question};

use super::{FileFinds, Find, Found, Search};
use crate::error::{Error, ErrorKind};
use crate::memory::Memory;

/// An index that turns out to be damaged is made anew, once.
/// So many titles may come before what is shown instead of them.
const TITLES: usize = 4;

pub(super) fn find(search: &Search<'_>, query: &Query, memory: &mut Memory) -> Result<Found, Error> {
    match ask(search, query, memory)? {
        Ok(found) => Ok(found),
        Err(steno_index::Error::Damaged { path, .. }) => {
            memory.give_up(&path);
            ask(search, query, memory)?.map_err(|error| unanswered(&error))
        }
        Err(error) => Err(unanswered(&error)),
    }
}

fn unanswered(error: &steno_index::Error) -> Error {
    Error::new(ErrorKind::Io, error.to_string()).hint("--literal looks for a text without the index")
}

fn ask(
    search: &Search<'_>,
    query: &Query,
    memory: &mut Memory,
) -> Result<Result<Found, steno_index::Error>, Error> {
    let Search { custody, request, wish, items, scope } = search;
    let left = request.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
    let patience = left.map_or(custody.patience, |left| left.min(custody.patience));
    let texts = memory.texts(items, patience, &*custody.progress)?;
    let files: Option<HashSet<FileId>> = scope.as_ref().map(|_| {
        texts.items.iter().filter(|(_, place)| search.has(**place)).map(|(file, _)| *file).collect()
    });
    let question = Question {
        query,
        files: files.as_ref(),
        since: wish.since,
        until: wish.until,
        each: request.each.saturating_add(TITLES),
        now: custody.library.now,
        deadline: request.deadline,
    };
    let found = match texts.engine.search(&question) {
        Ok(found) => found,
        Err(error) => return Ok(Err(error)),
    };
    let known = found.files.into_iter().filter_map(|file| {
        let item = *texts.items.get(&file.file)?;
        let spot = texts.spot(file.file);
        let best = file.best.into_iter().map(|hit| Find { spot: spot.clone(), ..Find::from(hit) });
        Some(FileFinds { item, count: file.count, best: best.collect() })
    });
    let files = known.collect();
    let is_behind = "another process is at work on the index: what is newest may be missing";
    let unread = match texts.unread {
        0 => None,
        1 => Some(
            "a file could not be read to its end; `steno verify` and `steno doctor` look for it".to_owned(),
        ),
        many => Some(format!(
            "{many} files could not be read to their end; `steno verify` and `steno doctor` look for them"
        )),
    };
    let note = if texts.is_current { unread } else { Some(is_behind.to_owned()) };
    Ok(Ok(Found { files, is_partial: found.is_partial, note }))
}

impl From<steno_index::Hit> for Find {
    fn from(hit: steno_index::Hit) -> Self {
        let steno_index::Hit { line, offset, role, time, tool, score } = hit;
        Self { line, offset, role: Some(role), time, tool, score, spot: None }
    }
}
