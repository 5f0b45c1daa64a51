//! Ids and parents of the records of a file → ids of two different records, parents that are missing, and circles.

use std::hash::BuildHasher;

use foldhash::fast::FixedState;
use steno_transcript::{Kind, Record};

use super::{Fault, fault, number, short};
use crate::circle::circles;

/// The numbers that are kept of a record. There may be millions of records.
#[derive(Debug, Clone, Copy)]
struct Link {
    id: u64,
    /// 0 for none.
    parent: u64,
    line: u32,
    /// A hash of type and time: equal for a record that is written again, not for another one with its id.
    moment: u32,
}

#[derive(Debug, Default)]
pub(super) struct Links {
    /// In file order, until the end.
    links: Vec<Link>,
    /// The last message outside sidechains, and the last of all.
    last_own: u64,
    last: u64,
}

impl Links {
    pub(super) fn add(&mut self, record: &Record<'_>, kind: &Kind) {
        let envelope = &record.envelope;
        let Some(id) = envelope.uuid.as_deref().map(number) else { return };
        let parent = envelope.parent_uuid.as_deref().map_or(0, number);
        self.links.push(Link { id, parent, line: short(record.place.line), moment: moment(record, kind) });
        if matches!(kind, Kind::User | Kind::Assistant) {
            self.last = id;
            if !envelope.is_sidechain.0 {
                self.last_own = id;
            }
        }
    }

    pub(super) fn finish(self) -> impl Iterator<Item = Fault> {
        let leaf = if self.last_own == 0 { self.last } else { self.last_own };
        let first = self.links.first().map_or(0, |link| link.line);
        let mut links = self.links;
        links.sort_unstable_by_key(|link| (link.id, link.line));
        let chain = Chain { links, first };
        let reused = fault(
            "duplicate-uuid",
            "a uuid that another record has, which says something else".to_owned(),
            chain.reused(),
        );
        let broken = chain.breaks_at(leaf);
        let others = chain.missing().filter(|line| Some(*line) != broken);
        let message = "its parent is not in the file, off the line that the conversation took".to_owned();
        let missing = fault("missing-parent", message, others);
        let message = "the record before is not in the file: a client that resumes may know nothing of what was said \
                       until here";
        let broken = fault("broken-chain", message.to_owned(), broken.into_iter());
        let circles =
            fault("parent-cycle", "the chain of parents runs in a circle".to_owned(), chain.circles());
        [reused, broken, missing, circles].into_iter().flatten()
    }
}

/// Forks and compactions write records again, with their old time.
fn moment(record: &Record<'_>, kind: &Kind) -> u32 {
    let time = record.envelope.timestamp.as_deref().unwrap_or_default();
    let both = FixedState::default().hash_one((kind.name(), time));
    u32::try_from(both >> 32).unwrap_or_default()
}

/// Links in the order of their ids.
struct Chain {
    links: Vec<Link>,
    /// The line of the file's first link.
    first: u32,
}

impl Chain {
    /// Of several with the id, the first in the file.
    fn place(&self, id: u64) -> Option<usize> {
        let place = self.links.partition_point(|link| link.id < id);
        self.links.get(place).filter(|link| link.id == id).map(|_| place)
    }

    fn reused(&self) -> impl Iterator<Item = u32> {
        self.links.windows(2).filter_map(|pair| match pair {
            [one, two] if one.id == two.id && one.moment != two.moment => Some(two.line),
            _ => None,
        })
    }

    /// The first record of a fork, of a subagent or of a file that goes on from another one names a parent elsewhere.
    fn missing(&self) -> impl Iterator<Item = u32> {
        let lacks =
            |link: &&Link| link.parent != 0 && link.line != self.first && self.place(link.parent).is_none();
        self.links.iter().filter(lacks).map(|link| link.line)
    }

    /// The line at which the chain of parents of a record breaks.
    fn breaks_at(&self, leaf: u64) -> Option<u32> {
        let mut at = self.place(leaf)?;
        // A longer walk goes round in a circle.
        for _ in 0..=self.links.len() {
            let link = self.links.get(at)?;
            if link.parent == 0 {
                return None;
            }
            match self.place(link.parent) {
                Some(parent) => at = parent,
                None => return Some(link.line).filter(|line| *line != self.first),
            }
        }
        None
    }

    /// The first line of each circle.
    fn circles(&self) -> impl Iterator<Item = u32> {
        let parent = |place: usize| {
            let parent = self.links.get(place).map(|link| link.parent).filter(|parent| *parent != 0);
            self.place(parent?)
        };
        let lines = |circle: Vec<usize>| {
            circle.into_iter().filter_map(|place| self.links.get(place)).map(|link| link.line).min()
        };
        circles(self.links.len(), parent).into_iter().filter_map(lines)
    }
}
