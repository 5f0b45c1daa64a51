//! A passage and the hits in it → the short part of it that is shown.

mod cluster;
mod matcher;
mod shown;
#[cfg(test)]
mod tests;

use std::ops::Range;

use crate::query::Query;
use shown::Shown;

/// How many characters may be given up to cut between two words.
const NEAR: usize = 16;

/// A short stretch of a text, on one line.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Snippet {
    pub text: String,
    /// The hits, as ranges of `text`.
    pub highlights: Vec<Range<usize>>,
}

/// The hits in a text, in order, without overlaps.
pub fn highlights(query: &Query, text: &str) -> Vec<Range<usize>> {
    matcher::places(query.wanted(), text)
}

/// About `width` characters around the place with the most hits together; `found` are the hits in order. Without hits,
/// the beginning of the text.
pub fn snippet(text: &str, found: &[Range<usize>], width: usize) -> Snippet {
    let core = cluster::densest(text, found, width);
    cut(&Shown::around(text, &core, width), &core, found, width)
}

fn cut(shown: &Shown, core: &Range<usize>, found: &[Range<usize>], width: usize) -> Snippet {
    let frame = frame(shown, shown.range(core), width);
    let (text, starts) = line(shown, &frame);
    let place = shown.place(&frame);
    let first = found.partition_point(|found| found.end <= place.start);
    let inside = found.iter().skip(first).take_while(|found| found.start < place.end);
    let start = |number: usize| starts.get(number.clamp(frame.start, frame.end) - frame.start).copied();
    let highlights = inside.filter_map(|found| {
        let range = shown.range(found);
        Some(start(range.start)?..start(range.end)?)
    });
    let highlights = highlights.filter(|place| !place.is_empty()).collect();
    Snippet { text, highlights }
}

/// The text that is shown, and where in it each character begins; the last number is where the last character ends.
fn line(shown: &Shown, frame: &Range<usize>) -> (String, Vec<usize>) {
    let is_cut_before = frame.start > 0 || shown.is_cut_before;
    let is_cut_after = frame.end < shown.characters.len() || shown.is_cut_after;
    let mut text = String::from(if is_cut_before { "…" } else { "" });
    let mut starts = vec![text.len()];
    for (character, _) in shown.characters.get(frame.clone()).unwrap_or_default() {
        text.push(*character);
        starts.push(text.len());
    }
    text.push_str(if is_cut_after { "…" } else { "" });
    (text, starts)
}

/// Which characters to show: the core, and as much on both sides as there is room for.
fn frame(shown: &Shown, core: Range<usize>, width: usize) -> Range<usize> {
    let total = shown.characters.len();
    let spare = width.saturating_sub(core.len());
    let behind = total.saturating_sub(core.end);
    let before = core.start.min((spare / 2).max(spare.saturating_sub(behind)));
    let start = core.start - before;
    let end = total.min(start + width);
    let start = word_start(shown, start..core.start.min(start + NEAR));
    let kept = if core.end > end { start } else { core.end };
    let end = word_end(shown, kept.max(end.saturating_sub(NEAR))..end);
    start..end.max(start)
}

/// The first begin of a word in a range, if its own begin is none.
fn word_start(shown: &Shown, range: Range<usize>) -> usize {
    if range.start == 0 || shown.is_gap(range.start - 1) {
        return range.start;
    }
    range.clone().find(|number| shown.is_gap(*number)).map_or(range.start, |gap| gap + 1)
}

/// The last end of a word in a range, if its own end is none.
fn word_end(shown: &Shown, range: Range<usize>) -> usize {
    if range.end == shown.characters.len() || shown.is_gap(range.end) {
        return range.end;
    }
    range.clone().rev().find(|number| shown.is_gap(*number)).unwrap_or(range.end)
}
