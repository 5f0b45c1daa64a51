//! The documents agree with the program: docs/contract.md on tests, errors and answers, README.md on commands, and
//! ARCHITECTURE.md on files.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use steno_ops::ErrorKind;

use crate::schema::shape::Shape;

/// Kinds that no operation has: a command line that means nothing.
const USAGE: (&str, &str) = ("1", "usage");

const CONTRACT: &str = "docs/contract.md";

fn contract() -> String {
    read(CONTRACT)
}

/// A document, by its path in the repository.
fn read(document: &str) -> String {
    fs::read_to_string(crates().join("..").join(document)).unwrap()
}

fn crates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// What stands in backticks on a line.
fn code(line: &str) -> impl Iterator<Item = &str> {
    line.split('`').skip(1).step_by(2)
}

#[test]
fn every_test_that_is_named_is_there() {
    let named = check(CONTRACT);
    assert!(named > 80, "only {named} test files are named");
}

#[test]
fn every_file_in_the_architecture_is_there() {
    let named = check("ARCHITECTURE.md");
    assert!(named > 150, "only {named} files are named");
}

/// Checks the files and directories that a document names, and gives their number. Paths are below `crates/`; after a
/// first path in a paragraph or row, others of the same directory go by their names.
fn check(document: &str) -> usize {
    let mut named = 0;
    for paragraph in read(document).split("\n\n") {
        let lines: Vec<&str> = match paragraph.starts_with('|') {
            true => paragraph.lines().collect(),
            false => vec![paragraph],
        };
        for line in lines {
            named += check_paths(document, line);
        }
    }
    named
}

fn check_paths(document: &str, text: &str) -> usize {
    let mut directory = PathBuf::new();
    let mut named = 0;
    for word in code(text) {
        let is_below = ["/tests/", "/src/"].iter().any(|part| word.contains(part));
        let is_name = word.ends_with(".rs") && !word.contains('/');
        if is_below {
            // `xtask/src/` is not below `crates/`.
            let is_there = crates().join(word).exists() || crates().join("..").join(word).exists();
            assert!(is_there, "{document} names {word}, which is not there");
            let file = !word.ends_with('/');
            directory = Path::new(word).ancestors().nth(usize::from(file)).unwrap().to_owned();
        } else if is_name {
            let mut places = directory.ancestors().take(2).map(|place| crates().join(place).join(word));
            assert!(places.any(|place| place.exists()), "{document} names {word}, which is not there");
        }
        named += usize::from(is_below || is_name);
    }
    named
}

#[test]
fn the_kinds_of_errors_are_a_closed_list() {
    let text = contract();
    let rows = text.lines().filter_map(|line| {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let kind = cells.get(2)?.strip_prefix('`')?.strip_suffix('`')?;
        cells[1].parse::<u8>().ok().map(|code| (code.to_string(), kind.to_owned()))
    });
    let written: BTreeSet<(String, String)> = rows.collect();
    let known = ErrorKind::ALL
        .into_iter()
        .map(|kind| (steno_cli::exit_code(kind).to_string(), kind.name().to_owned()));
    let usage = (USAGE.0.to_owned(), USAGE.1.to_owned());
    assert_eq!(written, known.chain([usage]).collect::<BTreeSet<_>>());
}

/// What the heading of an answer's section has, where that is not its command alone.
const HEADINGS: [(&str, &str); 5] = [
    ("watch-change", "`steno watch`"),
    ("portable", "The portable conversation"),
    ("restore-list", "`steno restore`: list"),
    ("restore", "`steno restore ID`"),
    ("restore-all", "`steno restore ID`"),
];
/// Objects, and a key, that are described once for all answers, and the heading where.
const ANYWHERE: [(&str, &str); 3] = [("Next", "What next"), ("next", "What next"), ("Warning", "Keep")];
/// Answers that have something in common with another one, and the heading of that.
const AKIN: [(&str, &str); 9] = [
    ("clone", "`steno check ID`"),
    ("check", "`steno clone ID`"),
    ("init", "`steno sync`"),
    ("key", "`steno sync`"),
    ("remote", "`steno sync`"),
    ("show", "`steno list`"),
    ("share", "`steno dump ID`"),
    ("stats", "`steno list`"),
    ("portable", "`steno show ID`"),
];

#[test]
fn every_key_and_value_of_an_answer_is_described() {
    for (name, schema) in steno_cli::schemas() {
        let own = HEADINGS.iter().find(|(of, _)| *of == name).map(|(_, heading)| (*heading).to_owned());
        let heading = own.unwrap_or_else(|| format!("`steno {name}"));
        let akin = AKIN.iter().filter(|(of, _)| *of == name).map(|(_, heading)| section(heading));
        let described: String = akin.chain([section(&heading)]).collect();
        let shape = Shape::of(schema.as_value());
        for (place, words) in shape.objects.iter().chain(&shape.values) {
            for word in words {
                let anywhere = ANYWHERE.iter().find(|(known, _)| known == place || known == word);
                let is_there = names(&described, word)
                    || anywhere.is_some_and(|(_, heading)| names(&section(heading), word));
                assert!(is_there, "docs/contract.md does not describe {word} of {name} {place}");
            }
        }
    }
}

/// The part of the contract below a heading that has this.
fn section(heading: &str) -> String {
    let text = contract();
    let mut sections = text.split("\n## ").flat_map(|part| part.split("\n### "));
    let found = sections.find(|section| section.lines().next().unwrap().contains(heading));
    found.unwrap_or_else(|| panic!("docs/contract.md has no section for {heading}")).to_owned()
}

fn names(text: &str, word: &str) -> bool {
    [format!("\"{word}\""), format!("`{word}`")].iter().any(|word| text.contains(word))
}

#[test]
fn every_command_stands_in_the_table_of_the_readme() {
    let text = fs::read_to_string(crates().join("../README.md")).unwrap();
    let (_, table) = text.split_once("\n## Commands\n").expect("README.md has a section about commands");
    let rows = table.split("\n## ").next().unwrap().lines().filter(|line| line.starts_with('|'));
    let named: BTreeSet<&str> = rows
        .filter_map(|row| row.split('|').nth(1))
        .flat_map(|cell| code(cell).map(|line| line.strip_prefix("steno ").unwrap_or(line)))
        .filter_map(|line| line.split_whitespace().next())
        .filter(|word| !word.starts_with('-') && *word != "steno")
        .collect();
    let tree = steno_cli::tree();
    let shown = tree.get_subcommands().filter(|command| !command.is_hide_set());
    let existing: BTreeSet<&str> = shown.map(clap::Command::get_name).collect();
    assert_eq!(named, existing, "the commands in the table of README.md, and those that there are");
}
