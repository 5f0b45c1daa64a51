//! A question and how many answers it has → what was perhaps meant otherwise, and what else to try.

use steno_index::{Clause, Field, Query, Term};

use super::present::Presenter;
use super::query::{ParsedQuery, Probe};
use super::{Mode, Request, Search, indexed, project};
use crate::cache::{Cache, MOST_INDEXED};
use crate::nearest;
use crate::sessions::{Form, ListedFile};

/// Each of them says the same.
const MOST_LEFT_OUT: usize = 2;
const FILTERS: &str = "role: tool: project: file: branch: model: session: since: until:";

/// What was typed and means something else than it looks like comes first, and is said with answers, too.
pub(super) fn hints(
    presenter: &Presenter<'_>,
    search: &Search<'_>,
    cache: &mut Cache,
    total: u64,
) -> Vec<String> {
    if search.items.is_empty() {
        return vec![search.workspace.dirs.none_here()];
    }
    let mut hints = match &presenter.parsed.probe {
        Probe::Words(query) => typed(query, total == 0),
        Probe::Text(_) => Vec::new(),
    };
    if total == 0 {
        hints.splice(..0, nowhere(search, cache));
        hints.extend(others(presenter, search.request, cache));
        hints.extend(indexed_in_part(presenter, search));
    }
    hints
}

/// What words do not find in very large results, a literal does.
fn indexed_in_part(presenter: &Presenter<'_>, search: &Search<'_>) -> Option<String> {
    let is_large = |item: &&ListedFile<'_>| item.form == Form::Persisted && item.size() > MOST_INDEXED;
    let large = search.items.iter().filter(is_large).count();
    let is_asked = matches!(presenter.parsed.probe, Probe::Words(_)) && large > 0;
    is_asked.then(|| {
        "of results beyond 16 MB only the beginning is indexed; --literal looks at all of them".to_owned()
    })
}

fn typed(query: &Query, is_vain: bool) -> Vec<String> {
    let terms = |is_negated: bool| {
        let clauses = query.clauses.iter().filter(move |clause| clause.is_negated == is_negated);
        clauses.flat_map(|clause: &Clause| &clause.any)
    };
    let words = || terms(false).filter(|term| matches!(term, Term::Word(_))).map(Term::text);
    let mut hints: Vec<String> = terms(true).take(MOST_LEFT_OUT).map(left_out).collect();
    if words().any(|word| word == "NOT") {
        hints.push("NOT is a word like any other; `-word` leaves out messages with it".to_owned());
    }
    hints.extend(words().find_map(|word| no_filter(word, is_vain)));
    hints
}

/// What a minus does, for a user who did not mean one.
pub(super) fn left_out(term: &Term) -> String {
    let text = term.text();
    match term {
        Term::Phrase(_) => {
            format!("`-\"{text}\"` leaves out messages with these words; without the minus it is looked for")
        }
        Term::Word(_) => {
            format!(
                "`-{text}` leaves out messages with {text}; put it in double quotes to look for it: '\"-{text}\"'"
            )
        }
        Term::Prefix(_) => format!("`-{text}*` leaves out messages with words that begin so"),
    }
}

/// A name and a value that look like a filter and are none. Many texts have colons: where there are answers, only a slip
/// is worth a word.
fn no_filter(word: &str, is_vain: bool) -> Option<String> {
    let (name, value) = word.split_once(':')?;
    let is_name = name.len() > 1 && name.chars().all(|letter| letter.is_ascii_alphabetic());
    if !is_name || value.is_empty() || value.starts_with([':', '/', '\\']) {
        return None;
    }
    let name = name.to_ascii_lowercase();
    if name == "title" {
        return Some("`title:` is not a filter; role:title looks in titles only".to_owned());
    }
    let known = FILTERS.split(' ').filter_map(|known| known.strip_suffix(':'));
    let is_slip = known.into_iter().any(|known| nearest::is_slip_of(&name, known));
    (is_slip || is_vain).then(|| format!("`{name}:` is not a filter; filters are {FILTERS}"))
}

/// Roles and tools that nothing has, whatever else was asked.
fn nowhere(search: &Search<'_>, cache: &mut Cache) -> Vec<String> {
    if !matches!(search.parsed.probe, Probe::Words(_)) {
        return Vec::new();
    }
    let by_kind = |field| matches!(field, Field::Role | Field::Tool);
    let wanted = search.parsed.passages.iter().filter(|filter| by_kind(filter.field) && !filter.is_negated);
    let is_nowhere = |query: Query, cache: &mut Cache| {
        let parsed = ParsedQuery::of_query(query.clone());
        let alone = Search { parsed: &parsed, scope: None, ..*search };
        let found = indexed::find(&alone, &query, cache);
        found.is_ok_and(|found| !found.is_partial && found.files.is_empty())
    };
    let mut hints = Vec::new();
    for filter in wanted {
        let query = Query { filters: vec![filter.clone()], ..Query::default() };
        if is_nowhere(query, cache) {
            hints.push(format!("no session has {}:{}", filter.field.name(), filter.value));
        }
    }
    hints
}

/// What else to try, where nothing was found.
fn others(presenter: &Presenter<'_>, request: &Request, cache: &mut Cache) -> Vec<String> {
    let parsed = presenter.parsed;
    if let [part] = parsed.projects.wanted() {
        let near = project::nearest(cache, presenter.items, part);
        if !near.is_empty() {
            return near;
        }
    }
    let mut hints = Vec::new();
    match &parsed.probe {
        Probe::Words(query) if query.clauses.len() > 1 => {
            hints.push("all words must be in one message; `one OR other` finds either");
        }
        Probe::Words(_) => {
            hints.push("`word*` finds longer words; --literal also finds text inside words");
        }
        Probe::Text(_) if !request.ignore_case => hints.push("-i ignores the case"),
        Probe::Text(_) if request.mode == Mode::Literal => {
            hints.push("without --literal, it searches for words")
        }
        Probe::Text(_) => {}
    }
    if parsed.has_filters() || !parsed.projects.is_empty() || !parsed.sessions.is_empty() {
        hints.push("without filters there may be more");
    }
    hints.into_iter().map(str::to_owned).collect()
}
