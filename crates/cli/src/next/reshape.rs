//! After a session was cloned or checked: how to go on with it.

use std::path::Path;

use steno_ops::clone::{Cloned, Report, Request, Summary, Wanted};
use steno_ops::{Workspace, check};

use super::{Line, Step};
use crate::args::named::word;

pub(crate) fn clone(workspace: &Workspace, request: &Request, report: &Report) -> Vec<Step> {
    if report.dry_run {
        return again(workspace, request)
            .step("writes the clone; the original stays as it is")
            .into_iter()
            .collect();
    }
    let is_there = report.cloned.cwd.as_deref().is_some_and(|cwd| Path::new(cwd).is_dir());
    is_there.then(|| resume(report.go_on.clone())).into_iter().collect()
}

pub(crate) fn check(workspace: &Workspace, request: &check::Request, report: &check::Report) -> Vec<Step> {
    let fix = || Line::in_vault(workspace, "check").operand(&request.session).flag("--fix", true);
    let is_open = report.needs_fixing() && (report.fixed.is_none() || report.dry_run);
    let fix = is_open.then(|| fix().step("writes a clone that is resumed; the original stays as it is"));
    let is_there = |cloned: &Cloned| cloned.cwd.as_deref().is_some_and(|cwd| Path::new(cwd).is_dir());
    let mended = report.fixed.as_ref().is_some_and(is_there) && !report.dry_run;
    let mended = report.resume.clone().filter(|_| mended).map(resume);
    fix.flatten().into_iter().chain(mended).collect()
}

fn resume(command: String) -> Step {
    Step { command, why: "resumes it in the client, in the user's terminal".to_owned(), ask: true }
}

/// The same command, this time for good.
fn again(workspace: &Workspace, request: &Request) -> Line {
    let Wanted { at, turns, strip, keep_recent, truncate, preset, compress_before } = &request.wanted;
    let line = Line::in_vault(workspace, "clone").operand(&request.session);
    let line = line.value("--at", at.as_deref()).number("--turns", turns.as_ref());
    let line = strip.iter().fold(line, |line, strip| line.value("--strip", Some(&word(strip))));
    let line = line.number("--keep-recent", keep_recent.as_ref()).number("--truncate", truncate.as_ref());
    let line = line.value("--preset", preset.map(word).as_deref());
    let line = line.number("--compress-before", compress_before.as_ref());
    let line = match &request.summary {
        Summary::Digest => line,
        Summary::File(path) => line.path("--summary", path),
        Summary::Command(command) => line.value("--summarize", Some(command)),
    };
    let line = request.cwd.iter().fold(line, |line, cwd| line.path("--cwd", cwd));
    let rewrites = request.rewrites.iter();
    let line = rewrites.fold(line, |line, rewrite| line.value("--rewrite", Some(&rewrite.to_string())));
    request.to.iter().fold(line, |line, to| line.path("--to", to))
}
