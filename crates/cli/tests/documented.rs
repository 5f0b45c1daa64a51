//! What docs/contract.md says of tests and of errors is true: the files are there, and the kinds are all of them.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that fails should say where")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use steno_ops::ErrorKind;

/// Kinds that no operation has: a command line that means nothing.
const USAGE: (&str, &str) = ("1", "usage");

fn contract() -> String {
    fs::read_to_string(crates().join("../docs/contract.md")).unwrap()
}

fn crates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// What stands in backticks on a line.
fn code(line: &str) -> impl Iterator<Item = &str> {
    line.split('`').skip(1).step_by(2)
}

/// Below `crates/`; after a first path, others of the same directory go by their names.
#[test]
fn every_test_that_is_named_is_there() {
    let mut named = 0;
    for paragraph in contract().split("\n\n") {
        let lines: Vec<&str> = match paragraph.starts_with('|') {
            true => paragraph.lines().collect(),
            false => vec![paragraph],
        };
        for line in lines {
            named += check(line);
        }
    }
    assert!(named > 80, "only {named} test files are named");
}

/// Gives the number of files and directories that are named, and there.
fn check(text: &str) -> usize {
    let mut directory = PathBuf::new();
    let mut named = 0;
    for word in code(text) {
        let is_below = ["/tests/", "/src/"].iter().any(|part| word.contains(part));
        let is_name = word.ends_with(".rs") && !word.contains('/');
        if is_below {
            assert!(crates().join(word).exists(), "docs/contract.md names {word}, which is not there");
            let file = !word.ends_with('/');
            directory = Path::new(word).ancestors().nth(usize::from(file)).unwrap().to_owned();
        } else if is_name {
            let mut places = directory.ancestors().take(2).map(|place| crates().join(place).join(word));
            assert!(places.any(|place| place.exists()), "docs/contract.md names {word}, which is not there");
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
    let known = ErrorKind::ALL.into_iter().map(|kind| (kind.exit_code().to_string(), kind.name().to_owned()));
    let usage = (USAGE.0.to_owned(), USAGE.1.to_owned());
    assert_eq!(written, known.chain([usage]).collect::<BTreeSet<_>>());
}

/// What the heading of an answer's section has, where that is not its command alone.
const HEADINGS: [(&str, &str); 3] = [
    ("restore-list", "`steno restore`: list"),
    ("restore", "`steno restore ID`"),
    ("restore-all", "`steno restore ID`"),
];
/// Described once, for all of them.
const EVERYWHERE: &str = "next";

#[test]
fn every_key_of_an_answer_is_described() {
    let text = contract();
    let sections: Vec<&str> = text.split("\n## ").flat_map(|part| part.split("\n### ")).collect();
    let of_session = sections.iter().find(|section| section.starts_with("`steno list`")).unwrap();
    for (name, schema) in steno_cli::schemas() {
        let own = HEADINGS.iter().find(|(of, _)| *of == name).map(|(_, heading)| (*heading).to_owned());
        let heading = own.unwrap_or_else(|| format!("`steno {name}"));
        let section = sections.iter().find(|section| section.lines().next().unwrap().contains(&heading));
        let section = section.unwrap_or_else(|| panic!("docs/contract.md has no section for {name}"));
        for key in schema.as_value()["properties"].as_object().unwrap().keys() {
            let is_in = |section: &str| {
                [format!("\"{key}\""), format!("`{key}`")].iter().any(|key| section.contains(key))
            };
            // A conversation has the keys of a row of the list, too.
            let is_there = is_in(section) || name == "show" && is_in(of_session) || key == EVERYWHERE;
            assert!(is_there, "docs/contract.md does not describe {key} of {name}");
        }
    }
}
