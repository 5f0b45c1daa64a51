//! `steno clone`: a new session, cut, stripped or compressed as asked, that the real client resumes.

mod face;

use std::path::PathBuf;

use steno_ops::clone::{self, Preset, Request, Strip, Summary, Wanted};
use steno_ops::{Workspace, rewrite};

use crate::args::named::named;
use crate::config;
use crate::failure::Failure;
use crate::next;
use crate::output::Output;
pub(super) use face::message_lines;

const EXAMPLES: &str = "\
Examples:
  steno clone 1c9e --turns 12                     branch off after the first twelve turns
  steno clone 1c9e --preset default --dry-run     show what a lighter copy would save
  steno clone last --strip tools --keep-recent 5  drop all tool calls but those of five turns
  steno clone 1c9e --compress-before 10           put a summary in place of all older turns
  steno clone 1c9e --cwd ~/work/api               resume it in another directory

The original is never changed.";

const STRIPS: &[&str] = &["tools", "thinking", "images"];
const PRESETS: &[&str] = &["default", "aggressive", "heavy", "extreme"];

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The session: its id, at least four characters of it, `last`, or a path
    #[arg(value_name = "ID")]
    session: String,
    /// End with this record: its line, or its uuid or a prefix of it
    #[arg(long, value_name = "RECORD", conflicts_with = "turns")]
    at: Option<String>,
    /// Only the first N turns; below 0, the last ones
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    turns: Option<i64>,
    /// Leave out `tools`, `thinking` or `images`; may repeat
    #[arg(long, value_name = "WHAT", value_parser = named::<Strip>(STRIPS), value_delimiter = ',')]
    #[arg(hide_possible_values = true)]
    strip: Vec<Strip>,
    /// Keep the tool calls of the last N turns that have some
    #[arg(long, value_name = "N")]
    keep_recent: Option<usize>,
    /// Shorten results of tools to so many lines, and keep calls
    #[arg(long, value_name = "LINES")]
    truncate: Option<usize>,
    /// Strip in one go: `default`, `aggressive`, `heavy` or `extreme`
    #[arg(long, value_name = "NAME", value_parser = named::<Preset>(PRESETS), hide_possible_values = true)]
    preset: Option<Preset>,
    /// Replace all but the last N turns by a summary
    #[arg(long, value_name = "N")]
    compress_before: Option<usize>,
    /// A file with that summary
    #[arg(long, value_name = "FILE", requires = "compress_before", conflicts_with = "summarize")]
    summary: Option<PathBuf>,
    /// A command that reads those turns and sums them up, --dry-run or not
    #[arg(long, value_name = "CMD", requires = "compress_before")]
    summarize: Option<String>,
    /// Move the session to this working directory
    #[arg(long, value_name = "PATH")]
    cwd: Option<PathBuf>,
    /// Rewrite paths: OLD=NEW, `wsl-to-win`, `win-to-wsl` or `strip`
    #[arg(long, value_name = "RULE")]
    rewrite: Vec<String>,
    /// The Claude directory to write to
    #[arg(long, value_name = "DIR")]
    to: Option<PathBuf>,
    /// Print the messages that the client will send
    #[arg(long)]
    messages: bool,
    /// Show what would be done, and do nothing
    #[arg(long)]
    dry_run: bool,
}

pub(crate) fn run(args: Args, workspace: &Workspace, output: &mut Output) -> Result<(), Failure> {
    let dry_run = args.dry_run;
    let request = args.request()?;
    let plan = clone::plan(workspace, &request)?;
    let report = if dry_run { plan.preview()? } else { clone::apply(&plan)? };
    output.report(&report, &next::clone(workspace, &request, &report))
}

impl Args {
    fn request(self) -> Result<Request, Failure> {
        let mut strip: Vec<Strip> = Vec::new();
        for one in self.strip {
            if !strip.contains(&one) {
                strip.push(one);
            }
        }
        let wanted = Wanted {
            at: self.at,
            turns: self.turns,
            strip,
            keep_recent: self.keep_recent,
            truncate: self.truncate,
            preset: self.preset,
            compress_before: self.compress_before,
        };
        let summary = match (self.summary, self.summarize) {
            (Some(file), _) => Summary::File(file),
            (None, Some(command)) => Summary::Command(command),
            (None, None) => Summary::Digest,
        };
        Ok(Request {
            session: self.session,
            id: config::new_session()?,
            wanted,
            summary,
            cwd: self.cwd.map(config::absolute).transpose()?,
            rewrites: rewrite::parse_all(&self.rewrite)?,
            to: self.to.map(config::absolute).transpose()?,
            messages: self.messages,
        })
    }
}
