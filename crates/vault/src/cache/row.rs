//! A catalogue ↔ one line of JSON for each stream: a question about one session parses only its lines.

use std::fmt::Write;

use crate::catalog::{Catalog, Machine};
use crate::stream::Stream;

/// The last line: without it, the file was cut off.
const END: &str = ".";

/// A machine's name is a line of its own, before those of its streams.
pub(super) fn lines(catalog: &Catalog) -> String {
    let mut lines = String::new();
    for (machine, kept) in &catalog.machines {
        let _ = writeln!(lines, "{}", serde_json::Value::from(machine.as_str()));
        for (name, stream) in kept.all() {
            if let Ok(row) = serde_json::to_string(&(name, stream)) {
                let _ = writeln!(lines, "{row}");
            }
        }
    }
    lines.push_str(END);
    lines
}

pub(super) fn catalog(lines: &str) -> Option<Catalog> {
    read(lines, |_| true)
}

/// Every machine, and the streams whose line holds a piece of text or whose name is below a directory.
pub(super) fn catalog_about(lines: &str, piece: &str, directory: &str) -> Option<Catalog> {
    let finder = memchr::memmem::Finder::new(piece);
    let below = format!("[\"{directory}/");
    read(lines, |line| line.starts_with(&below) || finder.find(line.as_bytes()).is_some())
}

fn read(lines: &str, is_wanted: impl Fn(&str) -> bool) -> Option<Catalog> {
    let mut catalog = Catalog::default();
    let mut machine: Option<&mut Machine> = None;
    let whole = lines.strip_suffix(END).filter(|lines| lines.is_empty() || lines.ends_with('\n'))?;
    for line in whole.lines() {
        if line.starts_with('"') {
            let name: String = serde_json::from_str(line).ok()?;
            machine = Some(catalog.machines.entry(name).or_default());
        } else if is_wanted(line) {
            let (name, stream): (String, Stream) = serde_json::from_str(line).ok()?;
            machine.as_mut()?.stream_or_insert(&name, || stream);
        }
    }
    Some(catalog)
}
