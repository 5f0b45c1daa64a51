//! `steno export-config`: settings, agents, hooks and skills as one archive.

use std::fmt::Write;
use std::path::PathBuf;

use steno_ops::Workspace;
use steno_ops::export_config::{self, Report, Request, Source};
use steno_render::many;
use steno_render::terminal::{Page, clean_line};

use super::lines::warning_lines;
use crate::failure::Failure;
use crate::next;
use crate::output::{Human, Output};

const EXAMPLES: &str = "\
Examples:
  steno export-config                    export the config to claude-config-<date>.tar.gz, here
  steno export-config ~/config.tar.gz    export the config to a file
  steno export-config --dry-run          show what would be exported, and what looks like a secret
  steno export-config --kept             export what the vault holds of a config that is lost

Settings, CLAUDE.md, agents, commands, hooks, output styles, rules, skills and the lists of
plugins; never credentials. An archive of that name is replaced, any other file is not. With
--kept they are this machine's, or those of the only one that kept any, or of --machine.";

// Its comments are printed as they are.
#[allow(rustdoc::invalid_html_tags)]
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The archive to write [default: claude-config-<date>.tar.gz]
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    /// Pack what the vault holds, not what is there now
    #[arg(long)]
    kept: bool,
    /// Only what the machine of this name kept
    #[arg(long, value_name = "NAME", requires = "kept")]
    machine: Option<String>,
    /// Show what would be done, and do nothing
    #[arg(long)]
    dry_run: bool,
}

pub(crate) fn run(args: Args, workspace: &Workspace, output: &mut Output) -> Result<(), Failure> {
    let today = workspace.dirs.now.to_zoned(workspace.zone.clone()).date();
    let named = args.file.unwrap_or_else(|| PathBuf::from(export_config::default_name(today)));
    // The answer names a place that means the same everywhere.
    let path = workspace.project.as_ref().map_or_else(|| named.clone(), |here| here.join(&named));
    let source = if args.kept { Source::Kept { machine: args.machine } } else { Source::Live };
    let request = Request { path, source };
    let plan = export_config::plan(workspace, &request)?;
    let report = if args.dry_run { plan.preview()? } else { export_config::apply(plan)? };
    output.done(report.dry_run, &report, &next::export_config(workspace, &request, &report))
}

impl Human for Report {
    fn text(&self, _: &Page) -> String {
        let verb = if self.dry_run { "Would pack" } else { "Packed" };
        let exported = &self.exported;
        let kept = exported.machine.as_deref().map(|machine| format!(" that {} kept", clean_line(machine)));
        let mut text = format!(
            "{verb} {}{} into {} ({})\n",
            many(exported.files, "file"),
            kept.unwrap_or_default(),
            clean_line(&exported.path),
            exported.size
        );
        for name in exported.names.iter().filter(|_| self.dry_run) {
            let _ = writeln!(text, "  {}", clean_line(name));
        }
        text
    }

    fn talk(&self) -> Vec<String> {
        let is_to_travel = !self.dry_run && self.exported.machine.is_none();
        let travel = is_to_travel.then(|| "on the other machine, with the archive copied there:".to_owned());
        warning_lines(&self.warnings).into_iter().chain(travel).collect()
    }

    fn tells_next(&self) -> bool {
        !self.dry_run
    }
}
