//! Kept files → the same files encrypted, or encrypted for other recipients.
//!
//! The new file is durable before the old one goes. After a kill every name is there in one of the two
//! forms, and the next run goes on.

use std::collections::BTreeSet;

use crate::encryption::{is_object, stays_plain};
use crate::error::Error;
use crate::store::{Existing, Store, VaultStore};

/// How many bytes are held in memory before they are made durable.
const ROUND: u64 = 64 << 20;

/// The outcome.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reencrypted {
    /// How many files were encrypted.
    pub files: u64,
    /// Plain files beside objects that hold something else: both stay, and only the object counts.
    pub differing: Vec<String>,
}

/// Encrypts wanted files, chosen by name and whether they are plain. `from` opens them, `to` is the same directory
/// with the new encryption, and remembers what it encrypted.
pub fn reencrypt(
    from: &VaultStore,
    to: &VaultStore,
    is_wanted: &dyn Fn(&str, bool) -> bool,
    progress: &dyn Fn(u64),
) -> Result<Reencrypted, Error> {
    let files = from.files();
    let mut batch = to.batch()?;
    let mut outdated = Vec::new();
    let (mut reencrypted, mut held) = (Reencrypted::default(), 0);
    for entry in from.list("")? {
        let name = entry.name.as_str();
        let is_plain = files.root().join(name).is_file();
        if stays_plain(name) || is_object(name) || !is_wanted(name, is_plain) {
            continue;
        }
        let bytes = from.read(name)?;
        batch.put(name, &bytes, Existing::Replace)?;
        if is_plain && files.read(name)? != bytes {
            reencrypted.differing.push(name.to_owned());
        } else if is_plain {
            outdated.push(name.to_owned());
        }
        outdated.extend(former_files(from, to, name));
        (reencrypted.files, held) = (reencrypted.files + 1, held + entry.len);
        progress(entry.len);
        if held > ROUND {
            std::mem::replace(&mut batch, to.batch()?).commit()?;
            remove(files, &mut outdated)?;
            held = 0;
        }
    }
    batch.commit()?;
    remove(files, &mut outdated)?;
    Ok(reencrypted)
}

/// Its objects under other names than its new one.
fn former_files(from: &VaultStore, to: &VaultStore, name: &str) -> BTreeSet<String> {
    let object = to.next_file_of(name);
    let mut former: BTreeSet<String> = to.former_files_of(name).collect();
    former.insert(from.file_of(name).into_owned());
    former.retain(|file| *file != object && file != name && to.root().join(file).is_file());
    former
}

fn remove(files: &dyn Store, outdated: &mut Vec<String>) -> Result<(), Error> {
    let batch = files.batch()?;
    for name in outdated.drain(..) {
        batch.remove(&name)?;
    }
    batch.commit()
}
