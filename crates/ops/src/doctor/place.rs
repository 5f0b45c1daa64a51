//! The directories that a session's records name → whether the client finds it where it is.
//!
//! A client looks for sessions in the directory below `projects/` that is named after where it runs.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};

use steno_source::{SessionFiles, project_directory_name};

use super::finding::{Advice, Finding, Severity};

/// Gathered while a transcript is read.
pub(super) struct Whereabouts<'a> {
    session: &'a SessionFiles,
    project: &'a str,
    first: Option<String>,
    /// The directory that the project's name encodes.
    own: Option<String>,
    /// The last that was looked at: it seldom changes.
    last: String,
}

/// A session's place, and where it was made.
pub(super) struct SessionPlace {
    session: String,
    transcript: PathBuf,
    cwd: String,
    /// Whether it lies in the directory of that one.
    is_own: bool,
}

impl<'a> Whereabouts<'a> {
    pub(super) fn of(session: &'a SessionFiles) -> Option<Self> {
        let project = session.project_hash.as_deref()?;
        Some(Self { session, project, first: None, own: None, last: String::new() })
    }

    pub(super) fn observe(&mut self, cwd: &str) {
        if self.own.is_some() || self.last == cwd {
            return;
        }
        cwd.clone_into(&mut self.last);
        self.first.get_or_insert_with(|| cwd.to_owned());
        if project_directory_name(Path::new(cwd)).eq_ignore_ascii_case(self.project) {
            self.own = Some(cwd.to_owned());
        }
    }

    pub(super) fn finish(self) -> Option<SessionPlace> {
        let is_own = self.own.is_some();
        let (session, transcript) = (self.session.id.to_string(), self.session.transcript.clone());
        Some(SessionPlace { session, transcript, cwd: self.own.or(self.first)?, is_own })
    }
}

/// Sessions in another project's directory each, those whose directory is gone by project.
pub(super) fn findings(places: &[SessionPlace], kept: &HashSet<String>) -> Vec<Finding> {
    let mut gone: BTreeMap<&Path, (&SessionPlace, u64)> = BTreeMap::new();
    let mut findings = Vec::new();
    let help = |place: &SessionPlace, cwd: &str| {
        let (session, cwd) = (place.session.clone(), Some(cwd.to_owned()));
        kept.contains(&place.session).then_some(Advice::Restore { session, cwd })
    };
    for place in places {
        if !place.is_own {
            let message = format!(
                "it was made in {}, where `claude --resume` does not find it: its file is in another project",
                place.cwd
            );
            let finding = Finding::new(Severity::Warning, "moved", message).at(&place.transcript);
            findings.push(finding.session(&*place.session).helped_by(help(place, &place.cwd)));
        } else if matches!(Path::new(&place.cwd).try_exists(), Ok(false))
            && let Some(project) = place.transcript.parent()
        {
            gone.entry(project).or_insert((place, 0)).1 += 1;
        }
    }
    for (project, (place, count)) in gone {
        let message = format!("{} no longer exists, so `claude --resume` cannot start in it", place.cwd);
        let finding = Finding::new(Severity::Info, "missing-cwd", message).at(project).times(count);
        findings.push(finding.session(&*place.session).helped_by(help(place, "DIR")));
    }
    findings
}
