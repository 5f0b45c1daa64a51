//! After looking at the vault as a whole, or changing it: what keeps, sends or mends what is not.

use steno_ops::schedule::{self, Choice, Every};
use steno_ops::sync::{Push, State, UNREADABLE};
use steno_ops::{Workspace, init, status, sync, uninstall, verify};

use super::{Line, MOST, Step};

/// What `verify --repair` does.
pub(super) const REPAIRS: &str = "replaces damaged bytes, from the live files or from what was sent";
const SEND: &str = "sends everything, with what looks like secrets in it; the user has to look at them first";

/// What runs is behind again as soon as it was kept, so only sessions at rest are a reason to sync.
pub(crate) fn status(workspace: &Workspace, report: &status::Report) -> Vec<Step> {
    let is_held = report.push.as_ref().is_some_and(|push| push.state == "held");
    let sync = not_kept(report).and_then(|why| Line::in_vault(workspace, "sync").step(why));
    let send = is_held.then(|| send(workspace)).flatten();
    let is_off = report.scheduler == schedule::State::Off;
    let schedule = is_off.then(|| Line::in_vault(workspace, "schedule").operand("daily"));
    let schedule = schedule.and_then(|line| line.step("there is no automatic backup"));
    // No scheduler takes such a path.
    let schedule = schedule.filter(|step| !step.command.chars().any(char::is_control));
    sync.into_iter().chain(send).chain(schedule).take(MOST).collect()
}

/// Why a sync helps, if it does.
fn not_kept(report: &status::Report) -> Option<String> {
    let retention = &report.retention;
    let is_held = report.push.as_ref().is_some_and(|push| push.state == "held");
    if let Some(last) = &report.last_error {
        return Some(format!("tries again what failed (`steno {}`: {})", last.command, last.error));
    }
    match (report.at_rest, retention.at_risk_not_kept) {
        (0, _) if report.last_backup.is_none() => Some("nothing was kept yet".to_owned()),
        (0, _) if report.pending == Some(true) && !is_held => Some("not all of it was sent yet".to_owned()),
        (0, _) => None,
        (all, 0) => Some(format!("keeps the live sessions that are not kept yet: {all}")),
        (all, soon) => Some(format!(
            "keeps the live sessions that are not kept yet: {all}; {soon} are deleted within 7 days"
        )),
    }
}

pub(crate) fn init(workspace: &Workspace, report: &init::Report) -> Vec<Step> {
    match &report.sync {
        Some(synced) => sync(workspace, synced),
        None => Line::in_vault(workspace, "sync").step("runs the first backup").into_iter().collect(),
    }
}

pub(crate) fn sync(workspace: &Workspace, report: &sync::Report) -> Vec<Step> {
    let is_lost = report.warnings.iter().any(|warning| warning.kind == "lost");
    let mend = is_lost.then(|| Line::in_vault(workspace, "verify").flag("--repair", true));
    let mend = mend.and_then(|line| line.step("tries to get back what is gone from the vault"));
    let is_unread = report.warnings.iter().any(|warning| warning.kind == UNREADABLE);
    let again = is_unread.then(|| Line::in_vault(workspace, "sync"));
    let again =
        again.and_then(|line| line.step("keeps the files that the warnings name, once they can be read"));
    let sent = pushed(workspace, report.push.as_ref());
    // One sync does for both.
    let sent = sent.filter(|sent| again.as_ref().is_none_or(|again| again.command != sent.command));
    mend.into_iter().chain(again).chain(sent).take(MOST).collect()
}

/// What brings a push to its end.
pub(crate) fn pushed(workspace: &Workspace, push: Option<&Push>) -> Option<Step> {
    let push = push?;
    match push.state {
        State::Pushed | State::UpToDate => None,
        State::Offline => {
            let reason = push.reason.as_deref().unwrap_or("no answer");
            Line::in_vault(workspace, "sync").step(format!("sends it, once the remote answers: {reason}"))
        }
        State::Held => send(workspace),
        State::Refused => {
            let reason = push.reason.as_deref().unwrap_or("the remote said no");
            Line::in_vault(workspace, "sync").step(format!("sends it, once the cause is gone: {reason}"))
        }
    }
}

fn send(workspace: &Workspace) -> Option<Step> {
    Line::in_vault(workspace, "sync").flag("--push", true).ask(SEND)
}

/// A repair looks again itself, and what it leaves is nowhere else.
pub(crate) fn verify(workspace: &Workspace, report: &verify::Report) -> Vec<Step> {
    let is_worth_it = !report.ok && !report.repair;
    let line = is_worth_it.then(|| Line::in_vault(workspace, "verify").flag("--repair", true));
    line.and_then(|line| line.step(REPAIRS)).into_iter().collect()
}

pub(crate) fn schedule(workspace: &Workspace, choice: Choice, report: &schedule::Report) -> Vec<Step> {
    let step = if choice.dry_run {
        let line = Line::in_vault(workspace, "schedule").operand(choice.every.map_or("off", Every::name));
        let line = line.flag("--replace-original", choice.replace_original);
        if choice.replace_original {
            line.ask("changes the schedule")
        } else {
            line.step("changes the schedule")
        }
    } else if choice.every.is_some() && report.lacks_vault {
        Line::in_vault(workspace, "init").step("there is no vault yet that the job could keep anything in")
    } else {
        None
    };
    step.into_iter().collect()
}

pub(crate) fn uninstall(
    workspace: &Workspace,
    request: &uninstall::Request,
    report: &uninstall::Report,
) -> Vec<Step> {
    if !request.dry_run || report.removed.is_empty() {
        return Vec::new();
    }
    let line = Line::in_vault(workspace, "uninstall");
    let line = line.flag("--delete-vault", request.delete_vault).flag("--yes", request.delete_vault);
    let why = if request.delete_vault { "deletes everything that is kept" } else { "removes the schedule" };
    line.ask(why).into_iter().collect()
}
