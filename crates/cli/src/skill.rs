//! The examples of each command → the table of intents and commands in the agents' skill.
//!
//! It is generated from the command line itself, so that no row can name a command that does not exist.

use crate::describe::{Command, Example, describe};

/// The other commands are for shells and for the client's hooks; no agent has to call them.
const GROUPS: [&str; 3] = ["Keep", "Read", "Reshape"];
/// It opens the client, in the place of a terminal that an agent does not have.
const FOR_PEOPLE: &str = "resume";
const HEAD: &str = "| Command | Intent: the line for it |\n|---|---|\n";

/// The table between its markers: a row for each command, with all of its examples.
pub fn skill_table() -> String {
    let commands = describe().commands;
    let is_meant = |command: &&Command| GROUPS.contains(&&*command.group) && command.name != FOR_PEOPLE;
    let rows = commands.iter().filter(is_meant).map(row);
    HEAD.to_owned() + &rows.collect::<String>()
}

fn row(command: &Command) -> String {
    let mut lines = Vec::new();
    let mut cell = Vec::new();
    for example in &command.examples {
        let line = general(command, &example.command);
        // Two examples that differ only in the value of a placeholder are one.
        if !lines.contains(&line) {
            cell.push(intent(example, &line));
            lines.push(line);
        }
    }
    format!("| {} | {} |\n", command.name, cell.join("<br>"))
}

fn intent(example: &Example, line: &str) -> String {
    // Neither an element of HTML nor the end of the cell.
    let does = example.does.replace('<', "\\<").replace('|', "\\|");
    if does.is_empty() { format!("`{line}`") } else { format!("{does}: `{line}`") }
}

/// The line for any session and file, answered to a program: values become the names of their places.
fn general(command: &Command, line: &str) -> String {
    let line = line.split(" | ").next().unwrap_or_default();
    let mut words = words(line).filter(|word| *word != "--json");
    let mut arguments = command.arguments.iter();
    let mut general: Vec<&str> = words.by_ref().take(2).collect();
    while let Some(word) = words.next() {
        if !word.starts_with('-') {
            let place = arguments.next();
            general.push(place.map_or(word, |place| kept(word, &place.help).unwrap_or(&place.name)));
            continue;
        }
        general.push(word);
        let named = |name: &Option<String>| name.as_deref() == Some(word);
        let flag = command.flags.iter().find(|flag| named(&flag.long) || named(&flag.short));
        if let Some((flag, place)) = flag.and_then(|flag| Some((flag, flag.value.as_deref()?)))
            && let Some(value) = words.next()
        {
            general.push(kept(value, &flag.help).unwrap_or(place));
        }
    }
    general.push("--json");
    general.join(" ")
}

/// As a shell splits them; a quoted text is one.
fn words(line: &str) -> impl Iterator<Item = &str> {
    let mut is_quoted = false;
    let parts = line.split(move |letter: char| {
        is_quoted ^= letter == '\'';
        letter == ' ' && !is_quoted
    });
    parts.filter(|word| !word.is_empty())
}

/// A value that the help names, such as `off`, means itself.
fn kept<'a>(word: &'a str, help: &str) -> Option<&'a str> {
    help.contains(&format!("`{word}`")).then_some(word)
}
