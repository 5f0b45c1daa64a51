//! The vault and the client's retention → sessions not kept or deleted soon, and whether keeping works.

use std::collections::HashSet;
use std::time::{Duration, SystemTime};

use jiff::Timestamp;

use super::finding::{Advice, Finding, Severity};
use super::loss::{self, Loss};
use super::{automation, health};
use crate::error::Error;
use crate::status::{self, Judged, Report, Retention};
use crate::workspace::{Vault, Workspace};

/// From when on a backup is too long ago, where something waits for it.
const OVERDUE: Duration = Duration::from_secs(3 * 24 * 60 * 60);

pub(super) struct Keeping {
    pub(super) retention: Retention,
    pub(super) findings: Vec<Finding>,
    /// Sessions of which the vault has something.
    pub(super) kept: HashSet<String>,
}

pub(super) fn look(workspace: &Workspace) -> Result<Keeping, Error> {
    let vault = match workspace.look() {
        Ok(Some(vault)) => vault,
        Ok(None) => return without_vault(workspace),
        Err(error) => return unreadable(workspace, &error, None),
    };
    let surveyed = status::survey(workspace, &vault);
    let cached = vault.cached();
    let catalog = cached.catalog();
    match (surveyed, catalog) {
        (Ok((report, sessions)), Ok(catalog)) => {
            let loss = loss::look(workspace, &cached, &catalog);
            let mut findings = health::findings(workspace, &vault, &loss);
            findings.extend(of_sessions(workspace, &report, &sessions, &loss));
            findings.extend(of_runs(workspace, &vault, &report, &sessions));
            findings.extend(automation::findings(workspace, report.scheduler));
            findings.extend(report.warnings.iter().map(Finding::of));
            let streams = catalog.streams().filter_map(|(_, _, stream)| stream.session.clone());
            Ok(Keeping { retention: report.retention, findings, kept: streams.collect() })
        }
        (Err(error), _) => unreadable(workspace, &error, Some(Advice::Verify)),
        (_, Err(error)) => unreadable(workspace, &error.into(), Some(Advice::Verify)),
    }
}

/// The vault is there and cannot be read.
fn unreadable(workspace: &Workspace, error: &Error, helps: Option<Advice>) -> Result<Keeping, Error> {
    let (retention, _, warnings) = status::unkept(workspace)?;
    let finding = Finding::new(Severity::Error, "unreadable-vault", error.to_string()).at(&workspace.vault);
    let finding = finding.helped_by(helps);
    let findings = std::iter::once(finding).chain(warnings.iter().map(Finding::of)).collect();
    Ok(Keeping { retention, findings, kept: HashSet::new() })
}

fn without_vault(workspace: &Workspace) -> Result<Keeping, Error> {
    let (retention, sessions, warnings) = status::unkept(workspace)?;
    let (severity, message) = match sessions.len() {
        0 => (Severity::Info, "there is no vault yet, and no session to keep in one"),
        _ => (Severity::Warning, "there is no vault: nothing that Claude Code writes is backed up"),
    };
    let finding = Finding::new(severity, "no-vault", message).at(&workspace.vault).helped_by(Advice::Init);
    let at_risk = sessions.iter().filter(|session| session.is_at_risk);
    let at_risk = at_risk.map(|session| at_risk_finding(workspace, session).helped_by(Advice::Init));
    let warnings = warnings.iter().map(Finding::of);
    let findings = std::iter::once(finding).chain(at_risk).chain(warnings).collect();
    Ok(Keeping { retention, findings, kept: HashSet::new() })
}

fn of_sessions(workspace: &Workspace, report: &Report, sessions: &[Judged], loss: &Loss) -> Vec<Finding> {
    let last = last_backup(report).map(SystemTime::from);
    let is_overdue = is_overdue(workspace, report);
    let missing = sessions.iter().filter(|session| !session.is_kept);
    let told = missing.filter_map(|session| {
        let finding = match session {
            session if session.is_at_risk => at_risk_finding(workspace, session),
            // It is behind again as soon as it was kept.
            session if session.is_running => return None,
            session => {
                let is_lost = loss.concerns(&session.id);
                let is_new = last.is_some_and(|last| session.modified >= last) && !is_overdue && !is_lost;
                let severity = if is_new { Severity::Info } else { Severity::Warning };
                let message = match (session.is_begun, is_new) {
                    (true, true) => "what was added since the last backup is not backed up yet",
                    (true, false) => "a part of it is not backed up",
                    (false, true) => "it is newer than the last backup, and not backed up yet",
                    (false, false) if is_lost => "its backup is gone from the vault",
                    (false, false) => "it is not backed up yet",
                };
                Finding::new(severity, "not-kept", message)
            }
        };
        Some(finding.at(&session.transcript).session(&*session.id).helped_by(Advice::Sync))
    });
    told.collect()
}

fn at_risk_finding(workspace: &Workspace, session: &Judged) -> Finding {
    let day = session.deletion.filter(|deletion| *deletion > SystemTime::from(workspace.dirs.now));
    let day = day.and_then(|deletion| Timestamp::try_from(deletion).ok());
    let when = day.map_or_else(
        || "at its next start".to_owned(),
        |day| format!("on {}", day.to_zoned(workspace.zone.clone()).strftime("%Y-%m-%d")),
    );
    let how = if session.is_begun { "and only a part of it is backed up" } else { "and it is not backed up" };
    let message = format!("Claude Code deletes it {when}, {how}");
    Finding::new(Severity::Error, "at-risk", message).at(&session.transcript).session(&*session.id)
}

/// How the last backup went, and what became of sending it.
fn of_runs(workspace: &Workspace, vault: &Vault, report: &Report, sessions: &[Judged]) -> Vec<Finding> {
    let found = |kind: &str, message: String| {
        Finding::new(Severity::Warning, kind, message).at(&workspace.vault).helped_by(Advice::Sync)
    };
    let mut findings = Vec::new();
    if let Some(last) = &report.last_error {
        let day = last.time.get(..10).unwrap_or(&last.time);
        findings
            .push(found("failed-run", format!("`steno {}` failed on {day}: {}", last.command, last.error)));
    }
    let waits = sessions.iter().any(|session| !session.is_kept && !session.is_running);
    match last_backup(report) {
        None => findings.push(found("overdue-backup", "it holds no backup yet".to_owned())),
        Some(last) if waits && is_overdue(workspace, report) => {
            let days = workspace.dirs.now.duration_since(last).as_hours() / 24;
            findings.push(found("overdue-backup", format!("the last backup was {days} days ago")));
        }
        Some(_) => {}
    }
    let push = report.push.as_ref().filter(|_| vault.has_remote());
    match push.map(|push| push.state.as_str()) {
        Some("held") => {
            let message = "it is not sent, because something in it looks like a secret; look at it first";
            findings.push(found("held-push", message.to_owned()).helped_by(Advice::Push));
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

fn is_overdue(workspace: &Workspace, report: &Report) -> bool {
    let age = last_backup(report).map(|last| workspace.dirs.now.duration_since(last));
    age.is_none_or(|age| Duration::try_from(age).is_ok_and(|age| age > OVERDUE))
}
