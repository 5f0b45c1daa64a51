//! A name that means nothing → what was perhaps meant.
//!
//! One answer for live and for kept sessions, and for projects. It only compares: the caller brings the names.

use std::collections::HashSet;

use jiff::Timestamp;

use crate::error::{Error, ErrorKind};

/// How many are offered.
const OFFERED: usize = 3;
/// How many candidates an error names.
pub const NAMED: usize = 8;
/// A title is quoted up to here.
const LONGEST_TITLE: usize = 60;
/// Fewer letters stand in every title.
const SHORTEST_WORD: usize = 3;

/// A session that could be meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Known {
    pub id: String,
    pub title: Option<String>,
    pub active: Option<Timestamp>,
}

/// Whether a name begins an id, whatever the case.
pub fn begins(id: &str, name: &str) -> bool {
    id.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name))
}

/// Ids with a slip of the finger in them, nearest first, else those whose title has what was typed; of equals the
/// order given.
pub fn sessions(name: &str, known: &[Known]) -> Vec<String> {
    let typed = name.to_lowercase();
    let near = known.iter().filter_map(|session| Some((slips(&typed, &session.id)?, session)));
    let mut near: Vec<(usize, &Known)> = near.collect();
    near.sort_by_key(|(distance, _)| *distance);
    let titled = known.iter().filter(|session| is_in_title(&typed, session));
    let mut seen = HashSet::new();
    let found = near.into_iter().map(|(_, session)| session).chain(titled);
    found.filter(|session| seen.insert(&session.id)).take(OFFERED).map(hint).collect()
}

/// Whether one word is another one with a slip in it.
pub fn is_slip_of(typed: &str, known: &str) -> bool {
    let distance = distance(typed, known);
    distance > 0 && is_slip(typed, distance)
}

/// Whether an id is among those that a name with a slip in it may mean.
pub fn is_near(name: &str, id: &str) -> bool {
    slips(&name.to_lowercase(), id).is_some()
}

/// How far a name is from the beginning of an id; nothing where that is no slip any more.
fn slips(typed: &str, id: &str) -> Option<usize> {
    let distance = from_start(typed, &id.to_lowercase());
    is_slip(typed, distance).then_some(distance)
}

/// The names of projects that are almost the one that was typed; none where some project has it.
pub fn projects<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let typed = name.to_lowercase();
    let known: Vec<&str> = known.into_iter().collect();
    if known.iter().any(|project| project.to_lowercase().contains(&typed)) {
        return Vec::new();
    }
    let mut seen = HashSet::new();
    let names = known.into_iter().map(last_part).filter(|name| seen.insert(*name));
    let distances = names.map(|name| (distance(&typed, &name.to_lowercase()), name));
    let mut near: Vec<(usize, &str)> = distances.filter(|(distance, _)| is_slip(&typed, *distance)).collect();
    near.sort();
    near.into_iter().take(OFFERED).map(|(_, name)| format!("did you mean --project {name}?")).collect()
}

/// A name that means so many sessions, with what tells the first of them apart.
pub fn ambiguous(name: &str, number: usize, candidates: &[Known]) -> Error {
    let error = Error::new(ErrorKind::Ambiguous, format!("'{name}' means {number} sessions"));
    let named = candidates.iter().take(NAMED).map(|known| format!("could be {}", told(known)));
    let more = number.saturating_sub(NAMED);
    let rest = (more > 0).then(|| format!("and {more} more"));
    named.chain(rest).fold(error, Error::hint)
}

/// The id, with the title and the last activity where they are known.
fn told(session: &Known) -> String {
    let title = session.title.as_deref().map(cut).filter(|title| !title.is_empty());
    let title = title.map(|title| format!("\"{title}\""));
    let active = session.active.map(|active| active.strftime("%Y-%m-%d %H:%MZ").to_string());
    let known: Vec<String> = title.into_iter().chain(active).collect();
    match known.is_empty() {
        true => session.id.clone(),
        false => format!("{} ({})", session.id, known.join(", ")),
    }
}

/// The same error with hints before its own.
pub fn offered(mut error: Error, hints: Vec<String>) -> Error {
    let room = OFFERED.saturating_sub(error.hints.iter().filter(|hint| is_offer(hint)).count());
    let new: Vec<String> = hints.into_iter().filter(|hint| !error.hints.contains(hint)).take(room).collect();
    let at = error.hints.iter().take_while(|hint| is_offer(hint)).count();
    error.hints.splice(at..at, new);
    error
}

/// The same error with its reason, where nothing else can have been meant.
pub fn settled(error: &Error, reason: &str) -> Error {
    let hints = error.hints.iter().filter(|hint| !is_offer(hint));
    hints.cloned().fold(Error::new(error.kind, format!("{error}: {reason}")), Error::hint)
}

fn is_offer(hint: &str) -> bool {
    hint.starts_with("did you mean ")
}

fn hint(session: &Known) -> String {
    let id = &session.id;
    match session.title.as_deref().map(cut) {
        Some(title) if !title.is_empty() => format!("did you mean {id} (\"{title}\")?"),
        _ => format!("did you mean {id}?"),
    }
}

fn cut(title: &str) -> String {
    let line = title.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= LONGEST_TITLE {
        return line;
    }
    line.chars().take(LONGEST_TITLE - 1).chain(['…']).collect()
}

fn is_in_title(typed: &str, session: &Known) -> bool {
    typed.chars().count() >= SHORTEST_WORD
        && session.title.as_ref().is_some_and(|title| title.to_lowercase().contains(typed))
}

/// What a path ends in, or the name of a project's directory, in which separators have become dashes.
fn last_part(project: &str) -> &str {
    let separators: &[char] = if project.starts_with('-') { &['-'] } else { &['/', '\\'] };
    project.trim_end_matches(separators).rsplit(separators).next().unwrap_or(project)
}

/// Of two letters, one would be half of it.
fn is_slip(typed: &str, distance: usize) -> bool {
    match typed.chars().count() {
        0..3 => false,
        3..8 => distance <= 1,
        8..16 => distance <= 2,
        _ => distance <= 3,
    }
}

/// The start may be a letter shorter or longer than what was typed.
fn from_start(typed: &str, id: &str) -> usize {
    let letters = typed.chars().count();
    let starts = letters.saturating_sub(1)..=letters + 1;
    let start = |length: usize| id.chars().take(length).collect::<String>();
    starts.map(|length| distance(typed, &start(length))).min().unwrap_or(letters)
}

/// How many letters are wrong, missing, too many or swapped with their neighbour.
fn distance(one: &str, two: &str) -> usize {
    let two: Vec<char> = two.chars().collect();
    let mut before: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=two.len()).collect();
    let mut previous = None;
    for (line, letter) in one.chars().enumerate() {
        let mut next = vec![line + 1];
        for (column, other) in two.iter().enumerate() {
            let at = |row: &[usize], column: usize| row.get(column).copied().unwrap_or(usize::MAX - 1);
            let mut cost = at(&row, column) + usize::from(letter != *other);
            cost = cost.min(at(&row, column + 1) + 1).min(at(&next, column) + 1);
            let swapped = column.checked_sub(1).filter(|left| {
                two.get(*left) == Some(&letter) && previous == Some(*other) && letter != *other
            });
            if let Some(left) = swapped {
                cost = cost.min(at(&before, left) + 1);
            }
            next.push(cost);
        }
        before = std::mem::replace(&mut row, next);
        previous = Some(letter);
    }
    row.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(sessions: &[(&str, &str)]) -> Vec<Known> {
        let one = |(id, title): &(&str, &str)| Known {
            id: (*id).to_owned(),
            title: Some((*title).to_owned()).filter(|title| !title.is_empty()),
            active: None,
        };
        sessions.iter().map(one).collect()
    }

    #[test]
    fn slips_are_counted() {
        for (one, two, slips) in [
            ("", "", 0),
            ("a", "", 1),
            ("1c9e", "1c9e", 0),
            ("1c9e", "1c8e", 1),
            ("1c9e", "19ce", 1),
            ("1c9e", "1c99e", 1),
            ("1c9e", "ce", 2),
            ("é日", "日é", 1),
            ("abc", "xyz", 3),
        ] {
            assert_eq!((distance(one, two), distance(two, one)), (slips, slips), "{one} {two}");
        }
    }

    #[test]
    fn the_nearest_id_comes_first_and_far_ones_do_not() {
        let known = known(&[
            ("1c9e4444-aaaa", ""),
            ("1c9f4445-aaaa", "fix  the\nparser"),
            ("77777777-aaaa", "write the parser's tests"),
        ]);
        assert_eq!(
            sessions("1c9f4444", &known),
            ["did you mean 1c9e4444-aaaa?", "did you mean 1c9f4445-aaaa (\"fix the parser\")?"]
        );
        assert_eq!(sessions("1C8E", &known), ["did you mean 1c9e4444-aaaa?"]);
        assert_eq!(sessions("deadbeef", &known), [""; 0]);
        assert_eq!(sessions("PARSER", &known).len(), 2, "by the title");
        assert_eq!(sessions("", &known), [""; 0]);
        assert!(begins("1c9e", "1C9") && !begins("1c9e", "1c9e4") && !begins("é", "e"));
    }

    #[test]
    fn no_more_than_three_and_long_titles_are_cut() {
        let title = "word ".repeat(40);
        let known = known(&[("1", &title), ("2", &title), ("3", &title), ("4", &title)]);
        let hints = sessions("word", &known);
        assert_eq!(hints.len(), 3);
        assert!(hints.iter().all(|hint| hint.chars().count() < 90 && hint.contains('…')), "{hints:?}");
    }

    #[test]
    fn of_many_candidates_eight_are_told_apart() {
        let one = |number: u64| Known {
            id: format!("1c9e-{number}"),
            title: (number > 1).then(|| "fix\nit".to_owned()),
            active: (number > 0).then_some(Timestamp::UNIX_EPOCH),
        };
        let error = ambiguous("1c9e", 10, &(0..10).map(one).collect::<Vec<_>>());
        assert_eq!((error.to_string().as_str(), error.hints.len()), ("'1c9e' means 10 sessions", 9));
        assert_eq!(error.hints.first().unwrap(), "could be 1c9e-0");
        assert_eq!(error.hints.get(1).unwrap(), "could be 1c9e-1 (1970-01-01 00:00Z)");
        assert_eq!(error.hints.get(2).unwrap(), "could be 1c9e-2 (\"fix it\", 1970-01-01 00:00Z)");
        assert_eq!(error.hints.last().unwrap(), "and 2 more");
    }

    #[test]
    fn projects_go_by_the_end_of_their_path() {
        let known = ["/home/ann/api", "/srv/api/", r"C:\work\parser", "-home-ann-web"];
        assert_eq!(projects("apo", known), ["did you mean --project api?"]);
        assert_eq!(projects("praser", known), ["did you mean --project parser?"]);
        assert_eq!(projects("wbe", known), ["did you mean --project web?"]);
        assert_eq!(projects("xx", known), [""; 0]);
        assert_eq!(projects("AP", known), [""; 0], "there is one, and something else left nothing of it");
    }

    #[test]
    fn offers_stand_before_other_hints_once_and_at_most_three() {
        let error = Error::new(ErrorKind::NotFound, "no").hint("did you mean a?").hint("see the list");
        let more = ["a", "b", "c", "d"].map(|id| format!("did you mean {id}?")).to_vec();
        let hints = offered(error, more).hints;
        assert_eq!(hints, ["did you mean a?", "did you mean b?", "did you mean c?", "see the list"]);
    }
}
