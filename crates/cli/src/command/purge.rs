//! `steno purge`: erase a session from the vault.

use std::fmt::Write;

use steno_ops::purge::{self, Purged, Report, Request};
use steno_ops::{Error, ErrorKind, Workspace, size_text};
use steno_render::many;
use steno_render::terminal::{Page, clean_line};

use super::lines::warning_lines;
use crate::failure::{Failure, Outcome};
use crate::next;
use crate::output::{Human, Output};

const EXAMPLES: &str = "\
Examples:
  steno purge 3f2a --dry-run                         show what erasing a session would leave behind
  steno purge 3f2a --yes                             erase a session; sync does not take it again
  steno purge 3f2a --live --rewrite-history --yes    erase the client's files too, and git's history

On a terminal it shows what goes, and asks. Elsewhere, and with --json, it needs --yes.
Exit code 3: something remains, and the list says where.";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The session: its id, or at least four characters of it
    #[arg(value_name = "ID")]
    session: String,
    /// Delete Claude Code's own files of it, too, and its prompts
    #[arg(long)]
    live: bool,
    /// Make git forget all history, here and at the remote
    #[arg(long)]
    rewrite_history: bool,
    /// Erase without asking
    #[arg(long)]
    yes: bool,
    /// Show what would be done, and do nothing
    #[arg(long)]
    dry_run: bool,
}

pub(crate) fn run(args: &Args, workspace: &Workspace, output: &mut Output) -> Result<(), Failure> {
    let request = Request {
        session: args.session.clone(),
        live: args.live,
        rewrite_history: args.rewrite_history,
        dry_run: args.dry_run,
    };
    if !args.dry_run && !args.yes && !is_confirmed(workspace, &request, output)? {
        output.say("Nothing was erased.");
        return Err(Failure::Reported(Outcome::No));
    }
    let report = purge::run(workspace, &request)?;
    output.done(args.dry_run, &report, &next::purge(workspace, &request, &report))
}

/// Nothing brings a session back, so a person sees first what goes.
fn is_confirmed(workspace: &Workspace, request: &Request, output: &Output) -> Result<bool, Failure> {
    let plan = purge::run(workspace, &Request { dry_run: true, ..request.clone() })?;
    if !output.is_attended() {
        let id = &plan.purged.uuid;
        let error = Error::new(ErrorKind::Invalid, format!("erasing {id} cannot be undone: it needs --yes"));
        return Err(error
            .hint(format!("`steno purge {id} --dry-run` shows what goes, and what remains"))
            .into());
    }
    let about = format!("{}{}{}", head(&plan), copies(&plan.purged), remains(&plan));
    Ok(output.confirms(&about, "Sync will not take it again. Erase it for good?")?)
}

impl Human for Report {
    fn text(&self, _: &Page) -> String {
        let mut text = head(self);
        if self.dry_run {
            for path in &self.purged.paths {
                let _ = writeln!(text, "  {}", clean_line(path));
            }
            text.push_str(&copies(&self.purged));
        }
        text.push_str(&remains(self));
        if !self.dry_run {
            text.push_str("Sync will not take it again.\n");
        }
        text
    }

    fn talk(&self) -> Vec<String> {
        warning_lines(&self.warnings)
    }

    fn outcome(&self) -> Outcome {
        Outcome::of_all(self.ok)
    }
}

/// What it is, and how much of it goes.
fn head(report: &Report) -> String {
    let purged = &report.purged;
    let verb = if report.dry_run { "Would erase" } else { "Erased" };
    let uuid = clean_line(&purged.uuid);
    let name = match &purged.title {
        Some(title) => format!("\"{}\"\n  {uuid}", clean_line(title)),
        None => format!("session {uuid}"),
    };
    let kept = match purged.files {
        0 => "nothing in the vault".to_owned(),
        files => format!("{} in {} of the vault", size_text(purged.size_bytes), many(files, "file")),
    };
    let live = match purged.live_files {
        0 => String::new(),
        files => format!(", {} of Claude Code", many(files, "file")),
    };
    format!("{verb} {name}: {kept}{live}\n")
}

/// Where it is now.
fn copies(purged: &Purged) -> String {
    let place = |copy: &String| match copy.as_str() {
        "vault" => "this vault".to_owned(),
        "remote" => "its remote".to_owned(),
        "live" => "Claude Code's own file".to_owned(),
        machine => clean_line(&machine.replace(':', " ")).into_owned(),
    };
    let places: Vec<String> = purged.copies.iter().map(place).collect();
    match places.as_slice() {
        [] => String::new(),
        [only] => format!("The only copy is in {only}.\n"),
        several => format!("Copies: {}\n", several.join(", ")),
    }
}

/// What stays elsewhere.
fn remains(report: &Report) -> String {
    let lines = report.remaining.iter().map(|remaining| {
        format!("Remains: {}: {}\n", clean_line(&remaining.place), clean_line(&remaining.detail))
    });
    lines.collect()
}
