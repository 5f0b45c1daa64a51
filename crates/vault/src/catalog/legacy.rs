//! Files of the original tool → first generations.
//!
//! It kept each transcript as one `.gz`, below `machines/<slug>/projects/` and, before it knew of machines, below
//! `projects/`. These files are read and never rewritten; what a transcript got since continues them.

use std::collections::HashMap;
use std::io::Read;

use jiff::Timestamp;

use super::StoredFile;
use crate::Reason;
use crate::error::Error;
use crate::store::{Entry, Store};
use crate::stream::{Broken, Codec, Segment, Stream};

/// Whether a store holds files of the layout without machines.
pub fn knows_no_machines(store: &dyn Store) -> Result<bool, Error> {
    let is_packed = |entry: &Entry| place(&entry.name, "").is_some();
    Ok(store.list("projects")?.iter().any(is_packed) || store.open("history.jsonl.gz").is_ok())
}

pub(super) fn explain(
    store: &dyn Store,
    entry: &Entry,
    known: &HashMap<&str, (&Segment, &Stream)>,
    original: &str,
) -> Result<Option<StoredFile>, Error> {
    let Some((machine, path, is_old)) = place(&entry.name, original) else { return Ok(None) };
    let content = match known.get(entry.name.as_str()).filter(|(one, _)| one.packed == entry.len) {
        Some((segment, _)) => Ok((*segment).clone()),
        None => measure(store, entry)?,
    };
    // Where both layouts have the file, the one without machines is a stream of its own, so that neither is
    // forgotten. Its name sorts before the other's, which is the newer one.
    let is_second = is_old && machine_has(store, &machine, &path);
    let stream = if is_second { format!("before/{path}") } else { path.clone() };
    let session = session_of(&path);
    Ok(Some(StoredFile { machine, stream, generation: 1, path, session, content }))
}

/// The machine and the file's path, and whether it is of the layout without machines.
fn place(name: &str, original: &str) -> Option<(String, String, bool)> {
    let path = name.strip_suffix(".gz")?;
    let inside = path.strip_prefix("machines/").and_then(|rest| rest.split_once('/'));
    let (machine, path, is_old) = match inside {
        Some((machine, path)) => (machine, path, false),
        None => (original, path, true),
    };
    let is_kept =
        path.strip_prefix("projects/").is_some_and(|rest| rest.contains('/')) || path == "history.jsonl";
    is_kept.then(|| (machine.to_owned(), path.to_owned(), is_old))
}

fn machine_has(store: &dyn Store, machine: &str, path: &str) -> bool {
    store.open(&format!("machines/{machine}/{path}.gz")).is_ok()
}

/// `projects/<dir>/<id>.jsonl`, and files below `projects/<dir>/<id>/`.
pub(super) fn session_of(path: &str) -> Option<String> {
    let inside = path.strip_prefix("projects/")?.split_once('/')?.1;
    let id = match inside.split_once('/') {
        Some((directory, _)) => directory,
        None => inside.strip_suffix(".jsonl").filter(|stem| !stem.starts_with("agent-"))?,
    };
    Some(id.to_owned())
}

/// Gzip writes a zero where it knows no time; the file's own is then the nearest to the truth.
fn modified(seconds: u32, entry: &Entry) -> Timestamp {
    let told = Timestamp::from_second(i64::from(seconds)).ok().filter(|_| seconds > 0);
    told.or_else(|| Timestamp::try_from(entry.modified?).ok()).unwrap_or(Timestamp::UNIX_EPOCH)
}

/// There is no header: only unpacking tells how long it is, and whether it is whole.
fn measure(store: &dyn Store, entry: &Entry) -> Result<Result<Segment, Broken>, Error> {
    let broken = |reason| Ok(Err(Broken::new(&entry.name, (0, 0), entry.len, reason)));
    let reader = match store.open(&entry.name) {
        Ok(reader) => reader,
        Err(gone @ Error::Missing { .. }) => return Err(gone),
        Err(_) => return broken(Reason::Unreadable),
    };
    let mut decoder = flate2::read::MultiGzDecoder::new(std::io::BufReader::new(reader));
    let modified = modified(decoder.header().map_or(0, flate2::GzHeader::mtime), entry);
    let mut buffer = vec![0; 64 << 10];
    let mut len = 0;
    loop {
        match decoder.read(&mut buffer) {
            Ok(0) => break,
            Ok(read) => len += read as u64,
            Err(_) => return broken(Reason::Unpack),
        }
    }
    Ok(Ok(Segment {
        file: entry.name.clone(),
        first: 0,
        last: 0,
        offset: 0,
        len,
        packed: entry.len,
        modified,
        taken: modified,
        chain: 0,
        codec: Codec::Gzip,
    }))
}
