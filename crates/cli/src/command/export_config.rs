//! `steno export-config`: settings, agents, hooks and skills as one archive.

use std::fmt::Write;
use std::path::PathBuf;

use steno_ops::Custody;
use steno_ops::export_config::{self, Report, Request};
use steno_render::many;
use steno_render::terminal::{Page, clean_line};

use super::sync::{next_lines, warning_lines};
use crate::failure::Failure;
use crate::output::{Human, Output};

const EXAMPLES: &str = "\
Examples:
  steno export-config                    export the config to claude-config-<date>.tar.gz, here
  steno export-config ~/config.tar.gz    export the config to a file
  steno export-config --dry-run          show what would be exported, and what looks like a secret

Settings, CLAUDE.md, agents, commands, hooks, output styles, rules, skills and the lists of
plugins; never credentials. An archive of that name is replaced, any other file is not.";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The archive to write [default: claude-config-<date>.tar.gz]
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    /// Show what would be done, and do nothing
    #[arg(long)]
    dry_run: bool,
}

pub(crate) fn run(args: Args, custody: &Custody, output: &mut Output) -> Result<(), Failure> {
    let today = custody.library.now.to_zoned(custody.zone.clone()).date();
    let named = args.file.unwrap_or_else(|| PathBuf::from(export_config::default_name(today)));
    // The answer names a place that means the same everywhere.
    let path = custody.project.as_ref().map_or_else(|| named.clone(), |here| here.join(&named));
    let plan = export_config::plan(&custody.library, &Request { path })?;
    let report = if args.dry_run { plan.preview()? } else { export_config::apply(plan)? };
    output.report(&report)
}

impl Human for Report {
    fn text(&self, _: &Page) -> String {
        let verb = if self.dry_run { "Would pack" } else { "Packed" };
        let exported = &self.exported;
        let mut text = format!(
            "{verb} {} into {} ({})\n",
            many(exported.files, "file"),
            clean_line(&exported.path),
            exported.size
        );
        for name in exported.names.iter().filter(|_| self.dry_run) {
            let _ = writeln!(text, "  {}", clean_line(name));
        }
        text
    }

    fn talk(&self) -> Option<String> {
        let next = next_lines(&self.next).map(|line| format!("{line} (on the other machine)"));
        let next = next.filter(|_| !self.dry_run);
        let lines: Vec<String> = warning_lines(&self.warnings).into_iter().chain(next).collect();
        (!lines.is_empty()).then(|| lines.join("\n"))
    }
}
