//! What the picker knows: what was typed, what matches it, and where the cursor is. Pure: an action changes it, and
//! may be the decision.

use steno_ops::{model::Session, size_text};
use steno_render::terminal::{Page, clean_line};
use steno_render::{age, many, one_line, project_name, short_id, tokens};

use super::matching::{folded, matching};

/// As many rows as a jump by a page goes.
const PAGE: usize = 10;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Action {
    Type(char),
    Erase,
    EraseWord,
    Clear,
    Up,
    Down,
    PageUp,
    PageDown,
    First,
    Last,
    Choose,
    Leave,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Decision {
    Chosen(String),
    Left,
}

/// A session as it is shown and matched; nothing in it acts on a terminal.
#[derive(Debug, Clone, Default)]
pub(super) struct Candidate {
    pub(super) id: String,
    /// What it is opened by: a live one by its path, without a look at any other.
    pub(super) name: String,
    pub(super) title: String,
    pub(super) project: String,
    pub(super) age: String,
    /// Running, or only in the vault.
    pub(super) mark: char,
    /// Lines about it, beside what was said.
    pub(super) facts: Vec<String>,
    text: String,
}

impl Candidate {
    pub(super) fn of(session: &Session, page: &Page) -> Self {
        let profile = &session.profile;
        let line = |text: &str| clean_line(&one_line(text)).into_owned();
        let id = profile.id.to_string();
        let title = line(profile.title.as_deref().unwrap_or("(no title)"));
        let project = line(&project_name(profile.cwd.as_deref(), profile.project_hash.as_deref()));
        let age = profile.ended_at.map(|time| age(time, page.now)).unwrap_or_default();
        let path = profile.path.as_ref().filter(|_| profile.live);
        let place = match (profile.live, profile.kept) {
            _ if profile.ongoing => "running",
            (true, true) => "live and kept",
            (true, false) => "live, not kept",
            (false, _) => "only the vault has it",
        };
        let machine = session.machine.as_deref().map(|machine| format!(" · kept by {}", line(machine)));
        let branch = profile.git_branch.as_deref().map(line).unwrap_or_default();
        let total = tokens(profile.tokens.context(), profile.tokens.without_final_usage > 0);
        let facts = vec![
            profile.cwd.as_deref().map_or_else(|| project.clone(), line),
            format!("{} · {branch}", short_id(&line(&id))).trim_end_matches(" · ").to_owned(),
            format!("{} · {total} tokens · {}", many(profile.turns, "turn"), size_text(profile.size_bytes)),
            format!("{place}{}", machine.unwrap_or_default()),
        ];
        let text = folded(&format!("{title} {project} {branch} {id}"));
        let mark = match (profile.ongoing, profile.live) {
            (true, _) => '●',
            (_, false) => '○',
            _ => ' ',
        };
        Self { name: path.unwrap_or(&id).clone(), id, title, project, age, mark, facts, text }
    }
}

#[derive(Debug)]
pub(super) struct State {
    candidates: Vec<Candidate>,
    pub(super) typed: String,
    /// The places of those that match.
    shown: Vec<usize>,
    /// Among these.
    cursor: usize,
    /// The first of these that is on the screen.
    top: usize,
}

impl State {
    /// The latest first.
    pub(super) fn new(candidates: Vec<Candidate>) -> Self {
        let shown = (0..candidates.len()).collect();
        Self { candidates, typed: String::new(), shown, cursor: 0, top: 0 }
    }

    pub(super) fn apply(&mut self, action: Action) -> Option<Decision> {
        let last = self.shown.len().saturating_sub(1);
        match action {
            Action::Type(letter) => self.retype(|typed| typed.push(letter)),
            Action::Erase => self.retype(|typed| {
                typed.pop();
            }),
            Action::EraseWord => self.retype(|typed| {
                let rest = typed.trim_end();
                typed.truncate(rest.rfind(' ').map_or(0, |space| space + 1));
            }),
            Action::Clear => self.retype(String::clear),
            Action::Up => self.cursor = self.cursor.saturating_sub(1),
            Action::Down => self.cursor = (self.cursor + 1).min(last),
            Action::PageUp => self.cursor = self.cursor.saturating_sub(PAGE),
            Action::PageDown => self.cursor = (self.cursor + PAGE).min(last),
            Action::First => self.cursor = 0,
            Action::Last => self.cursor = last,
            Action::Choose => return self.current().map(|current| Decision::Chosen(current.id.clone())),
            Action::Leave => return Some(Decision::Left),
        }
        None
    }

    fn retype(&mut self, change: impl FnOnce(&mut String)) {
        change(&mut self.typed);
        let texts = self.candidates.iter().map(|candidate| candidate.text.as_str());
        self.shown = matching(&self.typed, texts);
        (self.cursor, self.top) = (0, 0);
    }

    /// The one under the cursor.
    pub(super) fn current(&self) -> Option<&Candidate> {
        self.candidates.get(*self.shown.get(self.cursor)?)
    }

    /// How many match, and of how many.
    pub(super) fn counts(&self) -> (usize, usize) {
        (self.shown.len(), self.candidates.len())
    }

    /// So many rows around the cursor, and whether it is on each.
    pub(super) fn rows(&mut self, height: usize) -> Vec<(bool, &Candidate)> {
        self.top = self.top.max((self.cursor + 1).saturating_sub(height)).min(self.cursor);
        let shown = self.shown.iter().enumerate().skip(self.top).take(height);
        let row =
            |(number, place): (usize, &usize)| Some((number == self.cursor, self.candidates.get(*place)?));
        shown.filter_map(row).collect()
    }

    #[cfg(test)]
    pub(super) fn titled(titles: &[&str]) -> Self {
        let candidate = |(number, title): (usize, &&str)| Candidate {
            id: format!("id-{number}"),
            title: (*title).to_owned(),
            project: "api".to_owned(),
            age: format!("{number}d"),
            mark: if number == 1 { '○' } else { ' ' },
            facts: vec!["/home/ann/api".to_owned(), "12 turns".to_owned()],
            text: folded(title),
            ..Candidate::default()
        };
        Self::new(titles.iter().enumerate().map(candidate).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn type_text(state: &mut State, text: &str) {
        text.chars().for_each(|letter| assert_eq!(state.apply(Action::Type(letter)), None));
    }

    fn apply(state: &mut State, actions: &[Action]) {
        actions.iter().for_each(|action| assert_eq!(state.apply(*action), None));
    }

    fn chosen(state: &mut State) -> Option<Decision> {
        state.apply(Action::Choose)
    }

    #[test]
    fn typing_narrows_and_erasing_widens() {
        let mut state = State::titled(&["fix parser", "write poem", "parse dates"]);
        type_text(&mut state, "parse d");
        assert_eq!(state.counts(), (1, 3));
        assert_eq!(chosen(&mut state), Some(Decision::Chosen("id-2".to_owned())));
        state.apply(Action::EraseWord);
        assert_eq!((state.typed.as_str(), state.counts()), ("parse ", (2, 3)));
        state.apply(Action::EraseWord);
        assert_eq!((state.typed.as_str(), state.counts()), ("", (3, 3)));
        type_text(&mut state, "é");
        assert_eq!((state.counts(), chosen(&mut state)), ((0, 3), None), "nothing is under the cursor");
        state.apply(Action::Erase);
        assert_eq!(state.counts(), (3, 3));
        assert_eq!(state.apply(Action::Erase), None);
    }

    #[test]
    fn the_cursor_stays_among_the_rows() {
        let titles: Vec<String> = (0..25).map(|number| format!("session {number}")).collect();
        let mut state = State::titled(&titles.iter().map(String::as_str).collect::<Vec<_>>());
        state.apply(Action::Up);
        assert_eq!(chosen(&mut state), Some(Decision::Chosen("id-0".to_owned())));
        apply(&mut state, &[Action::PageDown, Action::Down]);
        assert_eq!(chosen(&mut state), Some(Decision::Chosen("id-11".to_owned())));
        apply(&mut state, &[Action::PageDown, Action::PageDown, Action::Down]);
        assert_eq!(chosen(&mut state), Some(Decision::Chosen("id-24".to_owned())));
        type_text(&mut state, "session 1");
        assert_eq!(chosen(&mut state), Some(Decision::Chosen("id-1".to_owned())), "the first that matches");
        assert_eq!(state.apply(Action::Leave), Some(Decision::Left));
    }

    #[test]
    fn the_rows_follow_the_cursor() {
        let mut state = State::titled(&["a", "b", "c", "d", "e"]);
        let rows = |state: &mut State| {
            let rows = state.rows(3);
            rows.iter()
                .map(|(is_current, row)| format!("{}{}", row.title, if *is_current { "<" } else { "" }))
                .collect::<Vec<_>>()
                .join(" ")
        };
        assert_eq!(rows(&mut state), "a< b c");
        apply(&mut state, &[Action::Down, Action::Down, Action::Down]);
        assert_eq!(rows(&mut state), "b c d<");
        state.apply(Action::Up);
        assert_eq!(rows(&mut state), "b c< d");
        state.apply(Action::Last);
        assert_eq!(rows(&mut state), "c d e<");
        state.apply(Action::First);
        assert_eq!(rows(&mut state), "a< b c");
        assert!(state.rows(0).is_empty());
    }
}
