//! What the user of a vault wishes for → its scheduler, and its manifest, which remembers the wish.

use super::{Every, Report, Request, State, apply, plan, state};
use crate::error::Error;
use crate::warning;
use crate::workspace::Workspace;

#[derive(Debug, Clone, Copy, Default)]
pub struct Choice {
    /// None for `off`.
    pub every: Option<Every>,
    /// Disable the original tool's job, which deletes what it should keep.
    pub replace_original: bool,
    pub dry_run: bool,
}

/// What is set now.
pub fn show(workspace: &Workspace) -> Result<Report, Error> {
    let standing = state(&workspace.schedule);
    let vault = workspace.look()?;
    let every = vault.as_ref().and_then(|vault| Every::parse(vault.manifest.schedule.as_deref()?));
    Ok(Report {
        ok: true,
        scheduler: standing.state,
        every: every.filter(|_| standing.state == State::Active),
        kind: standing.kind,
        dry_run: false,
        steps: Vec::new(),
        warnings: standing.warnings,
        lacks_vault: vault.is_none(),
    })
}

/// A job is possible without a vault: its first run makes none, and says so.
pub fn choose(workspace: &Workspace, choice: Choice) -> Result<Report, Error> {
    let dirs = &workspace.dirs;
    let request = Request {
        every: choice.every,
        vault: (!workspace.is_default_vault).then(|| workspace.vault.clone()),
        claude_dirs: if dirs.is_default { Vec::new() } else { dirs.paths.clone() },
        replace_original: choice.replace_original,
    };
    let plan = plan(&workspace.schedule, &request)?;
    if choice.dry_run {
        return Ok(plan.preview(&workspace.schedule));
    }
    let mut report = apply(&workspace.schedule, &plan)?;
    report.lacks_vault = workspace.look().is_ok_and(|vault| vault.is_none());
    if let Err(error) = remember(workspace, choice.every) {
        report.warnings.push(warning::at(&workspace.vault, "not-remembered", error.to_string()));
    }
    Ok(report)
}

/// The scheduler itself knows best: a vault that cannot be written to is a warning only.
fn remember(workspace: &Workspace, every: Option<Every>) -> Result<(), Error> {
    let every = every.map(|every| every.name().to_owned());
    if workspace.look()?.is_none_or(|vault| vault.manifest.schedule == every) {
        return Ok(());
    }
    workspace.restate(|manifest| manifest.schedule = every)
}
