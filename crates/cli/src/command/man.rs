//! `steno man`: manual pages, made of what clap knows of the commands.

mod page;
mod roff;

use std::fs;
use std::path::{Path, PathBuf};

use clap::builder::PossibleValuesParser;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use steno_ops::{Error, ErrorKind};
use steno_render::many;
use steno_render::terminal::{self, clean_line};

use self::page::Page;
use crate::args;
use crate::failure::Failure;
use crate::output::{Human, Output};
use crate::pager;

const EXAMPLES: &str = "\
Examples:
  steno man                                  read the manual
  steno man restore                          read about one command
  steno man --dir ~/.local/share/man/man1    write all pages, so that `man steno` finds them
  steno man --dir man1 --dry-run             show which pages would be written

On a terminal they are shown by man(1) where there is one; elsewhere they are roff.";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The command to read about; without it, the program
    #[arg(value_name = "COMMAND", value_parser = PossibleValuesParser::new(args::names()))]
    #[arg(hide_possible_values = true, conflicts_with = "dir")]
    command: Option<String>,
    /// Write all pages to this directory
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
    /// Show what would be done, and do nothing
    #[arg(long, requires = "dir")]
    dry_run: bool,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Report {
    ok: bool,
    pages: Vec<Entry>,
    dry_run: bool,
    /// As people read it, where somebody does.
    #[serde(skip)]
    formatted: Option<String>,
}

/// A page: its text, or where it was written.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Entry {
    name: String,
    section: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    path: Option<String>,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<(), Failure> {
    if let Some(directory) = &args.dir {
        let report = if args.dry_run { plan(directory)? } else { write(directory)? };
        return output.report(&report);
    }
    let wanted = args.command.as_ref().map_or_else(|| "steno".to_owned(), |name| format!("steno-{name}"));
    let page = page::all().into_iter().find(|page| page.name == wanted);
    let page = page.ok_or_else(|| Error::new(ErrorKind::NotFound, format!("no page '{wanted}'")))?;
    let formatted = output.reader().and_then(|terminal| pager::formatted(&page.text, terminal));
    let entry = Entry { text: Some(page.text), ..entry(&page.name) };
    output.report(&Report { ok: true, pages: vec![entry], dry_run: false, formatted })
}

/// What would be written.
fn plan(directory: &Path) -> Result<Report, Error> {
    if directory.exists() && !directory.is_dir() {
        let message = format!("{} is no directory", directory.display());
        return Err(Error::new(ErrorKind::Exists, message).hint("--dir names a directory, such as man1"));
    }
    let directory = std::path::absolute(directory).unwrap_or_else(|_| directory.to_owned());
    let place = |page: &Page| directory.join(page.file()).display().to_string();
    let pages =
        page::all().iter().map(|page| Entry { path: Some(place(page)), ..entry(&page.name) }).collect();
    Ok(Report { ok: true, pages, dry_run: true, formatted: None })
}

/// Pages that are there already are written anew: they are of another version.
fn write(directory: &Path) -> Result<Report, Error> {
    let plan = plan(directory)?;
    let unwritten = |path: &Path, error: &std::io::Error| {
        Error::new(ErrorKind::Io, format!("cannot write {}: {error}", path.display()))
    };
    fs::create_dir_all(directory).map_err(|error| unwritten(directory, &error))?;
    for page in page::all() {
        let path = directory.join(page.file());
        fs::write(&path, &page.text).map_err(|error| unwritten(&path, &error))?;
    }
    Ok(Report { dry_run: false, ..plan })
}

fn entry(name: &str) -> Entry {
    Entry { name: name.to_owned(), section: page::SECTION.to_owned(), text: None, path: None }
}

impl Human for Report {
    fn text(&self, _: &terminal::Page) -> String {
        if let Some(formatted) = &self.formatted {
            return formatted.clone();
        }
        let line = |path: &String| format!("{}\n", clean_line(path));
        let shown = |entry: &Entry| entry.text.clone().or_else(|| entry.path.as_ref().map(line));
        self.pages.iter().filter_map(shown).collect()
    }

    fn talk(&self) -> Option<String> {
        let is_written = self.pages.iter().any(|entry| entry.path.is_some());
        let verb = if self.dry_run { "would write" } else { "wrote" };
        is_written.then(|| format!("{verb} {}", many(self.pages.len() as u64, "page")))
    }
}
