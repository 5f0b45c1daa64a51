//! How much memory the records of a transcript may take: the newest that fit stay, or those around one that the caller
//! looks for.
//!
//! A conversation is held whole in memory, and each of its records takes kilobytes, even a short one. So a part of a
//! huge transcript is left out, and a warning says so.

use std::collections::VecDeque;

/// The memory for a record without its texts, from its entry to the printed line. Measured.
const OF_RECORD: u64 = 2800;
/// How many copies of a text exist at once: in the entry, in the model, and in the document made of it.
const OF_BYTE: u64 = 4;

/// The memory for a record if the caller holds the record, too.
const OF_HELD_RECORD: u64 = 6800;

/// A limit for the memory that the records of a transcript take.
#[derive(Debug, Clone, Copy)]
pub struct MemoryLimit {
    pub bytes: u64,
    /// Whether the caller holds the records themselves, too.
    pub holds_records: bool,
}

impl MemoryLimit {
    /// For a session, unless the caller allows more.
    pub const USUAL: u64 = 256 * 1024 * 1024;
}

/// How many records were left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LeftOut {
    pub older: usize,
    pub newer: usize,
}

/// The outcome of pushing a piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Pushed {
    /// Whether it is a record, and was kept.
    pub is_taken: bool,
    /// How many of the oldest records were dropped to make room.
    pub dropped: usize,
}

/// The memory that records take so far.
#[derive(Debug, Default)]
pub(crate) struct MemoryUse {
    limit: Option<MemoryLimit>,
    held: u64,
    weights: VecDeque<u64>,
    /// No record is dropped any more; new ones that do not fit are left out.
    is_settled: bool,
    pub(crate) left_out: LeftOut,
}

impl MemoryUse {
    pub(crate) fn new(limit: MemoryLimit) -> Self {
        Self { limit: Some(limit), ..Self::default() }
    }

    pub(crate) fn limit(&self) -> u64 {
        self.limit.map_or(u64::MAX, |limit| limit.bytes)
    }

    pub(crate) fn held(&self) -> u64 {
        self.held
    }

    /// Counts one more record of `bytes`, with texts of `said` bytes.
    pub(crate) fn take(&mut self, said: u64, bytes: u64) -> Pushed {
        let Some(limit) = self.limit else { return Pushed { is_taken: true, dropped: 0 } };
        let weight = match limit.holds_records {
            true => OF_HELD_RECORD + OF_BYTE * said.max(bytes),
            false => OF_RECORD + OF_BYTE * said,
        };
        if self.is_settled && self.held + weight > limit.bytes {
            self.left_out.newer += 1;
            return Pushed { is_taken: false, dropped: 0 };
        }
        self.weights.push_back(weight);
        self.held += weight;
        // Many at a time, because the caller moves the others for each drop.
        let dropped = if self.held > limit.bytes { self.shrink(limit.bytes / 4 * 3) } else { 0 };
        Pushed { is_taken: true, dropped }
    }

    /// Keeps the newest half of the limit and leaves the other half to records that follow. Gives how many of the oldest
    /// have to go.
    pub(crate) fn settle(&mut self) -> usize {
        self.is_settled = true;
        self.limit.map_or(0, |limit| self.shrink(limit.bytes / 2))
    }

    /// Drops the oldest, but never the newest.
    fn shrink(&mut self, bytes: u64) -> usize {
        let before = self.weights.len();
        while self.held > bytes && self.weights.len() > 1 {
            self.held -= self.weights.pop_front().unwrap_or_default();
        }
        let dropped = before - self.weights.len();
        self.left_out.older += dropped;
        dropped
    }
}

impl LeftOut {
    /// The warning, if records were left out.
    pub(crate) fn message(self, limit: u64) -> Option<String> {
        let Self { older, newer } = self;
        let records = match (older, newer) {
            (0, 0) => return None,
            (older, 0) => format!("{older} older records are"),
            (0, newer) => format!("{newer} newer records are"),
            (older, newer) => format!("{older} older and {newer} newer records are"),
        };
        Some(format!("{records} left out: together they would take more than {} MB of memory", limit >> 20))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn memory(records: u64) -> MemoryUse {
        MemoryUse::new(MemoryLimit { bytes: records * OF_RECORD, holds_records: false })
    }

    #[test]
    fn the_newest_records_stay() {
        let mut memory = memory(100);
        let dropped: usize = (0..1000).map(|_| memory.take(0, 0).dropped).sum();
        assert_eq!((memory.left_out.older, memory.left_out.newer), (dropped, 0));
        assert!((900..=925).contains(&dropped), "{dropped}");
        assert_eq!(
            memory.take(u64::from(u32::MAX), 0).dropped,
            1000 - dropped,
            "one that is too large is alone"
        );
    }

    #[test]
    fn what_was_found_stays_with_what_stands_around_it() {
        let mut memory = memory(100);
        assert!((0..500).all(|_| memory.take(0, 0).is_taken));
        memory.settle();
        let taken = (0..500).filter(|_| memory.take(0, 0).is_taken).count();
        assert_eq!((taken, memory.left_out), (50, LeftOut { older: 450, newer: 450 }));
    }
}
