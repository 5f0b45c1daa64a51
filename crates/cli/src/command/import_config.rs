//! `steno import-config`: an archive of settings, agents, hooks and skills → the Claude directory.

use std::fmt::Write;
use std::path::PathBuf;

use steno_ops::Workspace;
use steno_ops::import_config::{self, Report, Request};
use steno_render::many;
use steno_render::terminal::{Page, clean_line};

use super::lines::warning_lines;
use crate::failure::Failure;
use crate::next;
use crate::output::{Human, Output};

const EXAMPLES: &str = "\
Examples:
  steno import-config config.tar.gz              import a config, unless a file is there and differs
  steno import-config config.tar.gz --force      import a config over files that differ
  steno import-config config.tar.gz --dry-run    show what an import would write, and over what

An archive with anything else in it is refused whole, and nothing is written. Hooks and skills
run on this machine: import only what you trust.";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The archive to read
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Overwrite files that differ
    #[arg(long)]
    force: bool,
    /// Show what would be done, and do nothing
    #[arg(long)]
    dry_run: bool,
}

pub(crate) fn run(args: Args, workspace: &Workspace, output: &mut Output) -> Result<(), Failure> {
    let request = Request { archive: args.file, force: args.force };
    let plan = import_config::plan(&workspace.dirs, &request)?;
    let report = if args.dry_run { plan.preview() } else { import_config::apply(plan)? };
    output.done(report.dry_run, &report, &next::import_config(workspace, &request.archive, &report))
}

impl Human for Report {
    fn text(&self, _: &Page) -> String {
        let verb = if self.dry_run { "Would write" } else { "Wrote" };
        let imported = &self.imported;
        let same = match imported.identical.len() as u64 {
            0 => String::new(),
            number => format!(", {} already in place and identical", many(number, "file")),
        };
        let into = clean_line(&imported.into);
        let mut text = match imported.exists.len() as u64 {
            0 => format!("{verb} {} into {into}{same}\n", many(imported.files, "file")),
            1 => format!("{verb} nothing into {into} without --force: 1 file differs{same}\n"),
            number => format!("{verb} nothing into {into} without --force: {number} files differ{same}\n"),
        };
        let width = if imported.exists.is_empty() { 4 } else { 6 };
        let listed = [("new", &imported.new), ("over", &imported.overwritten), ("exists", &imported.exists)];
        for (label, names) in listed {
            for name in names {
                let _ = writeln!(text, "  {label:<width$}  {}", clean_line(name));
            }
        }
        if let Some(replaced) = &imported.replaced {
            let _ = writeln!(text, "What was overwritten is in {}", clean_line(replaced));
        }
        text
    }

    fn talk(&self) -> Vec<String> {
        warning_lines(&self.warnings)
    }
}
