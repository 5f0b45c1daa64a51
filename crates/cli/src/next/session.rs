//! After looking for a session, or putting it back or erasing it: what goes on with that session.

use std::path::Path;

use steno_ops::peek::ClientCopy;
use steno_ops::restore::{self, Filter, KeptName, Options, all, one};
use steno_ops::{OnlyKept, Workspace, doctor, list, peek, purge, relocate, resume, search, stats};

use super::config::lost_config;
use super::vault::REPAIRS;
use super::{Line, MOST, Step};

pub(crate) fn list(workspace: &Workspace, report: &list::Report) -> Vec<Step> {
    let first = report.sessions.first().map(|first| first.profile.id.as_str());
    let show = first.map(|id| Line::in_vault(workspace, "show").operand(id));
    let show = show.and_then(|line| line.step("the first of them as a conversation"));
    let is_unkept = report.lacks_vault && !report.sessions.is_empty();
    let init = is_unkept.then(|| Line::in_vault(workspace, "init"));
    let init = init.and_then(|line| line.ask("backs them up, before Claude Code deletes them"));
    init.into_iter().chain(show).chain(look(workspace, report.warnings)).take(MOST).collect()
}

pub(crate) fn search(workspace: &Workspace, report: &search::Report) -> Vec<Step> {
    let (Some(session), Some(hit)) = (report.sessions.first(), report.hits.first()) else {
        return Vec::new();
    };
    let show = Line::in_vault(workspace, "show");
    let show = match &session.path {
        Some(path) => show.file(Path::new(path)),
        None => show.operand(&session.id),
    };
    show.value("--at", Some(&hit.at)).step("opens the best hit").into_iter().collect()
}

pub(crate) fn stats(workspace: &Workspace, report: &stats::Report) -> Vec<Step> {
    look(workspace, report.warnings).into_iter().collect()
}

fn look(workspace: &Workspace, warnings: u64) -> Option<Step> {
    let line = (warnings > 0).then(|| Line::in_dirs(&workspace.dirs, "doctor"));
    line.and_then(|line| line.step("names what is strange in the transcripts"))
}

/// After a session was shown or dumped that only the vault still has.
pub(crate) fn only_kept(workspace: &Workspace, id: &str, only_kept: Option<&OnlyKept>) -> Vec<Step> {
    let Some(OnlyKept { is_damaged, machine, claude_dir }) = only_kept else { return Vec::new() };
    if *is_damaged {
        return repair(workspace);
    }
    let line = Line::in_vault(workspace, "restore").operand(id).value("--machine", machine.as_deref());
    let line = claude_dir.iter().fold(line, |line, own| line.path("--to", own));
    line.step("only the vault still has it; this puts it back for the client").into_iter().collect()
}

/// What keeps sessions goes before what is only strange.
pub(crate) fn doctor(workspace: &Workspace, request: doctor::Request, report: &doctor::Report) -> Vec<Step> {
    let has = |kinds: &[&str]| {
        let mut bad = report.findings.iter().filter(|finding| finding.severity != doctor::Severity::Info);
        bad.any(|finding| kinds.contains(&finding.kind.as_str()))
    };
    let init = has(&["no-vault"]).then(|| Line::in_vault(workspace, "init"));
    let init = init.and_then(|line| line.step("makes a vault and runs the first backup"));
    let mend = has(&["damaged-vault"]).then(|| Line::in_vault(workspace, "verify").flag("--repair", true));
    let mend = mend.and_then(|line| line.step("tries to get back what is gone from the vault"));
    let is_behind = init.is_none() && has(&["at-risk", "not-kept", "failed-run", "overdue-backup"]);
    let sync = is_behind.then(|| Line::in_vault(workspace, "sync"));
    let sync = sync.and_then(|line| line.step("keeps what is not kept yet"));
    let is_new = !report.unknown_types.is_empty() && !request.census;
    let census = is_new.then(|| Line::in_vault(workspace, "doctor").flag("--census", true));
    let census =
        census.and_then(|line| line.step("tells which versions of the client write what is unknown"));
    init.into_iter().chain(mend).chain(sync).chain(census).take(MOST).collect()
}

fn named(name: &KeptName, workspace: &Workspace, verb: &'static str) -> Line {
    let line = Line::in_vault(workspace, verb).operand(&name.id);
    line.value("--machine", name.machine.as_deref()).value("--project", name.project.as_deref())
}

pub(crate) fn kept_list(workspace: &Workspace, report: &restore::list::Report) -> Vec<Step> {
    let line = report.first.as_ref().map(|first| named(first, workspace, "peek"));
    line.and_then(|line| line.step("its first and last messages, to recognise it")).into_iter().collect()
}

/// A transcript that the client has is looked at, and not put back over itself.
pub(crate) fn peek(workspace: &Workspace, request: &peek::Request, report: &peek::Report) -> Vec<Step> {
    if report.warnings.iter().any(restore::is_loss) {
        return repair(workspace);
    }
    let step = match (&report.client_copy, request.generation) {
        (ClientCopy::Gone(own), generation) => {
            let line = named(&report.name, workspace, "restore").number("--generation", generation);
            let line = own.iter().fold(line, |line, own| line.path("--to", own));
            line.step("puts it back, with all that belongs to it")
        }
        (ClientCopy::Live, None) => {
            let line = Line::in_vault(workspace, "show").operand(&report.uuid);
            line.step("the client still has it; this shows all of it")
        }
        (ClientCopy::Live | ClientCopy::Other, _) => None,
    };
    step.into_iter().collect()
}

/// Bytes that are damaged in the vault may be whole elsewhere.
fn repair(workspace: &Workspace) -> Vec<Step> {
    Line::in_vault(workspace, "verify").flag("--repair", true).step(REPAIRS).into_iter().collect()
}

pub(crate) fn restore_one(workspace: &Workspace, request: &one::Request, report: &one::Report) -> Vec<Step> {
    let options = &request.options;
    let step = if report.dry_run {
        let line = named(&report.name, workspace, "restore").number("--generation", request.generation);
        let line = request.cwd.iter().fold(line, |line, cwd| line.path("--cwd", cwd));
        without_dry_run(line, options)
    } else {
        let cwd = report.restored.cwd.as_deref().filter(|cwd| Path::new(cwd).is_dir());
        let command = cwd.map(|_| report.resume.clone());
        let why = "resumes it in the client, in the user's terminal";
        command.map(|command| Step { command, why: why.to_owned(), ask: true })
    };
    step.into_iter().collect()
}

/// After `--dry-run`, as it was asked: a path may be the only name.
pub(crate) fn resume(workspace: &Workspace, request: &resume::Request) -> Vec<Step> {
    let line = Line::in_vault(workspace, "resume");
    let line = request.words.iter().fold(line, |line, word| line.operand(word));
    let line =
        request.cwd.iter().fold(line, |line, cwd| line.path("--cwd", cwd)).flag("--force", request.force);
    line.ask("opens it in the client, in the user's terminal").into_iter().collect()
}

/// A session that is there needs nothing; one that is damaged may be whole elsewhere.
pub(crate) fn restore_all(workspace: &Workspace, request: &all::Request, report: &all::Report) -> Vec<Step> {
    let Filter { project, date, machine, last } = &request.filter;
    let is_damaged = report.skipped.iter().any(|skipped| skipped.reason == all::Reason::Damaged);
    let step = if is_damaged {
        let line = Line::in_vault(workspace, "verify").flag("--repair", true);
        line.step(REPAIRS)
    } else if report.dry_run && (!report.restored.is_empty() || report.others.files > 0) {
        let line = Line::in_vault(workspace, "restore").flag("--all", true);
        let line = line.value("--machine", machine.as_deref()).value("--project", project.as_deref());
        let line = line.number("--date", date.as_ref()).number("--last", last.as_ref());
        without_dry_run(line, &request.options)
    } else {
        None
    };
    let is_whole = !report.dry_run && !request.filter.is_narrow() && request.options.to.is_none();
    let config = if is_whole { lost_config(workspace, machine.as_deref()) } else { Vec::new() };
    step.into_iter().chain(config).take(MOST).collect()
}

fn without_dry_run(line: Line, options: &Options) -> Option<Step> {
    let line = options.to.iter().fold(line, |line, to| line.path("--to", to));
    let rewrites = options.rewrites.iter();
    let line = rewrites.fold(line, |line, rewrite| line.value("--rewrite", Some(&rewrite.to_string())));
    let line = line.flag("--original-times", options.original_times).flag("--force", options.force);
    let line = line.flag("--partial", options.partial);
    if options.force {
        line.ask("writes these files; what is overwritten and not kept yet is kept first")
    } else {
        line.step("writes these files")
    }
}

/// Where everything came along, the originals are only in the way.
pub(crate) fn relocate(
    workspace: &Workspace,
    request: &relocate::Request,
    report: &relocate::Report,
) -> Vec<Step> {
    let is_damaged = report.skipped.iter().any(|skipped| skipped.reason == relocate::Reason::Unkept);
    if is_damaged {
        let line = Line::in_vault(workspace, "verify").flag("--repair", true);
        return line.step("takes again what the vault lacks of the originals").into_iter().collect();
    }
    let line = Line::in_vault(workspace, "move").operand(&report.from).operand(&report.to);
    let rewrites = request.rewrites.iter();
    let line = rewrites.fold(line, |line, rewrite| line.value("--rewrite", Some(&rewrite.to_string())));
    let has_files = report
        .plan
        .as_ref()
        .is_some_and(|plan| plan.files.iter().any(|file| file.action.writes()) || request.remove_originals);
    let step = if report.dry_run {
        let line = line.flag("--remove-originals", request.remove_originals);
        match (has_files, request.remove_originals) {
            (false, _) => None,
            (true, false) => line.step("writes these files"),
            (true, true) => line.ask("writes these files, and deletes the originals once the vault has them"),
        }
    } else if report.ok && !request.remove_originals {
        line.flag("--remove-originals", true)
            .ask("deletes the originals, once the vault has every byte of them")
    } else {
        None
    };
    step.into_iter().collect()
}

/// What takes away what remains, as far as it can be taken away from here.
pub(crate) fn purge(workspace: &Workspace, request: &purge::Request, report: &purge::Report) -> Vec<Step> {
    let remains = |place: &str| report.remaining.iter().any(|remaining| remaining.place == place);
    let again = |live, history| {
        let line = Line::in_vault(workspace, "purge").operand(&report.purged.uuid);
        line.flag("--live", live).flag("--rewrite-history", history).flag("--yes", true)
    };
    let held = report.remaining.iter().any(|remaining| remaining.detail == purge::HELD);
    let send = held.then(|| Line::in_vault(workspace, "sync").flag("--push", true));
    let send = send
        .and_then(|line| line.ask("sends everything, with what looks like secrets in it: a push is held"));
    let live = !request.live
        && (remains("live") || remains("history.jsonl"))
        && !purge::is_running(workspace, &report.purged.uuid);
    let history = remains("git-history") && (held || !request.rewrite_history);
    let wider = again(request.live || live, request.rewrite_history || history);
    if report.dry_run {
        return wider.ask("erases it, with all that can go; nothing brings it back").into_iter().collect();
    }
    let wider = (live || history).then_some(wider);
    let wider = wider.and_then(|line| line.ask(wider_why(live, history)));
    let is_unsent = !held && wider.is_none() && remains("remote");
    let sync = is_unsent.then(|| Line::in_vault(workspace, "sync"));
    let sync = sync.and_then(|line| line.step("removes it at the remote, once that takes it"));
    send.into_iter().chain(wider).chain(sync).collect()
}

fn wider_why(live: bool, history: bool) -> &'static str {
    match (live, history) {
        (true, true) => {
            "deletes the client's files of it too, and makes git forget all history, here and at the remote"
        }
        (true, false) => "deletes the client's files of it, too",
        _ => "makes git forget all history, here and at the remote",
    }
}
