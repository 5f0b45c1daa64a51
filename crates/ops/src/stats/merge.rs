//! The accounts of many files → each message once.
//!
//! Forks, resumes, replays and subagents repeat messages of other files. The first file that has one keeps it; what is
//! more in another one is taken over, because a copy may have been made before the message was whole.

use std::collections::HashMap;
use std::num::NonZeroU64;

use foldhash::fast::RandomState;
use steno_conversation::{MessageKey, Packed, Row, Usage};

use super::gather::Book;

/// A message, and what it used.
#[derive(Debug, Clone, Copy)]
pub(super) struct Message<'a> {
    pub(super) book: &'a Book,
    pub(super) row: Row,
    /// Its place among all rows of all books.
    pub(super) number: usize,
}

impl<'a> Message<'a> {
    pub(super) fn new(book: &'a Book, row: Row, number: usize) -> Self {
        Self { book, row, number }
    }

    pub(super) fn model(&self) -> &'a str {
        self.book.account.text(self.row.model).unwrap_or(UNKNOWN)
    }

    /// The directory that it was written in.
    pub(super) fn project(&self) -> Option<&'a str> {
        self.book.account.text(self.row.cwd)
    }

    pub(super) fn branch(&self) -> Option<&'a str> {
        self.book.account.text(self.row.git_branch)
    }
}

/// A message that counts, as long as nobody looks at it: all of them are many.
#[derive(Debug)]
pub(super) struct Counted<'a> {
    book: &'a Book,
    row: Packed<'a>,
    number: usize,
    /// What it used, where copies of it tell more than its row.
    raised: Option<Box<Usage>>,
}

impl<'a> Counted<'a> {
    pub(super) fn open(&self) -> Message<'a> {
        let mut row = self.row.open();
        if let Some(raised) = &self.raised {
            row.usage = **raised;
        }
        Message::new(self.book, row, self.number)
    }

    /// Takes over what a copy has more of.
    fn raise(&mut self, copy: &Usage) {
        let known = self.open().row.usage;
        let mut usage = known;
        usage.raise(copy);
        if usage != known {
            self.raised = Some(Box::new(usage));
        }
    }
}

/// What a row is called that nobody knows the name of.
pub(super) const UNKNOWN: &str = "unknown";

/// Some of all messages, for one thread: a message and its copies are in the same one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Share {
    number: u64,
    of: u64,
}

/// Which message, or which record that is one of its own.
type Identity = (Option<MessageKey>, Option<NonZeroU64>);

/// So many rows are quicker merged than a thread is started.
const FEW: usize = 4096;

impl Share {
    /// As many as there are threads to work on them.
    pub(super) fn all(books: &[Book]) -> Vec<Self> {
        let rows: usize = books.iter().map(|book| book.account.messages()).sum();
        let of = steno_cores::count().min(rows.div_ceil(FEW)).max(1) as u64;
        (0..of).map(|number| Self { number, of }).collect()
    }

    fn contains(self, (key, record): Identity) -> bool {
        let hash = key.map_or_else(|| record.map_or(0, NonZeroU64::get), |key| key.message);
        // As a remainder would, without a division for each.
        ((hash & u64::from(u32::MAX)) * self.of) >> 32 == self.number
    }
}

/// In the order of the books.
pub(super) fn once_each(books: &[Book], share: Share) -> Vec<Counted<'_>> {
    let rows: usize = books.iter().map(|book| book.account.messages()).sum();
    let rows = rows / share.of as usize;
    let mut messages: Vec<Counted<'_>> = Vec::with_capacity(rows);
    let mut places = Places::default();
    places.messages.reserve(rows);
    let mut before = 0;
    for book in books {
        places.repeats.clear();
        for (number, row) in book.account.rows().enumerate() {
            let identity = row.identity();
            if !share.contains(identity) {
                continue;
            }
            let place = places.of(identity, messages.len());
            match messages.get_mut(place) {
                Some(message) => message.raise(&row.open().usage),
                None => messages.push(Counted { book, row, number: before + number, raised: None }),
            }
        }
        before += book.account.messages();
    }
    messages
}

/// Where messages stand that were met before.
#[derive(Default)]
struct Places {
    messages: HashMap<MessageKey, usize, RandomState>,
    /// Records that are messages of their own. A file that has one twice means two messages, another file that has it
    /// twice the same two.
    records: HashMap<(NonZeroU64, u64), usize, RandomState>,
    /// How often this file had one.
    repeats: HashMap<NonZeroU64, u64, RandomState>,
}

impl Places {
    /// The next place is for what is new, or cannot be told from anything.
    fn of(&mut self, identity: Identity, next: usize) -> usize {
        match identity {
            (Some(key), _) => *self.messages.entry(key).or_insert(next),
            (None, Some(record)) => {
                let number = self.repeats.entry(record).or_default();
                *number += 1;
                *self.records.entry((record, *number)).or_insert(next)
            }
            (None, None) => next,
        }
    }
}
