//! The strange things in a file, as a short list: a few places of each kind, the rest as a count.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use steno_transcript::{Trouble, Troubles};

/// How many places of one kind are listed.
const NAMED: usize = 20;

/// Something strange, its place and its consequence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Warning {
    pub file: String,
    /// Counted from 1; none for the whole file.
    pub line: Option<u64>,
    pub kind: String,
    pub message: String,
}

/// Collects the warnings about one file.
#[derive(Debug, Clone)]
pub struct Warnings {
    file: String,
    named: Vec<Warning>,
    /// By kind: how many there were, and the message of the first.
    counts: BTreeMap<&'static str, (usize, String, Option<u64>)>,
}

impl Warnings {
    pub fn new(file: impl Into<String>) -> Self {
        Self { file: file.into(), named: Vec::new(), counts: BTreeMap::new() }
    }

    pub fn add(&mut self, kind: &'static str, line: Option<u64>, message: impl Into<String>) {
        self.note(kind, line, message.into(), NAMED);
    }

    /// Adds the troubles of a piece. A habit of the writer (see [`Trouble::is_habit`]) is listed once for the file.
    pub fn add_troubles(&mut self, line: u64, troubles: Troubles) {
        for trouble in troubles.iter() {
            let limit = if trouble.is_habit() { 1 } else { NAMED };
            self.note(trouble.name(), Some(line), Trouble::to_string(&trouble), limit);
        }
    }

    fn note(&mut self, kind: &'static str, line: Option<u64>, message: String, limit: usize) {
        let (count, ..) = self.counts.entry(kind).or_insert_with(|| (0, message.clone(), line));
        *count += 1;
        if *count <= limit {
            self.named.push(Warning { file: self.file.clone(), line, kind: kind.to_owned(), message });
        } else if limit == 1 {
            self.recount(kind);
        }
    }

    /// Counts the lines in the one warning about a habit.
    fn recount(&mut self, kind: &'static str) {
        let Some((count, message, _)) = self.counts.get(kind) else { return };
        if let Some(warning) = self.named.iter_mut().find(|warning| warning.kind == kind) {
            warning.message = format!("{message} ({count} lines)");
        }
    }

    /// How many there were, including those that are not listed.
    pub fn count(&self) -> usize {
        self.counts.values().map(|(count, ..)| count).sum()
    }

    pub fn into_list(mut self) -> Vec<Warning> {
        for (kind, (count, message, line)) in &self.counts {
            let named = self.named.iter().filter(|warning| warning.kind == *kind).count();
            if *count > named && named > 1 {
                let message = format!("{message} (and {} more like this)", count - named);
                let (file, kind) = (self.file.clone(), (*kind).to_owned());
                self.named.push(Warning { file, line: *line, kind, message });
            }
        }
        self.named
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_of_a_kind_become_a_few_and_a_count() {
        let mut warnings = Warnings::new("a.jsonl");
        for line in 1..=50 {
            warnings.add("not-json", Some(line), "not JSON");
        }
        assert_eq!(warnings.count(), 50);
        let list = warnings.into_list();
        assert_eq!(list.len(), NAMED + 1);
        assert_eq!(list.last().unwrap().message, "not JSON (and 30 more like this)");
    }

    #[test]
    fn a_habit_of_the_file_is_said_once() {
        let mut warnings = Warnings::new("a.jsonl");
        for line in 1..=3 {
            let mut troubles = Troubles::default();
            troubles.add(Trouble::CarriageReturn);
            warnings.add_troubles(line, troubles);
        }
        let list = warnings.into_list();
        assert_eq!(list.len(), 1);
        assert_eq!((list[0].line, &*list[0].message), (Some(1), "Windows line end (3 lines)"));
    }
}
