//! The commas of an object or list → where its members stand, and what to cut so that some of them go.

use std::ops::Range;

/// What is known of the members of an object or list that is not closed yet.
#[derive(Debug, Default)]
pub(super) struct Members {
    pub(super) commas: Vec<usize>,
    /// Which of them go.
    pub(super) removed: Vec<usize>,
    /// Which of them get another value: which one of the new ones, and where the key ends.
    pub(super) set: Vec<(usize, usize, usize)>,
    /// Whether there is one named `source`.
    pub(super) has_source: bool,
}

/// How many members there are between the brackets that `range` starts and ends with.
pub(super) fn count(json: &str, commas: &[usize], range: &Range<usize>) -> usize {
    let inside = json.get(range.start + 1..range.end - 1).unwrap_or_default();
    if commas.is_empty() && inside.trim_ascii().is_empty() { 0 } else { commas.len() + 1 }
}

/// Where the value of a field stands whose key ends at one place, and which itself ends at another.
pub(super) fn value(json: &str, key_end: usize, end: usize) -> Range<usize> {
    let rest = json.get(key_end..end).unwrap_or_default();
    let value = rest.trim_ascii_start().strip_prefix(':').unwrap_or_default().trim_ascii_start();
    let start = end - value.len();
    start..start + value.trim_ascii_end().len()
}

/// What to cut so that some members go, each with one comma.
pub(super) fn without(
    json: &str,
    commas: &[usize],
    range: Range<usize>,
    is_gone: impl Fn(usize) -> bool,
) -> Vec<Range<usize>> {
    let members = count(json, commas, &range);
    let (first, last) = (range.start + 1, range.end - 1);
    let comma = |index: usize| commas.get(index).copied();
    let mut cuts: Vec<Range<usize>> = Vec::new();
    let (mut has_kept, mut was_gone) = (false, false);
    for index in 0..members {
        let gone = is_gone(index);
        if gone {
            let end = comma(index).unwrap_or(last);
            match cuts.last_mut().filter(|_| was_gone) {
                Some(cut) => cut.end = end,
                None => cuts.push(index.checked_sub(1).and_then(comma).unwrap_or(first)..end),
            }
        } else if was_gone && !has_kept {
            // Nothing stands before it: the comma goes with what went.
            cuts.iter_mut().for_each(|cut| cut.end += 1);
        }
        has_kept |= !gone;
        was_gone = gone;
    }
    cuts
}
