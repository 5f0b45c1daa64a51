//! `steno show`: one session as a conversation.

use serde::Serialize;
use steno_ops::restore::is_loss;
use steno_ops::show::{self, Report, Request};
use steno_ops::stats::ClientCount;
use steno_ops::{LEFT_OUT, Warning, Workspace};
use steno_render::terminal::{Focus, Page, ShowOptions, conversation};
use steno_render::{count, dollars, many};

use super::lines::warning_lines;
use crate::failure::Failure;
use crate::next;
use crate::output::{Human, Output};

const EXAMPLES: &str = "\
Examples:
  steno show last                      read the latest session
  steno show 1c9e                      read a session as a conversation
  steno show last --thinking           read the latest session with all thinking
  steno show session.jsonl --at 120    read a transcript, from a record on";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The session: its id, at least four characters of it, `last`, or a path
    #[arg(value_name = "ID")]
    session: String,
    /// Open at this record: its line, its uuid or a prefix of it; AGENT:LINE for a subagent's
    #[arg(long, value_name = "RECORD")]
    at: Option<String>,
    /// Show thinking in full
    #[arg(long)]
    thinking: bool,
    /// Show tool results in full
    #[arg(long)]
    full_results: bool,
}

pub(crate) fn run(args: Args, workspace: &Workspace, output: &mut Output) -> Result<(), Failure> {
    let report = show::run(workspace, &Request { session: args.session, at: args.at })?;
    let detail = ShowOptions {
        thinking: args.thinking,
        full_results: args.full_results,
        from_chunk: report.at.unwrap_or(0),
        focus: report.spot.clone().map(|spot| Focus { agent: spot.agent, line: spot.line }),
        beside: report.beside.iter().map(|said| (said.role.name(), said.text.clone())).collect(),
    };
    let id = report.conversation.profile.id.to_string();
    let next = next::only_kept(workspace, &id, report.only_kept.as_ref());
    output.report(&Shown { report, detail }, &next)
}

#[derive(Serialize)]
#[serde(transparent)]
struct Shown {
    report: Report,
    #[serde(skip)]
    detail: ShowOptions,
}

impl Human for Shown {
    fn text(&self, page: &Page) -> String {
        conversation(&self.report.conversation, &self.detail, page)
    }

    fn talk(&self) -> Vec<String> {
        let (lost, others): (Vec<Warning>, Vec<Warning>) =
            self.report.conversation.warnings.iter().cloned().partition(is_loss);
        let (left_out, warnings) = left_out(&others);
        let opened = (!left_out.is_empty()).then(|| "--at opens the session at any of its lines".to_owned());
        let note = self.report.note.clone().into_iter().chain(left_out).chain(opened);
        let note =
            note.chain(self.report.client.as_ref().filter(|client| !client.is_complete()).map(sum_of_client));
        let warnings = warning_lines(&lost).into_iter().chain(warning_count(warnings));
        note.chain(warnings).collect()
    }

    fn tells_next(&self) -> bool {
        true
    }
}

/// The client's own sum, and what of it no record has.
fn sum_of_client(client: &ClientCount) -> String {
    let ClientCount { total, recorded, unrecorded, .. } = client;
    let said = format!(
        "Claude Code counts {}, its records say {}",
        dollars(total.cost_usd),
        dollars(recorded.cost_usd)
    );
    match unrecorded.tokens.context() {
        0 => said,
        number => format!("{said}; {} tokens are in no record", count(number)),
    }
}

/// Lines about records that were left out, and the number of other warnings.
pub(crate) fn left_out<'w>(warnings: impl IntoIterator<Item = &'w Warning>) -> (Vec<String>, usize) {
    let (told, others): (Vec<_>, Vec<_>) = warnings.into_iter().partition(|warning| warning.kind == LEFT_OUT);
    let told = told.iter().map(|warning| format!("warning: {}; STENO_MEMORY allows more", warning.message));
    (told.collect(), others.len())
}

/// A transcript can have hundreds of them, and they are seldom what was asked for.
pub(crate) fn warning_count(number: usize) -> Option<String> {
    match number as u64 {
        0 => None,
        1 => Some("1 warning; --json has it".to_owned()),
        number => Some(format!("{}; --json has them", many(number, "warning"))),
    }
}
