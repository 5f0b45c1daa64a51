//! Words → places, by the index of all texts.

use std::borrow::Cow;
use std::collections::HashSet;
use std::time::Instant;

use foldhash::fast::RandomState;
use steno_index::{FileId, Pick, Query, Question};

use super::{FileFinds, Find, Found, Search, session_of};
use crate::error::{Error, ErrorKind};
use crate::memory::Memory;

/// So many titles may come before what is shown instead of them.
const TITLES: usize = 4;

/// With a limit, only so many sessions get their hits: the best ones. An index that turns out to be damaged is made anew,
/// once.
pub(super) fn find(
    search: &Search<'_>,
    query: &Query,
    limit: Option<usize>,
    memory: &mut Memory,
) -> Result<Found, Error> {
    match ask(search, query, limit, memory)? {
        Ok(found) => Ok(found),
        Err(steno_index::Error::Damaged { path, .. }) => {
            memory.give_up(&path);
            ask(search, query, limit, memory)?.map_err(|error| unanswered(&error))
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
    limit: Option<usize>,
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
    let session = |file: FileId| items.get(*texts.items.get(&file)?).map(session_of);
    let pick = |files: &[(FileId, f32)]| best_sessions(files, limit.unwrap_or(usize::MAX), session);
    let found = match texts.engine.search_picking(&question, limit.map(|_| &pick as &Pick<'_>)) {
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
    let (is_current, unread) = (texts.is_current, texts.unread);
    steno_cores::discard(texts);
    let is_behind = "another process is at work on the index: what is newest may be missing";
    let unread = match unread {
        0 => None,
        1 => Some(
            "a file could not be read to its end; `steno verify` and `steno doctor` look for it".to_owned(),
        ),
        many => Some(format!(
            "{many} files could not be read to their end; `steno verify` and `steno doctor` look for them"
        )),
    };
    let note = if is_current { unread } else { Some(is_behind.to_owned()) };
    Ok(Ok(Found { files, is_partial: found.is_partial, note }))
}

/// The files of the best sessions. Sessions that are equally good as the last of them are among them.
fn best_sessions<'s>(
    files: &[(FileId, f32)],
    limit: usize,
    session: impl Fn(FileId) -> Option<Cow<'s, str>>,
) -> HashSet<FileId> {
    let of = |(file, score): &(FileId, f32)| Some((*file, *score, session(*file)?));
    let files: Vec<(FileId, f32, Cow<'s, str>)> = files.iter().filter_map(of).collect();
    let mut chosen: HashSet<&str, RandomState> = HashSet::default();
    let mut least = f32::MIN;
    for (_, score, session) in &files {
        if chosen.len() >= limit && *score < least {
            break;
        }
        if chosen.insert(session) {
            least = *score;
        }
    }
    files.iter().filter(|(.., session)| chosen.contains(session.as_ref())).map(|(file, ..)| *file).collect()
}

impl From<steno_index::Hit> for Find {
    fn from(hit: steno_index::Hit) -> Self {
        let steno_index::Hit { line, offset, role, time, tool, score } = hit;
        Self { line, offset, role: Some(role), time, tool, score, spot: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_sessions_are_picked_with_all_their_files() {
        // By their numbers: sessions of ten files each, and one file that is not there any more.
        let session = |FileId(file): FileId| {
            ["a", "b", "c", "d"].get(file as usize / 10).map(|name| Cow::Borrowed(*name))
        };
        let files = [(20, 9.0), (21, 8.0), (0, 7.0), (10, 7.0), (30, 6.0), (99, 5.0), (1, 4.0), (31, 3.0)];
        let files = files.map(|(file, score)| (FileId(file), score));
        let picked = |limit| {
            let mut picked: Vec<u64> =
                best_sessions(&files, limit, session).iter().map(|file| file.0).collect();
            picked.sort_unstable();
            picked
        };
        assert_eq!(picked(1), [20, 21]);
        assert_eq!(picked(2), [0, 1, 10, 20, 21], "equals stay together");
        assert_eq!(picked(3), [0, 1, 10, 20, 21]);
        assert_eq!(picked(4), [0, 1, 10, 20, 21, 30, 31]);
    }
}
