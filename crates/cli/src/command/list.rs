//! `steno list`: all sessions, newest first.

use steno_ops::Workspace;
use steno_ops::list::{self, Report, Request, Sort};
use steno_render::many;
use steno_render::terminal::{Page, sessions};

use crate::args::named::named;
use crate::config;
use crate::failure::Failure;
use crate::next;
use crate::output::{Human, Output, with_hints};

const EXAMPLES: &str = "\
Examples:
  steno list                             list all sessions, live and kept
  steno list --project api --since 7d    list this week's sessions of one project
  steno list --grep parser               find sessions by title
  steno list --sort tokens -n 5          list the sessions with the most tokens
  steno list --deleted                   list what only the vault still has

WHEN: 2026-03-01, 2026-03-01T12:00:00Z, an age (12h, 7d, 2w), today, yesterday, last-week.
A green dot: it is running. A ring: only the vault still has it. MACHINE: another machine kept it.
≥ means at least: some tokens were never recorded.";

const ORDERS: &[&str] = &["recent", "started", "tokens", "size", "turns"];

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Only projects with NAME in their path, in any case; `.` is here
    #[arg(long, value_name = "NAME", allow_hyphen_values = true, value_parser = config::project)]
    project: Option<String>,
    /// Only what happened since then
    #[arg(long, value_name = "WHEN")]
    since: Option<String>,
    /// Only what began before then; a date means the end of that day
    #[arg(long, value_name = "WHEN")]
    until: Option<String>,
    /// Show at most N sessions; 0 shows all
    #[arg(long, short = 'n', value_name = "N")]
    limit: Option<usize>,
    /// `recent` activity first, `started` first, or most `tokens`, `size` or `turns` first
    #[arg(long, value_name = "ORDER", default_value = "recent", value_parser = named::<Sort>(ORDERS))]
    #[arg(hide_possible_values = true)]
    sort: Sort,
    /// Only titles that contain TEXT, in any case
    #[arg(long, value_name = "TEXT")]
    grep: Option<String>,
    /// Only sessions that are running
    #[arg(long)]
    ongoing: bool,
    /// Only sessions that Claude Code has deleted, and the vault still has
    #[arg(long)]
    deleted: bool,
    /// List the subagents of each session, too
    #[arg(long)]
    agents: bool,
}

pub(crate) fn run(args: Args, workspace: &Workspace, output: &mut Output) -> Result<(), Failure> {
    let moment = |text: Option<String>, end_of_day: bool| {
        text.map(|text| config::moment(&text, workspace.dirs.now, &workspace.zone, end_of_day)).transpose()
    };
    let request = Request {
        project: args.project,
        since: moment(args.since, false)?,
        until: moment(args.until, true)?,
        limit: args.limit,
        sort: args.sort,
        grep: args.grep,
        ongoing: args.ongoing,
        deleted: args.deleted,
        agents: args.agents,
    };
    let report = list::joined(workspace, &request)?;
    output.report(&report, &next::list(workspace, &report))
}

impl Human for Report {
    fn text(&self, page: &Page) -> String {
        if self.sessions.is_empty() { String::new() } else { sessions(&self.sessions, page) }
    }

    fn talk(&self) -> Vec<String> {
        let shown = self.sessions.len() as u64;
        let sessions = match (shown, self.total) {
            (0, 0) => "no sessions found".to_owned(),
            (shown, total) if shown < total => format!("{shown} of {}", many(total, "session")),
            _ => many(shown, "session"),
        };
        let warnings = match self.warnings {
            0 => String::new(),
            number => format!(" · {}, see `steno doctor`", many(number, "strange place")),
        };
        let note = self.note.as_ref().map(|note| format!("\n{note}")).unwrap_or_default();
        with_hints(format!("{sessions}{warnings}{note}"), &self.hints)
    }
}
