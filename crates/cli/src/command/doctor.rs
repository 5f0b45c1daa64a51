//! `steno doctor`: faults, and the commands that help.

mod census;
mod findings;
mod retention;

use serde::Serialize;
use steno_ops::Workspace;
use steno_ops::doctor::{self, Report, Request, Severity};
use steno_render::many;
use steno_render::terminal::Page;

use crate::config;
use crate::failure::{Failure, Outcome};
use crate::next;
use crate::output::{Human, Output};

const EXAMPLES: &str = "\
Examples:
  steno doctor             check whether sessions are backed up, whole and in place, and what helps
  steno doctor --census    count what occurs in the transcripts, by client version

An error is something lost, unreadable, or deleted soon and not backed up; a warning is something
that does not work; a note is strange, but harmless. Nothing is changed.";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Count record types, subtypes, content blocks and fields by client version
    #[arg(long)]
    census: bool,
    /// Exit with 1 where there is an error or a warning
    #[arg(long)]
    strict: bool,
}

pub(crate) fn run(args: &Args, workspace: &Workspace, output: &mut Output) -> Result<(), Failure> {
    let request = Request { census: args.census };
    let mut report = doctor::run(workspace, &request)?;
    next::help(workspace, &mut report);
    let next = next::doctor(workspace, request, &report);
    let home = config::identity().homes.into_iter().next();
    output.report(&Examined { report, is_strict: args.strict, home }, &next)
}

/// The report, and what was asked about how to tell it.
#[derive(Debug, Serialize)]
struct Examined {
    #[serde(flatten)]
    report: Report,
    #[serde(skip)]
    is_strict: bool,
    /// People know it as `~`.
    #[serde(skip)]
    home: Option<String>,
}

impl Human for Examined {
    fn text(&self, page: &Page) -> String {
        let report = &self.report;
        let home = self.home.as_deref();
        let mut text = retention::line(&report.retention, home, page);
        text.push('\n');
        if let Some(census) = &report.census {
            text.push_str(&census::tables(census));
        }
        findings::list(&mut text, &report.findings, home, page.width);
        text.push_str(&summary(report));
        text
    }

    fn outcome(&self) -> Outcome {
        if self.is_strict && !self.report.ok { Outcome::No } else { Outcome::Done }
    }
}

fn summary(report: &Report) -> String {
    let number =
        |severity| report.findings.iter().filter(|finding| finding.severity == severity).count() as u64;
    let counts = [(Severity::Error, "error"), (Severity::Warning, "warning"), (Severity::Info, "note")];
    let counts = counts.map(|(severity, noun)| (number(severity), noun));
    let found: Vec<String> =
        counts.iter().filter(|(number, _)| *number > 0).map(|(number, noun)| many(*number, noun)).collect();
    let found = if found.is_empty() { "Nothing is wrong".to_owned() } else { found.join(", ") };
    format!("{found} · {}, {}\n", many(report.files, "transcript"), many(report.records, "record"))
}
