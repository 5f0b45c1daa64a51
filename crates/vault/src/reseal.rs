//! What is kept in one form → the same in another: plain, encrypted, or encrypted for somebody else.
//!
//! The new file is durable before the old one goes. Whoever is killed on the way finds every name in one of the two
//! forms, and goes on where it was.

use crate::error::Error;
use crate::seal::{is_object, stays_plain};
use crate::store::{Chest, Existing, Store};

/// How many bytes are held in memory before they are made durable.
const ROUND: u64 = 64 << 20;

/// Seals what is wanted, by its name and whether it is plain. `from` opens it, `to` is the same directory with the new
/// seal, and remembers what it sealed. Gives the number of files.
pub fn reseal(
    from: &Chest,
    to: &Chest,
    is_wanted: &dyn Fn(&str, bool) -> bool,
    progress: &dyn Fn(u64),
) -> Result<u64, Error> {
    let files = from.files();
    let mut batch = to.batch()?;
    let mut outdated = Vec::new();
    let (mut count, mut held) = (0, 0);
    for entry in from.list("")? {
        let name = entry.name.as_str();
        let is_plain = files.root().join(name).is_file();
        if stays_plain(name) || is_object(name) || !is_wanted(name, is_plain) {
            continue;
        }
        batch.put(name, &from.read(name)?, Existing::Replace)?;
        let (standing, object) = (from.file_of(name), to.file_of(name));
        if standing != object && files.root().join(&*standing).is_file() {
            outdated.push(standing.into_owned());
        }
        if is_plain && outdated.last().is_none_or(|last| last != name) {
            outdated.push(name.to_owned());
        }
        (count, held) = (count + 1, held + entry.len);
        progress(entry.len);
        if held > ROUND {
            std::mem::replace(&mut batch, to.batch()?).commit()?;
            remove(files, &mut outdated)?;
            held = 0;
        }
    }
    batch.commit()?;
    remove(files, &mut outdated)?;
    Ok(count)
}

fn remove(files: &dyn Store, outdated: &mut Vec<String>) -> Result<(), Error> {
    let batch = files.batch()?;
    for name in outdated.drain(..) {
        batch.remove(&name)?;
    }
    batch.commit()
}
