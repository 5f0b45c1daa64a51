//! What was listed or put back, for people.

use std::fmt::Write;

use steno_ops::restore::{all, list, one};
use steno_render::terminal::{Page, clean_line};
use steno_render::{many, one_line, short_id};

use super::table::table;
use crate::command::lines::{planned, warning_lines};
use crate::failure::Outcome;
use crate::output::{Human, with_hints};

/// So many sessions that were not put back are named.
const NAMED: usize = 10;

impl Human for list::Report {
    fn text(&self, page: &Page) -> String {
        if self.sessions.is_empty() { String::new() } else { table(&self.sessions, page) }
    }

    fn talk(&self) -> Vec<String> {
        let shown = self.sessions.len() as u64;
        let said = match (shown, self.total) {
            (0, 0) => "no kept session found".to_owned(),
            (shown, total) if shown < total => format!("{shown} of {}", many(total, "kept session")),
            _ => many(shown, "kept session"),
        };
        with_hints(said, &self.hints)
    }
}

impl Human for one::Report {
    fn text(&self, _: &Page) -> String {
        let one::Report { restored, resume, .. } = self;
        let verb = if self.dry_run { "Would restore" } else { "Restored" };
        let verb = match (self.partial, restored.files) {
            (false, 0) => "Already in place and identical:".to_owned(),
            (true, _) => format!("{verb} a part of"),
            (false, _) => verb.to_owned(),
        };
        let generation = match restored.generation {
            1 => String::new(),
            number => format!(", generation {number}"),
        };
        let (uuid, to) = (clean_line(&restored.uuid), clean_line(&restored.to));
        let mut text = match restored.files {
            0 => format!("{verb} {uuid}\n  {to}\n"),
            files => format!("{verb} {uuid} ({}{generation})\n  to {to}\n", many(files, "file")),
        };
        text.push_str(&planned(self.plan.iter().flat_map(|plan| &plan.files)));
        let _ = writeln!(text, "Resume with: {}", clean_line(resume));
        text
    }

    fn talk(&self) -> Vec<String> {
        warning_lines(&self.warnings)
    }

    fn outcome(&self) -> Outcome {
        Outcome::of_all(self.ok)
    }
}

impl Human for all::Report {
    fn text(&self, _: &Page) -> String {
        let verb = if self.dry_run { "Would restore" } else { "Restored" };
        let files = self.restored.iter().map(|session| session.files).sum();
        let others = match self.others.files {
            0 => String::new(),
            number => format!(", and {} of no session", many(number, "file")),
        };
        let sessions = many(self.restored.len() as u64, "session");
        let mut text = format!("{verb} {sessions} ({}{others})\n", many(files, "file"));
        for session in self.restored.iter().filter(|_| self.dry_run) {
            let title = session.title.as_deref().unwrap_or("(no title)");
            let _ = writeln!(text, "  {}  {}", clean_line(short_id(&session.uuid)), one_line(title));
        }
        text
    }

    fn talk(&self) -> Vec<String> {
        let count = |reason| self.skipped.iter().filter(|skipped| skipped.reason == reason).count() as u64;
        let mut lines = Vec::new();
        if count(all::Reason::Exists) > 0 && !self.is_failure(all::Reason::Exists) {
            lines.push(format!(
                "{} in place already; --force overwrites what differs",
                many(count(all::Reason::Exists), "session")
            ));
        }
        if count(all::Reason::Running) > 0 {
            lines.push(format!("{} running, and not touched", many(count(all::Reason::Running), "session")));
        }
        let failed = self.skipped.iter().filter(|skipped| self.is_failure(skipped.reason));
        lines.extend(failed.clone().take(NAMED).map(|skipped| skipped.message.clone()));
        let more = failed.count().saturating_sub(NAMED) as u64;
        lines.extend((more > 0).then(|| format!("… and {}", many(more, "more session"))));
        lines.extend(warning_lines(&self.warnings));
        lines
    }

    fn tells_next(&self) -> bool {
        !self.dry_run || self.skipped.iter().any(|skipped| skipped.reason == all::Reason::Damaged)
    }

    fn outcome(&self) -> Outcome {
        Outcome::of_all(self.ok)
    }
}
