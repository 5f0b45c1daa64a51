//! What the user of a vault wishes for → its scheduler, and its manifest, which remembers the wish.

use super::{Every, Report, Request, apply, plan};
use crate::custody::Custody;
use crate::error::Error;
use crate::{next, warning};

#[derive(Debug, Clone, Copy, Default)]
pub struct Choice {
    /// None for `off`.
    pub every: Option<Every>,
    /// Disable the original tool's job, which deletes what it should keep.
    pub replace_original: bool,
    pub dry_run: bool,
}

/// A job is possible without a vault: its first run makes none, and says so.
pub fn choose(custody: &Custody, choice: Choice) -> Result<Report, Error> {
    let library = &custody.library;
    let request = Request {
        every: choice.every,
        vault: (!custody.is_default_vault).then(|| custody.vault.clone()),
        claude_dirs: if library.is_default { Vec::new() } else { library.claude_dirs.clone() },
        replace_original: choice.replace_original,
    };
    let plan = plan(&custody.schedule, &request)?;
    if choice.dry_run {
        let report = plan.preview(&custody.schedule);
        return Ok(Report { next: next::schedule(custody, choice, true), ..report });
    }
    let mut report = apply(&custody.schedule, &plan)?;
    let has_vault = custody.look().map_or(true, |opened| opened.is_some());
    report.next = next::schedule(custody, choice, has_vault);
    if let Err(error) = remember(custody, choice.every) {
        report.warnings.push(warning::at(&custody.vault, "not-remembered", error.to_string()));
    }
    Ok(report)
}

/// The scheduler itself knows best, so a vault that cannot be written to stands against nothing.
fn remember(custody: &Custody, every: Option<Every>) -> Result<(), Error> {
    let every = every.map(|every| every.name().to_owned());
    if custody.look()?.is_none_or(|opened| opened.manifest.schedule == every) {
        return Ok(());
    }
    custody.restate(|manifest| manifest.schedule = every)
}
