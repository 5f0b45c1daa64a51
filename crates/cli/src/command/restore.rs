//! `steno restore`: what the vault holds, and how to get it back.

mod face;
mod table;

use std::path::PathBuf;

use clap::ArgGroup;
use jiff::civil::Date;
use steno_ops::restore::{Filter, Options, all, list, one};
use steno_ops::{Error, ErrorKind, Workspace, rewrite};

use crate::failure::Failure;
use crate::next;
use crate::output::Output;

const EXAMPLES: &str = "\
Examples:
  steno restore --list                   list all kept sessions
  steno restore --last 5                 list the latest kept sessions
  steno restore --project api            find kept sessions by project
  steno restore --date 2026-03-01        find kept sessions by the day they were last active
  steno restore 1c9e                     restore a session, with all that belongs to it
  steno restore 1c9e --force             restore a session over files that differ
  steno restore 1c9e --cwd ~/work/api    move a session: resume it in another directory";

/// What a list has no use for.
const RESTORING: [&str; 9] =
    ["what", "force", "to", "cwd", "rewrite", "generation", "original_times", "partial", "dry_run"];
/// What takes several sessions, or lists them: clap no longer asks for an ID beside what forbids one.
const SEVERAL: [&str; 3] = ["all", "last", "date"];

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
#[command(group(ArgGroup::new("what").args(["session", "all"])))]
pub(crate) struct Args {
    /// The session: its id, at least four characters of it, or `last`; without it, a list
    #[arg(value_name = "ID")]
    session: Option<String>,
    /// List what is kept
    #[arg(long, conflicts_with_all = RESTORING)]
    list: bool,
    /// Only the latest N
    #[arg(long, value_name = "N", conflicts_with = "session")]
    last: Option<usize>,
    /// Only projects with NAME in their path, in any case
    #[arg(long, value_name = "NAME", allow_hyphen_values = true)]
    project: Option<String>,
    /// Only sessions last active on this day
    #[arg(long, value_name = "YYYY-MM-DD", conflicts_with = "session")]
    date: Option<String>,
    /// Only what the machine of this name kept
    #[arg(long, value_name = "NAME")]
    machine: Option<String>,
    /// Put back all sessions that match
    #[arg(long)]
    all: bool,
    /// Overwrite files, whose bytes are kept first
    #[arg(long, requires = "what")]
    force: bool,
    /// The Claude directory to write to
    #[arg(long, value_name = "DIR", requires = "what")]
    to: Option<PathBuf>,
    /// Move the session to this working directory
    #[arg(long, value_name = "PATH", requires = "session", conflicts_with_all = SEVERAL)]
    cwd: Option<PathBuf>,
    /// Rewrite paths: OLD=NEW, `wsl-to-win`, `win-to-wsl` or `strip`; may repeat
    #[arg(long, value_name = "RULE", requires = "what")]
    rewrite: Vec<String>,
    /// What the transcript held before it was rewritten
    #[arg(long, value_name = "N", requires = "session", conflicts_with_all = SEVERAL)]
    generation: Option<u32>,
    /// Give files their old times; the client deletes by them
    #[arg(long, requires = "what")]
    original_times: bool,
    /// Restore what is left of what is damaged
    #[arg(long, requires = "what")]
    partial: bool,
    /// Show what would be done, and do nothing
    #[arg(long, requires = "what")]
    dry_run: bool,
}

pub(crate) fn run(args: Args, workspace: &Workspace, output: &mut Output) -> Result<(), Failure> {
    let filter = Filter {
        project: args.project,
        date: args.date.as_deref().map(day).transpose()?,
        machine: args.machine,
        last: args.last,
    };
    let options = Options {
        force: args.force,
        to: args.to.map(absolute).transpose()?,
        rewrites: rewrite::parse_all(&args.rewrite)?,
        original_times: args.original_times,
        partial: args.partial,
        dry_run: args.dry_run,
    };
    if args.all {
        let request = all::Request { filter, options };
        let report = all::run(workspace, &request)?;
        return output.done(report.dry_run, &report, &next::restore_all(workspace, &request, &report));
    }
    let Some(session) = args.session else {
        let report = list::run(workspace, &filter)?;
        return output.report(&report, &next::kept_list(workspace, &report));
    };
    let Filter { project, machine, .. } = filter;
    let cwd = args.cwd.map(absolute).transpose()?;
    let request = one::Request { session, machine, project, generation: args.generation, cwd, options };
    let report = one::run(workspace, &request)?;
    output.done(report.dry_run, &report, &next::restore_one(workspace, &request, &report))
}

fn day(text: &str) -> Result<Date, Error> {
    text.parse().map_err(|_| {
        Error::new(ErrorKind::Invalid, format!("'{text}' is not a day")).hint("give it as 2026-03-01")
    })
}

fn absolute(path: PathBuf) -> Result<PathBuf, Error> {
    std::path::absolute(&path).map_err(|error| {
        let message = format!("'{}' is no path: {error}", path.display());
        Error::new(ErrorKind::Invalid, message).hint("give the name of a directory")
    })
}
