//! How much room lines may take.
//!
//! A line may have any length: a file of zeros is one line of gigabytes. So a line is held whole up to a limit, and what
//! is longer is handed out in parts, as it is read. Below the limit, several readers at once could still hold several long
//! lines; a gate lets them do so one after the other. What the gate waits for is not the concern of a pure crate.

use std::any::Any;

/// The longest line that is held whole, its terminator included.
pub const LONGEST_LINE: usize = 64 * 1024 * 1024;
/// A buffer up to here passes no gate.
const SMALL: usize = 8 * 1024 * 1024;

/// Waits until a long line may be held, and gives what says so until it is dropped.
pub type Gate = fn() -> Box<dyn Any>;

/// How much of its line a [`Line`](super::Line) is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Extent {
    #[default]
    Whole,
    /// The beginning of a line that is too long.
    Begin,
    /// More of it.
    Rest,
}

/// What a reader may hold.
#[derive(Debug)]
pub(super) struct Room {
    pub(super) limit: usize,
    pub(super) gate: Option<Gate>,
    /// What the gate gave, while the buffer is large.
    leave: Option<Box<dyn Any>>,
}

impl Room {
    pub(super) fn new() -> Self {
        Self { limit: LONGEST_LINE, gate: None, leave: None }
    }

    /// How large the buffer has to be for the next read.
    pub(super) fn wanted(&self, unfinished: usize, chunk: usize) -> usize {
        // A long line grows the buffer by a quarter at a time, not by doubling: it may be most of the memory.
        let grown = unfinished + chunk.max(unfinished / 4);
        grown.min((self.limit + 1).max(unfinished + chunk))
    }

    /// Makes the buffer that large; one that is much too large gives its room back.
    pub(super) fn fit(&mut self, buffer: &mut Vec<u8>, wanted: usize) {
        if buffer.len() > SMALL && wanted <= SMALL {
            buffer.truncate(wanted);
            buffer.shrink_to_fit();
            self.leave = None;
        }
        if buffer.len() < wanted {
            if wanted > SMALL && self.leave.is_none() {
                self.leave = self.gate.map(|gate| gate());
            }
            buffer.reserve_exact(wanted - buffer.len());
            buffer.resize(wanted, 0);
        }
    }
}
