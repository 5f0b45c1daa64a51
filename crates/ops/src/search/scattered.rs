//! Words that no passage holds together → the sessions that hold each of them somewhere.
//!
//! People remember what a conversation was about, not which words stood in one message. Only where the exact answer is
//! none: with one, this would drown it.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use steno_index::{Clause, Query};

use super::{Matches, Search, indexed, session_of};
use crate::cache::Cache;
use crate::error::Error;

/// None where there is one word, or no session has all of them.
pub(super) fn find(search: &Search<'_>, query: &Query, cache: &mut Cache) -> Result<Option<Matches>, Error> {
    let wanted = query.clauses.iter().filter(|clause| !clause.is_negated);
    let wanted: Vec<&Clause> = wanted.collect();
    if wanted.len() < 2 {
        return Ok(None);
    }
    let mut founds = Vec::with_capacity(wanted.len());
    for clause in wanted {
        let found = indexed::find(search, &alone(query, clause), cache)?;
        if found.files.is_empty() {
            return Ok(None);
        }
        founds.push(found);
    }
    Ok(in_all(search, founds))
}

/// One of the clauses, with all that is left out and filtered.
fn alone(query: &Query, clause: &Clause) -> Query {
    let clauses = query.clauses.iter().filter(|other| other.is_negated || *other == clause);
    Query { clauses: clauses.cloned().collect(), filters: query.filters.clone() }
}

/// What was found in the sessions that are in every one of them.
fn in_all(search: &Search<'_>, founds: Vec<Matches>) -> Option<Matches> {
    let names: HashMap<usize, Cow<'_, str>> = founds
        .iter()
        .flat_map(|found| &found.files)
        .filter_map(|file| Some((file.item, session_of(search.items.get(file.item)?))))
        .collect();
    let sessions = |found: &Matches| -> HashSet<&str> {
        found.files.iter().filter_map(|file| names.get(&file.item).map(Cow::as_ref)).collect()
    };
    let mut common = founds.iter().map(sessions);
    let first = common.next()?;
    let common = common.fold(first, |common, found| common.intersection(&found).copied().collect());
    let mut all = Matches { is_partial: founds.iter().any(|found| found.is_partial), ..Matches::default() };
    for file in founds.into_iter().flat_map(|found| found.files) {
        if names.get(&file.item).is_some_and(|session| common.contains(session.as_ref())) {
            all.files.push(file);
        }
    }
    let note = "no message has all of it; these sessions have each word somewhere";
    all.note = Some(note.to_owned());
    (!all.files.is_empty()).then_some(all)
}
