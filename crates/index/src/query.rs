//! The query as typed → the terms and filters to look for. Every text is a valid query.

mod display;
mod parse;
#[cfg(test)]
mod tests;
mod wanted;

use foldhash::{HashSet, HashSetExt};

pub use wanted::Wanted;

/// The most terms and the most filters of a query, and the most words of a term.
const MOST: usize = 64;

/// A question: every clause has to hold, and every filter.
///
/// Terms beyond 64, alternatives among them, and filters beyond 64 are ignored, and so are words beyond 64 of a
/// phrase or a joined word: a pasted page is found by its beginning.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Query {
    pub clauses: Vec<Clause>,
    pub filters: Vec<Filter>,
}

/// One of several terms (`a OR b`), or none of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clause {
    pub any: Vec<Term>,
    pub is_negated: bool,
}

/// A term that a passage has to contain. The text is as typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Term {
    /// A word; where it has several parts, they have to follow each other.
    Word(String),
    Phrase(String),
    /// A word that goes on.
    Prefix(String),
}

/// A condition on the facts about a passage: its speaker, its time … The value is as typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Filter {
    pub field: Field,
    pub value: String,
    pub is_negated: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Field {
    Role,
    Tool,
    Project,
    File,
    Branch,
    Model,
    Session,
    Since,
    Until,
}

impl Query {
    /// Never fails: text that is not an operator is a word.
    pub fn parse(text: &str) -> Self {
        parse::query(text)
    }

    pub fn is_empty(&self) -> bool {
        self.clauses.is_empty() && self.filters.is_empty()
    }

    /// What a passage has to contain, as opposed to what it must not; the same only once.
    pub fn wanted(&self) -> Vec<Wanted> {
        let clauses = self.clauses.iter().filter(|clause| !clause.is_negated);
        let ways = clauses.flat_map(|clause| &clause.any).flat_map(Term::wanted);
        let mut seen = HashSet::new();
        ways.filter(|way| seen.insert(way.clone())).collect()
    }
}

impl Term {
    pub fn text(&self) -> &str {
        match self {
            Self::Word(text) | Self::Phrase(text) | Self::Prefix(text) => text,
        }
    }
}

impl Field {
    /// The field of a name, in any case, or of another name for it.
    pub fn named(name: &str) -> Option<Self> {
        Some(match name.to_ascii_lowercase().as_str() {
            "role" => Self::Role,
            "tool" => Self::Tool,
            "project" => Self::Project,
            "file" | "path" => Self::File,
            "branch" => Self::Branch,
            "model" => Self::Model,
            "session" => Self::Session,
            "since" | "after" | "from" => Self::Since,
            "until" | "before" | "to" => Self::Until,
            _ => return None,
        })
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Role => "role",
            Self::Tool => "tool",
            Self::Project => "project",
            Self::File => "file",
            Self::Branch => "branch",
            Self::Model => "model",
            Self::Session => "session",
            Self::Since => "since",
            Self::Until => "until",
        }
    }
}
