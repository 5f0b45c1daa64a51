//! `steno search`: what was said in any session, ranked.

mod page;
mod wrap;

use std::time::{Duration, Instant};

use clap::builder::{PossibleValuesParser, TypedValueParser};
use steno_ops::Workspace;
use steno_ops::search::{self, Mode, Report, Request, Role};
use steno_render::many;
use steno_render::terminal::Page;

use crate::config;
use crate::failure::Failure;
use crate::next;
use crate::output::{Human, Output, with_hints};

const EXAMPLES: &str = "\
Examples:
  steno search parser                            find sessions that mention something
  steno search '\"a bug\"' --role user --since 7d  find a phrase in your own recent prompts
  steno search parser --project api --limit 3    find the best sessions of a project about it
  steno search --literal parser.rs               find exactly this text, without the index
  steno search --regex 'parse_.*file' -i         find what an expression matches, in any case

All words must be in one message; \"a b\" is a phrase, pars* begins a word, -word must not be there,
a OR b is either; role: tool: project: file: branch: model: session: since: until: are filters, too.";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// What to look for
    #[arg(value_name = "QUERY", required = true)]
    query: Vec<String>,
    /// Search for exactly this text
    #[arg(long, conflicts_with = "regex")]
    literal: bool,
    /// Search for a regular expression
    #[arg(long)]
    regex: bool,
    /// Ignore case, with --literal or --regex
    #[arg(long, short)]
    ignore_case: bool,
    /// Only projects with NAME in their path, in any case; `.` is here
    #[arg(long, value_name = "NAME", allow_hyphen_values = true, value_parser = config::project)]
    project: Option<String>,
    /// Only what happened since then: a date, a time or an age (7d)
    #[arg(long, value_name = "WHEN")]
    since: Option<String>,
    /// Only what began before then; a date means the end of that day
    #[arg(long, value_name = "WHEN")]
    until: Option<String>,
    /// By user, assistant, thinking, tool, result, title, summary, plan or system
    #[arg(long, value_name = "ROLE", value_parser = roles(), hide_possible_values = true)]
    role: Vec<Role>,
    /// Only calls and results of this tool; may repeat
    #[arg(long, value_name = "NAME")]
    tool: Vec<String>,
    /// Only messages of this model
    #[arg(long, value_name = "NAME")]
    model: Option<String>,
    /// Only messages on this git branch
    #[arg(long, value_name = "NAME")]
    branch: Option<String>,
    /// Only calls about a file with these words in its path
    #[arg(long, value_name = "PATH")]
    file: Option<String>,
    /// Show at most N sessions; 0 shows all
    #[arg(long, short = 'n', value_name = "N", default_value = "10")]
    limit: usize,
    /// Show at most N hits of each session
    #[arg(long, value_name = "N", default_value = "3")]
    each: usize,
}

/// An expression may take any time: after so much, what was found is the answer.
const LONGEST_EXPRESSION: Duration = Duration::from_secs(60);

/// The names of roles, as the help lists them.
fn roles() -> impl TypedValueParser<Value = Role> {
    PossibleValuesParser::new(Role::SPOKEN.map(Role::name))
        .try_map(|name| Role::from_name(&name).ok_or("not a role"))
}

pub(crate) fn run(args: Args, workspace: &Workspace, output: &mut Output) -> Result<(), Failure> {
    let moment = |text: Option<String>, end_of_day: bool| {
        text.map(|text| config::moment(&text, workspace.dirs.now, &workspace.zone, end_of_day)).transpose()
    };
    let mode = match (args.literal, args.regex) {
        (true, _) => Mode::Literal,
        (false, true) => Mode::Regex,
        (false, false) => Mode::Words,
    };
    let request = Request {
        query: args.query.join(" "),
        mode,
        ignore_case: args.ignore_case,
        project: args.project,
        roles: args.role,
        tools: args.tool,
        model: args.model,
        branch: args.branch,
        file: args.file,
        since: moment(args.since, false)?,
        until: moment(args.until, true)?,
        limit: args.limit,
        each: args.each,
        deadline: (mode == Mode::Regex).then(|| Instant::now() + LONGEST_EXPRESSION),
    };
    let report = search::run(workspace, &request)?;
    output.report(&report, &next::search(workspace, &report))
}

impl Human for Report {
    fn text(&self, page: &Page) -> String {
        page::text(self, page)
    }

    fn talk(&self) -> Vec<String> {
        let mut said = match self.total {
            0 => "nothing found".to_owned(),
            total => format!("{} in {}", many(total, "hit"), many(self.total_sessions, "session")),
        };
        if (self.sessions.len() as u64) < self.total_sessions {
            said += &format!(" · the best {} shown", self.sessions.len());
        }
        if self.partial {
            said += " · not everything was searched";
        }
        let note = self.note.iter().map(|note| format!("\n{note}"));
        said.extend(note);
        let mut hints = self.hints.clone();
        if (self.sessions.len() as u64) < self.total_sessions {
            hints.push("--limit N shows more sessions, --each N more of each".to_owned());
        }
        with_hints(said, &hints)
    }

    fn tells_next(&self) -> bool {
        true
    }
}
