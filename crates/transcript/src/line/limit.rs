//! How much memory the buffer of a reader may take.
//!
//! A line may have any length: a file of zeros is one line of gigabytes. So a line is held whole up to a limit, and a
//! longer one is handed out in parts, as it is read. Below the limit, several readers at once could still hold several
//! long lines; a gate lets them do so one after the other. The caller makes the gate, because this crate knows no threads.

use std::any::Any;

/// The longest line that is held whole, with its line end.
pub const LONGEST_LINE: usize = 64 * 1024 * 1024;
/// A buffer up to this size needs no permit.
const SMALL: usize = 8 * 1024 * 1024;

/// Waits until the reader may hold a long line, and gives a permit that ends when it is dropped.
pub type Gate = fn() -> Box<dyn Any>;

/// What a reader may hold.
#[derive(Debug)]
pub(super) struct Limits {
    /// The longest line that is held whole.
    pub(super) longest: usize,
    pub(super) gate: Option<Gate>,
    /// Held as long as the buffer is large.
    permit: Option<Box<dyn Any>>,
}

impl Limits {
    pub(super) fn new() -> Self {
        Self { longest: LONGEST_LINE, gate: None, permit: None }
    }

    /// How large the buffer has to be for the next read.
    pub(super) fn wanted(&self, unfinished: usize, chunk: usize) -> usize {
        // A long line grows the buffer by a quarter at a time, not by doubling: it may be most of the memory.
        let grown = unfinished + chunk.max(unfinished / 4);
        grown.min((self.longest + 1).max(unfinished + chunk))
    }

    /// Makes the buffer that large. A buffer that was grown for a long line shrinks again.
    pub(super) fn fit(&mut self, buffer: &mut Vec<u8>, wanted: usize) {
        if buffer.len() > SMALL && wanted <= SMALL {
            buffer.truncate(wanted);
            buffer.shrink_to_fit();
            self.permit = None;
        }
        if buffer.len() < wanted {
            if wanted > SMALL && self.permit.is_none() {
                self.permit = self.gate.map(|gate| gate());
            }
            buffer.reserve_exact(wanted - buffer.len());
            buffer.resize(wanted, 0);
        }
    }
}
