//! Another machine has our name in the remote → a name of our own.

use std::fs;

use steno_vault::Writer;

use crate::custody::{Custody, Opened, random_id};
use crate::error::{Error, ErrorKind};

/// Everything of this machine moves along; nothing was sent under the old name.
pub(super) fn relabel(custody: &Custody, opened: &mut Opened, writer: &mut Writer) -> Result<(), Error> {
    let old = opened.slug().to_owned();
    let new = format!("{old}-{}", random_id().get(..4).unwrap_or_default());
    let machines = custody.vault.join("machines");
    fs::rename(machines.join(&old), machines.join(&new)).map_err(|error| {
        Error::new(ErrorKind::Io, format!("cannot rename {}: {error}", machines.join(&old).display()))
            .hint("can you write to the vault's directory?")
    })?;
    opened.manifest.machine_slug.clone_from(&new);
    for home in &mut opened.manifest.homes {
        home.slug = home.slug.replacen(&old, &new, 1);
    }
    opened.manifest.write(&custody.vault)?;
    writer.rename(&new)?;
    Ok(())
}
