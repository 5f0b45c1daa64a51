//! The table of what is asked, and what is cached when it is.

use crate::rows::{LIMIT, Program, Row, WALK};

/// One measured command.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Question {
    pub(crate) row: Row,
    pub(crate) state: State,
    /// Rows with the same name have the same home, and so the same cache.
    pub(crate) cache: &'static str,
}

/// What the cache holds when a run begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum State {
    Nothing,
    /// What another run has just left there.
    Everything,
    /// The same, and then some sessions grew.
    Grown,
}

const fn ours(
    group: &'static str,
    name: &'static str,
    arguments: &'static [&'static str],
    target: &'static str,
) -> Row {
    Row { group, name, program: Program::Steno, arguments, target }
}

const fn peer(group: &'static str, name: &'static str, arguments: &'static [&'static str]) -> Row {
    let program = Program::Peer(match arguments {
        [program, ..] => program,
        [] => "",
    });
    Row { group, name, program, arguments, target: "" }
}

const fn ask(row: Row, state: State, cache: &'static str) -> Question {
    Question { row, state, cache }
}

const LIST: &[&str] = &["list", "--json", "--claude-dir", "{home}"];
const STATS: &[&str] = &["stats", "--json", "--timezone", "UTC", "--claude-dir", "{home}"];
const CCUSAGE: &[&str] = &["ccusage", "daily", "--json", "--offline", "--timezone", "UTC"];
const CCSTATS: &[&str] = &["ccstats", "daily", "--json", "--offline", "--timezone", "UTC"];

pub(crate) const QUESTIONS: &[Question] = &[
    // In turn with all that is held against them: how fast a file is read depends on when and how it was written.
    ask(LIMIT, State::Nothing, "limit"),
    ask(WALK, State::Nothing, "walk"),
    ask(ours("list", "steno list, again", LIST, "≤ 40 ms, 2,000 sessions"), State::Everything, "list"),
    ask(ours("list", "steno list, nothing cached", LIST, ""), State::Nothing, "list-first"),
    ask(
        ours("stats", "steno stats, nothing cached", STATS, "≤ 2× limit; ≥ 5× ccusage; ≤ 60 MB"),
        State::Nothing,
        "stats-first",
    ),
    ask(peer("stats", "ccusage daily", CCUSAGE), State::Nothing, "ccusage"),
    ask(peer("stats", "ccost", &["ccost", "--output", "json"]), State::Nothing, "ccost"),
    ask(peer("stats", "ccstats daily, nothing cached", CCSTATS), State::Nothing, "ccstats-first"),
    ask(ours("again", "steno stats, again", STATS, "≤ 30 ms; ≥ 10× ccstats"), State::Everything, "stats"),
    ask(peer("again", "ccstats daily, again", CCSTATS), State::Everything, "ccstats"),
    ask(ours("grown", "steno stats, 20 files grew", STATS, "≤ 40 ms"), State::Grown, "stats-grown"),
    ask(peer("grown", "ccstats daily, 20 files grew", CCSTATS), State::Grown, "ccstats-grown"),
    ask(
        ours(
            "index",
            "steno search, first use",
            &["search", "--json", "xylograph", "--claude-dir", "{home}"],
            "≤ 5 s/GB; index ≤ 0.10×",
        ),
        State::Nothing,
        "search-first",
    ),
    ask(
        ours(
            "search",
            "steno search, a rare word",
            &["search", "--json", "xylograph", "--claude-dir", "{home}"],
            "≤ 15 ms",
        ),
        State::Everything,
        "search",
    ),
    ask(
        ours(
            "search",
            "steno search, a common word",
            &["search", "--json", "in", "--claude-dir", "{home}"],
            "≤ 15 ms",
        ),
        State::Everything,
        "search",
    ),
    ask(
        ours(
            "search",
            "steno search, a phrase",
            &["search", "--json", "\"xylograph lantern\"", "--claude-dir", "{home}"],
            "≤ 15 ms",
        ),
        State::Everything,
        "search",
    ),
    ask(
        ours(
            "literal",
            "steno search --literal",
            &["search", "--literal", "--json", "xylograph", "--claude-dir", "{home}"],
            "≤ 1.2× ripgrep",
        ),
        State::Nothing,
        "literal",
    ),
    ask(
        peer("literal", "ripgrep -F", &["rg", "--no-config", "-uuu", "-F", "xylograph", "{projects}"]),
        State::Nothing,
        "ripgrep",
    ),
    ask(
        ours(
            "regex",
            "steno search --regex",
            &["search", "--regex", "--json", "xylo[a-z]+ lantern", "--claude-dir", "{home}"],
            "≤ 1.2× ripgrep",
        ),
        State::Nothing,
        "regex",
    ),
    ask(
        peer("regex", "ripgrep", &["rg", "--no-config", "-uuu", "xylo[a-z]+ lantern", "{projects}"]),
        State::Nothing,
        "ripgrep",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::find::needle::{PHRASE, START};

    #[test]
    fn what_is_searched_for_was_planted() {
        let words = QUESTIONS.iter().flat_map(|question| question.row.arguments);
        let needles: Vec<&str> = words.filter(|word| word.contains(START)).copied().collect();
        assert!(needles.len() >= 7);
        for needle in needles.into_iter().filter(|needle| !needle.contains('[')) {
            assert!(PHRASE.contains(needle.trim_matches('"')), "{needle}");
        }
    }
}
