//! `steno man`: manual pages, made of what clap knows of the commands.

mod page;
mod place;
mod roff;

use std::path::{Path, PathBuf};

use clap::builder::PossibleValuesParser;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use steno_ops::{Error, ErrorKind};
use steno_render::many;
use steno_render::terminal::{self, clean_line};

use self::place::Action;
use crate::args;
use crate::failure::Failure;
use crate::output::{Human, Output};
use crate::pager;

const EXAMPLES: &str = "\
Examples:
  steno man                                  read the manual
  steno man restore                          read about one command
  steno man --dir ~/.local/share/man/man1    write all pages
  steno man --dir man1 --dry-run             show which pages would be written

On a terminal they are shown by man(1) where there is one; elsewhere they are roff.
`man DIR/steno.1` reads a written page anywhere. `man steno` finds those in ~/.local/share/man/man1
where ~/.local/bin is on the PATH; else `MANPATH=~/.local/share/man: man steno` does.";

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
    /// As `man` formats it, where stdout is a terminal.
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
    /// What was done there, or would be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    action: Option<Action>,
}

pub(crate) fn run(args: &Args, output: &mut Output) -> Result<(), Failure> {
    if let Some(directory) = &args.dir {
        return output.report(&write(directory, args.dry_run)?, &[]);
    }
    let wanted = args.command.as_ref().map_or_else(|| "steno".to_owned(), |name| format!("steno-{name}"));
    let page = page::all().into_iter().find(|page| page.name == wanted);
    let page = page.ok_or_else(|| Error::new(ErrorKind::NotFound, format!("no page '{wanted}'")))?;
    let formatted = output.reader().and_then(|terminal| pager::formatted(&page.text, terminal));
    let entry = Entry { text: Some(page.text), ..entry(&page.name) };
    output.report(&Report { ok: true, pages: vec![entry], dry_run: false, formatted }, &[])
}

/// Pages that are there already are written anew: they are of another version.
fn write(directory: &Path, dry_run: bool) -> Result<Report, Error> {
    let pages = page::all();
    let plan = place::plan(directory, &pages)?;
    if !dry_run {
        place::apply(directory, &pages)?;
    }
    let absolute = |path: PathBuf| std::path::absolute(&path).unwrap_or(path).display().to_string();
    let planned = pages.iter().zip(plan).map(|(page, (path, action))| Entry {
        path: Some(absolute(path)),
        action: Some(action),
        ..entry(&page.name)
    });
    Ok(Report { ok: true, pages: planned.collect(), dry_run, formatted: None })
}

fn entry(name: &str) -> Entry {
    Entry { name: name.to_owned(), section: page::SECTION.to_owned(), text: None, path: None, action: None }
}

impl Report {
    /// What was there before is of no more interest once it is replaced.
    fn remark(&self, action: Option<Action>) -> &'static str {
        match action.filter(|_| self.dry_run) {
            Some(Action::Overwrite) => " (replaces another version)",
            Some(Action::Identical) => " (is there)",
            Some(Action::Write) | None => "",
        }
    }
}

impl Human for Report {
    fn text(&self, _: &terminal::Page) -> String {
        if let Some(formatted) = &self.formatted {
            return formatted.clone();
        }
        let line = |path: &String, action| format!("{}{}\n", clean_line(path), self.remark(action));
        let place = |entry: &Entry| entry.path.as_ref().map(|path| line(path, entry.action));
        let shown = |entry: &Entry| entry.text.clone().or_else(|| place(entry));
        self.pages.iter().filter_map(shown).collect()
    }

    fn talk(&self) -> Vec<String> {
        let is_written = self.pages.iter().any(|entry| entry.path.is_some());
        let verb = if self.dry_run { "would write" } else { "wrote" };
        let told = is_written.then(|| format!("{verb} {}", many(self.pages.len() as u64, "page")));
        told.into_iter().collect()
    }
}
