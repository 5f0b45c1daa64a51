//! The places of matches → where most of them are close together.

use std::hash::BuildHasher;
use std::ops::Range;

use foldhash::HashMap;
use foldhash::fast::FixedState;

/// The bytes of a text, about as many as `width`, that hold the most different things, and then the most.
pub(super) fn densest(text: &str, found: &[Range<usize>], width: usize) -> Range<usize> {
    let mut inside = Inside::default();
    let mut best = (0, 0);
    let mut core = 0..0;
    let mut places = found.iter().peekable();
    for place in found {
        inside.add(name(text, place));
        while let Some(first) =
            places.next_if(|first| place.end.saturating_sub(first.start) > width && *first != place)
        {
            inside.remove(name(text, first));
        }
        if inside.score() > best {
            best = inside.score();
            core = places.peek().map_or(place.start, |first| first.start)..place.end;
        }
    }
    let start = text.floor_char_boundary(core.start);
    start..text.ceil_char_boundary(core.end).max(start)
}

/// What a window holds, and how often.
#[derive(Default)]
struct Inside {
    counts: HashMap<u64, usize>,
    total: usize,
}

impl Inside {
    fn add(&mut self, name: u64) {
        *self.counts.entry(name).or_default() += 1;
        self.total += 1;
    }

    fn remove(&mut self, name: u64) {
        self.total = self.total.saturating_sub(1);
        if let Some(count) = self.counts.get_mut(&name) {
            *count -= 1;
            if *count == 0 {
                self.counts.remove(&name);
            }
        }
    }

    fn score(&self) -> (usize, usize) {
        (self.counts.len(), self.total)
    }
}

/// The same for a word in any case.
fn name(text: &str, place: &Range<usize>) -> u64 {
    let bytes = text.as_bytes().get(place.clone()).unwrap_or_default();
    let seed = FixedState::default();
    bytes.iter().fold(0, |name, byte| seed.hash_one((name, byte.to_ascii_lowercase())))
}
