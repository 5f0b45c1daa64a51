//! The vault and the client's retention → what is not kept, what is deleted soon, and whether keeping works.

use std::collections::HashSet;
use std::time::{Duration, SystemTime};

use jiff::Timestamp;

use super::finding::{Finding, Severity};
use super::loss::{self, Loss};
use super::{automation, health};
use crate::custody::{Custody, Opened};
use crate::error::Error;
use crate::next::Line;
use crate::status::{self, Judged, Report, Retention};

/// From when on a backup is too long ago, where something waits for it.
const OVERDUE: Duration = Duration::from_secs(3 * 24 * 60 * 60);

pub(super) struct Keeping {
    pub(super) retention: Retention,
    pub(super) findings: Vec<Finding>,
    /// Sessions of which the vault has something.
    pub(super) kept: HashSet<String>,
}

pub(super) fn look(custody: &Custody) -> Result<Keeping, Error> {
    let opened = match custody.look() {
        Ok(Some(opened)) => opened,
        Ok(None) => return without_vault(custody),
        Err(error) => return unreadable(custody, &error, None),
    };
    let surveyed = status::survey(custody, &opened);
    let cached = opened.cached();
    let catalog = cached.catalog();
    match (surveyed, catalog) {
        (Ok((report, sessions)), Ok(catalog)) => {
            let loss = loss::look(custody, &cached, &catalog);
            let mut findings = health::findings(custody, &opened, &loss);
            findings.extend(of_sessions(custody, &report, &sessions, &loss));
            findings.extend(of_runs(custody, &opened, &report, &sessions));
            findings.extend(automation::findings(custody, report.scheduler));
            findings.extend(report.warnings.iter().map(Finding::of));
            let streams = catalog.streams().filter_map(|(_, _, stream)| stream.session.clone());
            Ok(Keeping { retention: report.retention, findings, kept: streams.collect() })
        }
        (Err(error), _) => unreadable(custody, &error, Some("verify")),
        (_, Err(error)) => unreadable(custody, &error.into(), Some("verify")),
    }
}

/// The vault is there, and nobody can tell what is in it.
fn unreadable(custody: &Custody, error: &Error, helps: Option<&'static str>) -> Result<Keeping, Error> {
    let (retention, _, warnings) = status::unkept(custody)?;
    let finding = Finding::new(Severity::Error, "unreadable-vault", error.to_string()).at(&custody.vault);
    let finding = finding.helped(helps.and_then(|verb| Line::in_vault(custody, verb).step("")));
    let findings = std::iter::once(finding).chain(warnings.iter().map(Finding::of)).collect();
    Ok(Keeping { retention, findings, kept: HashSet::new() })
}

fn without_vault(custody: &Custody) -> Result<Keeping, Error> {
    let (retention, sessions, warnings) = status::unkept(custody)?;
    let init = Line::in_vault(custody, "init");
    let (severity, message) = match sessions.len() {
        0 => (Severity::Info, "there is no vault yet, and no session to keep in one"),
        _ => (Severity::Warning, "there is no vault: nothing of what Claude Code writes is kept"),
    };
    let finding = Finding::new(severity, "no-vault", message).at(&custody.vault).helped_by(&init);
    let at_risk = sessions.iter().filter(|session| session.is_at_risk);
    let at_risk = at_risk.map(|session| at_risk_finding(custody, session).helped_by(&init));
    let warnings = warnings.iter().map(Finding::of);
    let findings = std::iter::once(finding).chain(at_risk).chain(warnings).collect();
    Ok(Keeping { retention, findings, kept: HashSet::new() })
}

fn of_sessions(custody: &Custody, report: &Report, sessions: &[Judged], loss: &Loss) -> Vec<Finding> {
    let last = last_backup(report).map(SystemTime::from);
    let is_overdue = is_overdue(custody, report);
    let sync = Line::in_vault(custody, "sync");
    let missing = sessions.iter().filter(|session| !session.is_kept);
    let told = missing.filter_map(|session| {
        let finding = match session {
            session if session.is_at_risk => at_risk_finding(custody, session),
            // It is behind again as soon as it was kept.
            session if session.is_running => return None,
            session => {
                let is_lost = loss.concerns(&session.id);
                let is_new = last.is_some_and(|last| session.modified >= last) && !is_overdue && !is_lost;
                let severity = if is_new { Severity::Info } else { Severity::Warning };
                let message = match (session.is_begun, is_new) {
                    (true, true) => "what came since the last backup is not kept yet",
                    (true, false) => "a part of it is not kept",
                    (false, true) => "it came since the last backup and is not kept yet",
                    (false, false) if is_lost => "what was kept of it is gone from the vault",
                    (false, false) => "it is not kept yet",
                };
                Finding::new(severity, "not-kept", message)
            }
        };
        Some(finding.at(&session.transcript).session(&*session.id).helped_by(&sync))
    });
    told.collect()
}

fn at_risk_finding(custody: &Custody, session: &Judged) -> Finding {
    let day = session.deletion.filter(|deletion| *deletion > SystemTime::from(custody.library.now));
    let day = day.and_then(|deletion| Timestamp::try_from(deletion).ok());
    let when = day.map_or_else(
        || "at its next start".to_owned(),
        |day| format!("on {}", day.to_zoned(custody.zone.clone()).strftime("%Y-%m-%d")),
    );
    let how = if session.is_begun { "and only a part of it is kept" } else { "and it is not kept" };
    let message = format!("Claude Code deletes it {when}, {how}");
    Finding::new(Severity::Error, "at-risk", message).at(&session.transcript).session(&*session.id)
}

/// How the last backup went, and what became of sending it.
fn of_runs(custody: &Custody, opened: &Opened, report: &Report, sessions: &[Judged]) -> Vec<Finding> {
    let sync = Line::in_vault(custody, "sync");
    let found = |kind: &str, message: String| {
        Finding::new(Severity::Warning, kind, message).at(&custody.vault).helped_by(&sync)
    };
    let mut findings = Vec::new();
    if let Some(last) = &report.last_error {
        let day = last.time.get(..10).unwrap_or(&last.time);
        findings
            .push(found("failed-run", format!("`steno {}` failed on {day}: {}", last.command, last.error)));
    }
    let waits = sessions.iter().any(|session| !session.is_kept && !session.is_running);
    match last_backup(report) {
        None => findings.push(found("overdue-backup", "nothing was kept in it yet".to_owned())),
        Some(last) if waits && is_overdue(custody, report) => {
            let days = custody.library.now.duration_since(last).as_hours() / 24;
            findings.push(found("overdue-backup", format!("the last backup was {days} days ago")));
        }
        Some(_) => {}
    }
    let push = report.push.as_ref().filter(|_| opened.has_remote());
    match push.map(|push| push.state.as_str()) {
        Some("held") => {
            let message = "it is not sent, because something in it looks like a secret; look at it first";
            let line = Line::in_vault(custody, "sync").flag("--push", true);
            findings.push(found("held-push", message.to_owned()).helped_by(&line));
        }
        Some("refused") if report.last_error.is_none() => {
            let reason = push.and_then(|push| push.reason.as_deref()).unwrap_or("the remote said no");
            findings.push(found("refused-push", format!("it is not sent: {reason}")));
        }
        _ => {}
    }
    findings
}

fn last_backup(report: &Report) -> Option<Timestamp> {
    report.last_backup.as_deref().and_then(|time| time.parse().ok())
}

fn is_overdue(custody: &Custody, report: &Report) -> bool {
    let age = last_backup(report).map(|last| custody.library.now.duration_since(last));
    age.is_none_or(|age| Duration::try_from(age).is_ok_and(|age| age > OVERDUE))
}
