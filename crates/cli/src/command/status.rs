//! `steno status`: what is kept, and what is at risk.

use std::fmt::Write;

use jiff::Timestamp;
use steno_ops::schedule::State;
use steno_ops::status::{self, Report, Retention};
use steno_ops::{Workspace, size_text};
use steno_render::terminal::{Page, clean_line};
use steno_render::{many, when};

use super::lines::{to_the_second, warning_lines};
use crate::args::layout::hanging;
use crate::failure::Failure;
use crate::next;
use crate::output::{Human, Output};

const EXAMPLES: &str = "\
Examples:
  steno status           check when the last backup was, and what Claude Code will delete soon
  steno status --json    the same for a program: retention.atRiskNotKept is what would be lost

Claude Code deletes sessions by their age; `Risk` tells when, by the settings in force here.";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {}

pub(crate) fn run(_: &Args, workspace: &Workspace, output: &mut Output) -> Result<(), Failure> {
    let report = status::run(workspace)?;
    output.report(&report, &next::status(workspace, &report))
}

impl Human for Report {
    fn text(&self, page: &Page) -> String {
        let repo = self.repo.as_deref().unwrap_or("no remote");
        let mut text = String::new();
        let mut line = |label: &str, value: &str| {
            let value = hanging(&clean_line(value), label.len() + 2, page.width);
            let _ = writeln!(text, "{label}: {value}");
        };
        let sealed = if self.encrypted { ", encrypted" } else { "" };
        line("Mode", &format!("{} ({repo}){sealed}", self.mode));
        line("Path", &self.vault);
        line("Last", &last(self, page));
        line("Kept", &kept(self));
        match self.sessions.deleted {
            0 => {}
            1 => line("Safe", "1 session that Claude Code deleted is still here (`steno list --deleted`)"),
            number => line(
                "Safe",
                &format!(
                    "{number} sessions that Claude Code deleted are still here (`steno list --deleted`)"
                ),
            ),
        }
        if self.machines.len() > 1 {
            line("From", &machines(self));
        }
        line("Runs", &schedule(self));
        line("Risk", &risk(&self.retention, page));
        if let Some(last) = &self.last_error {
            let time = last.time.parse().map_or_else(|_| last.time.clone(), to_the_second);
            line("Fail", &format!("`steno {}` at {time}: {}", last.command, last.error));
        }
        text
    }

    fn talk(&self) -> Vec<String> {
        warning_lines(&self.warnings)
    }
}

fn last(report: &Report, page: &Page) -> String {
    let time = report.last_backup.as_deref().and_then(|time| time.parse().ok());
    let last = time.map_or_else(|| "never".to_owned(), |time| when(time, page.now, &page.zone));
    let push = report.push.as_ref().map(|push| (push.state.as_str(), push.reason.as_deref()));
    match report.pending {
        Some(true) if push.is_some_and(|(state, _)| state == "held") => {
            format!("{last}; not sent, since it holds what looks like secrets: `steno sync --push` sends it")
        }
        Some(true) if push.is_some_and(|(state, _)| state == "refused") => {
            let reason = push.and_then(|(_, reason)| reason).unwrap_or("the remote said no");
            format!("{last}; not sent: {reason}")
        }
        Some(true) => format!("{last}; not all of it was sent yet, the next sync does"),
        Some(false) => format!("{last}, and sent"),
        None => last,
    }
}

fn kept(report: &Report) -> String {
    let sessions = many(report.sessions.files, "session");
    let projects = many(report.sessions.projects, "project");
    let config = many(report.config.files, "config file");
    let unpacked = size_text(report.sessions.uncompressed_bytes + report.config.size_bytes);
    format!("{sessions} of {projects} and {config}, {} ({unpacked} unpacked)", report.backup_size)
}

fn machines(report: &Report) -> String {
    let named = report.machines.iter().map(|machine| {
        let own = if machine.own { ", this one" } else { "" };
        format!("{} ({}{own})", machine.machine, many(machine.sessions, "session"))
    });
    named.collect::<Vec<_>>().join(", ")
}

fn schedule(report: &Report) -> String {
    match (report.scheduler, report.schedule.as_deref()) {
        (State::Active, Some(every)) => format!("automatically, {every}"),
        (State::Active, None) => "automatically".to_owned(),
        (State::Off, _) => "only with `steno sync`; `steno schedule daily` runs it every day".to_owned(),
        (State::Unavailable, _) => "only with `steno sync`: this system has no scheduler".to_owned(),
    }
}

fn risk(retention: &Retention, page: &Page) -> String {
    let not_kept = match retention.not_kept {
        0 => String::new(),
        1 => "1 session is not kept yet, `steno sync` keeps it; ".to_owned(),
        number => format!("{} are not kept yet, `steno sync` keeps them; ", many(number, "session")),
    };
    if retention.suspended {
        return format!("{not_kept}Claude Code deletes nothing now, since a settings file does not load");
    }
    let days = many(retention.cleanup_period_days, "day");
    if retention.at_risk == 0 {
        return format!(
            "{not_kept}nothing will be deleted by Claude Code within 7 days (it deletes after {days})"
        );
    }
    let sessions = many(retention.at_risk, "session");
    let safe = match (retention.at_risk, retention.at_risk_not_kept) {
        (1, 0) => "it is kept".to_owned(),
        (_, 0) => "all of them are kept".to_owned(),
        (1, _) => "it is not kept yet".to_owned(),
        (_, number) => format!("{number} of them not kept yet"),
    };
    let first = first(retention, page);
    format!("{not_kept}{sessions} will be deleted by Claude Code within 7 days, {first}; {safe}")
}

fn first(retention: &Retention, page: &Page) -> String {
    let which = if retention.at_risk == 1 { "that is" } else { "the first" };
    let next: Option<Timestamp> = retention.next_deletion.as_deref().and_then(|time| time.parse().ok());
    match next {
        Some(next) if next > page.now => {
            format!("{which} on {}", next.to_zoned(page.zone.clone()).strftime("%Y-%m-%d"))
        }
        _ => format!("{which} at its next start"),
    }
}
