//! A query → the text that would have been typed for it.

use std::fmt;

use super::{Clause, Field, Filter, Query, Term};

impl fmt::Display for Query {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut gap = "";
        for clause in &self.clauses {
            write!(out, "{gap}{clause}")?;
            gap = " ";
        }
        for filter in &self.filters {
            write!(out, "{gap}{filter}")?;
            gap = " ";
        }
        Ok(())
    }
}

impl fmt::Display for Clause {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let between = if self.is_negated { " " } else { " OR " };
        let sign = sign(self.is_negated);
        for (number, term) in self.any.iter().enumerate() {
            let gap = if number == 0 { "" } else { between };
            write!(out, "{gap}{sign}{term}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Term {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Word(text) => out.write_str(text),
            Self::Phrase(text) => write!(out, "\"{text}\""),
            Self::Prefix(text) => write!(out, "{text}*"),
        }
    }
}

impl fmt::Display for Filter {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { field, value, is_negated } = self;
        let quote = if value.contains(char::is_whitespace) || value.starts_with("//") { "\"" } else { "" };
        write!(out, "{sign}{field}:{quote}{value}{quote}", sign = sign(*is_negated))
    }
}

impl fmt::Display for Field {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

fn sign(is_negated: bool) -> &'static str {
    if is_negated { "-" } else { "" }
}
