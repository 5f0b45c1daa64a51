//! The text under a command's help → the same for a terminal of some width.
//!
//! clap breaks a line that is too long and goes on at its left edge, where an example's second column then looks like
//! the next example, and a note that is broken already becomes ragged.

use crate::describe::{Example, read_notes};

/// Where an example begins.
const INDENT: usize = 2;
/// Between its columns.
const GAP: usize = 4;
/// A narrower second column goes below the first.
const NARROW: usize = 24;
/// How far it is then indented.
const BELOW: usize = 6;

/// Every command with its examples and notes laid out anew.
pub(super) fn fitted(tree: clap::Command, width: usize) -> clap::Command {
    tree.mut_subcommands(|command| {
        let below = command.get_after_help().map(ToString::to_string);
        match below {
            Some(below) => command.after_help(text(&below, width)),
            None => command,
        }
    })
}

fn text(below: &str, width: usize) -> String {
    let (examples, notes) = read_notes(below);
    let rows = rows(&examples, width);
    let notes = notes.join("\n");
    let gap = if rows.is_empty() || notes.is_empty() { "" } else { "\n" };
    format!("{rows}{gap}{notes}")
}

fn rows(examples: &[Example], width: usize) -> String {
    if examples.is_empty() {
        return String::new();
    }
    let longest = examples.iter().map(|example| example.command.chars().count()).max().unwrap_or_default();
    let column = INDENT + longest + GAP;
    let is_narrow = width < column + NARROW;
    let row = |example: &Example| {
        let indent = if is_narrow { BELOW } else { column };
        let does = hanging(&example.does, indent, width);
        let start = format!("{:INDENT$}{}", "", example.command);
        let start = if is_narrow { format!("{start}\n{:BELOW$}", "") } else { format!("{start:column$}") };
        format!("{}\n", format!("{start}{does}").trim_end())
    };
    format!("Examples:\n{}", examples.iter().map(row).collect::<String>())
}

/// Words that begin at a column and go on there.
pub(crate) fn hanging(text: &str, column: usize, width: usize) -> String {
    let lines = wrapped(text, width.saturating_sub(column).max(NARROW));
    lines.join(&format!("\n{:column$}", ""))
}

fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let is_full =
            |line: &String| !line.is_empty() && line.chars().count() + 1 + word.chars().count() > width;
        if lines.last().is_some_and(is_full) {
            lines.push(String::new());
        }
        if let Some(line) = lines.last_mut() {
            let space = if line.is_empty() { "" } else { " " };
            line.push_str(space);
            line.push_str(word);
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    const BELOW_HELP: &str = "Examples:\n  steno a              one two three four five six seven\n  \
                              steno long --flag    eight\n\nA note\nin two lines.\nAnother.";

    #[test]
    fn a_second_column_goes_on_below_itself() {
        let notes = "\nA note in two lines.\nAnother.";
        let rows = "Examples:\n  steno a              one two three four five\n                       six seven\n  \
                    steno long --flag    eight\n";
        assert_eq!(text(BELOW_HELP, 48), format!("{rows}{notes}"));
        let rows = "Examples:\n  steno a\n      one two three four five\n      six seven\n  \
                    steno long --flag\n      eight\n";
        assert_eq!(text(BELOW_HELP, 30), format!("{rows}{notes}"));
    }

    #[test]
    fn where_there_is_room_nothing_changes() {
        assert_eq!(text(BELOW_HELP, 100), BELOW_HELP.replace("note\nin", "note in"));
        assert_eq!(text("Only a note.", 100), "Only a note.");
    }
}
