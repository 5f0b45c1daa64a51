//! What is kept, what once was, and what machines say they hold → the files of which the vault has lost something.
//!
//! Told by names and lengths alone; `verify` finds damage inside a segment by reading it.

use std::collections::BTreeMap;

use steno_vault::{Cached, Catalog, Checked, Generation, Lock};

use super::finding::{Advice, Finding, Severity};
use crate::verify::total;
use crate::workspace::Workspace;

#[derive(Debug, Default)]
pub(super) struct Loss {
    /// By machine and path, with the session.
    files: BTreeMap<(String, String), Option<String>>,
    /// Where only a total tells that something is missing.
    total: Option<String>,
}

pub(super) fn look(workspace: &Workspace, cached: &Cached, catalog: &Catalog) -> Loss {
    let is_broken = |generation: &Generation| !generation.is_contiguous();
    let broken = catalog.streams().filter(|(_, _, stream)| stream.generations.iter().any(is_broken));
    let file = |machine: &str, path: &str| (machine.to_owned(), path.to_owned());
    let broken = broken.map(|(machine, _, stream)| (file(machine, &stream.path), stream.session.clone()));
    let mut loss = Loss { files: broken.collect(), total: None };
    let missing = cached.vanished(catalog);
    let gone = missing.iter().map(|damage| (file(&damage.machine, &damage.path), damage.session.clone()));
    let gone: Vec<_> = gone.collect();
    let (totals, _) = total::compare(cached.store(), catalog, &Checked { missing, ..Checked::default() });
    // A process at work moves files, and writes the totals last.
    if Lock::holder(&workspace.vault).is_none() {
        loss.files.extend(gone);
        loss.total = totals.into_iter().next().map(|damage| damage.detail);
    }
    loss
}

impl Loss {
    pub(super) fn finding(&self, workspace: &Workspace) -> Option<Finding> {
        let (message, session) = match (self.files.iter().next(), &self.total) {
            (Some(((_, path), session)), _) => {
                (format!("bytes are missing from the vault, for example of {path}"), session.clone())
            }
            (None, Some(total)) => (format!("files are missing from the vault: {total}"), None),
            (None, None) => return None,
        };
        let count = (self.files.len() as u64).max(1);
        let finding =
            Finding::new(Severity::Error, "damaged-vault", message).at(&workspace.vault).times(count);
        Some(Finding { session, ..finding }.helped_by(Advice::Repair))
    }

    /// Whether something that was kept of the session is gone.
    pub(super) fn concerns(&self, session: &str) -> bool {
        self.files.values().any(|own| own.as_deref() == Some(session))
    }
}
