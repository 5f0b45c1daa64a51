//! `steno sync`: back up what is new.

use steno_ops::sync::{self, Report, Request};
use steno_ops::{Workspace, size_text};
use steno_render::many;
use steno_render::terminal::Page;

use super::lines::{push_line, warning_lines};
use crate::failure::{Failure, Outcome};
use crate::next;
use crate::output::{Human, Output};

const EXAMPLES: &str = "\
Examples:
  steno sync                    run a backup: keep what is new, and send it if there is a remote
  steno sync --config-only      back up the config only
  steno sync --sessions-only    back up the sessions only
  steno sync --full             run a backup that compares every kept byte with the live one
  steno sync --push             run a backup, and send although something looks like a secret

Unchanged files cost a look, grown ones a read from their old end. Nothing is ever removed.";

/// A line of a summary.
const WIDTH: usize = 80;

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Only settings, agents, hooks, skills and the like
    #[arg(long, conflicts_with = "sessions_only")]
    config_only: bool,
    /// Only sessions and what belongs to them
    #[arg(long)]
    sessions_only: bool,
    /// Compare every kept byte with the live one; happens once a week anyway
    #[arg(long)]
    full: bool,
    /// Send, although something that looks like a secret was found
    #[arg(long)]
    push: bool,
    /// Internal: the scheduler runs it, and is not to call a push that waits a failure
    #[arg(long, hide = true)]
    scheduled: bool,
}

pub(crate) fn run(args: &Args, workspace: &Workspace, output: &mut Output) -> Result<(), Failure> {
    let request = Request {
        config_only: args.config_only,
        sessions_only: args.sessions_only,
        full: args.full,
        push: args.push,
        ..Request::default()
    };
    let report = sync::run(workspace, &request)?;
    let is_complete = report.has_kept_all();
    match output.done(false, &report, &next::sync(workspace, &report)) {
        // `status` and `doctor` tell of it, and the next run sends it.
        Err(Failure::Reported(Outcome::Partly)) if args.scheduled && is_complete => Ok(()),
        told => told,
    }
}

impl Human for Report {
    fn text(&self, _: &Page) -> String {
        summary(self)
    }

    fn talk(&self) -> Vec<String> {
        push_line(self.push.as_ref()).into_iter().chain(warning_lines(&self.warnings)).collect()
    }

    fn outcome(&self) -> Outcome {
        Outcome::of_all(self.ok)
    }
}

/// What was kept, in one line or two.
pub(crate) fn summary(report: &Report) -> String {
    let mut parts = Vec::new();
    if let Some(sessions) = report.sessions {
        parts.push(match (sessions.added, sessions.updated) {
            (0, 0) if report.lacks_directory() => "nothing was there to keep".to_owned(),
            (0, 0) => "no session has changed".to_owned(),
            (added, 0) => format!("{} added", many(added, "session")),
            (0, updated) => format!("{} updated", many(updated, "session")),
            (added, updated) => format!("{} added, {updated} updated", many(added, "session")),
        });
    }
    match report.config {
        Some(config) if config.files_synced > 0 => parts.push(many(config.files_synced, "config file")),
        _ => {}
    }
    if report.bytes_read > 0 {
        parts.push(format!(
            "{} read, {} written",
            size_text(report.bytes_read),
            size_text(report.bytes_written)
        ));
    }
    if report.kept > 0 {
        parts.push(format!("{} only the vault still has", many(report.kept, "session")));
    }
    if report.pushed {
        parts.push("sent".to_owned());
    }
    lines(&parts)
}

/// As many parts to a line as a narrow window shows.
fn lines(parts: &[String]) -> String {
    let mut text = "Backed up:".to_owned();
    let mut width = text.len();
    for (number, part) in parts.iter().enumerate() {
        let gap = if number == 0 { " " } else { " · " };
        width += gap.chars().count() + part.chars().count();
        if width > WIDTH {
            text.push_str("\n  ");
            width = 2 + part.chars().count();
        } else {
            text.push_str(gap);
        }
        text.push_str(part);
    }
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_summary_fits_into_a_narrow_window() {
        let parts = |lengths: &[usize]| -> Vec<String> {
            lengths.iter().map(|length| "é".repeat(*length)).collect()
        };
        assert_eq!(lines(&parts(&[3, 4])), "Backed up: ééé · éééé\n");
        let text = lines(&parts(&[30, 30, 30, 40]));
        assert_eq!(text.lines().count(), 2);
        assert!(text.lines().all(|line| line.chars().count() <= WIDTH), "{text}");
        assert!(text.lines().skip(1).all(|line| line.starts_with("  é")), "{text}");
    }
}
