//! Which of the kept sessions are meant.

use std::cmp::Reverse;

use jiff::Timestamp;
use jiff::civil::Date;

use crate::error::Error;
use crate::kept::{Index, KeptSession, KeptSessions, Sketch, is_machine, known_machine, recency, sketches};
use crate::workspace::Workspace;

/// What is asked combines.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    /// A part of the project's path or of its directory's name, whatever the case.
    pub project: Option<String>,
    /// The local day of the last activity.
    pub date: Option<Date>,
    pub machine: Option<String>,
    /// At most so many, the latest ones.
    pub last: Option<usize>,
}

/// A kept session, and what is known of it.
#[derive(Debug)]
pub(super) struct Chosen<'a> {
    pub(super) kept: KeptSession<'a>,
    pub(super) sketch: Sketch,
}

impl Chosen<'_> {
    /// The last record's time; where no record tells one, the file's own.
    pub(super) fn last_activity(&self) -> Option<Timestamp> {
        self.sketch.ended_at.or(recency(self.kept.stream).0)
    }
}

impl Filter {
    /// Those that are meant, by last activity, the latest first, and how many there are without `last`.
    pub(super) fn choose<'a>(
        &self,
        workspace: &Workspace,
        kept_sessions: &KeptSessions,
        index: &Index<'a>,
    ) -> Result<(Vec<Chosen<'a>>, u64), Error> {
        known_machine(index, self.machine.as_deref())?;
        let candidates: Vec<&KeptSession<'a>> =
            index.sessions.iter().filter(|kept| self.takes_machine(kept.machine)).collect();
        let sketches = sketches(workspace, kept_sessions, index, &candidates);
        let candidates = candidates.into_iter().cloned();
        let mut chosen: Vec<Chosen<'a>> =
            candidates.zip(sketches).map(|(kept, sketch)| Chosen { kept, sketch }).collect();
        chosen.retain(|chosen| self.takes(chosen, workspace));
        // Equal ones stand in the order of their ids, which is that of the index.
        chosen.sort_by_key(|chosen| Reverse(chosen.last_activity()));
        let total = chosen.len() as u64;
        chosen.truncate(self.last.unwrap_or(usize::MAX));
        Ok((chosen, total))
    }

    fn takes_machine(&self, machine: &str) -> bool {
        self.machine.as_deref().is_none_or(|named| is_machine(machine, named))
    }

    fn takes(&self, chosen: &Chosen<'_>, workspace: &Workspace) -> bool {
        let contains = |text: &str, part: &str| text.to_lowercase().contains(&part.to_lowercase());
        let in_project = |part: &String| {
            contains(&chosen.kept.project, part)
                || chosen.sketch.cwd.as_deref().is_some_and(|cwd| contains(cwd, part))
        };
        let day = || chosen.last_activity().map(|time| time.to_zoned(workspace.zone.clone()).date());
        self.project.as_ref().is_none_or(in_project) && self.date.is_none_or(|date| day() == Some(date))
    }

    /// Whether more than a machine is asked for.
    pub fn is_narrow(&self) -> bool {
        self.project.is_some() || self.date.is_some() || self.last.is_some()
    }
}
