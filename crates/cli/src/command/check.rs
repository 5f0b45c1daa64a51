//! `steno check`: whether a client resumes a session, and what keeps it from that.

use std::fmt::Write;

use steno_ops::Workspace;
use steno_ops::check::{self, Report, Request, Severity};
use steno_render::terminal::{Page, clean_line};

use super::clone::message_lines;
use super::lines::warning_lines;
use crate::args::named::word;
use crate::config;
use crate::failure::{Failure, Outcome};
use crate::next;
use crate::output::{Human, Output};

const EXAMPLES: &str = "\
Examples:
  steno check last              can the latest session be resumed, as a whole?
  steno check 1c9e --fix        write a clone that can be; the original stays
  steno check 1c9e --messages   print what the client will send when it resumes it

Exit code 1: the session cannot be resumed, and no clone was written that can.";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The session: its id, at least four characters of it, `last`, or a path
    #[arg(value_name = "ID")]
    session: String,
    /// Write a clone without the problems found
    #[arg(long)]
    fix: bool,
    /// Print the messages that the client will send
    #[arg(long)]
    messages: bool,
    /// Show what would be done, and do nothing
    #[arg(long)]
    dry_run: bool,
}

pub(crate) fn run(args: Args, workspace: &Workspace, output: &mut Output) -> Result<(), Failure> {
    let Args { session, fix, messages, dry_run } = args;
    let id = if fix { config::new_session()? } else { String::new() };
    let request = Request { session, fix, id, messages, dry_run };
    let report = check::run(workspace, &request)?;
    output.report(&report, &next::check(workspace, &request, &report))
}

impl Human for Report {
    fn text(&self, _: &Page) -> String {
        let mut text = String::new();
        for finding in &self.findings {
            let severity = match finding.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
                Severity::Info => "info",
            };
            let line = finding.line.map(|line| format!(" line {line}")).unwrap_or_default();
            let (rule, message) = (word(finding.rule), clean_line(&finding.message));
            let more =
                if finding.count > 1 { format!(" (and {} more)", finding.count - 1) } else { String::new() };
            let _ = writeln!(text, "{severity:7} {rule}{line}: {message}{more}");
        }
        for line in self.messages.iter().map(|messages| message_lines(messages)) {
            text.push_str(&line);
        }
        let session = clean_line(&self.session);
        let verdict = match (self.resumable, self.needs_fixing()) {
            (true, false) => "every client can resume it",
            (true, true) => "it can be resumed, but some clients lose a part of it",
            (false, _) => "it cannot be resumed",
        };
        let _ = writeln!(text, "Checked {session}: {verdict}");
        if let Some(fixed) = &self.fixed {
            let verb = if self.dry_run { "Would write" } else { "Wrote" };
            let _ =
                writeln!(text, "{verb} the clone {} to {}", clean_line(&fixed.uuid), clean_line(&fixed.to));
        }
        if let Some(resume) = &self.resume {
            let _ = writeln!(text, "Resume with: {}", clean_line(resume));
        }
        text
    }

    fn talk(&self) -> Vec<String> {
        let mut warnings = self.warnings.clone();
        // People do not know the vault's files.
        if !self.path.ends_with(".jsonl") {
            let of_it = warnings.iter_mut().filter(|warning| warning.file == self.path);
            of_it.for_each(|warning| warning.file = format!("session {}", self.session));
        }
        warning_lines(&warnings)
    }

    fn tells_next(&self) -> bool {
        self.fixed.is_none() || self.dry_run
    }

    fn outcome(&self) -> Outcome {
        if self.ok { Outcome::Done } else { Outcome::No }
    }
}
