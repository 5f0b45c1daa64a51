//! How much memory the records of a transcript may take: the newest that fit stay, or those around one that is looked
//! for.
//!
//! A conversation is held whole, and each of its records takes kilobytes, however little it says. So of a transcript
//! beyond all measure a part is left out, and said to be.

use std::collections::VecDeque;

/// What a record takes, whatever it says, from its entry to the line that shows it. Measured, not counted.
const OF_RECORD: u64 = 2800;
/// How often what it says is held at once: by its entry, by the model and by the document made of that.
const OF_BYTE: u64 = 3;

/// The same where the records themselves are held, too.
const OF_HELD_RECORD: u64 = 6800;

/// Room for records.
#[derive(Debug, Clone, Copy)]
pub struct Room {
    pub bytes: u64,
    /// Whether the records themselves are held besides what they mean.
    pub holds_records: bool,
}

impl Room {
    /// For a session that nobody allows more.
    pub const USUAL: u64 = 384 * 1024 * 1024;
}

/// What was left out, in records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LeftOut {
    pub older: usize,
    pub newer: usize,
}

/// What became of a piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Pushed {
    /// Whether it is a record that was taken.
    pub is_taken: bool,
    /// How many of the oldest had to go.
    pub dropped: usize,
}

/// Room as it is taken up.
#[derive(Debug, Default)]
pub(crate) struct Ledger {
    room: Option<Room>,
    held: u64,
    weights: VecDeque<u64>,
    /// Nothing goes any more to make room.
    is_settled: bool,
    pub(crate) left_out: LeftOut,
}

impl Ledger {
    pub(crate) fn new(room: Room) -> Self {
        Self { room: Some(room), ..Self::default() }
    }

    pub(crate) fn limit(&self) -> u64 {
        self.room.map_or(u64::MAX, |room| room.bytes)
    }

    pub(crate) fn held(&self) -> u64 {
        self.held
    }

    /// For one more record, which says `said` bytes and has `bytes` itself.
    pub(crate) fn take(&mut self, said: u64, bytes: u64) -> Pushed {
        let Some(room) = self.room else { return Pushed { is_taken: true, dropped: 0 } };
        let weight = match room.holds_records {
            true => OF_HELD_RECORD + OF_BYTE * said.max(bytes),
            false => OF_RECORD + OF_BYTE * said,
        };
        if self.is_settled && self.held + weight > room.bytes {
            self.left_out.newer += 1;
            return Pushed { is_taken: false, dropped: 0 };
        }
        self.weights.push_back(weight);
        self.held += weight;
        // Many at a time: whoever holds them moves the others.
        let dropped = if self.held > room.bytes { self.shrink(room.bytes / 4 * 3) } else { 0 };
        Pushed { is_taken: true, dropped }
    }

    /// Keeps what is newest now, and as much again of what follows. Gives how many of the oldest have to go.
    pub(crate) fn settle(&mut self) -> usize {
        self.is_settled = true;
        self.room.map_or(0, |room| self.shrink(room.bytes / 2))
    }

    /// The newest stays in any case.
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
    /// What is said of it, if there is anything to say.
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

    fn ledger(records: u64) -> Ledger {
        Ledger::new(Room { bytes: records * OF_RECORD, holds_records: false })
    }

    #[test]
    fn the_newest_records_stay() {
        let mut ledger = ledger(100);
        let dropped: usize = (0..1000).map(|_| ledger.take(0, 0).dropped).sum();
        assert_eq!((ledger.left_out.older, ledger.left_out.newer), (dropped, 0));
        assert!((900..=925).contains(&dropped), "{dropped}");
        assert_eq!(
            ledger.take(u64::from(u32::MAX), 0).dropped,
            1000 - dropped,
            "one that is too large is alone"
        );
    }

    #[test]
    fn what_was_found_stays_with_what_stands_around_it() {
        let mut ledger = ledger(100);
        assert!((0..500).all(|_| ledger.take(0, 0).is_taken));
        ledger.settle();
        let taken = (0..500).filter(|_| ledger.take(0, 0).is_taken).count();
        assert_eq!((taken, ledger.left_out), (50, LeftOut { older: 450, newer: 450 }));
    }
}
