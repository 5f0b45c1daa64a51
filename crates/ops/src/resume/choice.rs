//! What a user typed → the session that is meant: an id goes before a title, and a title before what was said.

use std::path::{Path, is_separator};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use steno_conversation::Warning;
use steno_conversation::model::Session;
use steno_sessions::session::OpenSession;

use crate::error::{Error, ErrorKind};
use crate::workspace::Workspace;
use crate::{list, search, warning};

/// Shorter prefixes name no session.
const SHORTEST_PREFIX: usize = 4;
/// Best hits that are looked at: one in a subagent whose session is gone cannot be resumed.
const HITS: usize = 5;

/// How a session was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum FoundBy {
    /// An id, a prefix, `last` or a path.
    Id,
    /// All words are in its title.
    Title,
    /// It has the words somewhere.
    Search,
}

#[derive(Debug)]
pub(super) struct Choice {
    pub(super) name: String,
    pub(super) title: Option<String>,
    pub(super) found_by: FoundBy,
    pub(super) others: u64,
    pub(super) warnings: Vec<Warning>,
}

impl Choice {
    fn named(name: &str, title: Option<String>) -> Self {
        Self { name: name.to_owned(), title, found_by: FoundBy::Id, others: 0, warnings: Vec::new() }
    }
}

pub(super) fn choose(workspace: &Workspace, words: &[String]) -> Result<Choice, Error> {
    let only = if let [only] = words { Some(only.as_str()) } else { None };
    if let Some(path) = only.filter(|name| is_path(name)) {
        return Ok(Choice::named(path, None));
    }
    let rows = list::joined(workspace, &list::Request::default())?.sessions;
    let Some(name) = only else { return by_words(workspace, words, &rows) };
    let named: Vec<&Session> = rows.iter().filter(|row| begins(row.profile.id.as_str(), name)).collect();
    let is_prefix = named.iter().any(|row| row.profile.id.as_str() == name)
        || !named.is_empty() && name.chars().count() >= SHORTEST_PREFIX;
    if is_prefix || name == "last" {
        let row = if name == "last" { rows.first() } else { named.first().copied() };
        let mut choice = Choice::named(name, row.and_then(|row| row.profile.title.clone()));
        choice.warnings.extend(is_prefix.then(|| misread(name)).flatten());
        return Ok(choice);
    }
    // The id of a part of a file, or of a session that was purged, is in no list.
    let unknown = match looks_like_id(name).then(|| OpenSession::open(workspace, name)) {
        None => None,
        Some(Ok(_)) => return Ok(Choice::named(name, None)),
        Some(Err(error)) if error.kind == ErrorKind::NotFound => Some(error),
        Some(Err(error)) => return Err(error),
    };
    by_words(workspace, words, &rows).map_err(|error| match unknown {
        Some(unknown) if error.kind == ErrorKind::NotFound => unknown,
        _ => error,
    })
}

fn is_path(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|extension| extension == "jsonl") || name.contains(is_separator)
}

fn begins(id: &str, name: &str) -> bool {
    id.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name))
}

fn looks_like_id(name: &str) -> bool {
    name.chars().count() >= SHORTEST_PREFIX
        && name.chars().all(|letter| letter.is_ascii_hexdigit() || letter == '-')
}

/// A word such as `face` may be meant as one.
fn misread(name: &str) -> Option<Warning> {
    let message =
        format!("'{name}' is taken as the beginning of an id; `steno search {name}` looks for the word");
    let is_word = name.chars().all(char::is_alphabetic);
    is_word.then(|| warning::at(Path::new(name), "id", message))
}

fn by_words(workspace: &Workspace, words: &[String], rows: &[Session]) -> Result<Choice, Error> {
    let text = words.join(" ");
    let wanted: Vec<String> = text.split_whitespace().map(str::to_lowercase).collect();
    if wanted.is_empty() {
        return Err(
            Error::new(ErrorKind::Invalid, "no session is named").hint("`steno list` shows all sessions")
        );
    }
    let mut titled = rows.iter().filter(|row| {
        let title = row.profile.title.as_deref().unwrap_or_default().to_lowercase();
        wanted.iter().all(|word| title.contains(word))
    });
    // The list has the latest first.
    if let Some(row) = titled.next() {
        let others = titled.count() as u64;
        let title = row.profile.title.clone();
        return Ok(Choice {
            found_by: FoundBy::Title,
            others,
            ..Choice::named(row.profile.id.as_str(), title)
        });
    }
    let request = search::Request { query: text.clone(), limit: HITS, each: 1, ..Default::default() };
    let found = search::run(workspace, &request)?;
    let Some(best) = found.sessions.into_iter().find(|session| session.path.is_none()) else {
        let error = Error::new(ErrorKind::NotFound, format!("no session has '{text}'"));
        let error = found.hints.into_iter().fold(error, Error::hint);
        return Err(error.hint("`steno list` shows all sessions"));
    };
    let others = found.total_sessions.saturating_sub(1);
    Ok(Choice { found_by: FoundBy::Search, others, ..Choice::named(&best.id, best.title) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_paths_and_words_are_told_apart() {
        assert!(is_path("a/b") && is_path("x.jsonl") && !is_path("parser"));
        assert!(looks_like_id("1c9e") && looks_like_id("face") && looks_like_id("1c9e0000-5e55"));
        assert!(!looks_like_id("1c9") && !looks_like_id("parser"));
        assert!(begins("ABCD-1", "abcd") && !begins("abcd", "abcde") && !begins("é", "e"));
        assert!(misread("face").is_some() && misread("1c9e").is_none());
    }
}
