//! `steno schedule`: back up automatically.

use std::fmt::Write;

use clap::ValueEnum;
use steno_ops::Workspace;
use steno_ops::schedule::{self, Choice, Every, Kind, Report, State};
use steno_render::terminal::{Page, clean_line};

use super::lines::warning_lines;
use crate::failure::{Failure, Outcome};
use crate::next;
use crate::output::{Human, Output};

const EXAMPLES: &str = "\
Examples:
  steno schedule                             show whether backups run automatically, and how often
  steno schedule daily                       back up once a day, by the system's own scheduler
  steno schedule 6h --dry-run                show what backing up every six hours would change
  steno schedule daily --replace-original    back up daily, and disable the original's job
  steno schedule off                         stop backing up automatically

By launchd, systemd, cron or the Task Scheduler. Claude Code deletes sessions after 30 days
unless it is told otherwise; any of these is often enough.";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// How often: `daily`, `6h`, `hourly`, or `off`; without it, show what is set
    #[arg(value_name = "WHEN", hide_possible_values = true)]
    when: Option<When>,
    /// Disable the job of the original claude-backup
    #[arg(long, requires = "when")]
    replace_original: bool,
    /// Show what would be done, and do nothing
    #[arg(long, requires = "when")]
    dry_run: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum When {
    Daily,
    #[value(name = "6h")]
    SixHours,
    Hourly,
    Off,
}

pub(crate) fn run(args: &Args, workspace: &Workspace, output: &mut Output) -> Result<(), Failure> {
    let Some(when) = args.when else {
        let report = schedule::show(workspace)?;
        return output.report(&report, &[]);
    };
    let every = match when {
        When::Daily => Some(Every::Day),
        When::SixHours => Some(Every::SixHours),
        When::Hourly => Some(Every::Hour),
        When::Off => None,
    };
    let choice = Choice { every, replace_original: args.replace_original, dry_run: args.dry_run };
    let report = schedule::choose(workspace, choice)?;
    output.done(args.dry_run, &report, &next::schedule(workspace, choice, &report))
}

impl Human for Report {
    fn text(&self, _: &Page) -> String {
        let state = match (self.scheduler, self.every) {
            (State::Active, Some(every)) if !self.dry_run => format!("active, {}", every.name()),
            (State::Active, _) => "active".to_owned(),
            (State::Off, _) => "off".to_owned(),
            (State::Unavailable, _) => "unavailable".to_owned(),
        };
        let kind = self.kind.map(|kind| format!(" ({})", name(kind))).unwrap_or_default();
        let mut text = format!("Schedule: {state}{kind}\n");
        for step in self.steps.iter().filter(|_| self.dry_run) {
            let _ = writeln!(text, "Would {}", clean_line(step));
        }
        text
    }

    fn talk(&self) -> Vec<String> {
        warning_lines(&self.warnings)
    }

    fn tells_next(&self) -> bool {
        !self.dry_run
    }

    fn outcome(&self) -> Outcome {
        Outcome::of_all(self.ok)
    }
}

fn name(kind: Kind) -> &'static str {
    match kind {
        Kind::Launchd => "launchd",
        Kind::Systemd => "systemd",
        Kind::Cron => "cron",
        Kind::TaskScheduler => "Task Scheduler",
    }
}
