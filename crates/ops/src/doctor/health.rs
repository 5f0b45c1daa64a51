//! The vault's directory → what can be told without reading what it keeps. `verify` reads all of it.

use std::fs::{self, File, TryLockError};
use std::io::Read;

use super::finding::{Finding, Severity};
use super::loss::Loss;
use crate::custody::{Custody, Opened};
use crate::next::Line;

/// Where bytes stand before they have a name, and who changes the vault now.
const UNFINISHED: &str = ".cache/new";
const LOCK: &str = ".lock";

pub(super) fn findings(custody: &Custody, opened: &Opened, loss: &Loss) -> Vec<Finding> {
    let sync = Line::in_vault(custody, "sync");
    let mut findings: Vec<Finding> = opened.warnings.iter().map(Finding::of).collect();
    for finding in findings.iter_mut().filter(|finding| finding.kind == "lost-document") {
        finding.help = sync.step("").map(|step| step.command);
    }
    if opened.identity.is_none() && findings.is_empty() {
        let message =
            "it was made by the original tool; the next backup takes it over and changes nothing in it";
        let finding = Finding::new(Severity::Info, "original-vault", message).at(&custody.vault);
        findings.push(finding.helped_by(&sync));
    }
    findings.extend(loss.finding(custody));
    match holder(custody) {
        Some(holder) => {
            let message = format!("another process is changing it: {holder}");
            findings.push(Finding::new(Severity::Info, "vault-busy", message).at(&custody.vault));
        }
        None => findings.extend(unfinished(custody).map(|finding| finding.helped_by(&sync))),
    }
    let is_read_only = custody.vault.metadata().is_ok_and(|metadata| metadata.permissions().readonly());
    if is_read_only {
        let message = "it may not be written to: nothing more can be kept in it";
        findings.push(Finding::new(Severity::Warning, "read-only-vault", message).at(&custody.vault));
    }
    findings
}

/// Who holds the vault's lock, by its own words.
pub(super) fn holder(custody: &Custody) -> Option<String> {
    let file = File::open(custody.vault.join(LOCK)).ok()?;
    match file.try_lock_shared() {
        Err(TryLockError::WouldBlock) => {
            let mut text = String::new();
            let _ = file.take(300).read_to_string(&mut text);
            Some(text.trim().to_owned())
        }
        _ => None,
    }
}

/// What a killed process left behind.
fn unfinished(custody: &Custody) -> Option<Finding> {
    let directory = custody.vault.join(UNFINISHED);
    let left = fs::read_dir(&directory).ok()?.flatten();
    let count = left.filter_map(|entry| fs::read_dir(entry.path()).ok()).map(Iterator::count).sum::<usize>();
    let message = "a backup was interrupted; nothing that was kept is lost, and the next one clears up";
    let finding = Finding::new(Severity::Info, "interrupted-work", message).at(&directory);
    (count > 0).then(|| finding.times(count as u64))
}
