//! Commands → manual pages: clap's own sections, and those that it does not know.

use clap_mangen::Man;

use super::roff;
use crate::args;
use crate::describe::{Command, Description, describe};

/// Commands of users.
pub(super) const SECTION: &str = "1";
const FILES: [(&str, &str); 3] = [
    ("~/.claude/", "the Claude directory: what Claude Code writes"),
    ("~/.claude-backup/", "the vault: what is kept of it"),
    ("~/.claude-backup/.cache/", "what can be made again, and may be deleted"),
];

#[derive(Debug)]
pub(super) struct Page {
    pub(super) name: String,
    /// In roff.
    pub(super) text: String,
}

impl Page {
    pub(super) fn file(&self) -> String {
        format!("{}.{SECTION}", self.name)
    }
}

/// The program's, one of each command, and the program's again under its other name: a page that only led to the first
/// would be found by man(1) alone, and not where it lies elsewhere.
pub(super) fn all() -> Vec<Page> {
    let mut tree = args::tree();
    tree.build();
    let described = describe();
    let main = Page { name: "steno".to_owned(), text: program("steno", &tree, &described) };
    let of = |command: &clap::Command| {
        let known = described.commands.iter().find(|known| known.name == command.get_name())?;
        let text = of_command(command, known, &described);
        Some(Page { name: format!("steno-{}", known.name), text })
    };
    let commands = tree.get_subcommands().filter_map(of);
    let other = Page { name: "claude-backup".to_owned(), text: program("claude-backup", &tree, &described) };
    std::iter::once(main).chain(commands).chain([other]).collect()
}

fn program(name: &str, tree: &clap::Command, described: &Description) -> String {
    let commands: Vec<(String, String)> = described
        .commands
        .iter()
        .map(|command| (format!("steno-{}({SECTION})", command.name), command.about.clone()))
        .collect();
    let mut text = opening(name, &described.about, &described.usage, &described.notes);
    text.push_str(&options(tree));
    text.push_str(&roff::pairs("COMMANDS", &commands));
    text.push_str(&surroundings(described));
    text.push_str(&roff::paragraphs("SEE ALSO", &["claude(1), git(1)"]));
    text
}

fn of_command(command: &clap::Command, known: &Command, described: &Description) -> String {
    let examples: Vec<(String, String)> =
        known.examples.iter().map(|example| (example.command.clone(), example.does.clone())).collect();
    let mut text = opening(&format!("steno-{}", known.name), &known.about, &known.usage, &known.notes);
    text.push_str(&options(command));
    text.push_str(&roff::pairs("EXAMPLES", &examples));
    text.push_str(&surroundings(described));
    text.push_str(&roff::paragraphs("SEE ALSO", &[&format!("steno({SECTION})")]));
    text
}

/// Up to the description. No date: the version says which program it is about.
fn opening(name: &str, about: &str, usage: &str, notes: &[String]) -> String {
    let version = env!("CARGO_PKG_VERSION");
    let title =
        format!(".TH \"{}\" \"{SECTION}\" \"\" \"steno {version}\" \"Stenograph\"\n", name.to_uppercase());
    let sentence = format!("{about}.");
    let description: Vec<&str> =
        std::iter::once(sentence.as_str()).chain(notes.iter().map(String::as_str)).collect();
    [
        title,
        roff::paragraphs("NAME", &[&format!("{name} - {about}")]),
        roff::paragraphs("SYNOPSIS", &[usage]),
        roff::paragraphs("DESCRIPTION", &description),
    ]
    .concat()
}

/// As clap lays them out.
fn options(command: &clap::Command) -> String {
    let mut text = Vec::new();
    // A vector takes everything.
    let _ = Man::new(command.clone()).render_options_section(&mut text);
    roff::tidy(&String::from_utf8_lossy(&text))
}

/// What holds for every command.
fn surroundings(described: &Description) -> String {
    let codes: Vec<(String, String)> =
        described.exit_codes.iter().map(|code| (code.code.to_string(), code.means.clone())).collect();
    let variables: Vec<(String, String)> =
        described.environment.iter().map(|known| (known.name.clone(), known.means.clone())).collect();
    let files = FILES.map(|(path, means)| (path.to_owned(), means.to_owned()));
    [roff::pairs("EXIT STATUS", &codes), roff::pairs("ENVIRONMENT", &variables), roff::pairs("FILES", &files)]
        .concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_command_has_a_page_with_its_sections() {
        let pages = all();
        assert_eq!(pages.len(), args::names().count() + 2);
        for page in pages {
            for section in
                ["NAME", "SYNOPSIS", "DESCRIPTION", "EXIT STATUS", "ENVIRONMENT", "FILES", "SEE ALSO"]
            {
                let heading = format!(".SH \"{section}\"\n");
                assert_eq!(page.text.matches(&heading).count(), 1, "{section} of {}", page.name);
            }
            let title = format!(".TH \"{}\"", page.name.to_uppercase());
            assert!(page.text.contains("\\-\\-json") && page.text.starts_with(&title), "{}", page.name);
            assert_eq!(page.text.lines().find(|line| line.trim().is_empty()), None, "{}", page.name);
        }
    }
}
