//! Typed text → clauses and filters, from left to right, without a way to fail.

use super::{Clause, Field, Filter, MOST, Query, Term};

/// A typed part between two gaps.
enum Lexeme {
    Term { term: Term, is_negated: bool },
    Filter(Filter),
    And,
    Or,
}

/// What may follow what came before.
#[derive(PartialEq, Eq)]
enum Before {
    /// Nothing that `OR` could join.
    Other,
    /// A term that has to be there.
    Term,
    /// Such a term, and then `OR`.
    Or,
}

pub(super) fn query(text: &str) -> Query {
    let mut query = Query::default();
    let mut before = Before::Other;
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let (lexeme, behind) = lexeme(rest);
        before = add(&mut query, lexeme, &before);
        rest = behind.trim_start();
    }
    query
}

fn add(query: &mut Query, lexeme: Lexeme, before: &Before) -> Before {
    match lexeme {
        Lexeme::Or if *before == Before::Term => return Before::Or,
        Lexeme::Or | Lexeme::And => {}
        Lexeme::Filter(filter) if filter.value.trim().is_empty() => {}
        Lexeme::Filter(filter) if query.filters.len() < MOST => query.filters.push(filter),
        Lexeme::Filter(_) => {}
        Lexeme::Term { .. } if is_full(query) => {}
        Lexeme::Term { term, .. } if term.wanted().is_empty() => {}
        Lexeme::Term { term, is_negated: true } => {
            query.clauses.push(Clause { any: vec![term], is_negated: true });
        }
        Lexeme::Term { term, is_negated: false } => {
            match query.clauses.last_mut() {
                Some(clause) if *before == Before::Or => clause.any.push(term),
                _ => query.clauses.push(Clause { any: vec![term], is_negated: false }),
            }
            return Before::Term;
        }
    }
    Before::Other
}

fn is_full(query: &Query) -> bool {
    query.clauses.iter().map(|clause| clause.any.len()).sum::<usize>() >= MOST
}

/// What a text begins with, and the rest of it.
fn lexeme(text: &str) -> (Lexeme, &str) {
    let negated =
        text.strip_prefix('-').filter(|rest| rest.starts_with(|c: char| c == '"' || c.is_alphanumeric()));
    let is_negated = negated.is_some();
    let text = negated.unwrap_or(text);
    if let Some(quoted) = text.strip_prefix('"') {
        let (phrase, rest) = quoted.split_once('"').unwrap_or((quoted, ""));
        return (Lexeme::Term { term: Term::Phrase(phrase.to_owned()), is_negated }, rest);
    }
    if let Some((field, value, rest)) = filter(text) {
        return (Lexeme::Filter(Filter { field, value: value.to_owned(), is_negated }), rest);
    }
    let (word, rest) = text.split_at(text.find(char::is_whitespace).unwrap_or(text.len()));
    match word {
        "AND" if !is_negated => (Lexeme::And, rest),
        "OR" if !is_negated => (Lexeme::Or, rest),
        _ => (Lexeme::Term { term: term(word), is_negated }, rest),
    }
}

fn term(word: &str) -> Term {
    let open = word.trim_end_matches('*');
    if open.len() < word.len() { Term::Prefix(open.to_owned()) } else { Term::Word(word.to_owned()) }
}

/// A known name with a value right behind it, that does not make it the address of something.
fn filter(text: &str) -> Option<(Field, &str, &str)> {
    let (name, rest) = text.split_at(text.find(|c: char| !c.is_ascii_alphabetic())?);
    let value = rest.strip_prefix(':')?;
    let field = Field::named(name)?;
    if let Some(quoted) = value.strip_prefix('"') {
        let (value, rest) = quoted.split_once('"').unwrap_or((quoted, ""));
        return Some((field, value, rest));
    }
    let (value, rest) = value.split_at(value.find(char::is_whitespace).unwrap_or(value.len()));
    (!value.is_empty() && !value.starts_with("//")).then_some((field, value, rest))
}
