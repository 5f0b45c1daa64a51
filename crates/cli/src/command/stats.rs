//! `steno stats`: tokens and cost, by day or whatever is asked for.

mod bar;
mod csv;
mod table;
mod window;

use std::path::PathBuf;

use serde::Serialize;
use steno_ops::Workspace;
use steno_ops::stats::{self, By, Report, Request, Row};
use steno_render::many;
use steno_render::terminal::{Page, STRONG, paint};

use crate::args::layout::hanging;
use crate::args::named::named;
use crate::config;
use crate::failure::Failure;
use crate::next;
use crate::output::{Human, Output, with_hints};

const EXAMPLES: &str = "\
Examples:
  steno stats                         count tokens and cost by day
  steno stats monthly                 count tokens and cost by month
  steno stats model --since 30d       count the tokens and cost of each model in some days
  steno stats session --project api   find the sessions of a project that cost most
  steno stats window --limit 50M      show 5-hour windows, and how far the running one will go
  steno stats --explain               explain how it is counted, and why other tools differ

WHEN: 2026-03-01, 2026-03-01T12:00:00Z, an age (12h, 7d, 2w), today, yesterday, last-week.
Each message counts once, in however many files it stands; subagents are included, and sessions
that only the vault still has. Costs are the API's list prices; a model without one is unpriced.
≥ means at least: some tokens were never recorded, or some messages have no price.";

const PARTS: &[&str] = &["daily", "weekly", "monthly", "project", "model", "session", "branch", "window"];

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// `daily`, `weekly`, `monthly`, `window` (5 hours), or by `project`, `model`, `session`, `branch`
    #[arg(value_name = "BY", default_value = "daily", value_parser = named::<By>(PARTS))]
    #[arg(hide_possible_values = true)]
    by: By,
    /// Only projects with NAME in their path, in any case; `.` is here
    #[arg(long, value_name = "NAME", allow_hyphen_values = true, value_parser = config::project)]
    project: Option<String>,
    /// Only what happened since then
    #[arg(long, value_name = "WHEN")]
    since: Option<String>,
    /// Only what began before then; a date means the end of that day
    #[arg(long, value_name = "WHEN")]
    until: Option<String>,
    /// Where days begin, such as Europe/Berlin [default: the system's]
    #[arg(long, value_name = "ZONE")]
    timezone: Option<String>,
    /// A file of prices to use before the built-in ones
    #[arg(long, value_name = "FILE")]
    prices: Option<PathBuf>,
    /// Warn where the running window reaches so many tokens (500K, 88M)
    #[arg(long, value_name = "TOKENS", value_parser = tokens_limit)]
    limit: Option<u64>,
    /// Say how it was counted, and what other ways of counting would give
    #[arg(long)]
    explain: bool,
    /// Print all rows as comma-separated values
    #[arg(long)]
    csv: bool,
}

pub(crate) fn run(args: Args, workspace: &Workspace, output: &mut Output) -> Result<(), Failure> {
    let zone = match &args.timezone {
        Some(name) => config::zone(name)?,
        None => workspace.zone.clone(),
    };
    let moment = |text: Option<String>, end_of_day: bool| {
        text.map(|text| config::moment(&text, workspace.dirs.now, &zone, end_of_day)).transpose()
    };
    let request = Request {
        by: args.by,
        since: moment(args.since, false)?,
        until: moment(args.until, true)?,
        project: args.project,
        prices: args.prices,
        explain: args.explain,
        limit: args.limit,
        now: workspace.dirs.now,
        zone: zone.clone(),
    };
    let report = stats::run(workspace, &request)?;
    if args.csv && !output.is_json() {
        return output.document(&csv::text(&report), &Sheet, &[]);
    }
    let next = next::stats(workspace, &report);
    output.report(&Shown { report, is_uncut: output.width() >= Page::UNCUT }, &next)
}

#[derive(Serialize)]
#[serde(transparent)]
struct Shown {
    report: Report,
    /// A program or a file gets all rows.
    #[serde(skip)]
    is_uncut: bool,
}

impl Shown {
    fn rows(&self) -> &[Row] {
        if self.is_uncut { &self.report.rows } else { table::first(&self.report) }
    }
}

impl Human for Shown {
    fn text(&self, page: &Page) -> String {
        let rows = self.rows();
        let table = if rows.is_empty() { String::new() } else { table::table(&self.report, rows, page) };
        let table = table + &window::running(&self.report);
        let Some(explain) = &self.report.explain else { return table };
        let rule = |rule: &String| format!("- {}\n", hanging(rule, 2, page.width));
        let rules: String = explain.rules.iter().map(rule).collect();
        let gap = if table.is_empty() { "" } else { "\n" };
        format!("{table}{gap}{}\n{rules}", paint(STRONG, "How it was counted"))
    }

    fn talk(&self) -> Vec<String> {
        let mut said = match self.report.total.messages {
            0 => "no messages found".to_owned(),
            number => many(number, "message"),
        };
        let shown = self.rows().len();
        if shown < self.report.rows.len() {
            said += &format!(" · {shown} of {} rows", self.report.rows.len());
        }
        if self.report.warnings > 0 {
            said += &format!(" · {}, see `steno doctor`", many(self.report.warnings, "strange place"));
        }
        if let Some(note) = &self.report.note {
            said += &format!("\n{note}");
        }
        let warning = self.report.limit.and_then(|limit| window::warning(&self.report, limit));
        warning.into_iter().chain(with_hints(said, &hints(&self.report, shown))).collect()
    }
}

/// A number of tokens, such as `500K`.
fn tokens_limit(text: &str) -> Result<u64, String> {
    let units = [("k", 1000), ("m", 1_000_000), ("b", 1_000_000_000)];
    let lower = text.to_ascii_lowercase();
    let unit = units.iter().find_map(|(unit, times)| Some((lower.strip_suffix(unit)?, *times)));
    let (number, times) = unit.unwrap_or((&lower, 1));
    let number = number.parse::<u64>().ok().and_then(|number| number.checked_mul(times));
    number.ok_or_else(|| "a number of tokens, such as 500K or 88M".to_owned())
}

fn hints(report: &Report, shown: usize) -> Vec<String> {
    let mut hints = Vec::new();
    if shown < report.rows.len() {
        hints.push("--since WHEN asks for fewer; --csv and --json have all rows".to_owned());
    }
    if !report.total.unpriced.is_empty() {
        let models = report.total.unpriced.join(", ");
        hints.push(format!("no price is known for {models}; --prices FILE can name one"));
    }
    hints
}

/// A spreadsheet says all there is to say.
struct Sheet;

impl Human for Sheet {
    fn text(&self, _page: &Page) -> String {
        String::new()
    }
}
