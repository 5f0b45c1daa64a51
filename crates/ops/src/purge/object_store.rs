//! A session that is gone from the vault → gone from the object store, and from the machines that took it from there.

use std::path::Path;

use steno_vault::Catalog;
use steno_vault::remote::Outcome;

use super::history::HISTORY;
use super::sent::{Gone, HELD};
use super::{Remaining, Report};
use crate::error::Error;
use crate::machine::{machines, root_of};
use crate::remote_vault;
use crate::send::{self, ObjectRemote};
use crate::warning;
use crate::workspace::{Vault, Workspace};

/// Before anything goes: what is missing without a word is taken from the remote again. Lists of prompts that stay are
/// found to be there, and count as if nothing had been said.
pub(super) fn record_gone(vault: &Vault, catalog: &Catalog, files: &[String]) -> Result<(), Error> {
    if !vault.has_object_store() {
        return Ok(());
    }
    let own =
        catalog.streams().filter(|(machine, _, stream)| vault.is_own(machine) && stream.path == HISTORY);
    let prompts = own.flat_map(|(_, _, stream)| stream.files()).map(str::to_owned);
    let own = catalog.machines.iter().filter(|(machine, _)| vault.is_own(machine));
    let ledgers = own.flat_map(|(_, kept)| kept.ledger_files()).map(str::to_owned);
    let names: Vec<String> = files.iter().cloned().chain(prompts).chain(ledgers).collect();
    send::record_gone(vault, &names)
}

/// The caller holds the vault's lock.
pub(super) fn settle(
    workspace: &Workspace,
    vault: &Vault,
    gone: &Gone<'_>,
    report: &mut Report,
) -> Result<(), Error> {
    if vault.manifest.sent.is_none() {
        return Ok(());
    }
    if !gone.is_open {
        report.remaining.push(Remaining::new("remote", HELD));
        return Ok(());
    }
    let names: Vec<String> = gone.files.iter().chain(gone.prompts).cloned().collect();
    send::record_gone(vault, &names)?;
    let url = vault.manifest.remote.as_deref().unwrap_or_default();
    let remote = match remote_vault::object_store(workspace, &vault.manifest, url) {
        Ok(remote) => remote,
        Err(error) => {
            report.remaining.push(later(&error.to_string()));
            return Ok(());
        }
    };
    let done = ObjectRemote { workspace, vault, remote: &remote, full: false }.sync()?;
    report.warnings.extend(
        done.warnings.iter().map(|one| warning::at(Path::new(&one.path), "remote", one.message.clone())),
    );
    match done.outcome.failure() {
        None => report.remaining.extend(copies(vault)),
        // Nothing of this machine is there.
        Some(_) if done.outcome == Outcome::SlugTaken => {}
        Some(reason) => report.remaining.push(later(reason)),
    }
    Ok(())
}

fn later(reason: &str) -> Remaining {
    Remaining::new("remote", format!("the next sync removes it there: {reason}"))
}

/// Other machines that took from the same store.
fn copies(vault: &Vault) -> Vec<Remaining> {
    let names = machines(&vault.store).unwrap_or_default();
    let mut others: Vec<&str> = names.iter().map(|name| root_of(name)).collect();
    others.retain(|name| *name != vault.slug());
    others.dedup();
    let detail = "its copy of the vault has the session until its next sync";
    others.into_iter().map(|slug| Remaining::new(format!("machine:{slug}"), detail)).collect()
}
