//! What occurs in the transcripts, as tables.

use std::collections::BTreeMap;
use std::fmt::Write;

use steno_ops::{ByVersion, CensusReport};
use steno_render::terminal::{STRONG, WEAK, clean_line, paint};

pub(super) fn tables(census: &CensusReport) -> String {
    let mut text = String::new();
    let unknown = &census.unknown;
    table(&mut text, "record types", &census.record_types, &unknown.record_types);
    table(&mut text, "subtypes", &census.subtypes, &unknown.subtypes);
    table(&mut text, "content blocks", &census.block_types, &unknown.block_types);
    table(&mut text, "top-level fields", &census.fields, &unknown.fields);
    text
}

fn table(text: &mut String, title: &str, counts: &BTreeMap<String, ByVersion>, unknown: &[String]) {
    if counts.is_empty() {
        return;
    }
    let _ = writeln!(text, "{}", paint(STRONG, title));
    let width = counts.keys().map(|name| name.chars().count()).max().unwrap_or(0).min(50);
    for (name, versions) in counts {
        let total: u64 = versions.values().sum();
        let is_new = if unknown.contains(name) { "  unknown" } else { "" };
        let name = clean_line(name);
        let _ = writeln!(text, "  {name:<width$}  {total:>8}  {}{is_new}", paint(WEAK, &span(versions)));
    }
    text.push('\n');
}

/// From the oldest to the newest client that wrote it.
fn span(versions: &ByVersion) -> String {
    let mut names: Vec<&str> = versions.keys().map(String::as_str).filter(|name| *name != "-").collect();
    names.sort_by_key(|name| name.split('.').map(|part| part.parse().unwrap_or(0)).collect::<Vec<u64>>());
    match names.as_slice() {
        [] => "no version".to_owned(),
        [only] => clean_line(only).into_owned(),
        [first, .., last] => clean_line(&format!("{first} – {last}")).into_owned(),
    }
}
