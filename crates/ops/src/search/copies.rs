//! Files that only repeat another file of their session → left out of what was found.
//!
//! `move` and `restore --cwd` copy a session to another project, where the client finds it. A transcript only grows, so
//! a file repeats another one where that one has its last record.

use std::collections::HashMap;
use std::ops::ControlFlow;

use memchr::memmem::Finder;
use steno_transcript::{Shape, split};

use super::{FileFinds, session_of};
use crate::reading::Stretch;
use crate::sessions::ListedFile;

/// So much of a file's end has its last record; a longer one is taken to be no copy.
const END: u64 = 1024 * 1024;

/// Of several files of one name and session, those that `show` does not open go, where it opens all that they have.
pub(super) fn leave_out(items: &[ListedFile<'_>], files: &mut Vec<FileFinds>) {
    let mut first: HashMap<(String, String), &ListedFile<'_>> = HashMap::new();
    // In the order of the items, the session's own file is before its copies.
    let mut found: Vec<usize> = files.iter().filter(|file| file.count > 0).map(|file| file.item).collect();
    found.sort_unstable();
    found.dedup();
    let mut copies = Vec::new();
    for place in found {
        let Some(item) = items.get(place).filter(|item| item.is_transcript()) else { continue };
        let name = (session_of(item).into_owned(), item.name());
        match first.get(&name) {
            None => drop(first.insert(name, item)),
            Some(own) if has_end_of(own, item) => copies.push(place),
            Some(_) => {}
        }
    }
    files.retain(|file| !copies.contains(&file.item));
}

/// Whether a file has the last record of another one.
fn has_end_of(own: &ListedFile<'_>, copy: &ListedFile<'_>) -> bool {
    let Some(last) = last_uuid(copy) else { return false };
    let finder = Finder::new(&last);
    let mut is_there = false;
    let _ = own.read(Stretch::WHOLE, |lines| {
        is_there = lines.next_with(|bytes| finder.find(bytes))?.is_some();
        Ok(())
    });
    is_there
}

fn last_uuid(item: &ListedFile<'_>) -> Option<String> {
    let mut last = None;
    let stretch = Stretch { from: item.size().saturating_sub(END), ..Stretch::WHOLE };
    let _ = item.read(stretch, |lines| {
        while let Some(line) = lines.next_line()? {
            let _ = split(line, &mut |piece| {
                if let Shape::Record(record) = &piece.shape {
                    last = record.envelope.uuid.as_deref().map(str::to_owned).or(last.take());
                }
                ControlFlow::Continue(())
            });
        }
        Ok(())
    });
    last
}
