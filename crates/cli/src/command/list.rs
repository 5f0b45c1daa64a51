//! `steno list`: all sessions, newest first.

use clap::ValueEnum;
use steno_ops::Library;
use steno_ops::list::{self, Report, Request, Sort};
use steno_render::terminal::{Page, sessions};

use crate::config;
use crate::failure::Failure;
use crate::output::{Human, Output};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Only projects whose path contains this
    #[arg(long, value_name = "TEXT")]
    project: Option<String>,
    /// Only sessions active since then: a date, a time, or an age such as 7d or 12h
    #[arg(long, value_name = "WHEN")]
    since: Option<String>,
    /// Only sessions that started before then; a date means the end of that day
    #[arg(long, value_name = "WHEN")]
    until: Option<String>,
    /// At most so many
    #[arg(long, short = 'n', value_name = "N")]
    limit: Option<usize>,
    /// In this order
    #[arg(long, value_name = "ORDER", default_value = "recent")]
    sort: Order,
    /// Only titles that contain this, whatever the case
    #[arg(long, value_name = "TEXT")]
    grep: Option<String>,
    /// Only sessions that are running
    #[arg(long)]
    ongoing: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Order {
    /// Last activity, newest first
    Recent,
    /// Start, oldest first
    Started,
    /// Most tokens first
    Tokens,
    /// Largest transcript first
    Size,
    /// Most turns first
    Turns,
}

impl From<Order> for Sort {
    fn from(order: Order) -> Self {
        match order {
            Order::Recent => Self::Recent,
            Order::Started => Self::Started,
            Order::Tokens => Self::Tokens,
            Order::Size => Self::Size,
            Order::Turns => Self::Turns,
        }
    }
}

pub(crate) fn run(args: Args, library: &Library, output: &mut Output) -> Result<(), Failure> {
    let moment = |text: Option<String>, end_of_day: bool| {
        text.map(|text| config::moment(&text, library.now, end_of_day)).transpose()
    };
    let request = Request {
        project: args.project,
        since: moment(args.since, false)?,
        until: moment(args.until, true)?,
        limit: args.limit,
        sort: args.sort.into(),
        grep: args.grep,
        ongoing: args.ongoing,
    };
    output.report(&list::run(library, &request)?)
}

impl Human for Report {
    fn text(&self, page: &Page) -> String {
        if self.sessions.is_empty() { String::new() } else { sessions(&self.sessions, page) }
    }

    fn talk(&self) -> Option<String> {
        let sessions = match self.sessions.len() {
            0 => "no sessions found".to_owned(),
            1 => "1 session".to_owned(),
            many => format!("{many} sessions"),
        };
        let warnings = match self.warnings {
            0 => String::new(),
            1 => " · 1 warning, see `steno doctor`".to_owned(),
            many => format!(" · {many} warnings, see `steno doctor`"),
        };
        Some(format!("{sessions}{warnings}"))
    }
}
