//! `steno doctor`: what is strange in the transcripts, and what occurs in them.

use std::collections::BTreeMap;
use std::fmt::Write;

use steno_ops::census::{self, Report, Request};
use steno_ops::{ByVersion, Library, Warning};
use steno_render::terminal::{Page, STRONG, WEAK, clean_line, paint};

use super::sync::next_lines;
use crate::failure::Failure;
use crate::output::{Human, Output};

/// Places of one kind of warning that are named.
const NAMED: usize = 5;

const EXAMPLES: &str = "\
Examples:
  steno doctor             look for what is strange in the transcripts
  steno doctor --census    count what occurs in them, by client version

What is strange is no error: everything else is still read, kept and restored.";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Count record types, subtypes, content blocks and fields by client version
    #[arg(long)]
    census: bool,
}

pub(crate) fn run(args: &Args, library: &Library, output: &mut Output) -> Result<(), Failure> {
    output.report(&census::run(library, &Request { census: args.census })?)
}

impl Human for Report {
    fn text(&self, _page: &Page) -> String {
        let mut text = String::new();
        if let Some(census) = &self.census {
            let unknown = &census.unknown;
            table(&mut text, "record types", &census.record_types, &unknown.record_types);
            table(&mut text, "subtypes", &census.subtypes, &unknown.subtypes);
            table(&mut text, "content blocks", &census.block_types, &unknown.block_types);
            table(&mut text, "top-level fields", &census.fields, &unknown.fields);
        } else if !self.unknown_types.is_empty() {
            let names = clean_line(&self.unknown_types.join(", ")).into_owned();
            let _ = writeln!(text, "{} {names}\n", paint(STRONG, "unknown record types:"));
        }
        warnings(&mut text, &self.warnings);
        text.truncate(text.trim_end().len());
        if !text.is_empty() {
            text.push('\n');
        }
        text
    }

    fn talk(&self) -> Option<String> {
        let many = |number: u64, noun: &str| {
            if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
        };
        let (files, records) = (many(self.files, "transcript"), many(self.records, "record"));
        let strange = match self.warnings.len() {
            0 => "nothing strange".to_owned(),
            1 => "1 warning".to_owned(),
            many => format!("{many} warnings"),
        };
        let summary = format!("{files}, {records}, {strange}");
        Some([summary].into_iter().chain(next_lines(&self.next)).collect::<Vec<_>>().join("\n"))
    }
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

fn warnings(text: &mut String, warnings: &[Warning]) {
    let mut by_kind: BTreeMap<&str, Vec<&Warning>> = BTreeMap::new();
    for warning in warnings {
        by_kind.entry(&warning.kind).or_default().push(warning);
    }
    for (kind, warnings) in by_kind {
        let _ = writeln!(text, "{} ({})", paint(STRONG, kind), warnings.len());
        for warning in warnings.iter().take(NAMED) {
            let line = warning.line.map(|line| format!(":{line}")).unwrap_or_default();
            let _ = writeln!(
                text,
                "  {}{line}  {}",
                clean_line(&warning.file),
                paint(WEAK, &clean_line(&warning.message))
            );
        }
        if warnings.len() > NAMED {
            let _ = writeln!(text, "  … and {} more", warnings.len() - NAMED);
        }
    }
}
