//! Every file as it was when all texts were indexed ↔ bytes.
//!
//! Mostly nothing has changed since, and then nobody has to read a row for each of thousands of files to know it. Whatever
//! is new, gone or not as it was is the rows' business.

use std::collections::{HashMap, HashSet};
use std::hash::BuildHasher;

use foldhash::fast::RandomState;
use foldhash::quality::FixedState;
use steno_index::{FileId, Places};
use steno_source::nanoseconds;

use crate::memory::stamp;
use crate::stock::{Item, Source};

/// Of numbers of eight bytes.
const LINE: usize = 4;

/// What every file was like.
#[derive(Debug)]
pub(in crate::memory) struct Roll {
    /// In the order of the items that they were.
    lines: Vec<Line>,
    /// How many files could not be read to their end.
    unread: usize,
}

/// A file, and what it was like.
#[derive(Debug)]
struct Line {
    /// Of its path: no two files will ever have the same.
    name: u64,
    file: FileId,
    look: Look,
}

/// What changes with whatever is written to a file: its length, and its time or the state that is kept of it.
#[derive(Debug, PartialEq, Eq)]
struct Look(u64, u64);

impl Roll {
    /// Nothing where they are not what [`written`] wrote.
    pub(in crate::memory) fn read(bytes: &[u8]) -> Option<Self> {
        let (numbers, []) = bytes.as_chunks::<8>() else { return None };
        let (unread, lines) = numbers.split_first()?;
        let (lines, []) = lines.as_chunks::<LINE>() else { return None };
        let line = |line: &[[u8; 8]; LINE]| {
            let [name, file, len, state] = line.map(u64::from_le_bytes);
            Line { name, file: FileId(file), look: Look(len, state) }
        };
        let unread = usize::try_from(u64::from_le_bytes(*unread)).ok()?;
        Some(Self { lines: lines.iter().map(line).collect(), unread })
    }

    /// The places of the items, and how many files could not be read to their end; nothing where these are not the same
    /// files, or one of them is not as it was.
    pub(super) fn call(&self, items: &[Item<'_>]) -> Option<(Places, usize)> {
        if items.len() != self.lines.len() {
            return None;
        }
        let names: Vec<u64> = items.iter().map(name_of).collect();
        let is_in_order = self.lines.iter().zip(&names).all(|(line, name)| line.name == *name);
        let by_name: HashMap<u64, &Line, RandomState> = match is_in_order {
            true => HashMap::default(),
            false => self.lines.iter().map(|line| (line.name, line)).collect(),
        };
        let mut places = Places::default();
        for (place, ((item, name), line)) in items.iter().zip(&names).zip(&self.lines).enumerate() {
            let line = if is_in_order { line } else { by_name.get(name)? };
            if line.look != Look::of(item) {
                return None;
            }
            places.insert(line.file, place);
        }
        (places.count() == items.len()).then_some((places, self.unread))
    }
}

/// Nothing where not every item is a file of its own to the engine.
pub(super) fn written(items: &[Item<'_>], files: &[Option<FileId>], unread: usize) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity((1 + items.len() * LINE) * 8);
    bytes.extend((unread as u64).to_le_bytes());
    for (item, file) in items.iter().zip(files) {
        let Look(len, state) = Look::of(item);
        let line = [name_of(item), (*file)?.0, len, state];
        line.iter().for_each(|number| bytes.extend(number.to_le_bytes()));
    }
    let names: HashSet<u64, RandomState> = items.iter().map(name_of).collect();
    let known: HashSet<FileId, RandomState> = files.iter().flatten().copied().collect();
    [files.len(), names.len(), known.len()].iter().all(|count| *count == items.len()).then_some(bytes)
}

impl Look {
    fn of(item: &Item<'_>) -> Self {
        Self(
            item.size(),
            match &item.source {
                Source::Live { modified, .. } => nanoseconds(*modified).cast_unsigned(),
                Source::Kept { stream, .. } => FixedState::default().hash_one(stamp::of_kept(stream)),
            },
        )
    }
}

fn name_of(item: &Item<'_>) -> u64 {
    match item.source {
        // Whether it is text takes longer to find out.
        Source::Live { path, .. } => FixedState::default().hash_one(path.as_os_str().as_encoded_bytes()),
        Source::Kept { .. } => FixedState::default().hash_one(item.key().as_bytes()),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::time::{Duration, UNIX_EPOCH};

    use super::*;
    use crate::stock::Form;

    fn item(path: &'static str, len: u64, seconds: u64) -> Item<'static> {
        let modified = UNIX_EPOCH + Duration::from_secs(seconds);
        let source = Source::Live { path: Path::new(path), len, modified };
        Item { session: None, is_agent: false, form: Form::Records, source }
    }

    fn noted() -> (Vec<Item<'static>>, Roll) {
        let items = vec![item("/a", 1, 10), item("/b", 2, 20), item("/c", 0, 0)];
        let files = [7, 3, 9].map(|file| Some(FileId(file)));
        let roll = Roll::read(&written(&items, &files, 2).unwrap()).unwrap();
        (items, roll)
    }

    #[test]
    fn files_that_are_as_they_were_are_told_in_any_order() {
        let (mut items, roll) = noted();
        items.reverse();
        let (places, unread) = roll.call(&items).unwrap();
        assert_eq!([7, 3, 9].map(|file| places.get(FileId(file))), [Some(2), Some(1), Some(0)]);
        assert_eq!(unread, 2);
    }

    #[test]
    fn whatever_changed_is_not_told() {
        let (items, roll) = noted();
        let with = |place: usize, other: Item<'static>| {
            let mut items = items.clone();
            items.splice(place..=place, [other]);
            items
        };
        assert!(roll.call(&with(0, item("/a", 2, 10))).is_none(), "it grew");
        assert!(roll.call(&with(0, item("/a", 1, 11))).is_none(), "it was touched");
        assert!(roll.call(&with(0, item("/d", 1, 10))).is_none(), "it moved");
        assert!(roll.call(&items[1..]).is_none(), "one is gone");
        assert!(roll.call(&[&items[..], &[item("/d", 1, 1)]].concat()).is_none(), "one is new");
        assert!(roll.call(&[&items[..], &items[..1]].concat()).is_none(), "one is there twice");
        assert!(roll.call(&with(1, items[0].clone())).is_none(), "one is there in another's place");
        let before =
            Source::Live { path: Path::new("/c"), len: 0, modified: UNIX_EPOCH - Duration::from_secs(1) };
        assert!(roll.call(&with(2, Item { source: before, ..items[2].clone() })).is_none());
    }

    #[test]
    fn what_was_not_written_here_is_nothing() {
        let (items, _) = noted();
        assert!(written(&items, &[Some(FileId(1)), None, Some(FileId(2))], 0).is_none());
        assert!(written(&items, &[Some(FileId(1))], 0).is_none());
        assert!(written(&items, &[1, 2, 1].map(|file| Some(FileId(file))), 0).is_none());
        let twins = [items[0].clone(), items[0].clone()];
        assert!(written(&twins, &[1, 2].map(|file| Some(FileId(file))), 0).is_none());
        let bytes = written(&items, &[1, 2, 3].map(|file| Some(FileId(file))), 0).unwrap();
        let cut = (0..bytes.len()).filter(|end| Roll::read(&bytes[..*end]).is_some());
        assert!(
            cut.into_iter().all(|end| end % (LINE * 8) == 8),
            "and its checksum is the database's business"
        );
        let twice = Roll::read(&[&bytes[..], &bytes[8..]].concat()).unwrap();
        assert!(twice.call(&[&items[..], &items[..]].concat()).is_none(), "the same twice");
    }
}
