//! Words → places, by the index of all texts.

use std::collections::HashSet;
use std::time::Instant;

use steno_index::{FileAnswers, FileId, Query, Question};

use super::sessions::Sessions;
use super::wish::Wish;
use super::{FileFinds, Find, Found, Others, Request, Search};
use crate::error::{Error, ErrorKind};
use crate::memory::{Memory, Texts};
use crate::workspace::Workspace;

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
    let Search { workspace, request, wish, items, scope } = search;
    let left = request.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
    let patience = left.map_or(workspace.patience, |left| left.min(workspace.patience));
    let mut texts = memory.texts(items, patience, &*workspace.progress)?;
    let files: Option<HashSet<FileId>> = scope
        .as_ref()
        .map(|_| texts.items.iter().filter(|(_, place)| search.has(*place)).map(|(file, _)| file).collect());
    let question = Question { files: files.as_ref(), ..question(workspace, request, wish, query) };
    let answers = match texts.answers.take().map_or_else(|| texts.engine.ask(&question), Ok) {
        Ok(answers) => answers,
        Err(error) => return Ok(Err(error)),
    };
    let known = answers.files().iter().filter_map(|answer| Some((texts.items.get(answer.file)?, *answer)));
    let known: Vec<(usize, FileAnswers)> = known.collect();
    let sessions = Sessions::of(items, known.iter().map(|(place, _)| *place));
    let (shown, others) = best(&known, &sessions, limit.unwrap_or(usize::MAX));
    let files: Vec<FileId> = shown.iter().map(|(_, answer)| answer.file).collect();
    let hits = match texts.engine.hits(&answers, &files) {
        Ok(hits) => hits,
        Err(error) => return Ok(Err(error)),
    };
    let found = shown.iter().zip(hits).map(|((item, answer), hits)| FileFinds {
        item: *item,
        count: answer.count,
        best: hits.into_iter().map(Find::from).collect(),
    });
    let (files, note, is_partial) = (found.collect(), note(&texts), answers.is_partial());
    Ok(Ok(Found { files, others, is_partial, note, spent: vec![Box::new((texts, answers))] }))
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

/// What is asked of all files.
pub(super) fn question<'q>(
    workspace: &Workspace,
    request: &Request,
    wish: &Wish,
    query: &'q Query,
) -> Question<'q> {
    Question {
        query,
        files: None,
        since: wish.since,
        until: wish.until,
        each: request.each.saturating_add(TITLES),
        now: workspace.dirs.now,
        deadline: request.deadline,
    }
}

/// The files of the best sessions, and what there is beside them. Sessions that are equally good as the last of them are
/// among them.
fn best(
    files: &[(usize, FileAnswers)],
    sessions: &Sessions,
    limit: usize,
) -> (Vec<(usize, FileAnswers)>, Others) {
    let mut is_chosen = vec![false; sessions.count() as usize];
    let (mut chosen, mut least) = (0, f32::INFINITY);
    for (place, answer) in files {
        if chosen >= limit && answer.score < least {
            break;
        }
        let slot = sessions.number(*place).and_then(|number| is_chosen.get_mut(number));
        if let Some(slot) = slot.filter(|slot| !**slot) {
            *slot = true;
            (chosen, least) = (chosen + 1, answer.score);
        }
    }
    let is_chosen =
        |place: usize| sessions.number(place).is_some_and(|number| is_chosen.get(number) == Some(&true));
    let shown = files.iter().copied().filter(|(place, _)| is_chosen(*place)).collect();
    let hidden = files.iter().filter(|(place, _)| !is_chosen(*place));
    let others = Others {
        sessions: (sessions.count() as usize - chosen) as u64,
        hits: hidden.map(|(_, answer)| answer.count).sum(),
    };
    (shown, others)
}

impl From<steno_index::Hit> for Find {
    fn from(hit: steno_index::Hit) -> Self {
        let steno_index::Hit { line, offset, role, time, tool, score } = hit;
        Self { line, offset, role: Some(role), time, tool, score, spot: None }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::time::SystemTime;

    use super::*;
    use crate::stock::{Form, Item, Source};

    #[test]
    fn the_best_sessions_are_shown_with_all_their_files() {
        let names = ["a", "a", "b", "c", "c", "d", "d"];
        let path = Path::new("x.jsonl");
        let source = Source::Live { path, len: 0, modified: SystemTime::UNIX_EPOCH };
        let item = |name: &str| Item {
            session: Some(name.to_owned().into()),
            is_agent: false,
            form: Form::Records,
            source,
        };
        let items = names.map(item);
        let scores = [(3, 9.0), (4, 8.0), (0, 7.0), (2, 7.0), (5, 6.0), (1, 4.0), (6, 3.0)];
        let answer = |score| FileAnswers { file: FileId(0), count: 10, score };
        let files = scores.map(|(place, score)| (place, answer(score)));
        let sessions = Sessions::of(&items, files.iter().map(|(place, _)| *place));
        assert_eq!(sessions.count(), 4);
        let of = |limit| {
            let (shown, others) = best(&files, &sessions, limit);
            let mut shown: Vec<usize> = shown.iter().map(|(place, _)| *place).collect();
            shown.sort_unstable();
            (shown, others.sessions, others.hits)
        };
        assert_eq!(of(0), (vec![], 4, 70));
        assert_eq!(of(1), (vec![3, 4], 3, 50));
        assert_eq!(of(2), (vec![0, 1, 2, 3, 4], 1, 20), "equals stay together");
        assert_eq!(of(3), (vec![0, 1, 2, 3, 4], 1, 20));
        assert_eq!(of(4), (vec![0, 1, 2, 3, 4, 5, 6], 0, 0));
    }
}
