//! `steno share`: a session as one page to show to others, with secrets masked.

use std::path::PathBuf;

use steno_ops::Custody;
use steno_ops::dump::{Redaction, Request};
use steno_ops::share;

use super::dump::{Content, Format, Wish, finish, is_stdout};
use crate::config;
use crate::failure::Failure;
use crate::output::Output;

const EXAMPLES: &str = "\
Examples:
  steno share last                  make a page of the latest session, with secrets masked
  steno share 1c9e -o review.html   make a page under a name of your choice
  steno share 1c9e --dry-run        show what a page would be called, and what is masked on it";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The session: its id, at least four characters of it, `last`, or a path
    #[arg(value_name = "ID")]
    session: String,
    /// The format: `markdown`, `text`, `html`, `json` or `jsonl`
    #[arg(long, value_enum, hide_possible_values = true, default_value_t = Format::Html)]
    format: Format,
    #[command(flatten)]
    content: Content,
    /// Mask e-mail addresses too
    #[arg(long)]
    redact_emails: bool,
    /// Mask nothing; needs --yes
    #[arg(long, conflicts_with = "redact_emails")]
    no_redact: bool,
    /// Yes, show it with all that is in it
    #[arg(long, requires = "no_redact")]
    yes: bool,
    /// The file to write; `-` is stdout [default: named after the session]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Replace the file if it exists
    #[arg(long)]
    force: bool,
    /// Show what would be done, and do nothing
    #[arg(long)]
    dry_run: bool,
}

pub(crate) fn run(args: Args, custody: &Custody, output: &mut Output) -> Result<(), Failure> {
    let redaction = Redaction { identity: config::identity(), emails: args.redact_emails };
    let shows_rewrites = args.content.rewrite_report;
    let is_stdout = args.output.as_deref().is_some_and(is_stdout);
    let request = Request {
        session: args.session,
        format: args.format.into(),
        content: args.content.wish()?,
        redaction: (!args.no_redact).then_some(redaction),
        to: args.output.filter(|_| !is_stdout),
        force: args.force,
    };
    let plan = share::plan(custody, &request, share::Wish { is_sure: args.yes, is_stdout })?;
    finish(plan, Wish { dry_run: args.dry_run, shows_rewrites, is_file: !is_stdout }, output)
}
