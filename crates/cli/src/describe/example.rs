//! The text under a command's help → its examples and its notes.
//!
//! An example is a row of two columns below `Examples:`, because that is how people read it; whatever else stands
//! there are notes.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A command line, and what it is for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Example {
    pub command: String,
    pub does: String,
}

/// Examples, and the lines of the other paragraphs put together.
pub(crate) fn read(text: &str) -> (Vec<Example>, Vec<String>) {
    let (examples, notes): (Vec<&str>, Vec<&str>) =
        text.split("\n\n").partition(|paragraph| paragraph.starts_with("Examples:"));
    let rows = examples.into_iter().flat_map(|paragraph| paragraph.lines().skip(1));
    let notes = notes.into_iter().flat_map(sentences).filter(|note| !note.is_empty());
    (rows.filter_map(example).collect(), notes.collect())
}

/// The columns are at least two spaces apart.
fn example(row: &str) -> Option<Example> {
    let row = row.trim();
    let (command, does) = row.split_once("  ").unwrap_or((row, ""));
    let example = Example { command: command.trim().to_owned(), does: does.trim().to_owned() };
    (!example.command.is_empty()).then_some(example)
}

/// A line that ends a sentence ends the note; any other goes on in the next line.
fn sentences(paragraph: &str) -> Vec<String> {
    let mut notes = vec![String::new()];
    for line in paragraph.lines().map(str::trim) {
        if notes.last().is_some_and(|note| note.ends_with('.')) {
            notes.push(String::new());
        }
        if let Some(note) = notes.last_mut() {
            let space = if note.is_empty() { "" } else { " " };
            note.push_str(space);
            note.push_str(line);
        }
    }
    notes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_are_rows_and_the_rest_is_notes() {
        let text = "Examples:\n  steno sync           run a backup\n  steno sync --full    all  of it\n  steno\n\n\
                    One note,\nin two lines.\nAnother.";
        let (examples, notes) = read(text);
        let rows: Vec<(&str, &str)> =
            examples.iter().map(|row| (row.command.as_str(), row.does.as_str())).collect();
        assert_eq!(
            rows,
            [("steno sync", "run a backup"), ("steno sync --full", "all  of it"), ("steno", "")]
        );
        assert_eq!(notes, ["One note, in two lines.", "Another."]);
        assert_eq!(read(""), (Vec::new(), Vec::new()));
    }
}
