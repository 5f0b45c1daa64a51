//! `steno uninstall`: remove the schedule; the vault stays.

use steno_ops::Workspace;
use steno_ops::uninstall::{self, Report, Request};
use steno_render::terminal::{Page, clean_line};

use super::lines::warning_lines;
use crate::failure::{Failure, Outcome};
use crate::next;
use crate::output::{Human, Output};

const EXAMPLES: &str = "\
Examples:
  steno uninstall                         stop the automatic backups; the vault stays
  steno uninstall --delete-vault --yes    stop it, and delete everything that is kept

What was sent to a remote stays there. The program itself is removed the way it was installed.";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Delete everything that is kept; needs --yes
    #[arg(long)]
    delete_vault: bool,
    /// Confirm --delete-vault
    #[arg(long)]
    yes: bool,
    /// Show what would be done, and do nothing
    #[arg(long)]
    dry_run: bool,
}

pub(crate) fn run(args: &Args, workspace: &Workspace, output: &mut Output) -> Result<(), Failure> {
    let request = Request { delete_vault: args.delete_vault, yes: args.yes, dry_run: args.dry_run };
    let report = uninstall::run(workspace, &request)?;
    output.done(args.dry_run, &report, &next::uninstall(workspace, &request, &report))
}

impl Human for Report {
    fn text(&self, _: &Page) -> String {
        let verb = if self.dry_run { "Would remove" } else { "Removed" };
        let removed = if self.removed.is_empty() { "nothing".to_owned() } else { self.removed.join(", ") };
        let vault = clean_line(&self.vault);
        let kept = if self.vault_kept { format!("The vault stays in {vault}\n") } else { String::new() };
        let repo =
            self.repo.as_ref().map(|repo| format!("What was sent to {} stays there\n", clean_line(repo)));
        format!("{verb}: {removed}\n{kept}{}", repo.unwrap_or_default())
    }

    fn talk(&self) -> Vec<String> {
        warning_lines(&self.warnings)
    }

    fn outcome(&self) -> Outcome {
        Outcome::of_all(self.ok)
    }
}
