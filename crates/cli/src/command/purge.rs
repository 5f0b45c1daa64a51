//! `steno purge`: erase a session from the vault.

use std::fmt::Write;

use steno_ops::Workspace;
use steno_ops::purge::{self, Report, Request};
use steno_render::many;
use steno_render::terminal::{Page, clean_line};

use super::lines::warning_lines;
use crate::failure::{Failure, Outcome};
use crate::next;
use crate::output::{Human, Output};

const EXAMPLES: &str = "\
Examples:
  steno purge 3f2a --dry-run                   show what erasing a session would leave behind
  steno purge 3f2a                             erase a session; sync does not take it again
  steno purge 3f2a --live --rewrite-history    erase the client's files of it too, and git's history

Exit code 3 tells that something remains: the list says what, and where.";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The session: its id, at least four characters of it, or `last`
    #[arg(value_name = "ID")]
    session: String,
    /// Delete Claude Code's own files of it, too, and its prompts
    #[arg(long)]
    live: bool,
    /// Make git forget all history, here and at the remote
    #[arg(long)]
    rewrite_history: bool,
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
    let report = purge::run(workspace, &request)?;
    output.report(&report, &next::purge(workspace, &request, &report))
}

impl Human for Report {
    fn text(&self, _: &Page) -> String {
        let verb = if self.dry_run { "Would erase" } else { "Erased" };
        let live = match self.purged.live_files {
            0 => String::new(),
            files => format!(" and {} of Claude Code", many(files, "file")),
        };
        let uuid = clean_line(&self.purged.uuid);
        let mut text =
            format!("{verb} session {uuid}: {} of the vault{live}\n", many(self.purged.files, "file"));
        for path in self.purged.paths.iter().filter(|_| self.dry_run) {
            let _ = writeln!(text, "  {}", clean_line(path));
        }
        for remaining in &self.remaining {
            let _ = writeln!(
                text,
                "Remains: {}: {}",
                clean_line(&remaining.place),
                clean_line(&remaining.detail)
            );
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
