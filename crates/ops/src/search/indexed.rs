//! Words → places, by the index of all texts.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use steno_index::{FileId, Query, Question};

use super::{FileFinds, Find, Found, Search};
use crate::error::{Error, ErrorKind};
use crate::memory::Memory;

/// How long to wait for another process that is at work on the index.
const PATIENCE: Duration = Duration::from_secs(5);

pub(super) fn find(search: &Search<'_>, query: &Query, memory: &mut Memory) -> Result<Found, Error> {
    let Search { custody, request, wish, items, scope } = search;
    let left = request.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
    let texts = memory.texts(items, left.map_or(PATIENCE, |left| left.min(PATIENCE)), &*custody.progress)?;
    let files: Option<HashSet<FileId>> = scope.as_ref().map(|_| {
        texts.items.iter().filter(|(_, place)| search.has(**place)).map(|(file, _)| *file).collect()
    });
    let question = Question {
        query,
        files: files.as_ref(),
        since: wish.since,
        until: wish.until,
        each: request.each.max(1),
        now: custody.library.now,
        deadline: request.deadline,
    };
    let found = texts.engine.search(&question).map_err(|error| {
        Error::new(ErrorKind::Io, error.to_string()).hint("--literal looks for a text without the index")
    })?;
    let finds = |hits: Vec<steno_index::Hit>| hits.into_iter().map(Find::from).collect();
    let known = found.files.into_iter().filter_map(|file| {
        let item = *texts.items.get(&file.file)?;
        Some(FileFinds { item, count: file.count, best: finds(file.best) })
    });
    let files = known.collect();
    let is_behind = "another process is at work on the index: what is newest may be missing";
    let note = (!texts.is_current).then(|| is_behind.to_owned());
    Ok(Found { files, is_partial: found.is_partial, note })
}

impl From<steno_index::Hit> for Find {
    fn from(hit: steno_index::Hit) -> Self {
        let steno_index::Hit { line, offset, role, time, tool, score } = hit;
        Self { line, offset, role: Some(role), time, tool, score }
    }
}
