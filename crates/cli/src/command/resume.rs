//! `steno resume`: goes on with a session in the client, where it worked.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use steno_ops::resume::{self, FoundBy, Needs, Report, Request, Start};
use steno_ops::{Error, ErrorKind, Workspace};
use steno_render::many;
use steno_render::terminal::{Page, clean_line};

use super::lines::{planned, warning_lines};
use crate::failure::Failure;
use crate::output::{Human, Output};
use crate::{config, next, picker};

const EXAMPLES: &str = "\
Examples:
  steno resume                       pick a session, and go on with it
  steno resume last                  go on with the latest session
  steno resume 1c9e                  go on with a session, restored first if only the vault has it
  steno resume parser bug            go on with the session that has these words
  steno resume 1c9e --print          print the line that does it, and do nothing
  steno resume 1c9e --cwd ~/work     go on in another directory, with a copy

An id goes before words, a title before what was said. With --json the line is only printed.";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The session: its id, at least four characters of it, `last`, a path, or words of it
    #[arg(value_name = "ID")]
    session: Vec<String>,
    /// Print the line for a shell
    #[arg(long)]
    print: bool,
    /// Move the session to this working directory: resume a copy of it there
    #[arg(long, value_name = "PATH")]
    cwd: Option<PathBuf>,
    /// Resume it though it is running
    #[arg(long)]
    force: bool,
    /// Show what would be done, and do nothing
    #[arg(long)]
    dry_run: bool,
}

pub(crate) fn run(args: Args, workspace: &Workspace, output: &mut Output) -> Result<(), Failure> {
    let words = if args.session.is_empty() { vec![picker::pick(workspace, output)?] } else { args.session };
    let request = Request {
        words,
        cwd: args.cwd.map(config::absolute).transpose()?,
        force: args.force,
        new_id: config::new_session()?,
    };
    let prepared = resume::prepare(workspace, &request)?;
    if args.dry_run {
        let report = prepared.preview()?;
        return output.report(&report, &next::resume(workspace, &request));
    }
    let report = prepared.report();
    if args.print || output.is_json() {
        return output.report(&report, &[]);
    }
    // Before anything is written.
    let client = prepared.find_client(&config::client())?;
    output.say(&about(&report));
    if report.needs.is_some() {
        let files = prepared.preview()?.plan.map(|plan| plan.files).unwrap_or_default();
        output.say(&planned(&files));
    }
    run_client(&client, &prepared.apply()?)
}

/// What is about to happen.
fn about(report: &Report) -> String {
    let title =
        report.title.as_deref().map(|title| format!(" \"{}\"", clean_line(title))).unwrap_or_default();
    let found = match (report.found_by, report.others) {
        (FoundBy::Id, _) | (_, 0) => String::new(),
        (FoundBy::Title, others) => format!(" (the latest; {} the words in the title)", more(others)),
        (FoundBy::Search, others) => format!(" (the best; {} the words)", more(others)),
    };
    let first = match report.needs {
        None => "",
        Some(Needs::Restore) => "only the vault has it, and it is restored first\n",
        Some(Needs::Clone) => "it is copied first, under a new id; the original stays\n",
    };
    let warnings: String = warning_lines(&report.warnings).iter().map(|line| format!("{line}\n")).collect();
    let (id, cwd) = (clean_line(&report.session), clean_line(&report.cwd));
    format!("resumes {id}{title}{found}\n  in {cwd}\n{warnings}{first}")
}

fn more(others: u64) -> String {
    let verb = if others == 1 { "has" } else { "have" };
    format!("{} {verb}", many(others, "more session"))
}

/// On Unix the client takes our place: its signals, its terminal and its exit code are its own.
fn run_client(client: &Path, start: &Start) -> Result<(), Failure> {
    let mut command = Command::new(client);
    command.arg("--resume").arg(&start.id).current_dir(&start.cwd).env("PWD", &start.cwd);
    config::tell_claude_dir(&mut command, start.claude_dir.as_deref());
    let failed = |error: std::io::Error| {
        let message = format!("{} cannot be run: {error}", client.display());
        Failure::from(Error::new(ErrorKind::Outside, message).hint("--print prints the line to run by hand"))
    };
    #[cfg(unix)]
    return Err(failed(std::os::unix::process::CommandExt::exec(&mut command)));
    #[cfg(not(unix))]
    match command.status().map_err(failed)?.code() {
        Some(0) => Ok(()),
        code => Err(Failure::Client(code.and_then(|code| u8::try_from(code).ok()).unwrap_or(1))),
    }
}

impl Human for Report {
    fn text(&self, _: &Page) -> String {
        let mut text = String::new();
        if self.dry_run {
            let verb = match self.needs {
                None => "",
                Some(Needs::Restore) => "Would restore:\n",
                Some(Needs::Clone) => "Would copy:\n",
            };
            text.push_str(verb);
            text.push_str(&planned(self.plan.iter().flat_map(|plan| &plan.files)));
            text.push_str("Would run: ");
        }
        let _ = writeln!(text, "{}", clean_line(&self.command));
        text
    }

    fn talk(&self) -> Vec<String> {
        warning_lines(&self.warnings)
    }
}
