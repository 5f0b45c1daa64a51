//! What all readers found, one over another → what is masked, none over another.
//!
//! The readers do not know each other; who knows a token's own form is believed before who knows only its name.

use std::collections::BTreeMap;
use std::ops::Range;

/// Who is believed first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Rank {
    /// By its own form.
    Form,
    /// By the text around it.
    Context,
    /// By nothing but its letters.
    Random,
    /// Seen before, where its surroundings gave it away.
    Known,
    Home,
    User,
    Address,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Find {
    pub(crate) range: Range<usize>,
    pub(crate) kind: &'static str,
    pub(crate) rank: Rank,
}

/// So much of a value around a token is masked too; less than that is punctuation.
const SHORTEST_REST: usize = 8;

/// From left to right.
pub(crate) fn settle(mut finds: Vec<Find>) -> Vec<Find> {
    finds.sort_by(|one, other| {
        (one.rank, one.range.start, other.range.end).cmp(&(other.rank, other.range.start, one.range.end))
    });
    let mut settled: BTreeMap<usize, Find> = BTreeMap::new();
    for find in finds {
        let free = free(&settled, &find.range);
        let is_whole = free.first() == Some(&find.range);
        for range in free {
            let is_rest = find.rank <= Rank::Known && range.len() >= SHORTEST_REST;
            if is_whole || is_rest {
                settled.insert(range.start, Find { range, ..find });
            }
        }
    }
    settled.into_values().collect()
}

/// The parts of a range that are not yet taken.
fn free(settled: &BTreeMap<usize, Find>, range: &Range<usize>) -> Vec<Range<usize>> {
    let before = settled.range(..range.start).next_back().map(|(_, find)| find.range.end);
    let mut start = range.start.max(before.unwrap_or_default());
    let mut free = Vec::new();
    for find in settled.range(range.start..range.end).map(|(_, find)| find) {
        if start < find.range.start {
            free.push(start..find.range.start);
        }
        start = start.max(find.range.end);
    }
    if start < range.end {
        free.push(start..range.end);
    }
    free
}
