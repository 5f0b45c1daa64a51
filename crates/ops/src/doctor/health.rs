//! The vault's directory → what can be told without reading what it keeps. `verify` reads all of it.

use std::fs;

use steno_vault::Lock;

use super::finding::{Advice, Finding, Severity};
use super::loss::Loss;
use crate::workspace::{Vault, Workspace};

/// Where bytes stand before they have a name.
const UNFINISHED: &str = ".cache/new";

pub(super) fn findings(workspace: &Workspace, vault: &Vault, loss: &Loss) -> Vec<Finding> {
    let mut findings: Vec<Finding> = vault.warnings.iter().map(Finding::of).collect();
    for finding in findings.iter_mut().filter(|finding| finding.kind == "lost-document") {
        finding.advice = Some(Advice::Sync);
    }
    if vault.identity.is_none() && findings.is_empty() {
        let message =
            "it was made by the original tool; the next backup takes it over and changes nothing in it";
        let finding = Finding::new(Severity::Info, "original-vault", message).at(&workspace.vault);
        findings.push(finding.helped_by(Advice::Sync));
    }
    findings.extend(loss.finding(workspace));
    match Lock::holder(&workspace.vault) {
        Some(holder) => {
            let message = format!("another process is changing it: {holder}");
            findings.push(Finding::new(Severity::Info, "vault-busy", message).at(&workspace.vault));
        }
        None => findings.extend(unfinished(workspace).map(|finding| finding.helped_by(Advice::Sync))),
    }
    let is_read_only = workspace.vault.metadata().is_ok_and(|metadata| metadata.permissions().readonly());
    if is_read_only {
        let message = "it is read-only: nothing more can be backed up to it";
        findings.push(Finding::new(Severity::Warning, "read-only-vault", message).at(&workspace.vault));
    }
    findings
}

/// What a killed process left behind.
fn unfinished(workspace: &Workspace) -> Option<Finding> {
    let directory = workspace.vault.join(UNFINISHED);
    let left = fs::read_dir(&directory).ok()?.flatten();
    let count = left.filter_map(|entry| fs::read_dir(entry.path()).ok()).map(Iterator::count).sum::<usize>();
    let message = "a backup was interrupted; nothing backed up is lost, and the next backup cleans up";
    let finding = Finding::new(Severity::Info, "interrupted-work", message).at(&directory);
    (count > 0).then(|| finding.times(count as u64))
}
