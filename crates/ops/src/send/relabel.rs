//! Another machine has our name in the remote → a name of our own.

use std::fs;

use steno_vault::{Existing, Store, Writer};

use crate::error::{Error, ErrorKind};
use crate::workspace::{Vault, Workspace, random_id};

/// How many bytes are held in memory at a time.
const ROUND: u64 = 64 << 20;

/// Everything of this machine moves along; nothing was sent under the old name.
pub(super) fn relabel(workspace: &Workspace, vault: &mut Vault, writer: &mut Writer) -> Result<(), Error> {
    let new = format!("{}-{}", vault.slug(), random_id().get(..4).unwrap_or_default());
    vault.manifest.next_slug.get_or_insert(new);
    // Should this run be killed, the next one has to know where things are.
    vault.manifest.write(&workspace.vault)?;
    finish(workspace, vault, writer)
}

/// What was begun, here or in a run that was killed.
pub(crate) fn finish(workspace: &Workspace, vault: &mut Vault, writer: &mut Writer) -> Result<(), Error> {
    let Some(new) = vault.manifest.next_slug.clone() else { return Ok(()) };
    let old = vault.slug().to_owned();
    if vault.store.is_encrypted() {
        seal_again(writer, &old, &new)?
    } else {
        rename(workspace, &old, &new)?
    }
    vault.manifest.next_slug = None;
    vault.manifest.machine_slug.clone_from(&new);
    for home in &mut vault.manifest.homes {
        home.slug = home.slug.replacen(&old, &new, 1);
    }
    let ledgers = std::mem::take(&mut vault.manifest.ledgers).into_iter();
    vault.manifest.ledgers = ledgers.map(|(name, end)| (name.replacen(&old, &new, 1), end)).collect();
    vault.manifest.write(&workspace.vault)?;
    vault.store = vault.store.clone().of_machine(&new);
    writer.rename(&new)?;
    Ok(())
}

fn rename(workspace: &Workspace, old: &str, new: &str) -> Result<(), Error> {
    let machines = workspace.vault.join("machines");
    if machines.join(new).exists() && !machines.join(old).exists() {
        return Ok(());
    }
    fs::rename(machines.join(old), machines.join(new)).map_err(|error| {
        Error::new(ErrorKind::Io, format!("cannot rename {}: {error}", machines.join(old).display()))
            .hint("can you write to the vault's directory?")
    })
}

/// A sealed file is bound to its name. What has moved already, in a run that was killed, stays.
fn seal_again(writer: &Writer, old: &str, new: &str) -> Result<(), Error> {
    let (from, to) = (format!("machines/{old}/"), format!("machines/{new}/"));
    let store = writer.store();
    let mut batch = store.batch()?;
    let mut held = 0;
    for entry in store.list(&format!("machines/{old}"))? {
        let name = entry.name.replacen(&from, &to, 1);
        batch.put(&name, &store.read(&entry.name)?, Existing::Replace)?;
        batch.remove(&entry.name)?;
        held += entry.len;
        if held > ROUND {
            std::mem::replace(&mut batch, store.batch()?).commit()?;
            held = 0;
        }
    }
    Ok(batch.commit()?)
}
