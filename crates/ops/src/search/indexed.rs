//! Words → places, by the index of all texts.

use std::collections::HashSet;
use std::time::Instant;

use steno_index::{FileId, Query, Question};

use super::{FileFinds, Find, Matches, Search};
use crate::cache::{Cache, Texts};
use crate::error::{Error, ErrorKind};

/// So many titles may come before what is shown instead of them.
const TITLES: usize = 4;

/// An index that turns out to be damaged is made anew, once.
pub(super) fn find(search: &Search<'_>, query: &Query, cache: &mut Cache) -> Result<Matches, Error> {
    match ask(search, query, cache)? {
        Ok(found) => Ok(found),
        Err(steno_index::Error::Damaged { path, .. }) => {
            cache.give_up(&path);
            ask(search, query, cache)?.map_err(|error| unanswered(&error))
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
    cache: &mut Cache,
) -> Result<Result<Matches, steno_index::Error>, Error> {
    let Search { workspace, request, parsed, items, scope } = search;
    let left = request.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
    let patience = left.map_or(workspace.patience, |left| left.min(workspace.patience));
    let texts = cache.texts(items, patience, &*workspace.progress)?;
    let files: Option<HashSet<FileId>> = scope.as_ref().map(|_| {
        texts.items.iter().filter(|(_, place)| search.has(**place)).map(|(file, _)| *file).collect()
    });
    let question = Question {
        query,
        files: files.as_ref(),
        since: parsed.since,
        until: parsed.until,
        each: request.each.saturating_add(TITLES),
        now: workspace.dirs.now,
        deadline: request.deadline,
    };
    let found = texts.engine.search(&question).map(|answer| {
        let files = answer.files.into_iter().filter_map(|hits| {
            let item = *texts.items.get(&hits.file)?;
            Some(FileFinds { item, count: hits.count, best: hits.best.into_iter().map(Find::from).collect() })
        });
        Matches { files: files.collect(), is_partial: answer.is_partial, note: note(&texts) }
    });
    Ok(found)
}

/// What may be missing.
fn note(texts: &Texts) -> Option<String> {
    if !texts.is_current {
        return Some("another process is at work on the index: what is newest may be missing".to_owned());
    }
    match texts.unread {
        0 => None,
        1 => Some(
            "a file could not be read to its end; `steno verify` and `steno doctor` look for it".to_owned(),
        ),
        many => Some(format!(
            "{many} files could not be read to their end; `steno verify` and `steno doctor` look for them"
        )),
    }
}

impl From<steno_index::Hit> for Find {
    fn from(hit: steno_index::Hit) -> Self {
        let steno_index::Hit { line, offset, role, time, tool, score } = hit;
        Self { line, offset, role: Some(role), time, tool, score, spot: None }
    }
}
