//! The accounts of many files → each message once.
//!
//! Forks, resumes, replays and subagents repeat messages of other files. The first file that has one keeps it; what is
//! more in another one is taken over, because a copy may have been made before the message was whole.

use std::collections::HashMap;
use std::num::NonZeroU64;

use foldhash::fast::RandomState;
use steno_conversation::{MessageKey, Row};

use super::gather::Book;

/// A message, and what it used.
#[derive(Debug, Clone, Copy)]
pub(super) struct Message<'a> {
    pub(super) book: &'a Book,
    pub(super) row: Row,
}

impl<'a> Message<'a> {
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

/// The title of a row whose name is unknown.
pub(super) const UNKNOWN: &str = "unknown";

/// In the order of the books.
pub(super) fn once_each(books: &[Book]) -> Vec<Message<'_>> {
    let mut messages: Vec<Message<'_>> = Vec::new();
    let mut places = Places::default();
    for book in books {
        places.repeats.clear();
        for row in &book.account.rows {
            let place = places.of(row, messages.len());
            match messages.get_mut(place) {
                Some(message) => message.row.usage.raise(&row.usage),
                None => messages.push(Message { book, row: *row }),
            }
        }
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
    fn of(&mut self, row: &Row, next: usize) -> usize {
        match (row.key, row.record) {
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
